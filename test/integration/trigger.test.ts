import { digest, EVENT, setUpTrigger, TOKEN } from './support/n8n/setUpTrigger.mts';
import { expectLinearTime, hostileTexts } from '../support/processorTime.mts';
import type { Fault } from './support/n8n/Network.mts';
import type { SimulatedWorkflow } from './support/n8n/SimulatedN8n.mts';

/** One step after another. `triggerModel` generates random sequences, which cover the rest. */

const trigger = setUpTrigger();
const MINUTE = 60_000;
/** Nothing continues on its own for this long. */
const IN_THE_END = 15 * MINUTE;
const LOOK = ['PUT', '/status', { status: 'active' }];

/** Lets `after` requests succeed, then injects a fault into all others. */
const fail = (fault: Fault, { after = 0 } = {}) => {
	trigger.network.faults = [...Array<undefined>(after), ...Array<Fault>(99).fill(fault)];
};

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

it.each([
	[{ webhookId: 'mine' }, TOKEN, /^Webhook ID: /],
	[{}, '', /^The credential has no access token/],
	[
		{},
		'__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609-6eaf1f9e87f6',
		/^The Access Token in the credential/,
	],
])('publishing and testing refuse %j with the token "%s" and send nothing', async (...given) => {
	const [parameters, accessToken, message] = given;
	trigger.n8n.credentials.get('A')!.accessToken = accessToken;
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
		trigger.n8n.credentials.get('A')!.baseUrl = 'https://assessment.example.com';
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
])('publishing refuses no address that n8n answers: %s', async (...[path, origin]) => {
	const { draft } = trigger.workflow();
	trigger.n8n.origin = origin ?? trigger.n8n.origin;
	await trigger.publish(trigger.n8n.createWorkflow(draft, path));
	expect(trigger.webhook.status).toBe('active');
});

it('publishing at an address of this machine reaches a service on this machine', async () => {
	trigger.n8n.origin = 'http://localhost:5678';
	await trigger.publishedWorkflow();
	await expectProductionReceives();
});

it('publishing refuses a webhook by which another workflow receives, takes nothing, and says what to do', async () => {
	const { n8n, clock } = trigger;
	n8n.attempts = 1;
	const first = await trigger.publishedWorkflow();
	const before = { ...trigger.webhook };
	const second = trigger.workflow({ webhookId: trigger.webhookId.toUpperCase() });
	await expect(trigger.publish(second)).rejects.toThrow(
		/^Another published workflow uses this webhook \("n8n: Results", \S+\)\. Unpublish it.* with 'Webhook: Update'/,
	);
	expect(trigger.webhook).toEqual(before);

	// Follows the message's advice.
	await trigger.unpublish(first);
	await trigger.publish(second);
	await clock.pass(IN_THE_END);
	await expectProductionReceives();
	expect(n8n.started.map(({ workflowId }) => workflowId)).toEqual([second.id]);
});

it.each(['2.41', '1.123'] as const)(
	'a publication in n8n %s that is refused, since another workflow has the webhook, only looks, and logs nothing',
	async (line) => {
		trigger.install(line);
		const first = await trigger.publishedWorkflow();
		trigger.service.clearRequests();
		const second = trigger.workflow();
		// Left by an execution that began before the workflow was unpublished.
		second.staticData = line === '2.41' ? structuredClone(first.staticData) : {};
		await expect(trigger.publish(second)).rejects.toThrow('Another published workflow');
		expect(trigger.requests).toEqual(Array(trigger.n8n.attempts).fill(LOOK));
		expect(trigger.n8n.log).toEqual([]);
		await expectProductionReceives();
	},
);

it.each([400, 422])(
	"publishing shows the service's words if it couldn't verify the address (%i), and what n8n answers",
	async (status) => {
		trigger.n8n.attempts = 1;
		const body = '{"message":"The URL did not answer our GET request"}';
		trigger.network.faults = [undefined, { status, body }];
		await expect(trigger.publish(trigger.workflow())).rejects.toThrow(
			/^The service refused to change the webhook\. If it couldn't verify the address: n8n answers only POST calls that carry the webhook's secret, .*The service replied: The URL did not answer our GET request$/,
		);
		expect(trigger.n8n.log).toEqual([]);
	},
);

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
	workflow.draft.parameters.events = EVENT;
	await trigger.publish(workflow);
	expect(trigger.webhook.url).toContain('https://new.example.com');
	await expectProductionReceives();
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

