import { setTimeout } from 'node:timers/promises';

import { expect, test } from '../fixtures.mts';

// n8n 2.x gives up a publication after 84 seconds and a test after 120. A hook ends before that, but n8n
// repeats the one that publishes.

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

test('a slow service: unpublishing undoes a publication that n8n had given up', async ({
	trigger,
}) => {
	const { service, client, workflowId } = trigger;
	const { faults } = service.running;
	faults.inject({ route: '*', delayMs: 100_000, times: 1_000 });
	const began = Date.now();
	await expect(trigger.publish()).rejects.toThrow(/deadline/);
	const took = Date.now() - began;
	faults.clear();
	await expect.poll(() => service.webhook.status).toBe('active');
	// What was begun for the publication goes on for some seconds.
	await setTimeout(10_000);
	await client.unpublish(workflowId);
	await expect.poll(() => service.webhook.status).toBe('inactive');
	test.info().annotations.push({ type: 'figure', description: `n8n gave up after ${took} ms` });
});
