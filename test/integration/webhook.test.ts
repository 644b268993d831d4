import type { INodeParameters } from 'n8n-workflow';
import { WEBHOOK_OPERATIONS } from '../support/operations';
import { setUp, webhookUpdate } from './support/setup';

const setup = setUp();

/** With an update's values, which the other operations ignore. */
const on = (operation: string, more: INodeParameters = {}) =>
	webhookUpdate(setup.service.webhookId, { operation, ...more });

it.each([
	['delete', {}, '{"data":{},"meta":null,"error":"This webhook is locked"}'],
	['delete', {}, '{"data":{"error":"This webhook is locked"}}'],
	['setStatus', { status: 'active' }, '{"data":{},"errors":["This webhook is locked"]}'],
])('Webhook: %s fails on a 200 that names an error: %j %s', async (operation, parameters, body) => {
	setup.service.faults.inject({ route: '*', status: 200, body, contentType: 'application/json' });
	const { error, json } = await setup.harness.run(on(operation, parameters));
	expect(json).toEqual([]);
	expect(error?.description).toContain('This webhook is locked');
});

it('Webhook: Set Status switches a webhook on or off, and refuses any other word before sending', async () => {
	for (const status of ['active', 'inactive']) {
		const { json } = await setup.harness.run(on('setStatus', { status }));
		expect(json[0].status).toBe(status);
	}
	const path = `/partner/v1.0/webhooks/${setup.service.webhookId}/status`;
	expect(setup.service.requests).toEqual([
		expect.objectContaining({ method: 'PUT', path, body: { status: 'active' } }),
		expect.objectContaining({ method: 'PUT', path, body: { status: 'inactive' } }),
	]);
	const { error } = await setup.harness.run(on('setStatus', { status: '={{ "paused" }}' }));
	expect(error?.message).toBe('Status: must be one of: active, inactive');
	expect(setup.service.requests).toHaveLength(2);
});

it("Webhook: Update registers neither n8n's placeholder for a hidden value nor an expression as the secret", async () => {
	for (const [secret, words] of [
		['__n8n_BLANK_VALUE_1', /^Secret: contains .*, which was not filled in\./],
		['{{ $json.secret }}', /^Secret: contains .*select 'Expression'/],
	] as const) {
		const { error } = await setup.harness.run(on('update', { secret }));
		expect(error?.message).toMatch(words);
	}
	expect(setup.service.requests).toEqual([]);
});

it('Webhook: Delete has worked if it was repeated and finds nothing any more', async () => {
	const webhookId = setup.service.createWebhook();
	setup.service.faults.inject({ route: 'deleteWebhook', reset: 'after' });
	setup.service.faults.inject({ route: 'deleteWebhook', status: 404 });
	const { json } = await setup.harness.run(on('delete', { webhookId }));
	expect(json).toEqual([{ is_deleted: true, deleted: true }]);
	expect(setup.service.requests).toHaveLength(2);
});

it('Webhook: Delete that finds nothing at the first attempt has not worked', async () => {
	setup.service.faults.inject({ route: 'deleteWebhook', status: 429, retryAfter: 0 });
	setup.service.faults.inject({ route: 'deleteWebhook', status: 404 });
	const { error } = await setup.harness.run(on('delete'));
	expect(error?.httpCode).toBe('404');
});

it('Webhook: changes are sent one after the other, in the order of the items, whatever Concurrency says', async () => {
	setup.service.faults.inject({ route: 'updateWebhook', delayMs: 20, times: 3 });
	const names = ['first', 'second', 'third'];
	const { json } = await setup.harness.run(
		on('update', { name: '={{ $json.name }}', options: { concurrency: 3 } }),
		names.map((name) => ({ name })),
	);
	expect(json.map(({ name }) => name)).toEqual(names);
	expect(setup.service.requests.map(({ inFlight }) => inFlight)).toEqual([1, 1, 1]);
});

it.each(WEBHOOK_OPERATIONS)(
	'Webhook: $name gives out no secret, even if the service returns one',
	async ({ value: operation }) => {
		const secret = 'never-to-be-seen-anywhere';
		const isUpdate = operation === 'update';
		const data = {
			id: 'w',
			url: 'https://hr.example.com/results',
			events: [],
			status: 'active',
			is_deleted: operation === 'delete',
			secret: 'the one before',
			webhook_secret: 'the one before',
			signing: [{ clientSecret: 'the one before', SECRET_KEY: ['the one before'] }],
			...(isUpdate && {
				token: secret,
				headers: [{ 'X-Secret': `Bearer ${secret}` }, secret, 'kept'],
			}),
		};
		setup.service.faults.inject({ route: '*', status: 200, body: { data, meta: null } });
		const { json } = await setup.harness.run(on(operation, { secret, status: 'active' }));
		expect(json[0]).toMatchObject({
			id: 'w',
			...(isUpdate && { headers: [{}, undefined, 'kept'] }),
		});
		expect(JSON.stringify(json)).not.toMatch(/secret|the one before/i);
		expect(JSON.stringify(json)).not.toContain(secret);
	},
);

it.each([
	['delete', {}, { is_deleted: false }],
	['setStatus', { status: 'active' }, { status: 'inactive' }],
	['setStatus', { status: 'active' }, { status: 'active', is_deleted: true }],
	['update', {}, {}],
])(
	'Webhook: %s has not worked if the response denies it: %j, %j',
	async (operation, parameters, shown) => {
		const before = { url: 'https://a.example/?key=private', secret: 'not for errors' };
		const data = { ...before, events: [], status: 'inactive', ...shown };
		setup.service.faults.inject({ route: '*', status: 200, body: { data, meta: null } });
		const { error } = await setup.harness.run(on(operation, parameters));
		expect(error?.message).toBe("The service's response doesn't show the change");
		expect(error?.description).not.toMatch(/private|not for errors/);
	},
);
