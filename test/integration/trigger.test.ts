import type { SimulatedWorkflow } from './n8n/SimulatedN8n.mts';
import { addressOf, derivedSecret, digest, EVENT, setUpTrigger } from './n8n/setUpTrigger.mts';

const trigger = setUpTrigger();
const MINUTE = 60_000;
const LOOK = ['PUT', '/status', { status: 'active' }];

/** Everything fails for so many requests. */
const outage = (requests: number) => {
	trigger.network.faults = Array.from({ length: requests }, () => 'unreachable' as const);
};
it('publishing registers name, production URL, events and secret, then switches the webhook on', async () => {
	const { n8n, requests, webhookId } = trigger;
	const workflow = await trigger.publishedWorkflow();
	const url = `${n8n.productionUrl(workflow)}?registration=published&credential=A`;
	expect(requests()).toEqual([
		LOOK,
		['PUT', '', { name: 'n8n: Results', url, events: [EVENT], secret: derivedSecret(webhookId) }],
		['PUT', '/status', { status: 'active' }],
	]);
	expect((await trigger.deliver())?.items).toEqual([{ json: { event: EVENT } }]);
	// The secret is remembered as a digest only.
	expect(workflow.staticData).toEqual({
		'node:Trigger': { secretDigest: digest(derivedSecret(webhookId)) },
	});
});

it.each([
	[{ webhookId: 'mine' }, 'Webhook ID: '],
	[{ options: { secretHeader: 'X-A, X-B' } }, "Secret Header: that can't carry a secret"],
	[{ options: { secretHeader: 'HOST' } }, "Secret Header: that can't carry a secret"],
])('publishing refuses %j before anything is sent', async (parameters, message) => {
	const { n8n, errorOf, network } = trigger;
	const workflow = trigger.workflow(parameters);
	expect((await errorOf(n8n.publish(workflow))).message).toContain(message);
	expect(network.sent).toBe(0);
});

it.each([
	'n8n.example.com',
	'http://localhost:5678',
	'http://127.0.0.1:5678',
	'http://[::1]:5678',
	'http://0.0.0.0:5678',
])(
	'publishing and testing say what to do where n8n takes %s for its address, and send nothing',
	async (origin) => {
		const { n8n, errorOf, network, clock } = trigger;
		n8n.credentials.get('A')!.baseUrl = 'https://assessment.example.com';
		Object.assign(n8n, { origin });
		const workflow = trigger.workflow();
		for (const begin of [n8n.publish, n8n.listen]) {
			expect((await errorOf(begin.call(n8n, workflow))).message).toMatch(
				/^Set n8n's environment variable WEBHOOK_URL \(from n8n 2\.30 on N8N_WEBHOOK_URL\) to the address/,
			);
		}
		await clock.pass(15 * MINUTE);
		expect(network.sent).toBe(0);
	},
);

it('publishing at an address of this machine reaches a service on this machine', async () => {
	trigger.n8n.origin = 'http://localhost:5678';
	await trigger.publishedWorkflow();
	expect((await trigger.deliver())?.status).toBe(200);
});

const byAnotherTrigger = async () => {
	const workflow = trigger.workflow({}, { webhookName: 'Of somebody else' });
	await trigger.settled(trigger.n8n.publish(workflow));
	return workflow;
};

it.each(['receives', 'is to receive again after a test'])(
	'publishing refuses a webhook by which another workflow %s, takes nothing, and says what to do',
	async (state) => {
		const { n8n, settled, errorOf, webhook, clock } = trigger;
		n8n.attempts = 1;
		const first = await byAnotherTrigger();
		if (state !== 'receives') await settled(n8n.listen(first));
		const before = { ...webhook() };
		const second = trigger.workflow({ webhookId: trigger.webhookId.toUpperCase() });
		const { message } = await errorOf(n8n.publish(second));
		expect(message).toMatch(/^Unpublish the workflow that has this webhook, then publish this one/);
		expect(message).toContain(`"Of somebody else" and belongs to ${n8n.productionUrl(first)}. `);
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);

		// As the message says.
		await settled(n8n.stopListening(first));
		await settled(n8n.unpublish(first));
		await settled(n8n.publish(second));
		await clock.pass(15 * MINUTE);
		expect((await trigger.deliver())?.status).toBe(200);
		expect(n8n.started.map(({ workflowId }) => workflowId)).toEqual([second.id]);
	},
);