it('a publication that n8n 1.x takes back, since another trigger of the workflow failed, leaves the webhook off', async () => {
	trigger.install('1.123');
	trigger.n8n.anotherTriggerFails = true;
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow('Another trigger');
	trigger.n8n.anotherTriggerFails = false;
	expect(trigger.webhook.status).toBe('inactive');
	await trigger.publishedWorkflow();
	await expectProductionReceives();
});

it.each<[string, Fault]>([
	['is down', 'unreachable'],
	['says 404, as a proxy does while the service is down', { status: 404 }],
	['does not respond', 'stalled'],
])(
	'if the service %s, unpublishing ends within a minute, is one line in the log, and publishing heals it',
	async (_what, fault) => {
		const { n8n, clock } = trigger;
		const workflow = await trigger.publishedWorkflow();
		fail(fault);
		const before = clock.now;
		await trigger.unpublish(workflow);
		expect(clock.now - before).toBeLessThanOrEqual(MINUTE);
		expect(n8n.log).toEqual([
			expect.stringMatching(
				`^The webhook of workflow ${workflow.id} may still be on: .*\\. Set its status to inactive with 'Webhook: Set Status'`,
			),
		]);
		const { sent } = trigger.network;
		await clock.pass(IN_THE_END);
		expect(trigger.network.sent).toBe(sent);
		trigger.network.faults = [];
		await trigger.publish(workflow);
		await expectProductionReceives();
	},
);

it('unpublishing asks first, switches off after, and deletes nothing', async () => {
	const workflow = await trigger.publishedWorkflow();
	trigger.service.clearRequests();
	const { name: before } = trigger.webhook;
	await trigger.unpublish(workflow);
	const { url, secret, name } = trigger.webhook;
	// It says which workflow had it.
	expect([name, before]).toEqual([before, expect.stringMatching(/\w/)]);
	expect(url).toBe('https://n8n.example.com/unpublished');
	expect(trigger.requests).toEqual([
		LOOK,
		['PUT', '/status', { status: 'inactive' }],
		['PUT', '', expect.objectContaining({ url })],
	]);
	expect(workflow.staticData).not.toHaveProperty('node:Trigger.secretDigest');
	// The webhook's next owner must not be called with this trigger's secret.
	expect(secret).not.toBe(trigger.secret);
});

