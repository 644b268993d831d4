import { setTimeout } from 'node:timers/promises';

import { expect, test } from '../support/fixtures.mts';

// n8n 2.x gives up on publishing after 84 seconds. A hook ends before that, but n8n repeats it.

test('unpublishing undoes a publication that n8n had given up, as the service was slow', async ({
	trigger,
}) => {
	test.setTimeout(400_000);
	const { faults } = trigger.service.running;
	faults.inject({ route: '*', delayMs: 100_000, times: 1_000 });
	await expect(trigger.publish()).rejects.toThrow(/deadline/);
	faults.clear();
	await expect.poll(() => trigger.service.webhook.status).toBe('active');
	// Requests of the publication go on for some seconds.
	await setTimeout(10_000);
	await trigger.unpublish();
	await expect.poll(() => trigger.service.webhook.status).toBe('inactive');
});
