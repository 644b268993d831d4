import { setTimeout } from 'node:timers/promises';

import { expect, test } from '../fixtures.mts';

// n8n 2.x gives up a publication after 84 seconds and a test after 120; the trigger ends before that.

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

test('a slow service: a publication that n8n has given up registers nothing', async ({
	trigger,
}) => {
	const { service, client, workflowId } = trigger;
	const { faults, requests } = service.running;
	faults.inject({ route: '*', delayMs: 100_000, times: 1_000 });
	const began = Date.now();
	const message = await trigger.publish().then(() => 'published', String);
	const took = Date.now() - began;
	faults.clear();
	await setTimeout(120_000);
	const last = Math.max(began, ...requests.map(({ at }) => Date.parse(at)));
	test.info().annotations.push({
		type: 'figure',
		description: `n8n gave up after ${took} ms (${message}); last request after ${last - began} ms`,
	});
	await client.unpublish(workflowId).catch(() => undefined);
	await expect.poll(() => service.webhook.status).toBe('inactive');
});