it.each([
	['a refused token', { accessToken: 'x' }, / refused/],
	['an emptied Base URL', { baseUrl: '' }, / Base URL/],
	['a deleted credential', undefined, / does not exist/],
])(
	'unpublishing is not stopped by %s, and says in the log that the webhook may be on',
	async (...given) => {
		const [, change, words] = given;
		const { n8n } = trigger;
		const workflow = await trigger.publishedWorkflow();
		if (change) Object.assign(n8n.credentials.get('A')!, change);
		else n8n.credentials.clear();
		await trigger.unpublish(workflow);
		expect(n8n.log).toEqual([
			expect.stringMatching(/^The webhook of workflow \S+ may still be on: /),
		]);
		expect(n8n.log[0]).toMatch(words);
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

it('unpublishing switches off a webhook whose name somebody has removed', async () => {
	const workflow = await trigger.publishedWorkflow();
	trigger.webhook.name = '';
	await trigger.unpublish(workflow);
	const url = 'https://n8n.example.com/unpublished';
	expect(trigger.webhook).toMatchObject({ status: 'inactive', url, name: 'n8n' });
});

it('a test gets the next event, too, and asks the service nothing', async () => {
	const { n8n } = trigger;
	const workflow = await trigger.publishedWorkflow();
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
});

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

it('publishing fails at once if the service asks for too long a wait, and says how long', async () => {
	trigger.n8n.attempts = 1;
	fail({ status: 429, retryAfter: 30 });
	const before = trigger.clock.now;
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow(
		'The service asked n8n to wait 30 seconds.',
	);
	expect(trigger.clock.now).toBe(before);
});

it('publishing ends before n8n gives up with a service that does not respond', async () => {
	const { n8n, clock } = trigger;
	fail('stalled');
	n8n.attempts = 1;
	const before = clock.now;
	await expect(trigger.publish(trigger.workflow())).rejects.toThrow(
		"The service didn't respond in time",
	);
	expect(clock.now - before).toBeLessThanOrEqual(75_000);
});

it('a publication behind another change of the same webhook ends before n8n gives up', async () => {
	const { n8n, network, clock } = trigger;
	const workflow = await trigger.publishedWorkflow();
	n8n.attempts = 1;
	network.latency = 9_000;
	const before = clock.now;
	const unpublishing = n8n.unpublish(workflow);
	const publishing = n8n.publish(trigger.workflow());
	publishing.catch(() => {});
	await clock.until(unpublishing);
	await clock.until(publishing).catch(() => {});
	expect(clock.now - before).toBeLessThanOrEqual(75_000);
});

it('n8n 1.x, which registers again when another main takes over, takes the webhook from nobody', async () => {
	trigger.install('1.123');
	await trigger.publishedWorkflow();
	const before = { ...trigger.pointElsewhere() };
	await trigger.clock.until(trigger.n8n.changeLeader());
	expect(trigger.webhook).toEqual(before);
});

it('n8n 1.x, which registers again when it starts, starts without the service and the credential, and stays published', async () => {
	trigger.install('1.123');
	await trigger.publishedWorkflow();
	const { sent } = trigger.network;
	trigger.n8n.credentials.delete('A');
	await trigger.restart();
	expect(trigger.network.sent).toBe(sent);
	expect(trigger.n8n.failedAtStart).toEqual([]);
	await expectProductionReceives();
});

it('n8n 1.x, which refuses a copy whose address is taken, leaves the webhook on, right after an update of the package, too', async () => {
	trigger.install('1.123');
	const { draft, path } = await trigger.publishedWorkflow();
	const before = { ...trigger.webhook };
	trigger.n8n.update();
	const copy = trigger.n8n.createWorkflow(structuredClone(draft), path);
	await expect(trigger.publish(copy)).rejects.toThrow();
	expect(trigger.webhook).toEqual(before);
	await expectProductionReceives();
});

it('unpublishing switches the webhook off, even if publishing has failed in this main, and worked in the other', async () => {
	const { n8n } = trigger;
	n8n.attempts = 1;
	const workflow = trigger.workflow();
	const credential = n8n.credentials.get('A')!;
	n8n.credentials.delete('A');
	await expect(trigger.publish(workflow)).rejects.toThrow();
	n8n.credentials.set('A', credential);
	n8n.main = 1;
	await trigger.publish(workflow);
	n8n.main = 0;
	await trigger.unpublish(workflow);
	expect(trigger.webhook.status).toBe('inactive');
});

it("after n8n's address has changed, unpublishing leaves the webhook on, and a line in the log", async () => {
	const { n8n } = trigger;
	const workflow = await trigger.publishedWorkflow();
	const before = { ...trigger.webhook };
	n8n.origin = 'https://moved.example.com';
	await trigger.restart();
	await trigger.unpublish(workflow);
	expect(trigger.webhook).toEqual(before);
	expect(n8n.log).toEqual([
		`The webhook of workflow ${workflow.id} was left on: it points to ${before.url}`,
	]);
});

it('the line about a webhook that was left on is short, wherever it points', async () => {
	const { n8n } = trigger;
	const workflow = await trigger.publishedWorkflow();
	trigger.pointElsewhere({ url: `https://elsewhere.example.com/\n${'x'.repeat(100_000)}` });
	await trigger.unpublish(workflow);
	expect(n8n.log).toEqual([
		expect.stringMatching(/^The webhook of .* points to https:\/\/elsewhere\..{1,200}…$/),
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

it('n8n goes on answering while the webhook points to 100 kB of anything', async () => {
	await expectLinearTime(async (length) => {
		for (const text of hostileTexts(length)) {
			for (const url of [text, `https://elsewhere.example.com/${text}`]) {
				trigger.pointElsewhere({ url, name: text });
				const workflow = trigger.workflow();
				await trigger.publish(workflow);
				trigger.pointElsewhere({ url, name: text });
				await trigger.unpublish(workflow);
			}
		}
	});
});
