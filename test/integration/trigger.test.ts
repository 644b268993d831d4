import { digest, EVENT, setUpTrigger, TOKEN } from './support/n8n/setUpTrigger.mts';
import type { Fault } from './support/n8n/Network.mts';
import type { SimulatedWorkflow } from './support/n8n/SimulatedN8n.mts';

/** What the random lives of `triggerModel` don't show. */

const trigger = setUpTrigger();
/** Nothing continues on its own for this long. */
const IN_THE_END = 15 * 60_000;
const LOOK = ['PUT', '/status', { status: 'active' }];

const account = () => trigger.n8n.credentials.get('A')!;
const fail = (fault: Fault) => void (trigger.network.faults = Array<Fault>(99).fill(fault));

const expectProductionReceives = async () =>
	expect(await trigger.deliver()).toMatchObject({ status: 200 });

/** Expects that publishing is refused before the first request, and leaves nothing to undo. */
const expectNothingSent = async (workflow: SimulatedWorkflow, refusal: RegExp) => {
	await expect(trigger.publish(workflow)).rejects.toThrow(refusal);
	await trigger.clock.pass(IN_THE_END);
	expect(trigger.network.sent).toBe(0);
};

/** Whether each started execution was a test, oldest first. */
const startedTests = () => trigger.n8n.started.map(({ isTest }) => isTest);

it('publishing switches the webhook on, then registers name, production URL, events and secret', async () => {
	const workflow = await trigger.publishedWorkflow();
	const url = trigger.n8n.productionUrl(workflow);
	const { secret } = trigger;
	expect(trigger.requests).toEqual([
		LOOK,
		['PUT', '', { name: 'n8n: Results', url, events: [EVENT], secret }],
	]);
	expect((await trigger.deliver())?.items).toEqual([{ json: { event: EVENT } }]);
	// Only a digest of the secret is remembered.
	expect(workflow.staticData).toEqual({ 'node:Trigger': { secretDigest: digest(secret) } });
});

it('what publishing stores never changes, in whichever case the webhook ID is written', async () => {
	const id = '8C7D6E5F-4a3b-4c2d-9e1f-0a9b8c7d6e5f';
	trigger.webhookId = trigger.service.createWebhook({ id });
	for (const webhookId of [id, id.toUpperCase(), id.toLowerCase()]) {
		const workflow = await trigger.publishedWorkflow({ webhookId });
		// The secret at the service, and its digest in n8n's database.
		expect(trigger.webhook.secret).toBe(
			'51ec6c5ca76c407df9c5e1437fdb2fd4f157cf93306dc262615186d7a34da06f',
		);
		expect(JSON.stringify(workflow.staticData)).toBe(
			'{"node:Trigger":{"secretDigest":"3cfaac8bbbf12ec1381fe29ded6d21007fcb822b53b978520fdafa6532dd7ab5"}}',
		);
		await trigger.unpublish(workflow);
	}
});

it.each([
	[{ webhookId: 'mine' }, TOKEN, /^Webhook ID: /],
	[{}, '', /^The credential has no access token/],
])('publishing and testing refuse %j with the token "%s" and send nothing', async (...given) => {
	const [parameters, accessToken, message] = given;
	account().accessToken = accessToken;
	await expect(trigger.listen(trigger.workflow(parameters))).rejects.toThrow(message);
	await expectNothingSent(trigger.workflow(parameters), message);
	// Nothing is left on, so nothing is logged.
	expect(trigger.n8n.log).toEqual([]);
});

it.each([
	...['n8n.example.com', 'n8n.example.com:5678', 'localhost:5678', 'htps://n8n.example.com'],
	...['http://localhost:5678', 'http://0.0.0.0:5678'],
])(
	'publishing says what to do where n8n takes %s for its address, and sends nothing',
	async (origin) => {
		account().baseUrl = 'https://assessment.example.com';
		trigger.n8n.origin = origin;
		await expectNothingSent(
			trigger.workflow(),
			/ Ask your n8n administrator to set N8N_WEBHOOK_URL \(WEBHOOK_URL before n8n 2\.30\) to an address/,
		);
	},
);