it('publishing takes a webhook whose workflow is gone, once it was freed by hand', async () => {
	const { n8n, settled, errorOf, webhook } = trigger;
	await byAnotherTrigger();
	n8n.kill();
	await settled(n8n.start());
	const workflow = trigger.workflow();
	expect((await errorOf(n8n.publish(workflow))).message).toContain("with 'Webhook: Update'");
	webhook().url = 'https://nobody.example.com';
	await settled(n8n.publish(workflow));
	expect((await trigger.deliver())?.status).toBe(200);
});

it('publishing takes over what the same trigger has published at another address of n8n', async () => {
	const { n8n, settled } = trigger;
	const { draft, path } = await trigger.publishedWorkflow();
	trigger.restartAs('2.41');
	trigger.n8n.origin = 'https://new.example.com';
	await settled(trigger.n8n.publish(trigger.n8n.createWorkflow(draft, path)));
	expect(trigger.webhook().url).toContain('https://new.example.com');
	expect((await trigger.deliver())?.status).toBe(200);
	expect(n8n.started).toEqual([]);
});

it.each([500, 501, 502, 503, 504, 599])(
	'publishing, testing and giving back survive one %i of the service',
	async (status) => {
		const { n8n, settled, network, webhook, clock } = trigger;
		n8n.attempts = 1;
		network.faults = [undefined, { status }];
		const workflow = await trigger.publishedWorkflow();
		const before = { ...webhook() };
		network.faults = [undefined, { status }];
		await settled(n8n.listen(workflow));
		network.faults = [undefined, { status }];
		await settled(n8n.stopListening(workflow));
		await clock.pass(5_000);
		expect(webhook()).toEqual(before);
	},
);

describe('with the editor at another host than the webhooks', () => {
	beforeEach(() => {
		trigger.n8n.editorOrigin = 'https://n8n.intranet.example';
	});

	it.each(['published', 'in a test', 'in a test that n8n was killed in'])(
		'with the editor at another host than the webhooks, a trigger that is %s is tested, given back, and switched off',
		async (state) => {
			const { n8n, settled, webhook, clock } = trigger;
			const workflow = await trigger.publishedWorkflow();
			const before = { ...webhook() };
			if (state !== 'published') await settled(n8n.listen(workflow));
			if (state === 'in a test that n8n was killed in') {
				n8n.kill();
				await settled(n8n.start());
			}
			await settled(n8n.listen(workflow));
			expect(addressOf(webhook().url)).toBe(n8n.testUrl(workflow));
			expect((await trigger.deliver())?.items).toHaveLength(1);
			await clock.pass(MINUTE);
			expect(webhook()).toEqual(before);
			expect((await trigger.deliver())?.status).toBe(200);
			await settled(n8n.listen(workflow));
			await trigger.unpublish(workflow);
			expect(webhook().status).toBe('inactive');
		},
	);

	it('with the editor at another host than the webhooks, publishing refuses what another trigger is to get back after a test', async () => {
		const { n8n, settled, errorOf } = trigger;
		const first = await byAnotherTrigger();
		await settled(n8n.listen(first));
		const { message } = await errorOf(n8n.publish(trigger.workflow()));
		expect(message).toContain(`belongs to ${n8n.productionUrl(first)}. `);
	});

	it('with the editor at another host than the webhooks, no test takes what another trigger has to get back', async () => {
		const { n8n, settled, errorOf, webhook, clock } = trigger;
		const first = await byAnotherTrigger();
		await settled(n8n.listen(first));
		n8n.kill();
		await settled(n8n.start());
		await clock.pass(5 * MINUTE);
		const before = { ...webhook() };
		const { message } = await errorOf(n8n.listen(trigger.workflow()));
		expect(message).toContain(n8n.productionUrl(first));
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);
	});
});

