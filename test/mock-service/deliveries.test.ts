import { request } from '../support/invite.mts';
import { ada, invite, receiver, resultReady, start, today } from './support/service';

const secret = 'the secret of the receiver';

it('finishing an assessment delivers the event to the active webhook, with the secret in a header', async () => {
	const service = await start();
	const partner = await receiver();
	const path = `/webhooks/${service.webhookId}`;
	const webhook = { name: 'Results', url: partner.url, events: [resultReady], secret };
	await request(service, 'PUT', path, webhook);
	await request(service, 'PUT', `${path}/status`, { status: 'active' });
	const code = await invite(service);

	const delivery = await service.finish(code);

	expect(partner.received).toHaveLength(1);
	const [{ headers, body }] = partner.received;
	expect(headers).toMatchObject({
		'x-webhook-secret': secret,
		'content-type': 'application/json',
	});
	expect(headers).not.toHaveProperty('authorization');
	expect(body).toEqual({
		event: resultReady,
		candidate_id: service.invitations[0].candidate_id,
		ext_reference_id: ada.ext_reference_id,
		job_id: ada.job_id,
		invitation_code: code,
		status: 'completed',
		occurred_at: today,
	});
	expect(delivery).toMatchObject({ url: partner.url, payload: body, status: 200, error: null });
	expect(service.deliveries).toEqual([delivery]);
	expect(JSON.stringify(service.deliveries)).not.toContain(secret);
});

it('every webhook that is active, not deleted and subscribed is called, and no other', async () => {
	const service = await start();
	expect(await service.finish(await invite(service))).toBeUndefined();
	const partner = await receiver();
	const wanted = { url: partner.url, status: 'active' } as const;
	const called = [service.createWebhook(wanted), service.createWebhook(wanted)];
	service.createWebhook({ ...wanted, status: 'inactive' });
	service.createWebhook({ ...wanted, is_deleted: true });
	service.createWebhook({ ...wanted, events: [] });
	await service.finish(await invite(service));
	expect(service.deliveries.map(({ webhook_id }) => webhook_id)).toEqual(called);
	expect(partner.received).toHaveLength(2);
	// Deliveries have no secret.
	expect(partner.received[0].headers).not.toHaveProperty('x-webhook-secret');
});
