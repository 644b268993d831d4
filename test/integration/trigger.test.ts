import { createHash, createHmac } from 'crypto';
import { setUp } from './setup';

const setup = setUp();
const EVENT = 'candidate_application_result_ready';

const parameters = () => ({ webhookId: setup.service.webhookId, events: [EVENT] });

const trigger = (more = {}, credential = {}) =>
	setup.createNodeTestHarness(credential).trigger({ ...parameters(), ...more });

const registered = () => setup.service.webhooks.find(({ id }) => id === setup.service.webhookId);

/** The secret that the trigger derives where none is given. */
const derivedSecret = () =>
	createHmac('sha256', setup.service.accessToken).update(setup.service.webhookId).digest('hex');

const body = { event: EVENT, invitation_code: 'inv-1' };

describe('Publishing', () => {
	it('registers name, production address, events and secret, then switches the webhook on', async () => {
		const { publish, productionUrl } = trigger();
		expect(await publish()).toBe(true);
		const path = `/partner/v1.0/webhooks/${setup.service.webhookId}`;
		expect(
			setup.service.requests.map((request) => [request.method, request.path, request.body]),
		).toEqual([
			[
				'PUT',
				path,
				{ name: 'n8n: Results', url: productionUrl, events: [EVENT], secret: derivedSecret() },
			],
			['PUT', `${path}/status`, { status: 'active' }],
		]);
	});

	it('uses the name and the secret that were given', async () => {
		const webhookSecret = 'sixteen letters!';
		await trigger({ options: { webhookName: 'Results to n8n' } }, { webhookSecret }).publish();
		expect(registered()).toMatchObject({ name: 'Results to n8n', secret: webhookSecret });
	});

	it('remembers the secret as a digest only', async () => {
		const { publish, ...published } = trigger();
		await publish();
		expect(trigger().staticData).toEqual({});
		const again = trigger();
		await again.publish();
		expect(again.staticData).toEqual({
			secretDigest: createHash('sha256').update(derivedSecret()).digest('hex'),
		});
		expect(JSON.stringify(published)).not.toContain(derivedSecret());
	});

	it('refuses a secret that is too short before anything is sent', async () => {
		await expect(trigger({}, { webhookSecret: 'fifteen letters' }).publish()).rejects.toThrow(
			'The Webhook Secret in the credential must have at least 16 characters',
		);
		expect(setup.service.requests).toHaveLength(0);
	});

	it.each(['ein geheimer Schlüssel', 'a secret with an emoji \u{1F511}', 'two lines\nof a secret'])(
		'refuses the secret %j, which cannot stand in a header, before anything is sent',
		async (webhookSecret) => {
			await expect(trigger({}, { webhookSecret }).publish()).rejects.toThrow(
				'The Webhook Secret in the credential may hold letters without accents',
			);
			expect(setup.service.requests).toHaveLength(0);
		},
	);

	it('refuses a webhook ID that is none before anything is sent', async () => {
		await expect(trigger({ webhookId: 'mine' }).publish()).rejects.toThrow(/^Webhook ID: a UUID/);
		expect(setup.service.requests).toHaveLength(0);
	});

	it('says in plain words that there is no such webhook', async () => {
		const webhookId = setup.service.createWebhook({ is_deleted: true });
		await expect(trigger({ webhookId }).publish()).rejects.toThrow(
			'There is no webhook with this ID (any more)',
		);
	});

	it('again heals what was changed meanwhile', async () => {
		const { publish, productionUrl } = trigger();
		await publish();
		const other = setup.createNodeTestHarness({});
		await other.run({
			resource: 'webhook',
			operation: 'update',
			webhookId: setup.service.webhookId,
			name: 'Somebody else',
			url: 'https://elsewhere.example.com',
			events: [EVENT],
			secret: 'another secret, much longer',
		});
		await publish();
		expect(registered()).toMatchObject({
			name: 'n8n: Results',
			url: productionUrl,
			secret: derivedSecret(),
			status: 'active',
		});
	});

	it('that fails half way leaves the webhook switched off', async () => {
		const { publish, unpublish, staticData } = trigger();
		setup.service.faults.inject({ route: 'setWebhookStatus', status: 500 });
		await expect(publish()).rejects.toThrow('The service returned a server error');
		expect(registered()).toMatchObject({ status: 'inactive' });
		expect(staticData).toEqual({});
		await unpublish();
	});

	it('fails with a clear error while the service cannot be reached', async () => {
		await expect(trigger({}, { baseUrl: 'http://127.0.0.1:1' }).publish()).rejects.toThrow(
			"Couldn't connect to the service",
		);
	}, 60_000);
});

