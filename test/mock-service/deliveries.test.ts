import { ada, call, invite, receiver, register, resultReady, start, today } from './support';

describe('finishing an assessment', () => {
	it('delivers the event to the active webhook, with the secret in a header', async () => {
		const service = await start();
		const partner = await receiver();
		await register(service, partner.url, 'the secret of the receiver');
		const code = await invite(service);

		const delivery = await service.finish(code);

		expect(partner.received).toHaveLength(1);
		const [{ headers, body }] = partner.received;
		expect(headers['x-webhook-secret']).toBe('the secret of the receiver');
		expect(headers['content-type']).toBe('application/json');
		expect(headers.authorization).toBeUndefined();
		expect(body).toEqual({
			event: resultReady,
			candidate_id: service.invitations[0].candidate_id,
			ext_reference_id: ada.ext_reference_id,
			job_id: ada.job_id,
			invitation_code: code,
			status: 'completed',
			occurred_at: today,
		});
		expect(delivery).toMatchObject({
			webhook_id: service.webhookId,
			invitation_code: code,
			event: resultReady,
			url: partner.url,
			payload: body,
			status: 200,
			error: null,
		});
		expect(service.deliveries).toEqual([delivery]);
		expect(JSON.stringify(service.deliveries)).not.toContain('the secret of the receiver');
	});

	it('delivers to every webhook that is active, not deleted, and subscribed, and to no other', async () => {
		const service = await start();
		const partner = await receiver();
		const wanted = { url: partner.url, status: 'active' } as const;
		const called = [service.createWebhook(wanted), service.createWebhook(wanted)];
		service.createWebhook({ ...wanted, status: 'inactive' });
		service.createWebhook({ ...wanted, is_deleted: true });
		service.createWebhook({ ...wanted, events: [] });
		await service.finish(await invite(service));
		expect(service.deliveries.map(({ webhook_id }) => webhook_id)).toEqual(called);
		expect(partner.received).toHaveLength(2);
		// They have no secret.
		expect(partner.received[0].headers).not.toHaveProperty('x-webhook-secret');
	});

	it('delivers nothing without an active webhook', async () => {
		const service = await start();
		expect(await service.finish(await invite(service))).toBeUndefined();
		expect(service.deliveries).toEqual([]);
		expect(service.invitations[0].status).toBe('completed');
	});

	it('records a rejection with its response, and why there was none', async () => {
		const service = await start();
		const partner = await receiver({ status: 404, body: 'No such webhook' });
		await register(service, partner.url);
		const finish = async () => await service.finish(await invite(service));
		const rejected = { status: 404, error: null, response: 'No such webhook' };
		expect(await finish()).toMatchObject(rejected);
		await partner.close();
		const lost = { status: null, error: 'ECONNREFUSED', response: null };
		expect(await finish()).toMatchObject(lost);
	});

	it('does not follow a redirect, which would pass on the secret', async () => {
		const service = await start();
		const elsewhere = await receiver();
		const partner = await receiver({ status: 307, location: elsewhere.url });
		await register(service, partner.url, 'the secret of the receiver');
		expect(await service.finish(await invite(service))).toMatchObject({ status: 307 });
		expect(elsewhere.received).toEqual([]);
	});

	it('is rejected for an unknown, a finished, and an expired invitation', async () => {
		let now = new Date(today);
		const service = await start({ now: () => now });
		await expect(service.finish('unknown')).rejects.toThrow('No invitation');
		const code = await invite(service);
		await service.finish(code);
		await expect(service.finish(code)).rejects.toThrow('finished');
		const other = await invite(service, { deadline: '2026-12-01T12:00:00Z' });
		now = new Date('2026-12-01T12:00:00.001Z');
		await expect(service.finish(other)).rejects.toThrow('expired');
	});
});

describe('redelivery', () => {
	it('sends the same payload to the current URL of the webhook, with its current secret', async () => {
		const service = await start();
		const [before, after] = [await receiver({ status: 500 }), await receiver()];
		await register(service, before.url, 'previous');
		const first = await service.finish(await invite(service));
		await register(service, after.url, 'current');

		const second = await service.redeliver(first?.id ?? '');

		expect(second).toMatchObject({ status: 200, payload: first?.payload });
		expect(after.received).toMatchObject([
			{ headers: { 'x-webhook-secret': 'current' }, body: first?.payload },
		]);
		expect(service.deliveries).toHaveLength(2);
	});

	it('is rejected for an unknown delivery and for an inactive webhook', async () => {
		const service = await start();
		const partner = await receiver();
		await register(service, partner.url);
		const delivery = await service.finish(await invite(service));
		await expect(service.redeliver('unknown')).rejects.toThrow('No delivery');
		const path = `/partner/v1.0/webhooks/${service.webhookId}/status`;
		await call(service, 'PUT', path, { status: 'inactive' });
		await expect(service.redeliver(delivery?.id ?? '')).rejects.toThrow('no longer active');
		expect(partner.received).toHaveLength(1);
	});
});