it('publishing that the service refuses changes nothing of somebody else but the status', async () => {
	const { n8n, errorOf, webhook, clock } = trigger;
	trigger.pointElsewhere({ status: 'inactive' });
	const before = { ...webhook(), status: 'active' };
	await errorOf(n8n.publish(trigger.workflow({ events: ['no_such_event'] })));
	await clock.pass(15 * MINUTE);
	expect(webhook()).toEqual(before);
});

it.each([
	['none', 'https://N8N.example.com:443'],
	['none', 'https://bücher.example'],
	['none', 'https://user:pass@n8n.example.com/a b'],
	['slash', 'https://n8n.example.com'],
	['order', 'https://n8n.example.com'],
] as const)(
	'publishing knows its webhook again if the service alters URLs (%s), at the address %s',
	async (alteration, origin) => {
		const { n8n, settled, network, webhook } = trigger;
		network.alteration = alteration;
		n8n.origin = origin;
		const workflow = await trigger.publishedWorkflow();
		const before = { ...webhook() };
		await settled(n8n.listen(workflow));
		expect(webhook().url).not.toBe(before.url);
		await settled(n8n.stopListening(workflow));
		expect(webhook()).toEqual(before);
		await trigger.unpublish(workflow);
		expect(webhook().status).toBe('inactive');
	},
);

it('publishing does not believe a service that leaves the webhook off', async () => {
	const { n8n, errorOf, network, webhook } = trigger;
	const body = JSON.stringify({ data: { ...webhook(), status: 'inactive' } });
	network.faults = Array.from({ length: 30 }, () => ({ status: 200, body }));
	expect((await errorOf(n8n.publish(trigger.workflow()))).message).toContain(
		"The service's response doesn't show the change. The webhook may have been deleted.",
	);
});

it.each([
	['keeps saying that there are too many requests', { status: 429 }],
	['cannot be reached', 'unreachable' as const],
])(
	'publishing that failed, as the service %s, changes nothing of somebody else but the status',
	async (_name, fault) => {
		const { n8n, errorOf, network, webhook, clock } = trigger;
		const before = { ...trigger.pointElsewhere(), status: 'active' };
		network.faults = Array.from({ length: 90 }, () => fault);
		const { message } = await errorOf(n8n.publish(trigger.workflow()));
		// The trigger has no options for how requests are sent.
		expect(message).not.toContain("in the node's options");
		network.faults = [];
		await clock.pass(10 * MINUTE);
		expect(webhook()).toEqual(before);
	},
);

it.each([0, 300, 5_000])(
	'publishing a changed trigger never has the webhook off (%i ms a request)',
	async (latency) => {
		const { n8n, settled, service, network, requests, clock, webhook } = trigger;
		const workflow = await trigger.publishedWorkflow();
		service.clearRequests();
		network.latency = latency;
		Object.assign(workflow.draft.parameters.options as object, { webhookName: 'Changed' });
		await settled(n8n.publish(workflow));
		await clock.pass(15 * MINUTE);
		expect(requests()).toEqual([
			LOOK,
			['PUT', '', expect.objectContaining({ name: 'Changed' })],
			['PUT', '/status', { status: 'active' }],
		]);
		expect(webhook()).toMatchObject({ status: 'active', name: 'Changed' });
	},
);

it.each([
	['before it asks the service', 'too short', []],
	['at the service', '', [{ status: 400 }]],
])(
	'publishing a changed trigger with another credential that fails %s switches off what the first one published',
	async (_where, webhookSecret, faults) => {
		const { n8n, errorOf, network, webhook, clock } = trigger;
		const workflow = await trigger.publishedWorkflow();
		n8n.credentials.set('B', { ...n8n.credentials.get('A'), webhookSecret });
		workflow.draft.credentialId = 'B';
		n8n.attempts = 1;
		network.faults = faults;
		await errorOf(n8n.publish(workflow));
		await clock.pass(MINUTE);
		expect(webhook().status).toBe('inactive');
	},
);

