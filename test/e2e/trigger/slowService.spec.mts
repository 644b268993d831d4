import { setTimeout } from 'node:timers/promises';

import { expect, test } from '../fixtures.mts';

// n8n 2.x gives up a publication after 84 seconds and a test after 120. A hook ends before that, but n8n
// repeats the one that publishes.

test.beforeEach(() => test.setTimeout(400_000));

test('a test with a slow service ends within a minute, and production receives', async ({
	trigger,
}) => {
	const { faults } = trigger.service.running;
	await trigger.publish();
	faults.inject({ route: '*', status: 429, retryAfter: 20, times: 3 });
	const began = Date.now();
	await expect(trigger.startListening()).rejects.toThrow(/The service asks to wait 20 seconds/);
	expect(Date.now() - began).toBeLessThan(60_000);
	await trigger.expectReceiving();
});

test('unpublishing undoes a publication that n8n had given up, as the service was slow', async ({
	trigger,
}) => {
	const { service, client, workflowId } = trigger;
	const { faults } = service.running;
	faults.inject({ route: '*', delayMs: 100_000, times: 1_000 });
	await expect(trigger.publish()).rejects.toThrow(/deadline/);
	faults.clear();
	await expect.poll(() => service.webhook.status).toBe('active');
	// What was begun for the publication goes on for some seconds.
	await setTimeout(10_000);
	await client.unpublish(workflowId);
	await expect.poll(() => service.webhook.status).toBe('inactive');
});
