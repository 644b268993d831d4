import type { SimulatedWorkflow } from './n8n/SimulatedN8n.mts';
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

	it('remembers the secret as a digest only', async () => {
		const { n8n, does, webhookId } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		expect(workflow.staticData).toEqual({
			'node:Trigger': {
				secretDigest: digest(derivedSecret(webhookId)),
				publishedAddress: n8n.productionUrl(workflow),
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
		expect((await error(n8n.publish(workflow))).message).toMatch(/^Webhook ID: /);
		expect(requests()).toEqual([]);
	});

	it.each([
		['X-Webhook-Secret:', "that isn't the name of a header"],
		['X-A, X-B', "that isn't the name of a header"],
		['User-Agent', "User-Agent belongs to HTTP itself and can't carry a secret"],
		['HOST', "HOST belongs to HTTP itself and can't carry a secret"],
	])('refuses %j as the header of the secret', async (name, message) => {
		const { n8n, error, requests } = trigger;
		const workflow = trigger.workflow({}, { secretHeader: name });
		expect((await error(n8n.publish(workflow))).message).toContain(`Secret Header: ${message}`);
		expect(requests()).toEqual([]);
	});

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
		await trigger.unpublish(workflow);
		expect(webhook().status).toBe('inactive');
	});

	it('says in plain words that there is no such webhook', async () => {
		const { n8n, error, service } = trigger;
		const webhookId = service.createWebhook({ is_deleted: true });
		expect((await error(n8n.publish(trigger.workflow({ webhookId })))).message).toContain(
			"No webhook with this ID exists. It may have been deleted. Check 'Webhook ID'.",
		);
	});

	it.each([
		['changes a webhook that was deleted', { is_deleted: true }, 'No webhook with this ID exists'],
		[
			'leaves the webhook off',
			{ status: 'inactive' },
			"response doesn't contain the expected data",
		],
	])('does not believe a service that %s', async (_what, shown, message) => {
		const { n8n, error, network, webhook } = trigger;
		const body = JSON.stringify({ data: { ...webhook(), ...shown } });
		network.faults = Array.from({ length: 30 }, () => ({ status: 200, body }));
		expect((await error(n8n.publish(trigger.workflow()))).message).toContain(message);
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

describe('Publishing a changed trigger', () => {
	const changed = (workflow: SimulatedWorkflow) => {
		Object.assign(workflow.draft.parameters.options as object, { webhookName: 'Changed' });
		return workflow;
	};

	it.each([0, 300, 5_000])('never has the webhook off (%i ms a request)', async (latency) => {
		const { n8n, does, service, network, requests, clock, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		service.clearRequests();
		network.latency = latency;
		await does(n8n.publish(changed(workflow)));
		await clock.pass(15 * MINUTE);
		expect(requests()).toEqual([
			['PUT', '', expect.objectContaining({ name: 'Changed' })],
			['PUT', '/status', { status: 'active' }],
		]);
		expect(webhook()).toMatchObject({ status: 'active', name: 'Changed' });
	});

	it('that fails, so that n8n takes it for unpublished, switches the webhook off', async () => {
		const { n8n, error, does, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		n8n.credentials.set('B', { ...n8n.credentials.get('A'), webhookSecret: 'too short' });
		workflow.draft.credentialId = 'B';
		await error(n8n.publish(workflow));
		await clock.pass(MINUTE);
		expect(webhook().status).toBe('inactive');
	});

	it.each([
		['a node that was pasted over itself', false],
		['a copy of the workflow, at the same address', true],
	])('as %s ends what is pending for the webhook', async (_what, isCopy) => {
		const { n8n, does, network, webhook, clock } = trigger;
		const first = trigger.workflow();
		await does(n8n.publish(first));
		network.faults = [{ status: 500 }];
		if (isCopy) await trigger.unpublish(first);
		const next = isCopy ? n8n.createWorkflow(structuredClone(first.draft), first.path) : first;
		next.draft.nodeId = 'pasted';
		await does(n8n.publish(next));
		await clock.pass(15 * MINUTE);
		expect(webhook().status).toBe('active');
		expect((await trigger.deliver())?.status).toBe(200);
	});
});

describe('A webhook that was set up by hand, at the address of the trigger,', () => {
	const byHand = (workflow: SimulatedWorkflow) =>
		Object.assign(trigger.webhook(), {
			url: trigger.n8n.productionUrl(workflow),
			secret: 'a secret for both sides',
		});

	it('stays as it is when the trigger is switched to manual registration after that', async () => {
		const { n8n, does, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		n8n.credentials.get('A')!.webhookSecret = 'a secret for both sides';
		await does(n8n.publish(workflow));
		const before = { ...byHand(workflow) };
		workflow.draft.parameters.registration = 'manual';
		await does(n8n.publish(workflow));
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);
		expect((await trigger.deliver())?.status).toBe(200);
	});

	it.each([false, true])('is not borrowed for a test (takeOver: %s)', async (takeOver) => {
		const { n8n, error, webhook, clock } = trigger;
		const workflow = trigger.workflow({}, { takeOver });
		const before = { ...byHand(workflow), status: 'active' };
		expect((await error(n8n.listen(workflow))).message).toMatch(
			/^This webhook points to n8n, but its URL doesn't say what to restore/,
		);
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);
	});

	it('is switched off by that switch if the trigger has registered it', async () => {
		const { n8n, does, webhook, clock } = trigger;
		n8n.credentials.get('A')!.webhookSecret = 'a secret for both sides';
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		workflow.draft.parameters.registration = 'manual';
		await does(n8n.publish(workflow));
		await clock.pass(MINUTE);
		expect(webhook().status).toBe('inactive');
	});
});

describe('With a service that', () => {
	it.each(['slash', 'order'] as const)('alters URLs (%s) all works', async (alteration) => {
		const { n8n, does, network, webhook } = trigger;
		network.alteration = alteration;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const before = { ...webhook() };
		await does(n8n.listen(workflow));
		expect(webhook().url).not.toBe(before.url);
		await does(n8n.stopListening(workflow));
		expect(webhook()).toEqual(before);
		await trigger.unpublish(workflow);
		expect(webhook().status).toBe('inactive');
	});

	it('drops the query publishing works, and a test is refused before it takes anything', async () => {
		const { n8n, does, error, network, webhook, requests } = trigger;
		network.alteration = 'dropQuery';
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		expect((await trigger.deliver())?.status).toBe(200);
		const before = { ...webhook() };
		trigger.service.clearRequests();
		const { message } = await error(n8n.listen(workflow));
		expect(message).toContain("its URL doesn't say what to restore after a test");
		expect(webhook()).toEqual(before);
		expect(requests()).toEqual([['PUT', '/status', { status: 'active' }]]);
	});

	it('cuts long URLs a test gives back at once, and says why', async () => {
		const { n8n, does, error, network, webhook, clock } = trigger;
		network.alteration = 'cut';
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const before = { ...webhook() };
		network.faults = [undefined, undefined, 'unreachable'];
		const { message } = await error(n8n.listen(workflow));
		expect(message).toContain("The service changes the webhook's URL");
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);
		expect((await trigger.deliver())?.status).toBe(200);
	});

	it('asks to wait is not asked again before that', async () => {
		const { n8n, does, network, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		network.faults = [{ status: 429, retryAfter: 900 }];
		await trigger.unpublish(workflow);
		const { sent } = network;
		await clock.pass(14 * MINUTE);
		expect(network.sent).toBe(sent);
		expect(webhook().status).toBe('active');
		await clock.pass(2 * MINUTE);
		expect(webhook().status).toBe('inactive');
	});
});

describe('Unpublishing', () => {
	it('asks first, switches off after, and deletes nothing', async () => {
		const { n8n, does, service, requests, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		service.clearRequests();
		await trigger.unpublish(workflow);
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

	it('never switches the webhook of somebody else off, not for a moment', async () => {
		const { n8n, does, service, webhook, requests } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const taken = { ...trigger.takenElsewhere() };
		service.clearRequests();
		await trigger.unpublish(workflow);
		expect(requests()).toEqual([['PUT', '/status', { status: 'active' }]]);
		expect(webhook()).toEqual(taken);
	});

	it('goes on in the background while the service is away, and never throws', async () => {
		const { n8n, does, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		outage(6);
		await trigger.unpublish(workflow);
		expect(webhook().status).toBe('active');
		await clock.pass(2 * MINUTE);
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
		await trigger.unpublish(workflow);
		await clock.pass(15 * MINUTE);
		expect(workflow.published).toBeUndefined();
	});

	it('needs no usable secret', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		n8n.credentials.get('A')!.webhookSecret = 'too short';
		await trigger.unpublish(workflow);
		expect(webhook().status).toBe('inactive');
	});

	it('while a test goes on lets it go on, and leaves the webhook off after it', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		await does(n8n.listen(workflow));
		await trigger.unpublish(workflow);
		expect((await trigger.deliver())?.items).toHaveLength(1);
		expect(n8n.started.at(-1)?.isTest).toBe(true);
		expect(webhook().status).toBe('inactive');
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

	it('leaves a webhook switched off that was switched off', async () => {
		const { n8n, does, webhook } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		await trigger.unpublish(workflow);
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
		for (const remedy of ['separate webhook', 'publish this workflow', 'Used Elsewhere']) {
			expect(message).toContain(remedy);
		}
		expect(message).not.toContain('private');
		expect(webhook()).toEqual(before);
	});

	it('if asked to borrows from a receiver elsewhere; it gets all back but its secret, and not ours', async () => {
		const { n8n, does, webhook, webhookId } = trigger;
		const before = withoutSecret(trigger.takenElsewhere());
		const workflow = trigger.workflow({}, { takeOver: true });
		await does(n8n.listen(workflow));
		expect((await trigger.deliver())?.items).toHaveLength(1);
		expect(webhook()).toMatchObject(before);
		expect(webhook().secret).toMatch(/^[0-9a-f]{64}$/);
		expect(webhook().secret).not.toBe(derivedSecret(webhookId));
	});

	it.each(['https://elsewhere.example.com/', 'https://n8n.example.com/webhook/a/path'])(
		'gives the secret to no receiver at %s that only says it is one of ours',
		async (address) => {
			const { n8n, does, error, webhook, webhookId } = trigger;
			const url = `${address}?registration=published&credential=A`;
			const before = { ...trigger.takenElsewhere({ url }) };
			await error(n8n.listen(trigger.workflow()));
			expect(webhook()).toEqual(before);
			const workflow = trigger.workflow({}, { takeOver: true });
			await does(n8n.listen(workflow));
			await does(n8n.stopListening(workflow));
			expect(webhook().url).toBe(url);
			expect(webhook().secret).not.toBe(derivedSecret(webhookId));
		},
	);

	it.each([{ url: '' }, { url: null as never }, { events: [] }])(
		'refuses what it could not put back, whatever it was asked to: %j',
		async (incomplete) => {
			const { n8n, error, webhook } = trigger;
			const before = { ...trigger.takenElsewhere(incomplete) };
			const workflow = trigger.workflow({}, { takeOver: true });
			expect((await error(n8n.listen(workflow))).message).toMatch(
				/^This webhook has no URL or no events.* Publish this workflow first/,
			);
			expect(webhook()).toEqual(before);
		},
	);

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

	it('knows a webhook for its own that a killed n8n has left at a test', async () => {
		const { n8n, does, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const before = { ...webhook() };
		await does(n8n.listen(workflow));
		n8n.kill();
		await does(n8n.start());
		await clock.pass(3 * MINUTE);
		const next = trigger.workflow();
		await does(n8n.listen(next));
		await does(n8n.stopListening(next));
		expect(webhook()).toEqual(before);
	});

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

	it.each(['the service', 'the credential'])('starts without %s, and receives', async (gone) => {
		const { n8n, does, network } = trigger;
		const workflow = trigger.workflow();
		await does(n8n.publish(workflow));
		const { sent } = network;
		if (gone === 'the service') outage(1000);
		else n8n.credentials.delete('A');
		n8n.kill();
		await does(n8n.start());
		expect(network.sent).toBe(sent);
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
		await trigger.unpublish(workflow);
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
});