it.each([
	['a node that was pasted over itself', false],
	['a copy of the workflow, at the same address', true],
])(
	'publishing a changed trigger as %s ends what is pending for the webhook',
	async (_what, isCopy) => {
		const { n8n, settled, webhook, clock } = trigger;
		const first = await trigger.publishedWorkflow();
		outage(4);
		if (isCopy) await trigger.unpublish(first);
		const next = isCopy ? n8n.createWorkflow(structuredClone(first.draft), first.path) : first;
		next.draft.nodeId = 'pasted';
		await settled(n8n.publish(next));
		await clock.pass(15 * MINUTE);
		expect(webhook().status).toBe('active');
		expect((await trigger.deliver())?.status).toBe(200);
	},
);

const byHand = (workflow: SimulatedWorkflow) =>
	Object.assign(trigger.webhook(), {
		url: trigger.n8n.productionUrl(workflow),
		secret: 'a secret for both sides',
	});

it.each([true, false])(
	'a webhook that was set up by hand stays when the trigger is switched to manual registration, and only then (%s)',
	async (isByHand) => {
		const { n8n, settled, webhook, clock } = trigger;
		const workflow = trigger.workflow();
		n8n.credentials.get('A')!.webhookSecret = 'a secret for both sides';
		await settled(n8n.publish(workflow));
		if (isByHand) byHand(workflow);
		const before = { ...webhook() };
		workflow.draft.parameters.registration = 'manual';
		await settled(n8n.publish(workflow));
		await clock.pass(MINUTE);
		if (isByHand) expect(webhook()).toEqual(before);
		else expect(webhook().status).toBe('inactive');
	},
);

it('a webhook that was set up by hand is not borrowed for a test', async () => {
	const { n8n, errorOf, webhook, clock } = trigger;
	const workflow = trigger.workflow();
	const before = { ...byHand(workflow), status: 'active' };
	expect((await errorOf(n8n.listen(workflow))).message).toMatch(
		/^Publish this workflow once, then test\..* doesn't say what to restore/,
	);
	await clock.pass(MINUTE);
	expect(webhook()).toEqual(before);
});

it('with a service that drops the query, publishing works, and a test is refused before it takes anything', async () => {
	const { n8n, errorOf, network, webhook, requests } = trigger;
	network.alteration = 'dropQuery';
	const workflow = await trigger.publishedWorkflow();
	expect((await trigger.deliver())?.status).toBe(200);
	const before = { ...webhook() };
	trigger.service.clearRequests();
	const { message } = await errorOf(n8n.listen(workflow));
	expect(message).toContain("doesn't say what to restore after a test");
	expect(webhook()).toEqual(before);
	for (const request of requests()) expect(request).toEqual(LOOK);
});

it('with a service that cuts long URLs, a test gives back at once, and says why', async () => {
	const { n8n, errorOf, network, webhook, clock } = trigger;
	network.alteration = 'cut';
	const workflow = await trigger.publishedWorkflow();
	const before = { ...webhook() };
	network.faults = [undefined, undefined, 'unreachable'];
	const { message } = await errorOf(n8n.listen(workflow));
	expect(message).toContain("The service changes the webhook's URL");
	await clock.pass(MINUTE);
	expect(webhook()).toEqual(before);
	expect((await trigger.deliver())?.status).toBe(200);
});

it('with a service that cuts long URLs, a refused test does not keep another workflow from switching its webhook off', async () => {
	const { n8n, settled, errorOf, network, webhook, clock } = trigger;
	network.alteration = 'cut';
	const workflow = await trigger.publishedWorkflow();
	await settled(n8n.unpublish(workflow));
	network.latency = 3_000;
	const { message } = await errorOf(n8n.listen(trigger.workflow()));
	expect(message).toContain("The service changes the webhook's URL");
	await clock.pass(MINUTE);
	expect(webhook().status).toBe('inactive');
});

