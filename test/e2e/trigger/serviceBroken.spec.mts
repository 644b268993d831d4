import { expect, test } from '../fixtures.mts';

// n8n takes most of a minute to give up.
test('a service that breaks halfway through publishing keeps no active webhook; publishing again works', async ({
	trigger,
}) => {
	const { service } = trigger;
	const { faults } = service.running;
	faults.inject({
		...{ route: 'setWebhookStatus', status: 500, times: 100 },
		when: ({ body }) => (body as { status?: string }).status === 'active',
	});
	await expect(trigger.publish()).rejects.toThrow(/The service couldn't process the request/);
	expect(trigger.webhookAddress, 'it broke halfway').toBe(trigger.productionUrl);
	faults.clear();
	await expect.poll(() => service.webhook.status).toBe('inactive');
	await trigger.publish();
	await trigger.expectReceiving();
});
