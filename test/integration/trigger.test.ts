import { addressOf, derivedSecret, digest, EVENT, setUpTrigger } from './n8n/setUpTrigger.mts';

const trigger = setUpTrigger();
const MINUTE = 60_000;

/** Everything fails for so many requests. */
const outage = (requests: number) => {
	trigger.network.faults = Array.from({ length: requests }, () => 'unreachable' as const);
};
const newToken = (accessToken: string) => {
	const { credentials } = trigger.n8n;
	trigger.network.tokens.clear();
	trigger.network.tokens.add(accessToken);
	credentials.set('A', { ...credentials.get('A'), accessToken });
};
const otherCredential = () => {
	const { credentials } = trigger.n8n;
	trigger.network.tokens.add('another-token');
	credentials.set('B', { ...credentials.get('A'), accessToken: 'another-token' });
};

/** What a receiver would notice of a webhook, apart from its secret. */
const withoutSecret = (webhook: object) =>
	Object.fromEntries(Object.entries(webhook).filter(([name]) => name !== 'secret'));

describe('Publishing', () => {
	it('registers name, production URL, events and secret, then switches the webhook on', async () => {
		const { n8n, does, requests, webhookId } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const url = `${n8n.productionUrl(workflow)}?registration=published&credential=A`;
		expect(requests()).toEqual([
			['PUT', '', { name: 'n8n: Results', url, events: [EVENT], secret: derivedSecret(webhookId) }],
			['PUT', '/status', { status: 'active' }],
		]);
		expect((await trigger.deliver())?.items).toEqual([{ json: { event: EVENT } }]);
	});

	it('uses the name and the secret that were given', async () => {
		const { n8n, does, webhook } = trigger;
		n8n.credentials.get('A')!.webhookSecret = ' sixteen letters! ';
		await does(n8n.publish(trigger.workflow({}, { webhookName: 'Results to n8n' })));
		expect(webhook()).toMatchObject({ name: 'Results to n8n', secret: 'sixteen letters!' });
	});

	it('derives the same secret however the letters of the webhook ID are written', async () => {
		const { n8n, does, webhook, webhookId } = trigger;
		await does(n8n.publish(trigger.workflow({ webhookId: webhookId.toUpperCase() })));
		expect(webhook().secret).toBe(derivedSecret(webhookId));
	});

	it('remembers the secret as a digest only', async () => {
		const { n8n, does, webhookId } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		expect(workflow.staticData).toEqual({
			'node:Trigger': {
				secretDigest: digest(derivedSecret(webhookId)),
				publishedAddresses: [n8n.productionUrl(workflow)],
			},
		});
	});

	it.each([
		['fifteen letters', 'must have at least 16 characters'],
		['ein geheimer Schlüssel', 'can contain only letters without accents'],
		['a secret with an emoji \u{1F511}', 'can contain only letters without accents'],
		['two lines\nof a secret', 'can contain only letters without accents'],
	])(
		'refuses the secret %j and says why, and leaves the webhook alone',
		async (secret, message) => {
			const { n8n, error, webhook } = trigger;
			const before = { ...webhook() };
			n8n.credentials.get('A')!.webhookSecret = secret;
			const workflow = trigger.workflow();
			expect((await error(n8n.publish(workflow))).message).toMatch(
				`The Webhook Secret in the credential ${message}`,
			);
			expect(webhook()).toEqual(before);
		},
	);

	it('refuses a webhook ID that is none before anything is sent', async () => {
		const { n8n, error, requests } = trigger;
		const workflow = trigger.workflow({ webhookId: 'mine' });
		expect((await error(n8n.publish(workflow))).message).toMatch(/^Webhook ID: a UUID/);
		expect(requests()).toEqual([]);
	});

	it.each(['X-Webhook-Secret:', 'X Webhook Secret', 'X-A, X-B', 'X-S: abc'])(
		'refuses %j, which no header can be called, as the header of the secret',
		async (name) => {
			const { n8n, error, requests } = trigger;
			const workflow = trigger.workflow({}, { secretHeader: name });
			expect((await error(n8n.publish(workflow))).message).toBe(
				"Secret Header: that isn't the name of a header. Enter the name alone, such as X-Webhook-Secret, or leave it empty.",
			);
			expect(requests()).toEqual([]);
		},
	);

	it('says what to do where n8n does not know its own address, and sends nothing', async () => {
		const { n8n, error, requests, clock } = trigger;
		n8n.origin = 'n8n.example.com';
		expect((await error(n8n.publish(trigger.workflow()))).message).toMatch(
			/^n8n's own address isn't a web address: n8n\.example\.com.* Set n8n's environment variable N8N_WEBHOOK_URL \(WEBHOOK_URL in n8n 1\.x\)/,
		);
		await clock.pass(15 * MINUTE);
		expect(requests()).toEqual([]);
	});

	it('that is refused leaves a webhook of somebody else as it was, switched off', async () => {
		const { n8n, error, webhook, clock } = trigger;
		trigger.takenElsewhere({ status: 'inactive' });
		const before = { ...webhook() };
		await error(n8n.publish(trigger.workflow({ events: ['no_such_event'] })));
		await clock.pass(15 * MINUTE);
		expect(webhook()).toEqual(before);
	});

	it('with the Base URL corrected is not undone by what was begun with the wrong one', async () => {
		const { n8n, service, does, error, webhook, clock } = trigger;
		const credential = n8n.credentials.get('A')!;
		const workflow = trigger.workflow();
		credential.baseUrl = 'http://127.0.0.1:1';
		await error(n8n.publish(workflow));
		credential.baseUrl = service.baseUrl;
		await does(n8n.publish(workflow));
		await clock.pass(15 * MINUTE);
		expect(webhook()).toMatchObject({ status: 'active' });
		expect((await trigger.deliver())?.status).toBe(200);
	});

	it.each([
		'https://N8N.example.com',
		'https://n8n.example.com:443',
		'https://bücher.example',
		'https://user:pass@n8n.example.com',
		'https://n8n.example.com/a b',
	])('knows its webhook again at the address %s', async (origin) => {
		const { n8n, does, webhook } = trigger;
		n8n.origin = origin;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const { url } = webhook();
		await does(n8n.listen(workflow));
		expect(webhook().url).not.toBe(url);
		await does(n8n.stopListening(workflow));
		expect(webhook().url).toBe(url);
		await does(n8n.unpublish(workflow));
		expect(webhook().status).toBe('inactive');
	});

	it.each(['User-Agent', 'content-type', 'HOST'])(
		'refuses %s as the header of the secret',
		async (name) => {
			const { n8n, error, requests } = trigger;
			const workflow = trigger.workflow({}, { secretHeader: name });
			expect((await error(n8n.publish(workflow))).message).toBe(
				`Secret Header: ${name} belongs to HTTP itself and can't carry a secret. Enter the name of another header, or leave it empty.`,
			);
			expect(requests()).toEqual([]);
		},
	);

	it('says in plain words that there is no such webhook', async () => {
		const { n8n, error, service } = trigger;
		const webhookId = service.createWebhook({ is_deleted: true });
		expect((await error(n8n.publish(trigger.workflow({ webhookId })))).message).toContain(
			"No webhook with this ID exists. It may have been deleted. Check 'Webhook ID'.",
		);
	});

	it('does not believe a service that changes a webhook which was deleted', async () => {
		const { n8n, error, network, webhook } = trigger;
		const body = JSON.stringify({ data: { ...webhook(), is_deleted: true } });
		network.faults = Array.from({ length: 30 }, () => ({ status: 200, body }));
		expect((await error(n8n.publish(trigger.workflow()))).message).toContain(
			'No webhook with this ID exists. It may have been deleted.',
		);
	});

	it('does not believe a service that leaves the webhook switched off', async () => {
		const { n8n, error, network, webhook } = trigger;
		const body = JSON.stringify({ data: { ...webhook(), status: 'inactive' } });
		network.faults = Array.from({ length: 30 }, () => ({ status: 200, body }));
		expect((await error(n8n.publish(trigger.workflow()))).message).toContain(
			"The service's response doesn't contain the expected data",
		);
	});

	it.each([
		['keeps saying that there are too many requests', { status: 429 }],
		['cannot be reached', 'unreachable' as const],
	])('that changed nothing, as the service %s, leaves the webhook alone', async (_name, fault) => {
		const { n8n, error, network, requests, clock } = trigger;
		network.faults = Array.from({ length: 30 }, () => fault);
		const { message } = await error(n8n.publish(trigger.workflow()));
		// The trigger has no options for how requests are sent.
		expect(message).not.toContain("in the node's options");
		network.faults = [];
		await clock.pass(10 * MINUTE);
		expect(requests()).not.toContainEqual(['PUT', '/status', expect.anything()]);
	});

	it('takes the webhook over from whoever had it', async () => {
		const { n8n, does, webhook } = trigger;
		trigger.takenElsewhere();
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		expect(addressOf(webhook().url)).toBe(n8n.productionUrl(workflow));
	});

	it('that fails halfway leaves the webhook switched off', async () => {
		const { n8n, network, error, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		network.faults = [undefined, { status: 500 }];
		const failed = error(n8n.publish(workflow));
		// 2.x tries again by itself: then it works, or it does not.
		network.faults.push(...Array.from({ length: 30 }, () => ({ status: 500 })));
		expect((await failed).message).toContain('The service returned a server error');
		network.faults = [];
		await clock.pass(MINUTE);
		expect(webhook().status).toBe('inactive');
		expect(workflow.staticData).not.toHaveProperty('node:Trigger.secretDigest');
	});

	it('that fails while it is being switched on leaves the webhook switched off in the end', async () => {
		// 2.41 would publish again by itself.
		trigger.restartAs('1.123');
		const { n8n, network, error, webhook, clock } = trigger;
		network.faults = [undefined, 'late', { status: 400 }];
		await error(n8n.publish(trigger.workflow()));
		expect(webhook().status).toBe('inactive');
		await clock.pass(10_000);
		expect(webhook().status).toBe('active');
		await clock.pass(MINUTE);
		expect(webhook().status).toBe('inactive');
	});

	it('with another webhook switches the one before off, even if the service is away for a moment', async () => {
		const { n8n, does, service, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const other = service.createWebhook();
		workflow.draft.parameters.webhookId = other;
		outage(3);
		await does(n8n.publish(workflow));
		await clock.pass(MINUTE);
		expect(webhook().status).toBe('inactive');
		expect(service.webhooks.find(({ id }) => id === other)?.status).toBe('active');
	});
});

describe('Unpublishing', () => {
	it('asks first, switches off after, and deletes nothing', async () => {
		const { n8n, does, service, requests, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		service.clearRequests();
		await does(n8n.unpublish(workflow));
		expect(requests()).toEqual([
			['PUT', '/status', { status: 'active' }],
			['PUT', '/status', { status: 'inactive' }],
			[
				'PUT',
				'',
				expect.objectContaining({ url: `${n8n.productionUrl(workflow)}?registration=off` }),
			],
		]);
		expect(webhook()).toMatchObject({ status: 'inactive', is_deleted: false });
		expect(workflow.staticData).not.toHaveProperty('node:Trigger.secretDigest');
	});

	it('stays off where the service is away again when it is looked at once more', async () => {
		const { n8n, does, network, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		network.faults = ['unreachable'];
		await does(n8n.unpublish(workflow));
		await clock.pass(1000);
		expect(webhook().status).toBe('inactive');
		network.faults = ['stalled', 'unreachable'];
		await clock.pass(5 * MINUTE);
		expect(webhook().status).toBe('inactive');
	});

	it('is not put off by a proxy that says 404 for a while', async () => {
		const { n8n, does, service, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		service.faults.inject({ route: '*', times: 3, status: 404 });
		await does(n8n.unpublish(workflow));
		await clock.pass(MINUTE);
		expect(webhook().status).toBe('inactive');
	});

	it('never switches the webhook of somebody else off, not for a moment', async () => {
		const { n8n, does, service, webhook, requests } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const taken = { ...trigger.takenElsewhere() };
		service.clearRequests();
		await does(n8n.unpublish(workflow));
		expect(requests()).toEqual([['PUT', '/status', { status: 'active' }]]);
		expect(webhook()).toEqual(taken);
	});

	it('leaves the webhook to a workflow that was published later', async () => {
		const { n8n, does, webhook } = trigger;
		const [first, second] = [trigger.workflow(), trigger.workflow()];
		await does(n8n.publish(first));
		await does(n8n.publish(second));
		await does(n8n.unpublish(first));
		expect((await trigger.deliver())?.status).toBe(200);
		await does(n8n.unpublish(second));
		expect(webhook().status).toBe('inactive');
	});

	it('goes on in the background while the service is away, and never throws', async () => {
		const { n8n, does, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		outage(6);
		await does(n8n.unpublish(workflow));
		expect(webhook().status).toBe('active');
		await clock.pass(2 * MINUTE);
		expect(webhook().status).toBe('inactive');
	});

	it('that is still going on ends when the workflow is published again', async () => {
		const { n8n, does, network, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		outage(1);
		await does(n8n.unpublish(workflow));
		await does(n8n.publish(workflow));
		const sent = network.sent;
		await clock.pass(15 * MINUTE);
		expect(network.sent).toBe(sent);
		expect(webhook().status).toBe('active');
		expect((await trigger.deliver())?.status).toBe(200);
	});

	it('works after n8n has got another address', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		n8n.origin = 'https://new.example.com';
		await does(n8n.unpublish(workflow));
		expect(webhook().status).toBe('inactive');
	});

	it.each([
		['a webhook that was deleted', () => (trigger.webhook().is_deleted = true)],
		['a credential that was deleted', () => trigger.n8n.credentials.delete('A')],
		['an access token that is refused', () => trigger.network.tokens.clear()],
		['a webhook ID that was emptied', () => (trigger.n8n.credentials.get('A')!.baseUrl = '')],
	])('is not stopped by %s', async (_what, breakIt) => {
		const { n8n, does, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		breakIt();
		await does(n8n.unpublish(workflow));
		await clock.pass(15 * MINUTE);
		expect(workflow.published).toBeUndefined();
	});

	it('needs no usable secret', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		n8n.credentials.get('A')!.webhookSecret = 'too short';
		await does(n8n.unpublish(workflow));
		expect(webhook().status).toBe('inactive');
	});

	it('while a test goes on lets it go on, and leaves the webhook off after it', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		await does(n8n.listen(workflow));
		await does(n8n.unpublish(workflow));
		expect((await trigger.deliver())?.items).toHaveLength(1);
		expect(n8n.started.at(-1)?.isTest).toBe(true);
		expect(webhook().status).toBe('inactive');
	});

	it('gives up after ten minutes, and asks no more', async () => {
		const { n8n, does, network, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		outage(1000);
		await does(n8n.unpublish(workflow));
		await clock.pass(11 * MINUTE);
		const sent = network.sent;
		expect(sent).toBeGreaterThan(20);
		await clock.pass(60 * MINUTE);
		expect(network.sent).toBe(sent);
	});
});

describe('Listening for a test event', () => {
	it('borrows the webhook and gives it back exactly as it was', async () => {
		const { n8n, does, webhook, webhookId } = trigger;
		const workflow = trigger.workflow({}, { webhookName: 'As published' });
		await does(n8n.publish(workflow));
		const before = { ...webhook() };
		Object.assign(workflow.draft.parameters.options as object, { webhookName: 'As in the draft' });
		await does(n8n.listen(workflow));
		expect(webhook()).toMatchObject({ status: 'active', secret: derivedSecret(webhookId) });
		expect(addressOf(webhook().url)).toBe(n8n.testUrl(workflow));
		await does(n8n.stopListening(workflow));
		expect(webhook()).toEqual(before);
	});

	it('ends with the first genuine event', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		await does(n8n.listen(workflow));
		await trigger.deliver({ number: 1 });
		await trigger.deliver({ number: 2 });
		expect(n8n.started.map(({ isTest, json }) => [isTest, json.number])).toEqual([
			[true, 1],
			[false, 2],
		]);
		expect(addressOf(webhook().url)).toBe(n8n.productionUrl(workflow));
	});

	it('leaves a webhook switched off that was switched off', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		await does(n8n.unpublish(workflow));
		const before = withoutSecret(webhook());
		await does(n8n.listen(workflow));
		expect((await trigger.deliver())?.items).toHaveLength(1);
		expect(webhook()).toMatchObject(before);
	});

	it('leaves a receiver elsewhere alone, and says where the webhook points and what to do', async () => {
		const { n8n, error, webhook } = trigger;
		const before = { ...trigger.takenElsewhere() };
		const { message } = await error(n8n.listen(trigger.workflow()));
		expect(message).toMatch(
			/^This webhook sends its events to another receiver: https:\/\/elsewhere.example.com\/results\. /,
		);
		for (const remedy of ['separate webhook', 'publish this workflow', "'Take Over'"]) {
			expect(message).toContain(remedy);
		}
		expect(message).not.toContain('private');
		expect(webhook()).toEqual(before);
	});

	it('with Take Over borrows from a receiver elsewhere; it gets all back but its secret, and not ours', async () => {
		const { n8n, does, webhook, webhookId } = trigger;
		const before = withoutSecret(trigger.takenElsewhere());
		const workflow = trigger.workflow({}, { takeOver: true });
		await does(n8n.listen(workflow));
		expect((await trigger.deliver())?.items).toHaveLength(1);
		expect(webhook()).toMatchObject(before);
		expect(webhook().secret).toMatch(/^[0-9a-f]{64}$/);
		expect(webhook().secret).not.toBe(derivedSecret(webhookId));
	});

	it('is no receiver of this n8n that only says that it is one', async () => {
		const { n8n, error, webhook } = trigger;
		const url = 'https://elsewhere.example.com/?registration=published&credential=A';
		const before = { ...trigger.takenElsewhere({ url }) };
		await error(n8n.listen(trigger.workflow()));
		expect(webhook()).toEqual(before);
	});

	it('with another credential than the published one changes nothing, and says what to do', async () => {
		const { n8n, does, error, webhook } = trigger;
		otherCredential();
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const before = { ...webhook() };
		workflow.draft.credentialId = 'B';
		const { message } = await error(n8n.listen(workflow));
		expect(message).toContain(
			`This webhook is in use with another credential: ${n8n.productionUrl(workflow)}. `,
		);
		expect(message).toContain('Select the credential');
		expect(webhook()).toEqual(before);
		expect((await trigger.deliver())?.status).toBe(200);
	});

	it('works after the access token was replaced, and production receives afterwards', async () => {
		const { n8n, does } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		newToken('a-new-token');
		await does(n8n.listen(workflow));
		await does(n8n.stopListening(workflow));
		expect((await trigger.deliver())?.status).toBe(200);
		// A call has shown the secret: one more token does no harm.
		newToken('a-newer-token');
		expect((await trigger.deliver())?.status).toBe(200);
	});

	it.each([0, 1])('that cannot begin, failing at request %i, changes nothing', async (index) => {
		const { n8n, does, error, network, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const before = { ...webhook() };
		network.faults = [...Array<undefined>(index), ...Array(4).fill({ status: 500 })];
		expect((await error(n8n.listen(workflow))).message).toContain(
			'The service returned a server error',
		);
		network.faults = [];
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);
	});

	it('is given back in the background while the service is away, and other tests can start', async () => {
		const { n8n, does, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const before = { ...webhook() };
		await does(n8n.listen(workflow));
		outage(5);
		await does(n8n.stopListening(workflow));
		expect(workflow.test).toBeUndefined();
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);
	});

	it('is given back after a request that took effect when the test was over', async () => {
		const { n8n, does, network, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		network.faults = [undefined, 'late'];
		await does(n8n.listen(workflow));
		await does(n8n.stopListening(workflow));
		await clock.pass(10_000);
		expect(addressOf(webhook().url)).toBe(n8n.testUrl(workflow));
		await clock.pass(MINUTE);
		expect(addressOf(webhook().url)).toBe(n8n.productionUrl(workflow));
	});

	it('switches off again what a look has switched on when the test was over', async () => {
		const { n8n, does, network, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		await does(n8n.unpublish(workflow));
		network.faults = ['late'];
		await does(n8n.listen(workflow));
		await does(n8n.stopListening(workflow));
		expect(webhook().status).toBe('inactive');
		await clock.pass(10_000);
		expect(webhook().status).toBe('active');
		await clock.pass(MINUTE);
		expect(webhook().status).toBe('inactive');
	});

	it('gives nothing back if somebody has taken the webhook over meanwhile', async () => {
		const { n8n, does, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		await does(n8n.listen(workflow));
		const taken = { ...trigger.takenElsewhere() };
		await does(n8n.stopListening(workflow));
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(taken);
	});

	it('gives nothing back if the workflow was published meanwhile', async () => {
		const { n8n, does, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		await does(n8n.unpublish(workflow));
		await does(n8n.listen(workflow));
		await does(n8n.publish(workflow));
		await does(n8n.stopListening(workflow));
		await clock.pass(MINUTE);
		expect(addressOf(webhook().url)).toBe(n8n.productionUrl(workflow));
		expect(webhook().status).toBe('active');
	});

	it.each(['of the same workflow', 'of another workflow'])(
		'knows a webhook for its own that a killed n8n has left at a test %s',
		async (whose) => {
			const { n8n, does, webhook, clock } = trigger;
			const workflow = trigger.workflow();
			await does(n8n.publish(workflow));
			const before = { ...webhook() };
			await does(n8n.listen(workflow));
			n8n.kill();
			await does(n8n.start());
			await clock.pass(3 * MINUTE);
			expect(addressOf(webhook().url)).toBe(n8n.testUrl(workflow));
			const next = whose === 'of the same workflow' ? workflow : trigger.workflow();
			await does(n8n.listen(next));
			await does(n8n.stopListening(next));
			expect(webhook()).toEqual(before);
		},
	);

	it('does not disturb the test of another workflow', async () => {
		const { n8n, does, error } = trigger;
		const [first, second] = [trigger.workflow(), trigger.workflow()];
		await does(n8n.publish(first));
		await does(n8n.listen(first));
		const { message } = await error(n8n.listen(second));
		expect(message).toContain(
			`Another workflow is testing with this webhook: ${n8n.testUrl(first)}`,
		);
		expect((await trigger.deliver())?.items).toHaveLength(1);
		expect(n8n.started[0]).toMatchObject({ workflowId: first.id, isTest: true });
	});

	it('begun again with what cannot be borrowed gives back what was borrowed before', async () => {
		const { n8n, does, error, webhook, clock } = trigger;
		otherCredential();
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const before = { ...webhook() };
		await does(n8n.listen(workflow));
		workflow.draft.credentialId = 'B';
		await error(n8n.listen(workflow));
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);
	});

	it('turns the webhook of a draft to that of another, and gives back both', async () => {
		const { n8n, does, service, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const before = { ...webhook() };
		await does(n8n.listen(workflow));
		workflow.draft.parameters = {
			...workflow.draft.parameters,
			webhookId: service.createWebhook(),
			options: { takeOver: true },
		};
		await does(n8n.listen(workflow));
		expect(webhook()).toEqual(before);
		await does(n8n.stopListening(workflow));
	});

	it('is not looked after if the service refuses it', async () => {
		const { n8n, error, network, clock } = trigger;
		network.tokens.clear();
		expect((await error(n8n.listen(trigger.workflow()))).message).toContain(
			'The access token was refused',
		);
		await clock.pass(15 * MINUTE);
		expect(network.sent).toBe(1);
	});
});

describe('n8n 1.x, which registers again when it starts,', () => {
	beforeEach(() => trigger.restartAs('1.123'));

	it('starts while the service is away, and receives with the secret it remembers', async () => {
		const { n8n, does, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		outage(5);
		n8n.kill();
		await does(n8n.start());
		expect((await trigger.deliver())?.status).toBe(200);
		await clock.pass(MINUTE);
		expect((await trigger.deliver())?.status).toBe(200);
	});

	it('takes nothing back from whoever has the webhook by now', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const taken = { ...trigger.takenElsewhere() };
		n8n.kill();
		await does(n8n.start());
		expect(webhook()).toEqual(taken);
	});

	it('registers again what a killed n8n has left at a test, and what is at an old address', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		await does(n8n.listen(workflow));
		n8n.kill();
		await does(n8n.start());
		expect((await trigger.deliver())?.items).toHaveLength(1);
		for (const origin of ['https://second.example.com', 'https://third.example.com']) {
			n8n.kill();
			n8n.origin = origin;
			await does(n8n.start());
			expect(addressOf(webhook().url)).toBe(n8n.productionUrl(workflow));
			expect((await trigger.deliver())?.items).toHaveLength(1);
		}
	});

	it('starts with a credential that was deleted, and receives', async () => {
		const { n8n, does } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		n8n.credentials.delete('A');
		n8n.kill();
		await does(n8n.start());
		expect((await trigger.deliver())?.status).toBe(200);
	});
});

describe('Manual registration', () => {
	const SECRET = 'a secret for both sides';
	const manual = () => {
		const workflow = trigger.workflow({ registration: 'manual' });
		delete workflow.draft.parameters.webhookId;
		return workflow;
	};

	it('asks the service nothing, needs no webhook ID, and lets in who shows the secret', async () => {
		const { n8n, does, network } = trigger;
		n8n.credentials.get('A')!.webhookSecret = SECRET;
		const workflow = manual();
		await does(n8n.publish(workflow));
		const status = async (url: string, secret: string) =>
			(await does(n8n.call(url, { headers: [['X-S', secret]], body: {} })))?.status;
		expect(await status(n8n.productionUrl(workflow), SECRET)).toBe(200);
		expect(await status(n8n.productionUrl(workflow), 'a guess')).toBe(401);
		await does(n8n.listen(workflow));
		expect(await status(n8n.testUrl(workflow), 'a guess')).toBe(401);
		expect(await status(n8n.testUrl(workflow), SECRET)).toBe(200);
		await does(n8n.unpublish(workflow));
		expect(network.sent).toBe(0);
	});

	it('requires a secret in the credential, and says what to do', async () => {
		const { n8n, error } = trigger;
		const workflow = manual();
		expect((await error(n8n.publish(workflow))).message).toBe(
			"Enter a Webhook Secret in the credential, at least 16 characters, and the same secret at the assessment service. With manual registration, it's how the trigger recognizes the service.",
		);
		n8n.credentials.get('A')!.webhookSecret = 'too short';
		expect((await error(n8n.listen(workflow))).message).toContain('at least 16 characters');
	});

	it('lets nobody in with a secret that was derived', async () => {
		const { n8n, does, webhookId } = trigger;
		n8n.credentials.get('A')!.webhookSecret = SECRET;
		const workflow = manual();
		await does(n8n.publish(workflow));
		n8n.credentials.get('A')!.webhookSecret = '';
		const headers: Array<[string, string]> = [['X-S', derivedSecret(webhookId)]];
		const answer = await does(n8n.call(n8n.productionUrl(workflow), { headers }));
		expect(answer?.status).toBe(401);
	});

	it('is not undone by an automatic one that could not be ended in time', async () => {
		const { n8n, does, network, webhook, clock } = trigger;
		n8n.credentials.get('A')!.webhookSecret = SECRET;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		outage(5);
		workflow.draft.parameters.registration = 'manual';
		await does(n8n.publish(workflow));
		network.faults = [];
		const byHand = { url: n8n.productionUrl(workflow), secret: SECRET, status: 'active' };
		Object.assign(webhook(), byHand);
		await clock.pass(15 * MINUTE);
		expect(webhook()).toMatchObject(byHand);
	});

	it('still knows its secret where n8n 1.x starts without the credential', async () => {
		trigger.restartAs('1.123');
		const { n8n, does } = trigger;
		const credential = { ...n8n.credentials.get('A'), webhookSecret: SECRET };
		n8n.credentials.set('A', credential);
		const workflow = manual();
		await does(n8n.publish(workflow));
		n8n.credentials.delete('A');
		n8n.kill();
		await does(n8n.start());
		const call = { headers: [['X-S', SECRET]] as Array<[string, string]>, body: {} };
		expect((await does(n8n.call(n8n.productionUrl(workflow), call)))?.status).toBe(200);
	});

	it('after an automatic one switches the webhook off that was registered', async () => {
		const { n8n, does, webhook } = trigger;
		n8n.credentials.get('A')!.webhookSecret = SECRET;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		workflow.draft.parameters.registration = 'manual';
		await does(n8n.publish(workflow));
		expect(webhook().status).toBe('inactive');
	});
});