it('what could not be done at once is tried again every 30 seconds for ten minutes, then given up', async () => {
	const { n8n, network, webhook, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	outage(1_000);
	await trigger.unpublish(workflow);
	expect(network.sent).toBe(4);
	await clock.pass(1_000);
	expect(network.sent).toBe(5);
	await clock.pass(9 * MINUTE);
	expect(network.sent).toBe(5 + 18);
	await clock.pass(2 * MINUTE);
	expect(n8n.log.at(-1)).toBe(
		'Gave up trying to switch the webhook off. Set its status to inactive, or ask the assessment service to do so.',
	);
	const after = network.sent;
	await clock.pass(60 * MINUTE);
	expect([network.sent, webhook().status]).toEqual([after, 'active']);
});

it('unpublishing asks first, switches off after, and deletes nothing', async () => {
	const { n8n, service, requests, webhook } = trigger;
	const workflow = await trigger.publishedWorkflow();
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

it('unpublishing never switches the webhook of somebody else off, not for a moment', async () => {
	const { service, webhook, requests } = trigger;
	const workflow = await trigger.publishedWorkflow();
	const taken = { ...trigger.pointElsewhere() };
	service.clearRequests();
	await trigger.unpublish(workflow);
	expect(requests()).toEqual([LOOK]);
	expect(webhook()).toEqual(taken);
});

it.each([
	['a webhook that was deleted', () => (trigger.webhook().is_deleted = true)],
	['a secret that is too short', () => (trigger.n8n.credentials.get('A')!.webhookSecret = 'x')],
	['a credential that was deleted', () => trigger.n8n.credentials.delete('A')],
	['an access token that is refused', () => trigger.network.tokens.clear()],
	['a Base URL that was emptied', () => (trigger.n8n.credentials.get('A')!.baseUrl = '')],
])('unpublishing is not stopped by %s', async (_what, breakIt) => {
	const { clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	breakIt();
	await trigger.unpublish(workflow);
	await clock.pass(15 * MINUTE);
	expect(workflow.published).toBeUndefined();
});

it('unpublishing during a test switches the webhook off at once, and it stays off after the test and the next', async () => {
	const { n8n, settled, webhook, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	await settled(n8n.listen(workflow));
	await trigger.unpublish(workflow);
	const off = { status: 'inactive', url: `${n8n.productionUrl(workflow)}?registration=off` };
	expect(webhook()).toMatchObject(off);
	await settled(n8n.stopListening(workflow));
	await clock.pass(MINUTE);
	expect(webhook()).toMatchObject(off);
	await settled(n8n.listen(workflow));
	expect((await trigger.deliver())?.items).toHaveLength(1);
	expect(webhook()).toMatchObject(off);
});

it('unpublishing leaves alone what was published anew with another credential for the same service', async () => {
	const { n8n, settled, service, webhook, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
	n8n.credentials.set('B', { ...n8n.credentials.get('A'), baseUrl });
	workflow.draft.credentialId = 'B';
	await settled(n8n.publish(workflow));
	await clock.pass(MINUTE);
	expect(webhook().status).toBe('active');
});

it('unpublishing asks no other service that the credential leads to by then', async () => {
	const { n8n, settled, webhook, clock, network } = trigger;
	const workflow = await trigger.publishedWorkflow();
	await settled(n8n.unpublish(workflow));
	const credential = n8n.credentials.get('A')!;
	const { baseUrl } = credential;
	const { sent } = network;
	credential.baseUrl = 'http://127.0.0.1:1';
	await clock.pass(MINUTE);
	expect(network.sent).toBe(sent);
	credential.baseUrl = baseUrl;
	await clock.pass(MINUTE);
	expect(webhook().status).toBe('inactive');
});

it('unpublishing switches off again what a lost response has left marked as off', async () => {
	const { n8n, settled, network, webhook, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	await settled(n8n.unpublish(workflow));
	network.faults = [undefined, undefined, 'responseLost'];
	await clock.pass(MINUTE);
	expect(webhook().status).toBe('inactive');
});

it('a test borrows the webhook and gives it back exactly as it was', async () => {
	const { n8n, settled, webhook, webhookId } = trigger;
	const workflow = await trigger.publishedWorkflow({}, { webhookName: 'As published' });
	const before = { ...webhook() };
	Object.assign(workflow.draft.parameters.options as object, { webhookName: 'As in the draft' });
	await settled(n8n.listen(workflow));
	expect(webhook()).toMatchObject({ status: 'active', secret: derivedSecret(webhookId) });
	expect(addressOf(webhook().url)).toBe(n8n.testUrl(workflow));
	await settled(n8n.stopListening(workflow));
	expect(webhook()).toEqual(before);
});

it.each([
	'https://elsewhere.example.com/results?key=private',
	'https://elsewhere.example.com/?registration=published&credential=A',
	'https://n8n.example.com/webhook/a/path?registration=published&credential=A',
	'https://n8n.example.com/webhook/path/webhook?registration=published&credential=A',
	'https://another-n8n.example.com/webhook/3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c/webhook?registration=published&credential=A',
])('a test leaves %s alone, and says first what to do', async (url) => {
	const { n8n, errorOf, webhook, clock } = trigger;
	const before = { ...trigger.pointElsewhere({ url }) };
	const { message } = await errorOf(n8n.listen(trigger.workflow()));
	expect(message).toMatch(/^Publish this workflow once, then test\. /);
	expect(message).toContain(`The webhook points to ${addressOf(url)}, `);
	expect(message).toContain('separate webhook');
	expect(message).not.toContain('private');
	await clock.pass(MINUTE);
	expect(webhook()).toEqual(before);
});

it.each([{ url: '' }, { url: null as never }, { events: [] }])(
	'a test refuses what it could not put back: %j',
	async (incomplete) => {
		const { n8n, errorOf, webhook } = trigger;
		const before = { ...trigger.pointElsewhere(incomplete) };
		expect((await errorOf(n8n.listen(trigger.workflow()))).message).toMatch(
			/^Publish this workflow once, then test;.* no URL or no events/,
		);
		expect(webhook()).toEqual(before);
	},
);

it('a test with another credential than the published one changes nothing, and says what to do', async () => {
	const { n8n, errorOf, webhook } = trigger;
	trigger.network.tokens.add('another-token');
	n8n.credentials.set('B', { ...n8n.credentials.get('A'), accessToken: 'another-token' });
	const workflow = await trigger.publishedWorkflow();
	const before = { ...webhook() };
	workflow.draft.credentialId = 'B';
	const { message } = await errorOf(n8n.listen(workflow));
	expect(message).toContain(`in use with another credential: ${n8n.productionUrl(workflow)}. `);
	expect(message).toMatch(/^Select the credential/);
	expect(webhook()).toEqual(before);
	expect((await trigger.deliver())?.status).toBe(200);
});

it('a test works after the access token was replaced, and production receives afterwards', async () => {
	const { n8n, settled, network } = trigger;
	const workflow = await trigger.publishedWorkflow();
	network.tokens.clear();
	network.tokens.add('a-new-token');
	n8n.credentials.get('A')!.accessToken = 'a-new-token';
	await settled(n8n.listen(workflow));
	await settled(n8n.stopListening(workflow));
	expect((await trigger.deliver())?.status).toBe(200);
});

it.each([0, 1])(
	'a test that cannot begin, failing at request %i, changes nothing',
	async (index) => {
		const { n8n, errorOf, network, webhook, clock } = trigger;
		const workflow = await trigger.publishedWorkflow();
		const before = { ...webhook() };
		network.faults = [...Array<undefined>(index), ...Array(4).fill({ status: 500 })];
		expect((await errorOf(n8n.listen(workflow))).message).toContain(
			"The service couldn't process the request",
		);
		network.faults = [];
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);
	},
);

it.each(['the same', 'another'])(
	'a test takes over what an earlier one of %s workflow has borrowed, if n8n was killed in that, and gives it back',
	async (which) => {
		const { n8n, settled, webhook, clock } = trigger;
		const workflow = await trigger.publishedWorkflow();
		const before = { ...webhook() };
		await settled(n8n.listen(workflow));
		n8n.kill();
		await settled(n8n.start());
		if (which === 'another') await clock.pass(5 * MINUTE);
		await settled(n8n.listen(which === 'another' ? trigger.workflow() : workflow));
		expect((await trigger.deliver())?.items).toHaveLength(1);
		expect(webhook()).toEqual(before);
	},
);

it('a test is not ended by the giving back of an earlier test', async () => {
	const { n8n, settled, network, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	await settled(n8n.listen(workflow));
	outage(2);
	await settled(n8n.stopListening(workflow));
	await clock.pass(10_000);
	expect(network.faults).toEqual([]);
	await settled(n8n.listen(workflow));
	await clock.pass(MINUTE);
	expect((await trigger.deliver())?.items).toHaveLength(1);
	expect(n8n.started.at(-1)?.isTest).toBe(true);
});

it('a test does not disturb the test of another workflow', async () => {
	const { n8n, settled, errorOf } = trigger;
	const [first, second] = [trigger.workflow(), trigger.workflow()];
	await settled(n8n.publish(first));
	await settled(n8n.listen(first));
	const { message } = await errorOf(n8n.listen(second));
	expect(message).toContain(`It's testing with this webhook: ${n8n.testUrl(first)}`);
	expect((await trigger.deliver())?.items).toHaveLength(1);
	expect(n8n.started[0]).toMatchObject({ workflowId: first.id, isTest: true });
});

it.each(['unreachable', { status: 401 }] as const)(
	'a test that cannot begin (%j) gives back what an earlier one has left',
	async (fault) => {
		const { n8n, settled, errorOf, network, webhook, clock } = trigger;
		const workflow = await trigger.publishedWorkflow();
		const before = { ...webhook() };
		await settled(n8n.listen(workflow));
		network.faults = Array(4).fill(fault);
		await errorOf(n8n.listen(workflow));
		await clock.pass(3 * MINUTE);
		expect(webhook()).toEqual(before);
	},
);

it.each(['publish', 'listen'] as const)(
	'%s fails at once if the service asks for too long a wait, and says how long',
	async (hook) => {
		const { n8n, errorOf, network, clock } = trigger;
		network.faults = Array(9).fill({ status: 429, retryAfter: 50 });
		n8n.attempts = 1;
		const before = clock.now;
		const { message } = await errorOf(n8n[hook](trigger.workflow()));
		expect(message).toContain('The service asks to wait 50 seconds.');
		expect(clock.now).toBe(before);
	},
);

it.each([
	['publish', 'at once', 0],
	['listen', 'at once', 0],
	['publish', 'not at all', 1],
	['listen', 'not at all', 1],
] as const)(
	'%s ends within a minute with a service that does not respond, if its turn comes %s',
	async (hook, _when, others) => {
		const { n8n, settled, errorOf, network, clock } = trigger;
		for (let other = 0; other < others; other++) {
			await settled(n8n.unpublish(await trigger.publishedWorkflow()));
		}
		network.faults = Array(99).fill('stalled');
		await clock.pass(5_000);
		n8n.attempts = 1;
		const before = clock.now;
		const { message } = await errorOf(n8n[hook](trigger.workflow()));
		expect(message).toContain("The service didn't respond in time");
		expect(clock.now - before).toBeLessThanOrEqual(MINUTE);
	},
);

it.each([
	[0, 'before anything was sent'],
	[1_000, 'before the service has answered'],
	[3_500, 'after the webhook was taken'],
])(
	'a test that is stopped while it begins gives back what it takes after that (%i ms: %s)',
	async (delay) => {
		const { n8n, settled, network, webhook, clock } = trigger;
		const workflow = await trigger.publishedWorkflow();
		const before = { ...webhook() };
		network.latency = 2_500;
		const beginning = n8n.listen(workflow);
		await clock.pass(delay);
		await settled(n8n.stopListening(workflow));
		await settled(beginning);
		await clock.pass(MINUTE);
		expect(webhook()).toEqual(before);
		expect((await trigger.deliver())?.status).toBe(200);
	},
);

it('a test that is stopped while it begins is followed by another one, which keeps the webhook', async () => {
	const { n8n, settled, network, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	network.latency = 2_500;
	const beginning = n8n.listen(workflow);
	await clock.pass(1_000);
	await settled(n8n.stopListening(workflow));
	await Promise.all([settled(beginning), settled(n8n.listen(workflow))]);
	network.latency = 0;
	await clock.pass(MINUTE);
	expect((await trigger.deliver())?.items).toHaveLength(1);
	expect(n8n.started.at(-1)?.isTest).toBe(true);
});

describe('n8n 1.x, which registers again when it starts', () => {
	beforeEach(() => trigger.restartAs('1.123'));

	it('n8n 1.x, which registers again when it starts, registers what it never has', async () => {
		const { n8n, settled } = trigger;
		const workflow = trigger.workflow();
		workflow.published = workflow.draft;
		n8n.kill();
		await settled(n8n.start());
		expect((await trigger.deliver())?.status).toBe(200);
	});

	it.each(['the service', 'the credential'])(
		'n8n 1.x, which registers again when it starts, starts without %s, and receives',
		async (gone) => {
			const { n8n, settled, network } = trigger;
			await trigger.publishedWorkflow();
			const { sent } = network;
			if (gone === 'the service') outage(1000);
			else n8n.credentials.delete('A');
			n8n.kill();
			await settled(n8n.start());
			expect(network.sent).toBe(sent);
			expect((await trigger.deliver())?.status).toBe(200);
		},
	);
});

const SECRET = 'a secret for both sides';
const manual = () => {
	const workflow = trigger.workflow({ registration: 'manual' });
	delete workflow.draft.parameters.webhookId;
	return workflow;
};

it('manual registration asks the service nothing, needs no webhook ID, and lets in who shows the secret', async () => {
	const { n8n, settled, network, clock } = trigger;
	n8n.credentials.get('A')!.webhookSecret = SECRET;
	const workflow = manual();
	await settled(n8n.publish(workflow));
	const status = async (url: string, secret: string) =>
		(await settled(n8n.call(url, { headers: [['X-S', secret]], body: {} })))?.status;
	expect(await status(n8n.productionUrl(workflow), SECRET)).toBe(200);
	expect(await status(n8n.productionUrl(workflow), 'a guess')).toBe(401);
	await settled(n8n.listen(workflow));
	expect(await status(n8n.testUrl(workflow), 'a guess')).toBe(401);
	expect(await status(n8n.testUrl(workflow), SECRET)).toBe(200);
	await trigger.unpublish(workflow);
	const beginning = n8n.listen(workflow);
	await settled(n8n.stopListening(workflow));
	await settled(beginning);
	await clock.pass(MINUTE);
	expect(network.sent).toBe(0);
});

it('manual registration requires a secret in the credential, and says what to do', async () => {
	const { n8n, errorOf } = trigger;
	const workflow = manual();
	expect((await errorOf(n8n.publish(workflow))).message).toMatch(
		/^Enter a Webhook Secret in the credential, .* and the same secret at the assessment service/,
	);
	n8n.credentials.get('A')!.webhookSecret = 'too short';
	expect((await errorOf(n8n.listen(workflow))).message).toContain('at least 16 characters');
});