// test/e2e/versions/addresses.spec.mts checks this against n8n itself.
it.each([
	...['wf/when%20a%20result%20is%20ready', 'wf/%C3%BC', 'wf/a%2Fb', 'wf/a%2520b', 'wf/..', 'wf/.'],
	...['', '..', 'a%20b', 'a%', 'a?b', 'a#b', 'a\\b'],
])(
	'publishing and testing say which node to rename where n8n has no address for it that it answers: %s',
	async (path) => {
		const { draft } = trigger.workflow();
		const workflow = trigger.n8n.createWorkflow(draft, path);
		const refusal =
			/^n8n wouldn't find the node "Trigger" when the service calls.* only letters from a to z, digits, and hyphens/;
		await expect(trigger.listen(workflow)).rejects.toThrow(refusal);
		await expectNothingSent(workflow, refusal);
	},
);

it.each<[path: string, origin?: string]>([
	...['wf/trigger', "wf/it's.(!)*~_-", 'plain', 'a b', 'ü', 'x/y', ':x'].map((path): [string] => [
		path,
	]),
	// Whatever comes before it.
	['plain', 'https://n8n.example.com/my%20n8n'],
	['plain', 'https://n8n.example.com//n8n/'],
	// The service is on this machine, too.
	['plain', 'http://localhost:5678'],
])('publishing refuses no address that n8n answers: %s', async (...[path, origin]) => {
	const { draft } = trigger.workflow();
	trigger.n8n.origin = origin ?? trigger.n8n.origin;
	await trigger.publish(trigger.n8n.createWorkflow(draft, path));
	expect(trigger.webhook.status).toBe('active');
});

it.each([
	['2.41', crypto.randomUUID()],
	['1.123', crypto.randomUUID()],
	['2.41', 'the-workflow/trigger'],
] as const)(
	'publishing in n8n %s refuses a webhook by which another workflow receives, at %s, only looks, logs nothing, and says what to do',
	async (line, path) => {
		trigger.begin(line);
		const first = trigger.n8n.createWorkflow(trigger.workflow().draft, path);
		await trigger.publish(first);
		const before = { ...trigger.webhook };
		trigger.service.clearRequests();
		const second = trigger.workflow({ webhookId: trigger.webhookId.toUpperCase() });
		// Left by an execution that began before the workflow was unpublished.
		second.staticData = line === '2.41' ? structuredClone(first.staticData) : {};
		await expect(trigger.publish(second)).rejects.toThrow(
			/^Another published workflow uses this webhook \("n8n: Results", \S+\)\. Unpublish it.* with 'Webhook: Update'/,
		);
		expect(trigger.service.requests.map(({ body }) => body)).toEqual(
			Array(trigger.n8n.attempts).fill({ status: 'active' }),
		);
		expect(trigger.webhook).toEqual(before);
		expect(trigger.n8n.log).toEqual([]);

		// Follows the message's advice.
		await trigger.unpublish(first);
		await trigger.publish(second);
		await expectProductionReceives();
		expect(trigger.n8n.started.map(({ workflowId }) => workflowId)).toEqual([second.id]);
	},
);

it.each(['2.41', '1.123'] as const)(
	'publishing in n8n %s refuses a webhook ID that does not exist, and logs nothing',
	async (line) => {
		trigger.begin(line);
		const workflow = trigger.workflow({ webhookId: crypto.randomUUID() });
		await expect(trigger.publish(workflow)).rejects.toThrow('No webhook with this ID exists');
		expect(trigger.n8n.log).toEqual([]);

		// Any other refusal leaves a webhook that may be on.
		trigger.network.faults = Array(20).fill({ status: 422 });
		await expect(trigger.publish(trigger.workflow())).rejects.toThrow();
		expect(trigger.n8n.log.join()).toContain('may still be active');
	},
);