describe('Unpublishing', () => {
	it('switches the webhook off and deletes nothing', async () => {
		const { publish, unpublish } = trigger();
		await publish();
		setup.service.clearRequests();
		expect(await unpublish()).toBe(true);
		expect(setup.sent()).toEqual([{ status: 'inactive' }]);
		expect(registered()).toMatchObject({ status: 'inactive', is_deleted: false });
	});

	it('is not stopped by a webhook that is gone', async () => {
		const webhookId = setup.service.createWebhook({ is_deleted: true });
		expect(await trigger({ webhookId }).unpublish()).toBe(true);
	});

	it('asks for no secret', async () => {
		await trigger().publish();
		await trigger({}, { webhookSecret: 'too short' }).unpublish();
		expect(registered()).toMatchObject({ status: 'inactive' });
	});

	it('lets any other failure surface', async () => {
		setup.service.faults.inject({ route: 'setWebhookStatus', status: 401 });
		await expect(trigger().unpublish()).rejects.toThrow('The access token was refused');
	});

	it('leaves a webhook on that points to another workflow by now', async () => {
		const { publish, unpublish } = trigger();
		await publish();
		const url = 'https://n8n.example.com/webhook/another/webhook';
		await setup.engine.run({
			resource: 'webhook',
			operation: 'update',
			webhookId: setup.service.webhookId,
			name: 'Another workflow',
			url,
			events: [EVENT],
		});
		await unpublish();
		expect(registered()).toMatchObject({ url, status: 'active' });
	});
});

