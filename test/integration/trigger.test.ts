import { WorkflowExpression } from 'n8n-workflow';
import { digest, EVENT, setUpTrigger } from './n8n/setUpTrigger.mts';
import type { Fault } from './n8n/Network.mts';
import type { SimulatedWorkflow } from './n8n/SimulatedN8n.mts';

/** One step after another; `triggerModel` leads random lives, which hold what is left out here. */

const trigger = setUpTrigger();
const MINUTE = 60_000;
const SECRET = 'a secret for both sides';
/** All that has to be done in the background is done by then, or given up. */
const IN_THE_END = 15 * MINUTE;
const LOOK = ['PUT', '/status', { status: 'active' }];

/** What happens to all requests from now on, after some that succeed. */
const fail = (fault: Fault, { after = 0 } = {}) => {
	trigger.network.faults = [...Array<undefined>(after), ...Array<Fault>(99).fill(fault)];
};

const expectProductionReceives = async () =>
	expect(await trigger.deliver()).toMatchObject({ status: 200 });

/** Publishing is refused before the first request, and leaves nothing to be undone. */
const expectNothingSent = async (workflow: SimulatedWorkflow, refusal: RegExp) => {
	await expect(trigger.publish(workflow)).rejects.toThrow(refusal);
	await trigger.clock.pass(IN_THE_END);
	expect(trigger.network.sent).toBe(0);
};

/** Whether the executions that have started were tests, oldest first. */
const startedTests = () => trigger.n8n.started.map(({ isTest }) => isTest);

it('publishing registers name, production URL, events and secret, then switches the webhook on', async () => {
	const workflow = await trigger.publishedWorkflow();
	const address = trigger.n8n.productionUrl(workflow);
	const url = `${address}?credential=A&registration=published`;
	const { secret } = trigger;
	expect(trigger.requests).toEqual([
		LOOK,
		['PUT', '', { name: 'n8n: Results', url, events: [EVENT], secret }],
		['PUT', '/status', { status: 'active' }],
	]);
	expect((await trigger.deliver())?.items).toEqual([{ json: { event: EVENT } }]);
	// The secret is remembered as a digest only.
	expect(workflow.staticData).toEqual({ 'node:Trigger': { secretDigest: digest(secret) } });
});

const PLACEHOLDER = '__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609-6eaf1f9e87f6';

