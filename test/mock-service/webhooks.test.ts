import type { PartnerService } from '../../mock-service/service.mts';
import { call, resultReady, start, today } from './support';

const update = {
	name: 'Results',
	url: 'http://127.0.0.1:5678/webhook/results',
	events: [resultReady],
	secret: 'a secret for the receiver',
};

let service: PartnerService;
let path: string;
beforeEach(async () => {
	service = await start();
	path = `/partner/v1.0/webhooks/${service.webhookId}`;
});
const put = async (body: unknown, rest = '') => await call(service, 'PUT', path + rest, body);

it("an update replaces a webhook's name, URL, events and secret, but not its status", async () => {
	const { secret, ...visible } = update;
	const { status, body } = await put(update);
	expect(status).toBe(200);
	expect(body).toEqual({
		data: {
			...visible,
			id: service.webhookId,
			partner_id: expect.any(String),
			status: 'inactive',
			is_deleted: false,
			created_at: today,
			created_by: expect.any(Number),
		},
		meta: null,
	});
	expect(service.webhooks[0].secret).toBe(secret);
});

it.each([
	['without a secret removes it', {}, null],
	['with an empty secret removes it', { secret: '' }, null],
	['with another secret replaces it', { secret: 'another' }, 'another'],
])('an update %s', async (_what, change, secret) => {
	await put(update);
	expect((await put({ ...update, secret: undefined, ...change })).status).toBe(200);
	expect(service.webhooks[0].secret).toBe(secret);
});

const notEvent = `must be one of: ${resultReady}`;

it.each([
	[{ url: 'http://a/ b' }, 'url', 'must be an http or https URL'],
	[{ events: ['candidate_invited'] }, 'events.0', notEvent],
	[{ events: ['*'] }, 'events.0', notEvent],
	[{ secret: 'two\nlines' }, 'secret', 'must be a valid header value'],
])('an update with %j is rejected', async (change, field, rule) => {
	const { status, body } = await put({ ...update, ...change });
	expect(status).toBe(400);
	expect(body.error.details).toEqual([{ field, rule }]);
	expect(service.webhooks[0].name).not.toBe(update.name);
});

it('a webhook can be switched on and off, even twice, and is gone when deleted', async () => {
	for (const wanted of ['inactive', 'inactive', 'active', 'active']) {
		const { status, body } = await put({ status: wanted }, '/status');
		expect(status).toBe(200);
		expect(body).toMatchObject({ data: { status: wanted }, meta: null });
	}
	const { status, body } = await call(service, 'DELETE', path);
	expect(status).toBe(200);
	expect(body).toMatchObject({ data: { is_deleted: true, status: 'active' }, meta: null });
	expect((await call(service, 'DELETE', path)).status).toBe(404);
	expect((await put(update)).status).toBe(404);
	expect((await put({ status: 'active' }, '/status')).status).toBe(404);
});

it('a webhook is found by its ID in upper case, too; an unknown ID is 404, an invalid one 400', async () => {
	for (const [id, expected] of [
		['00000000-0000-4000-8000-000000000000', 404],
		['12', 400],
		[service.webhookId.toUpperCase(), 200],
	] as const) {
		const path = `/partner/v1.0/webhooks/${id}`;
		const responses = [
			await call(service, 'PUT', path, update),
			await call(service, 'PUT', `${path}/status`, { status: 'active' }),
			await call(service, 'DELETE', path),
		];
		expect(responses.map(({ status }) => status)).toEqual([expected, expected, expected]);
	}
});

it('neither a response nor the overview shows the secret of a webhook', async () => {
	const responses = [
		await put(update),
		await put({ status: 'active' }, '/status'),
		await call(service, 'GET', '/', undefined, {}),
		await call(service, 'DELETE', path),
	];
	for (const response of responses) {
		expect(response.status).toBe(200);
		expect(JSON.stringify(response.body)).not.toContain(update.secret);
	}
});