describe('A call', () => {
	it('with the secret in any header starts an execution with the body as its item', async () => {
		const { publish, call } = trigger();
		await publish();
		for (const name of ['X-Webhook-Secret', 'x-anything', 'Authorization']) {
			const { status, items } = await call({ headers: [[name, derivedSecret()]], body });
			expect([status, items]).toEqual([200, [{ json: body }]]);
		}
	});

	it('may carry the secret after a scheme word', async () => {
		const headers: Array<[string, string]> = [['Authorization', `Bearer ${derivedSecret()}`]];
		expect((await trigger().call({ headers, body })).items).toHaveLength(1);
	});

	it.each([
		['no secret', () => []],
		['a wrong secret', () => [['X-Webhook-Secret', 'f'.repeat(64)]]],
		[
			'the secret with one character changed',
			() => [['X-Webhook-Secret', flipped(derivedSecret())]],
		],
		['the secret and something behind it', () => [['X-Webhook-Secret', `${derivedSecret()}0`]]],
		['a part of the secret', () => [['X-Webhook-Secret', derivedSecret().slice(0, -1)]]],
		['the secret as a header name', () => [[derivedSecret(), 'x']]],
		['an empty header', () => [['X-Webhook-Secret', '']]],
		[
			"the secret's digest",
			() => [['X-Webhook-Secret', createHash('sha256').update(derivedSecret()).digest('hex')]],
		],
		['the access token', () => [['Authorization', `Bearer ${setup.service.accessToken}`]]],
	])('with %s gets 401 and starts nothing', async (_case, headers) => {
		const { publish, call, staticData } = trigger();
		await publish();
		const before = JSON.stringify(staticData);
		for (const sent of [body, {}, undefined]) {
			const answer = await call({ headers: headers() as Array<[string, string]>, body: sent });
			expect(answer).toEqual({
				status: 401,
				body: { message: 'The secret is missing or wrong' },
				items: undefined,
			});
		}
		expect(JSON.stringify(staticData)).toBe(before);
	});

	it('with the secret in another header than the one named gets 401', async () => {
		const { call } = trigger({ options: { secretHeader: 'X-Webhook-Secret' } });
		const status = async (name: string) =>
			(await call({ headers: [[name, derivedSecret()]], body })).status;
		expect(await status('X-Other')).toBe(401);
		expect(await status('x-webhook-secret')).toBe(200);
	});

	it('is let in where a header comes twice and one of the two is right', async () => {
		const headers: Array<[string, string]> = [
			['X-Webhook-Secret', 'old'],
			['X-Webhook-Secret', derivedSecret()],
		];
		expect((await trigger().call({ headers, body })).status).toBe(200);
	});

	it('is verified against the secret in the credential where there is one', async () => {
		const webhookSecret = 'a secret of our own';
		const { call } = trigger({}, { webhookSecret });
		expect((await call({ headers: [['X-S', webhookSecret]], body })).status).toBe(200);
		expect((await call({ headers: [['X-S', derivedSecret()]], body })).status).toBe(401);
	});

	it('with the secret that publishing registered is let in after the token was rotated', async () => {
		const { publish, staticData } = trigger();
		await publish();
		const rotated = trigger({}, { accessToken: 'a new token' });
		const headers: Array<[string, string]> = [['X-Webhook-Secret', derivedSecret()]];
		expect((await rotated.call({ headers, body })).status).toBe(401);
		Object.assign(rotated.staticData, staticData);
		expect((await rotated.call({ headers, body })).status).toBe(200);
	});

	it('with the registered secret needs no credential', async () => {
		const harness = setup.createNodeTestHarness({});
		const { publish, call } = harness.trigger(parameters());
		await publish();
		const before = harness.decrypted();
		harness.saveCredential(undefined);
		expect((await call({ headers: [['X-S', derivedSecret()]], body })).status).toBe(200);
		expect(harness.decrypted()).toBe(before);
	});

	it('shares the credential with the calls that wait beside it', async () => {
		const harness = setup.createNodeTestHarness({});
		const { call } = harness.trigger(parameters());
		const secrets = Array.from({ length: 20 }, (_, index) =>
			index % 4 === 0 ? derivedSecret() : flipped(derivedSecret()),
		);
		const answers = await Promise.all(
			secrets.map(async (secret) => await call({ headers: [['X-S', secret]], body })),
		);
		expect(answers.map(({ status }) => status)).toEqual(
			secrets.map((secret) => (secret === derivedSecret() ? 200 : 401)),
		);
		expect(harness.decrypted()).toBe(1);
		await call({ headers: [], body });
		expect(harness.decrypted()).toBe(2);
	});

	it('shares the credential with those that come while it is read for another', async () => {
		const harness = setup.createNodeTestHarness({});
		const { call } = harness.trigger(parameters());
		const calls = [];
		for (let count = 0; count < 10; count++) {
			calls.push(call({ headers: [], body }));
			await Promise.resolve();
		}
		await Promise.all(calls);
		expect(harness.decrypted()).toBe(2);
	});

	it('is judged by no credential that was read before it came in', async () => {
		for (const before of [{ webhookSecret: 'the secret before' }, undefined]) {
			const harness = setup.createNodeTestHarness({});
			harness.saveCredential(before);
			const { call } = harness.trigger(parameters());
			const send = async () => await call({ headers: [['X-S', 'the secret after']], body });
			const first = send().catch((error: Error) => error);
			for (let turn = 0; turn < 100 && harness.decrypted() === 0; turn++) await Promise.resolve();
			expect(harness.decrypted()).toBe(1);
			harness.saveCredential({ webhookSecret: 'the secret after' });
			expect((await send()).status).toBe(200);
			expect(await first).toMatchObject(
				before ? { status: 401 } : { message: expect.stringContaining('does not exist') },
			);
		}
	});

	it('is never let in where neither secret nor token is there to go by', async () => {
		for (const credential of [{ accessToken: '' }, { webhookSecret: 'short' }]) {
			const { call } = trigger({}, credential);
			for (const guess of [
				'',
				'short',
				createHmac('sha256', '').update(setup.service.webhookId).digest('hex'),
			]) {
				expect((await call({ headers: [['X-S', guess]], body })).status).toBe(401);
			}
		}
	});

	it.each(['event', 'event_type', 'event_name', 'type'])(
		'that names another event in "%s" is answered 200 and dropped',
		async (key) => {
			const headers: Array<[string, string]> = [['X-S', derivedSecret()]];
			const { call } = trigger();
			const dropped = await call({ headers, body: { [key]: 'candidate_archived' } });
			expect([dropped.status, dropped.items]).toEqual([200, undefined]);
			expect((await call({ headers, body: { [key]: EVENT } })).items).toHaveLength(1);
		},
	);

	it.each([
		['a list', [1, 2]],
		['a text', 'ready'],
	])('whose body is %s is passed through whole', async (_case, sent) => {
		const { items } = await trigger().call({ headers: [['X-S', derivedSecret()]], body: sent });
		expect(items).toEqual([{ json: { body: sent } }]);
	});

	it('whose body is a text that is JSON is passed through as what it says', async () => {
		const headers: Array<[string, string]> = [['X-S', derivedSecret()]];
		const { items } = await trigger().call({ headers, body: JSON.stringify(body) });
		expect(items).toEqual([{ json: body }]);
		const other = JSON.stringify({ event: 'candidate_archived' });
		expect((await trigger().call({ headers, body: other })).items).toBeUndefined();
	});

	it('keeps the secret to itself also in a header that does not count', async () => {
		const options = { includeHeaders: true, secretHeader: 'X-S' };
		const { items } = await trigger({ options }).call({
			headers: [
				['X-S', derivedSecret()],
				['X-Copy', derivedSecret()],
			],
			body,
		});
		expect(items).toEqual([{ json: { ...body, requestHeaders: {} } }]);
	});

	it('brings its headers along on demand, without secret and logins', async () => {
		const { items } = await trigger({ options: { includeHeaders: true } }).call({
			headers: [
				['X-S', derivedSecret()],
				['Authorization', 'Basic abc'],
				['Cookie', 'a=b'],
				['X-Delivery', '42'],
			],
			body,
		});
		expect(items).toEqual([{ json: { ...body, requestHeaders: { 'x-delivery': '42' } } }]);
	});
});