it.each([
	[{ webhookId: 'mine' }, '', /^Webhook ID: /],
	[
		{ options: { secretHeader: 'X-A, X-B' } },
		'',
		/^Secret Header: this header can't be used for a secret/,
	],
	[
		{ options: { secretHeader: 'HOST' } },
		'',
		/^Secret Header: this header can't be used for a secret/,
	],
	[
		{},
		'fifteen letters',
		/^The Webhook Secret in the credential must be at least 16 characters long/,
	],
	[{}, 'ein geheimer Schlüssel', /can contain only letters without accents/],
	[{}, 'two lines\nof a secret', /can contain only letters without accents/],
	[
		{},
		PLACEHOLDER,
		/^The Webhook Secret in the credential holds n8n's placeholder for a hidden value/,
	],
	[{ registration: 'manual' }, PLACEHOLDER, /^The Webhook Secret in the credential holds n8n's/],
	[{ registration: 'manual' }, 'fifteen letters', /must be at least 16 characters long/],
	[
		{ registration: 'manual' },
		'',
		/^Manual registration needs a Webhook Secret\. .* and the same one in the assessment service/,
	],
])('publishing and testing refuse %j with the secret "%s" and send nothing', async (...given) => {
	const [parameters, webhookSecret, message] = given;
	trigger.n8n.credentials.get('A')!.webhookSecret = webhookSecret;
	await expect(trigger.listen(trigger.workflow(parameters))).rejects.toThrow(message);
	await expectNothingSent(trigger.workflow(parameters), message);
});

it.each([
	...['n8n.example.com', 'n8n.example.com:5678', 'localhost:5678', 'htps://n8n.example.com'],
	...['http://localhost:5678', 'http://0.0.0.0:5678'],
])(
	'publishing says what to do where n8n takes %s for its address, and sends nothing',
	async (origin) => {
		trigger.n8n.credentials.get('A')!.baseUrl = 'https://assessment.example.com';
		trigger.n8n.origin = origin;
		await expectNothingSent(
			trigger.workflow(),
			/ Ask your n8n administrator to set N8N_WEBHOOK_URL \(WEBHOOK_URL before n8n 2\.30\) to an address/,
		);
	},
);

// n8n itself decides in test/e2e/versions/addresses.spec.mts.
it.each([
	...['wf/when%20a%20result%20is%20ready', 'wf/%C3%BC', 'wf/a%2Fb', 'wf/a%2520b', 'wf/..', 'wf/.'],
	...['', '..', 'a%20b', 'a%', 'a?b', 'a#b', 'a\\b'],
])(
	'publishing and testing say which node to rename where n8n has no address for it that it answers: %s',
	async (path) => {
		for (const registration of ['automatic', 'manual']) {
			const { draft } = trigger.workflow({ registration });
			const workflow = trigger.n8n.createWorkflow(draft, path);
			const refusal =
				/^n8n wouldn't find the node "Trigger" when the service calls.* only letters from a to z, digits, and hyphens/;
			await expect(trigger.listen(workflow)).rejects.toThrow(refusal);
			await expectNothingSent(workflow, refusal);
		}
	},
);

it.each(['wf/trigger', "wf/it's.(!)*~_-", 'plain', 'a b', 'ü', 'x/y', ':x'])(
	'publishing refuses no address that n8n answers: %s',
	async (path) => {
		const { draft } = trigger.workflow();
		await trigger.publish(trigger.n8n.createWorkflow(draft, path));
		expect(trigger.webhook.status).toBe('active');
	},
);

it.each(['https://n8n.example.com/my%20n8n', 'https://n8n.example.com//n8n/'])(
	'publishing refuses no address because of what stands before it, such as %s',
	async (origin) => {
		trigger.n8n.origin = origin;
		await trigger.publishedWorkflow();
		expect(trigger.webhook.status).toBe('active');
	},
);

it('publishing says in the log that results come unencrypted to a plain http address', async () => {
	trigger.n8n.origin = 'http://n8n.example.com';
	await trigger.publishedWorkflow();
	expect(trigger.n8n.log).toEqual([
		expect.stringMatching(/^The trigger is registered at http:\/\/n8n\.example\.com\..*encrypted/),
	]);
});

it('publishing at an address of this machine reaches a service on this machine', async () => {
	trigger.n8n.origin = 'http://localhost:5678';
	await trigger.publishedWorkflow();
	await expectProductionReceives();
});

it('publishing refuses a webhook by which another workflow receives, takes nothing, and says what to do', async () => {
	const { n8n, clock } = trigger;
	n8n.attempts = 1;
	const first = await trigger.publishedWorkflow({ options: { webhookName: 'Of another' } });
	const before = { ...trigger.webhook };
	const second = trigger.workflow({ webhookId: trigger.webhookId.toUpperCase() });
	await expect(trigger.publish(second)).rejects.toThrow(
		/^Another published workflow uses this webhook \("Of another", \S+\)\. Unpublish it.* with 'Webhook: Update'/,
	);
	await clock.pass(MINUTE);
	expect(trigger.webhook).toEqual(before);

	// As the message says.
	await trigger.unpublish(first);
	await trigger.publish(second);
	await clock.pass(IN_THE_END);
	await expectProductionReceives();
	expect(n8n.started.map(({ workflowId }) => workflowId)).toEqual([second.id]);
});

it('publishing refuses the webhook of a workflow whose node has no UUID in its address', async () => {
	const { n8n } = trigger;
	n8n.attempts = 1;
	const second = trigger.workflow();
	await trigger.publish(n8n.createWorkflow(structuredClone(second.draft), 'the-workflow/trigger'));
	await expect(trigger.publish(second)).rejects.toThrow('Another published workflow');
});

it('publishing takes over what the same trigger has published at another address of n8n', async () => {
	const workflow = await trigger.publishedWorkflow();
	trigger.n8n.origin = 'https://new.example.com';
	workflow.draft.parameters.options = { webhookName: 'Changed' };
	await trigger.publish(workflow);
	expect(trigger.webhook.url).toContain('https://new.example.com');
	await expectProductionReceives();
});

it('publishing and unpublishing survive one error of the service', async () => {
	const { n8n, network, clock } = trigger;
	n8n.attempts = 1;
	network.faults = [undefined, { status: 500 }];
	const workflow = await trigger.publishedWorkflow();
	expect(trigger.webhook.status).toBe('active');
	network.faults = [undefined, { status: 500 }];
	await trigger.unpublish(workflow);
	await clock.pass(10_000);
	expect(trigger.webhook.status).toBe('inactive');
});

it('publishing refuses the ID of no webhook', async () => {
	const { n8n, network, clock } = trigger;
	n8n.attempts = 1;
	const workflow = trigger.workflow({ webhookId: crypto.randomUUID() });
	await expect(trigger.publish(workflow)).rejects.toThrow('No webhook with this ID exists');
	await clock.pass(1_000);
	expect(network.sent).toBe(1);
});

it('publishing that failed changes nothing of somebody else but the status', async () => {
	const before = { ...trigger.pointElsewhere({ status: 'inactive' }), status: 'active' };
	fail({ status: 429 }, { after: 1 });
	await expect(trigger.publish(trigger.workflow())).rejects.toMatchObject({
		// The trigger has no options for how requests are sent.
		message: expect.not.stringContaining("in the node's options"),
	});
	trigger.network.faults = [];
	await trigger.clock.pass(IN_THE_END);
	expect(trigger.webhook).toEqual(before);
	expect(trigger.n8n.log.at(-1)).toMatch(/^Left the webhook unchanged at /);
});

it('a publication that n8n 1.x takes back, since another trigger of the workflow failed, leaves the webhook off', async () => {
	trigger.install('1.123');
	trigger.n8n.anotherTriggerFails = true;
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow('Another trigger');
	trigger.n8n.anotherTriggerFails = false;
	await trigger.clock.pass(5_000);
	expect(trigger.webhook.status).toBe('inactive');
	await trigger.publishedWorkflow();
	await expectProductionReceives();
});

it('publishing that failed halfway leaves the webhook off', async () => {
	fail('unreachable', { after: 2 });
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow("Couldn't connect");
	trigger.network.faults = [];
	await trigger.clock.pass(IN_THE_END);
	expect(trigger.webhook.status).toBe('inactive');
});

it.each([0, 300, 5_000])(
	'publishing a changed trigger never has the webhook off (%i ms a request)',
	async (latency) => {
		const workflow = await trigger.publishedWorkflow();
		trigger.service.clearRequests();
		trigger.network.latency = latency;
		workflow.draft.parameters.options = { webhookName: 'Changed' };
		await trigger.publish(workflow);
		await trigger.clock.pass(IN_THE_END);
		const update = ['PUT', '', expect.objectContaining({ name: 'Changed' })];
		expect(trigger.requests).toEqual([LOOK, update, ['PUT', '/status', { status: 'active' }]]);
	},
);

it.each([
	...(['slash', 'order', 'none'] as const).map((how) => [how, 'inactive'] as const),
	...(['dropQuery', 'cut'] as const).map((how) => [how, 'active'] as const),
])(
	'with a service that alters URLs (%s), publishing works, and unpublishing leaves the webhook %s',
	async (alteration, status) => {
		trigger.network.alteration = alteration;
		const workflow = await trigger.publishedWorkflow();
		await expectProductionReceives();
		await trigger.unpublish(workflow);
		await trigger.clock.pass(5_000);
		expect(trigger.webhook.status).toBe(status);
	},
);

it('what could not be done at once is tried again every 30 seconds for ten minutes, then given up', async () => {
	const { n8n, network, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	fail('unreachable');
	await trigger.unpublish(workflow);
	await clock.pass(5_000);
	expect(network.sent).toBe(4);
	await clock.pass(1_000);
	expect(network.sent).toBe(5);
	await clock.pass(9 * MINUTE);
	expect(network.sent).toBe(5 + 18);
	await clock.pass(2 * MINUTE);
	expect(n8n.log.at(-1)).toBe(
		`Gave up trying to switch the webhook off (webhook ${trigger.webhookId}). Set its status to inactive, or ask the service's support to do so.`,
	);
	const { sent } = network;
	await clock.pass(60 * MINUTE);
	expect(network.sent).toBe(sent);
});

it('what n8n asks for again is done once', async () => {
	const { n8n, network, clock } = trigger;
	n8n.attempts = 1;
	const workflow = await trigger.publishedWorkflow();
	fail('unreachable');
	await trigger.unpublish(workflow);
	await clock.pass(10_000);
	await expect(trigger.publish(workflow)).rejects.toThrow("Couldn't connect");
	await clock.pass(10_000);
	const { sent } = network;
	await clock.pass(5 * MINUTE);
	expect(network.sent).toBe(sent + 10);
});

it('unpublishing asks first, switches off after, and deletes nothing', async () => {
	const workflow = await trigger.publishedWorkflow();
	trigger.service.clearRequests();
	await trigger.unpublish(workflow);
	// By then, n8n evaluates nothing for this call any more.
	const evaluate = jest.spyOn(WorkflowExpression.prototype, 'getParameterValue');
	evaluate.mockImplementation(() => {
		throw new Error('Too late');
	});
	await trigger.clock.pass(5_000);
	evaluate.mockRestore();
	const url = `${trigger.n8n.productionUrl(workflow)}?registration=off`;
	expect(trigger.requests).toEqual([
		LOOK,
		['PUT', '/status', { status: 'inactive' }],
		['PUT', '', expect.objectContaining({ url })],
	]);
	expect(workflow.staticData).not.toHaveProperty('node:Trigger.secretDigest');
	// Whoever has the webhook next must not be called with the secret of this trigger.
	expect(trigger.webhook.secret).not.toBe(trigger.secret);
});

it.each([
	['a secret that is too short', { webhookSecret: 'x' }, /^Switched off the webhook/],
	['a refused token', { accessToken: 'x' }, /^Couldn't switch the webhook off yet .* refused/],
	['an emptied Base URL', { baseUrl: '' }, /^The webhook wasn't changed: .* Base URL/],
	['a deleted credential', undefined, /^The webhook wasn't changed: .* does not exist/],
])('unpublishing is not stopped by %s, and says in the log what it does', async (...given) => {
	const [, change, line] = given;
	const { n8n, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	if (change) Object.assign(n8n.credentials.get('A')!, change);
	else n8n.credentials.clear();
	await trigger.unpublish(workflow);
	await clock.pass(10_000);
	expect(n8n.log.at(-1)).toMatch(line);
});

it('unpublishing leaves alone what another process of n8n has published with another credential', async () => {
	const workflow = await trigger.publishedWorkflow();
	await trigger.unpublish(workflow);
	const credential = trigger.n8n.credentials.get('A')!;
	trigger.install('2.41');
	trigger.n8n.credentials.set('B', credential);
	const draft = { ...workflow.draft, credentialId: 'B' };
	await trigger.publish(trigger.n8n.createWorkflow(draft, workflow.path));
	await trigger.clock.pass(IN_THE_END);
	await expectProductionReceives();
});

it('a workflow that is unpublished while it is published leaves nothing behind', async () => {
	const { n8n, network, clock } = trigger;
	const workflow = trigger.workflow();
	network.latency = 2_500;
	const publishing = n8n.publish(workflow);
	await clock.pass(2_000);
	await trigger.unpublish(workflow);
	await clock.until(publishing);
	await clock.pass(MINUTE);
	expect(trigger.webhook.status).toBe('inactive');
});

it('after the access token was replaced, the webhook still belongs to its workflow, and unpublishing switches it off', async () => {
	const { n8n, network, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	network.tokens.add('replaced');
	n8n.credentials.get('A')!.accessToken = 'replaced';
	await trigger.restart();
	await expectProductionReceives();
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow('Another published workflow');
	await trigger.unpublish(workflow);
	await clock.pass(5_000);
	expect(trigger.webhook.status).toBe('inactive');
});

it('unpublishing asks no other service that the credential leads to by then', async () => {
	const { n8n, network, clock } = trigger;
	await trigger.unpublish(await trigger.publishedWorkflow());
	const credential = n8n.credentials.get('A')!;
	const { baseUrl } = credential;
	const { sent } = network;
	credential.baseUrl = 'http://127.0.0.1:1';
	await clock.pass(MINUTE);
	expect(network.sent).toBe(sent);
	credential.baseUrl = baseUrl;
	await clock.pass(MINUTE);
	expect(trigger.webhook.status).toBe('inactive');
});

it('unpublishing switches off a webhook whose name somebody has removed', async () => {
	const workflow = await trigger.publishedWorkflow();
	trigger.webhook.name = '';
	await trigger.unpublish(workflow);
	await trigger.clock.pass(5_000);
	const url = `${trigger.n8n.productionUrl(workflow)}?registration=off`;
	expect(trigger.webhook).toMatchObject({ status: 'inactive', url });
});

it.each(['automatic', 'manual'])(
	'a test gets the next event, too, and asks the service nothing (%s registration)',
	async (registration) => {
		const { n8n } = trigger;
		n8n.credentials.get('A')!.webhookSecret = SECRET;
		const workflow = await trigger.publishedWorkflow({ registration });
		if (registration === 'manual') {
			trigger.pointElsewhere({ url: n8n.productionUrl(workflow), secret: SECRET });
		}
		const before = { ...trigger.webhook };
		const { sent } = trigger.network;
		for (const round of [1, 2]) {
			await trigger.listen(workflow);
			await Promise.all([expectProductionReceives(), expectProductionReceives()]);
			await trigger.clock.pass(1_000);
			const expected = Array(round).fill([false, true, false]).flat();
			expect(startedTests().sort()).toEqual(expected.sort());
		}
		for (const { json } of n8n.started) expect(json).toEqual({ event: EVENT });
		await trigger.listen(workflow);
		await trigger.stopListening(workflow);
		await expectProductionReceives();
		await trigger.listen(workflow);
		await trigger.restart();
		await expectProductionReceives();
		expect(startedTests().filter(Boolean)).toHaveLength(2);
		expect(n8n.log).toEqual([]);
		expect(trigger.webhook).toEqual(before);
		expect(trigger.network.sent).toBe(sent);
	},
);

it('a test that n8n builds at another host, or without a UUID, gets the event as well', async () => {
	const { n8n } = trigger;
	n8n.editorOrigin = 'https://editor.example.com/below/a/path';
	const { draft } = trigger.workflow();
	for (const path of [crypto.randomUUID(), 'plain', 'x/y']) {
		const workflow = n8n.createWorkflow(structuredClone(draft), path);
		await trigger.publish(workflow);
		await trigger.listen(workflow);
		await expectProductionReceives();
		await trigger.clock.pass(1_000);
		expect(n8n.started.splice(0).map(({ isTest }) => isTest)).toContain(true);
		await trigger.unpublish(workflow);
	}
});

it('what comes straight to a test is passed on to nobody', async () => {
	const { n8n, secret } = trigger;
	const workflow = await trigger.publishedWorkflow();
	await trigger.listen(workflow);
	await trigger.call(n8n.testUrl(workflow), { headers: [['X-S', secret]] });
	await trigger.clock.pass(1_000);
	expect(startedTests()).toEqual([true]);
});

it('a test of the same trigger in another workflow gets the event, and one of another trigger gets none', async () => {
	const { n8n } = trigger;
	const { path, draft } = await trigger.publishedWorkflow();
	const pasted = n8n.createWorkflow(structuredClone(draft), path);
	await trigger.listen(trigger.workflow());
	await trigger.listen(pasted);
	await expectProductionReceives();
	await trigger.clock.pass(1_000);
	const tested = n8n.started.filter(({ isTest }) => isTest).map(({ workflowId }) => workflowId);
	expect(tested).toEqual([pasted.id]);
});

it.each([
	[401, 'the draft has another credential'],
	[404, 'n8n has forgotten it'],
])(
	'what a test does not get costs production nothing, and is a line in the log (%i: %s)',
	async (status) => {
		const { n8n, clock } = trigger;
		const workflow = await trigger.publishedWorkflow();
		n8n.credentials.set('B', { ...n8n.credentials.get('A'), webhookSecret: SECRET });
		if (status === 401) workflow.draft.credentialId = 'B';
		await trigger.listen(workflow);
		if (status === 404) workflow.test = undefined;
		await expectProductionReceives();
		await clock.pass(1_000);
		expect(startedTests()).toEqual([false]);
		expect(n8n.log.at(-1)).toBe(
			`A test didn't get an event that workflow ${workflow.id} got: n8n answered ${status}`,
		);
	},
);

it('publishing fails at once if the service asks for too long a wait, and says how long', async () => {
	trigger.n8n.attempts = 1;
	fail({ status: 429, retryAfter: 50 });
	const before = trigger.clock.now;
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow(
		'The service asked n8n to wait 50 seconds.',
	);
	expect(trigger.clock.now).toBe(before);
});

it('publishing ends within a minute with a service that does not respond', async () => {
	const { n8n, clock } = trigger;
	fail('stalled');
	n8n.attempts = 1;
	const before = clock.now;
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow(
		"The service didn't respond in time",
	);
	expect(clock.now - before).toBeLessThanOrEqual(MINUTE);
});

it.each([
	[9_000, 'its time begins when its turn has come', undefined],
	[14_000, 'it ends before n8n gives up', 'n8n was still busy with this webhook'],
])(
	'behind a switching off at a slow service (%i ms a request), publishing waits: %s',
	async (latency, _what, refusal) => {
		const { n8n, network, clock } = trigger;
		const workflow = await trigger.publishedWorkflow();
		n8n.attempts = 1;
		network.latency = latency;
		await trigger.unpublish(workflow);
		await clock.pass(5_000);
		const before = clock.now;
		const publishing = trigger.publish(trigger.workflow());
		if (refusal) await expect(publishing).rejects.toThrow(refusal);
		else await publishing;
		expect(clock.now - before).toBeGreaterThan(45_000);
		expect(clock.now - before).toBeLessThanOrEqual(75_000);
	},
);

it('a 404, as a proxy says it while the service is down, is tried again', async () => {
	const workflow = await trigger.publishedWorkflow();
	fail({ status: 404 });
	await trigger.unpublish(workflow);
	await trigger.clock.pass(MINUTE);
	trigger.network.faults = [];
	await trigger.clock.pass(MINUTE);
	expect(trigger.webhook.status).toBe('inactive');
});

it('n8n 1.x, which registers again when it starts, registers what it never has', async () => {
	trigger.install('1.123');
	const workflow = trigger.workflow();
	workflow.published = workflow.draft;
	await trigger.restart();
	await expectProductionReceives();
});

it('n8n 1.x, which registers again when another main takes over, takes the webhook from nobody', async () => {
	trigger.install('1.123');
	await trigger.publishedWorkflow();
	const before = { ...trigger.pointElsewhere() };
	await trigger.clock.until(trigger.n8n.start('leadershipChange'));
	expect(trigger.webhook).toEqual(before);
});

it.each(['automatic', 'manual'])(
	'n8n 1.x, which registers again when it starts, starts without the service and the credential, and stays published (%s)',
	async (registration) => {
		trigger.install('1.123');
		trigger.n8n.credentials.get('A')!.webhookSecret = SECRET;
		const workflow = await trigger.publishedWorkflow({ registration });
		const { sent } = trigger.network;
		trigger.n8n.credentials.delete('A');
		await trigger.restart();
		expect(trigger.network.sent).toBe(sent);
		expect(workflow.published).toBeDefined();
		if (registration === 'automatic') await expectProductionReceives();
	},
);

it('manual registration asks the service nothing, and lets in who shows the secret', async () => {
	const { n8n, network, clock } = trigger;
	n8n.credentials.get('A')!.webhookSecret = SECRET;
	const workflow = await trigger.publishedWorkflow({ registration: 'manual' });
	const status = async (url: string, secret: string) =>
		(await trigger.call(url, { headers: [['X-S', secret]] }))?.status;
	expect(await status(n8n.productionUrl(workflow), SECRET)).toBe(200);
	expect(await status(n8n.productionUrl(workflow), 'a guess')).toBe(401);
	await trigger.unpublish(workflow);
	await clock.pass(MINUTE);
	expect(network.sent).toBe(0);
});
