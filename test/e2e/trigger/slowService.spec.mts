import { expect, test } from '../fixtures.mts';

// n8n 2.x gives up a test after 120 seconds; the trigger ends before that.

const LIMIT_MS = 60_000;

test.beforeEach(() => test.setTimeout(400_000));

test('a slow service: a test ends within a minute, and production receives', async ({
	trigger,
}) => {
	const { faults } = trigger.service.running;
	await trigger.publish();
	faults.inject({ route: '*', status: 429, retryAfter: 20, times: 3 });
	const began = Date.now();
	await expect(trigger.startListening()).rejects.toThrow(/The service asks to wait 20 seconds/);
	const took = Date.now() - began;
	test.info().annotations.push({ type: 'figure', description: `the test ended after ${took} ms` });
	expect(took).toBeLessThan(LIMIT_MS);
	await trigger.expectReceiving();
});
