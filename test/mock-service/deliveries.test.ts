import { ada, call, invite, receiver, register, resultReady, start, today } from './support';

const secret = 'the secret of the receiver';

it('finishing an assessment delivers the event to the active webhook, with the secret in a header', async () => {
	const service = await start();
	const partner = await receiver();
	await register(service, partner.url, secret);
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
	// They have no secret.
	expect(partner.received[0].headers).not.toHaveProperty('x-webhook-secret');
});

it('a delivery that fails is recorded with its response, or with why there was none', async () => {
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

it('a redirect is not followed, since it would pass on the secret', async () => {
	const service = await start();
	const elsewhere = await receiver();
	const partner = await receiver({ status: 307, location: elsewhere.url });
	await register(service, partner.url, secret);
	expect(await service.finish(await invite(service))).toMatchObject({ status: 307 });
	expect(elsewhere.received).toEqual([]);
});

it('an assessment can be finished once, and before it expires', async () => {
	let now = new Date(today);
	const service = await start({ now: () => now });
	await expect(service.finish('unknown')).rejects.toThrow('No invitation');
	const code = await invite(service);
	await service.finish(code);
	await expect(service.finish(code)).rejects.toThrow('finished');
	const other = await invite(service, { deadline: '2026-12-01T12:00:00Z' });
	now = new Date('2026-12-01T12:00:00.001Z');
	await expect(service.finish(other)).rejects.toThrow('expired');
	const form = { 'content-type': 'application/x-www-form-urlencoded' };
	await call(service, 'POST', `/invitations/${other}/finish`, '', form);
	expect(service.invitations[1].status).toBe('invited');
});

it('a redelivery sends the same payload to the current URL, with the current secret', async () => {
	const service = await start();
	const [before, after] = [await receiver({ status: 500 }), await receiver()];
	await register(service, before.url, 'previous');
	const first = await service.finish(await invite(service));
	await register(service, after.url, 'current');
	const { id, payload } = first!;
	expect(await service.redeliver(id)).toMatchObject({ status: 200, payload });
	expect(after.received).toMatchObject([
		{ headers: { 'x-webhook-secret': 'current' }, body: payload },
	]);
	// An update without a secret removes it.
	await register(service, after.url);
	await service.redeliver(id);
	expect(after.received[1].headers).not.toHaveProperty('x-webhook-secret');
	const path = `/partner/v1.0/webhooks/${service.webhookId}/status`;
	await call(service, 'PUT', path, { status: 'inactive' });
	await expect(service.redeliver(id)).rejects.toThrow('no longer active');
	expect(service.deliveries).toHaveLength(3);
});