describe('Listening for a test event', () => {
	it('points the webhook to the test address and puts it back afterwards, with the same secret', async () => {
		const { publish, listen, productionUrl, testUrl } = trigger();
		await publish();
		const before = { ...registered() };
		const stop = await listen();
		expect(registered()).toMatchObject({ url: testUrl, status: 'active', secret: derivedSecret() });
		await stop();
		expect(registered()).toEqual(before);
		expect(registered()?.url).toBe(productionUrl);
	});

	it('puts nothing back where the workflow was published meanwhile', async () => {
		const { publish, listen, productionUrl } = trigger();
		await setup.engine.run({
			resource: 'webhook',
			operation: 'update',
			webhookId: setup.service.webhookId,
			name: 'Before',
			url: 'https://before.example.com',
			events: [EVENT],
		});
		const stop = await listen();
		await publish();
		await stop();
		expect(registered()).toMatchObject({ url: productionUrl, status: 'active' });
	});

	it('goes back to production after a test that n8n did not survive', async () => {
		const { publish, listen, productionUrl, testUrl } = trigger();
		await publish();
		await listen();
		expect(registered()?.url).toBe(testUrl);
		const stop = await listen();
		await stop();
		expect(registered()?.url).toBe(productionUrl);
	});

	it('that cannot register its address puts the webhook back as it was', async () => {
		const { publish, listen, productionUrl } = trigger();
		await publish();
		setup.service.faults.inject({ route: 'updateWebhook', status: 400 });
		await expect(listen()).rejects.toThrow('The service rejected the data');
		expect(registered()).toMatchObject({ url: productionUrl, status: 'active' });
	});
});

function flipped(secret: string): string {
	return (secret.startsWith('0') ? '1' : '0') + secret.slice(1);
}