it('publishing says what to do where the service refuses the address that it verifies', async () => {
	trigger.n8n.attempts = 1;
	trigger.network.faults = [undefined, { status: 422 }];
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow(
		"The service refused to change the webhook. If it couldn't verify the address",
	);
});

it('two workflows that take one webhook at once, each writing its ID in its own case, get it in turn', async () => {
	const { n8n, network, clock } = trigger;
	n8n.attempts = 1;
	network.latency = 1_000;
	const ids = [trigger.webhookId, trigger.webhookId.toUpperCase()];
	const published = ids.map(
		async (webhookId) => await n8n.publish(trigger.workflow({ webhookId })),
	);
	const ended = await clock.until(Promise.allSettled(published));
	expect(ended?.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

it('below 2.40, what is lost from static data after a restart is switched off all the same', async () => {
	trigger.begin('1.123');
	const workflow = await trigger.publishedWorkflow();
	await trigger.restart();
	workflow.staticData = {};
	await trigger.unpublish(workflow);
	expect(trigger.webhook.status).toBe('inactive');
	expect(trigger.n8n.log).toEqual([]);
});

it('publishing and unpublishing survive one error of the service', async () => {
	const { n8n, network } = trigger;
	n8n.attempts = 1;
	network.faults = [undefined, { status: 500 }];
	const workflow = await trigger.publishedWorkflow();
	expect(trigger.webhook.status).toBe('active');
	network.faults = [undefined, { status: 500 }, undefined, { status: 500 }];
	await trigger.unpublish(workflow);
	expect(trigger.webhook.status).toBe('inactive');
});

it.each<[string, () => unknown, string]>([
	['a service that is down', () => fail('unreachable'), "Couldn't connect to the service"],
	[
		'a 404 while the service is down',
		() => fail({ status: 404 }),
		'No webhook with this ID exists',
	],
	['a service that does not respond', () => fail('stalled'), "The service didn't respond in time"],
	['a refused token', () => trigger.network.tokens.clear(), 'The access token was refused'],
	['an emptied Base URL', () => (account().baseUrl = ''), 'The Base URL in the credential must be'],
	['a deleted credential', () => trigger.n8n.credentials.clear(), 'Credential .* does not exist'],
])(
	'unpublishing is not stopped by %s, ends, and says once in the log that the webhook may be active',
	async (_what, breakIt, words) => {
		const { n8n, network, clock } = trigger;
		const workflow = await trigger.publishedWorkflow();
		breakIt();
		await trigger.unpublish(workflow);
		expect(n8n.log).toEqual([
			expect.stringMatching(
				`^The webhook for workflow ${workflow.id} may still be active: ${words}.*\\. Set its status to inactive with 'Webhook: Set Status'`,
			),
		]);
		const { sent } = network;
		await clock.pass(IN_THE_END);
		expect(network.sent).toBe(sent);
	},
);

it.each([
	['n8n: Results', 'n8n: Results'],
	// Somebody has removed it.
	['', 'n8n'],
])(
	'unpublishing asks first, switches off after, and deletes nothing: the name %j becomes %j',
	async (before, after) => {
		const workflow = await trigger.publishedWorkflow();
		trigger.webhook.name = before;
		trigger.service.clearRequests();
		await trigger.unpublish(workflow);
		const url = 'https://n8n.example.com/unpublished';
		expect(trigger.webhook).toMatchObject({ status: 'inactive', url, name: after });
		expect(trigger.requests).toEqual([
			LOOK,
			['PUT', '/status', { status: 'inactive' }],
			['PUT', '', expect.objectContaining({ url })],
		]);
		expect(workflow.staticData).not.toHaveProperty('node:Trigger.secretDigest');
		// The webhook's next owner must not be called with this trigger's secret.
		expect(trigger.webhook.secret).not.toBe(trigger.secret);
	},
);

it('a workflow that is unpublished while it is published leaves nothing behind', async () => {
	const { n8n, network, clock } = trigger;
	const workflow = trigger.workflow();
	network.latency = 2_500;
	const publishing = n8n.publish(workflow);
	await clock.pass(2_000);
	await trigger.unpublish(workflow);
	await clock.until(publishing);
	expect(trigger.webhook.status).toBe('inactive');
});

it.each([crypto.randomUUID(), 'plain', 'x/y'])(
	'a test gets the next event, too, and asks the service nothing: a trigger at %s',
	async (path) => {
		const { n8n } = trigger;
		const workflow = n8n.createWorkflow(trigger.workflow().draft, path);
		await trigger.publish(workflow);
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

it('a test gets the event where a reverse proxy has a path for n8n', async () => {
	trigger.n8n.origin = 'https://editor.example.com/behind/a-proxy';
	await trigger.listen(await trigger.publishedWorkflow());
	await expectProductionReceives();
	await trigger.clock.pass(1_000);
	expect(startedTests().sort()).toEqual([false, true]);
});

it("the service's answer doesn't wait for a test", async () => {
	await trigger.listen(await trigger.publishedWorkflow());
	trigger.n8n.isTestStuck = true;
	await expectProductionReceives();
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
		n8n.credentials.set('B', { ...n8n.credentials.get('A'), accessToken: 'another-token' });
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

it.each<[string, Fault, string, number]>([
	[
		'asks for too long a wait',
		{ status: 429, retryAfter: 30 },
		'The service asked n8n to wait 30 seconds.',
		0,
	],
	['does not respond', 'stalled', "The service didn't respond in time", 70],
	[
		'asks for two waits that are too long together',
		{ status: 429, retryAfter: 20 },
		"The service didn't respond in time. Try again later.",
		50,
	],
])('publishing ends if the service %s, and says so', async (_what, fault, words, seconds) => {
	trigger.n8n.attempts = 1;
	fail(fault);
	const { now } = trigger.clock;
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow(words);
	expect(trigger.clock.now - now).toBeLessThanOrEqual(seconds * 1000);
});

it('a refusal that repeats the secret is shown without it', async () => {
	fail({ status: 400, body: JSON.stringify({ message: `Weak: ${trigger.secret}` }) });
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow(/Weak: •••$/);
});

it('publishing takes its own webhook along where n8n has moved to another path', async () => {
	const workflow = trigger.workflow();
	const url = trigger.n8n.productionUrl(workflow);
	trigger.pointElsewhere({ url: url.replace('/webhook/', '/n8n/webhook/') });
	await trigger.publish(workflow);
	expect(trigger.webhook.url).toBe(url);
});

it('a publication behind another change of the same webhook ends before n8n gives up', async () => {
	const { n8n, network, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	n8n.attempts = 1;
	network.latency = 9_000;
	const changes = [n8n.unpublish(workflow), n8n.publish(trigger.workflow())];
	await clock.until(Promise.allSettled(changes));
	expect(n8n.wrongs).toEqual([]);
});

it('the line about a webhook that was left on is short, wherever it points', async () => {
	const { n8n } = trigger;
	const workflow = await trigger.publishedWorkflow();
	trigger.pointElsewhere({ url: `https://elsewhere.example.com/\n${'x'.repeat(100_000)}` });
	await trigger.unpublish(workflow);
	expect(n8n.log).toEqual([
		expect.stringMatching(/^The webhook for .* points to https:\/\/elsewhere\..{1,200}…$/),
	]);
});

it.each(['/unpublished', '/unpublished/', '/unpublished?workflow=1'])(
	"unpublishing switches off a webhook that is nobody's, and says nothing: %s",
	async (path) => {
		const workflow = await trigger.publishedWorkflow();
		const url = `https://n8n-before.example.com${path}`;
		trigger.pointElsewhere({ url });
		await trigger.unpublish(workflow);
		expect(trigger.webhook).toMatchObject({ url, status: 'inactive' });
		expect(trigger.n8n.log).toEqual([]);
	},
);
