import { useVirtualTime } from './n8n/virtualTime.mts';
import * as fc from 'fast-check';
import type { StoredWebhook } from '../../mock-service/types.mts';
import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';
import { derivedSecret } from '../support/calls.mts';
import { histories } from '../support/histories.mts';
import { ALTERATIONS, Network, type Alteration, type Fault } from './n8n/Network.mts';
import { SimulatedN8n, type SimulatedWorkflow, type Version } from './n8n/SimulatedN8n.mts';
import { addressOf, EVENT } from './n8n/setUpTrigger.mts';
import type { VirtualClock } from './n8n/VirtualClock.mts';

/**
 * Random lives of two workflows that share two webhooks with each other, with a receiver elsewhere, and with a copy of
 * this n8n. Whatever happens, and wherever it breaks off: what is published receives, what is unpublished is off or a
 * line in the log, nobody else loses anything, and nothing goes on after n8n's call.
 */

const RUNS = histories(300);
const MINUTE = 60_000;
const CREDENTIALS = ['A', 'B'];
const HOSTS = ['127.0.0.1', 'localhost'];
const LEFT_ON = /^The webhook of workflow (\S+) may still be on: /;

let service: PartnerService;
beforeAll(async () => {
	service = await startPartnerService();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await service.close());

/** The last workflow that was published on a webhook; or the webhook as it is of a receiver elsewhere. */
type Owner = SimulatedWorkflow | Readonly<StoredWebhook>;

/** What is expected of one webhook. */
interface Expected {
	readonly id: string;
	owner: Owner;
	/** Nothing is, until it is published again: n8n was killed in the middle, or its log says that it may be on. */
	isInterrupted: boolean;
}

interface Circumstances {
	alteration: Alteration;
	/** Both workflows have the same address, as after a copy. */
	isCopy: boolean;
	/** Where n8n is, written in some way. */
	origin: string;
}

class World {
	readonly webhooks: Expected[];
	readonly workflows: SimulatedWorkflow[];
	readonly n8n: SimulatedN8n;
	readonly network: Network;
	/** What publishing has registered. */
	readonly registered = new Map<SimulatedWorkflow, { name: string; secret: string }>();
	private tokenCount = 0;

	constructor(
		version: '2.41' | '1.123',
		readonly clock: VirtualClock,
		readonly circumstances: Circumstances,
	) {
		this.network = new Network(service, clock);
		this.network.alteration = circumstances.alteration;
		this.n8n = new SimulatedN8n(version, this.network, clock);
		this.n8n.origin = circumstances.origin;
		this.webhooks = [0, 1].map((): Expected => {
			const url = this.altered('https://elsewhere.example.com/results');
			const id = service.createWebhook({ url, secret: 'the secret of a receiver elsewhere' });
			return { id, owner: { ...this.stored({ id }) }, isInterrupted: false };
		});
		for (const [index, name] of CREDENTIALS.entries()) {
			// The same service under two names.
			const baseUrl = service.baseUrl.replace('127.0.0.1', HOSTS[index]);
			this.n8n.credentials.set(name, { baseUrl });
			this.replaceToken(name);
		}
		const path = circumstances.isCopy ? crypto.randomUUID() : undefined;
		this.workflows = ['One', 'Two'].map((workflowName) => {
			const parameters = { webhookId: this.webhooks[0].id, events: [EVENT] };
			return this.n8n.createWorkflow({ workflowName, credentialId: 'A', parameters }, path);
		});
	}

	/** A URL as the service keeps it. */
	altered(url: string): string {
		return ALTERATIONS[this.network.alteration](url);
	}

	stored({ id }: { id: string }): StoredWebhook {
		return service.webhooks.find((webhook) => webhook.id === id) as StoredWebhook;
	}

	/** The service gives out a new token, and the user enters it. */
	replaceToken(name: string): void {
		const credential = this.n8n.credentials.get(name)!;
		this.network.tokens.delete(String(credential.accessToken));
		const accessToken = `token-${this.tokenCount++}-of-${name}`;
		this.network.tokens.add(accessToken);
		this.n8n.credentials.set(name, { ...credential, accessToken });
	}

	/** The webhook that a version of a workflow registers. */
	webhookOf(version?: Version): Expected | undefined {
		return this.webhooks.find(({ id }) => id === version?.parameters.webhookId);
	}

	/** The workflow that has to receive from a webhook. */
	receiverOf(webhook: Expected): SimulatedWorkflow | undefined {
		const { owner } = webhook;
		return isWorkflow(owner) && this.webhookOf(owner.published) === webhook ? owner : undefined;
	}

	/** Another published workflow that receives from a webhook. */
	holderBeside({ path }: SimulatedWorkflow, webhook: Expected): SimulatedWorkflow | undefined {
		const receiver = this.receiverOf(webhook);
		return !webhook.isInterrupted && receiver?.path !== path ? receiver : undefined;
	}

	/** What the log says may still be on: one that its workflow has, had, or could not publish on. */
	noteLog(): void {
		for (const line of this.n8n.log.splice(0)) {
			if (!this.workflows.some(({ id }) => id === LEFT_ON.exec(line)?.[1])) continue;
			for (const webhook of this.webhooks) {
				const isNobodys = isWorkflow(webhook.owner) && !this.receiverOf(webhook);
				if (isNobodys) webhook.isInterrupted = true;
			}
		}
	}

	/** The secrets that let a call into a published workflow. */
	acceptedBy(workflow: SimulatedWorkflow): string[] {
		const { published } = workflow;
		const current = published && this.currentSecretOf(published);
		const isRemembered = JSON.stringify(workflow.staticData).includes('secretDigest');
		const remembered = isRemembered ? this.registered.get(workflow)?.secret : undefined;
		return [current, remembered].filter((secret) => secret !== undefined);
	}

	/** What the credential gives for a version of a workflow. */
	private currentSecretOf({ credentialId, parameters }: Version): string {
		const { accessToken } = this.n8n.credentials.get(credentialId) ?? {};
		return derivedSecret(String(accessToken), String(parameters.webhookId));
	}

	/** Does something in n8n; false if n8n was killed in it, and has started again. Rejects like it. */
	async survives(work: Promise<void>, killed?: SimulatedWorkflow): Promise<boolean> {
		await this.clock.until(work, () => !this.n8n.isAlive);
		if (this.n8n.isAlive) return true;
		// n8n does not say what it takes for published then.
		if (killed) killed.published = undefined;
		await this.restart();
		return false;
	}

	async pass(milliseconds: number): Promise<void> {
		await this.clock.pass(milliseconds);
		if (!this.n8n.isAlive) await this.restart();
	}

	/** n8n is killed, and starts again. What was not in place may stay so. */
	async restart(): Promise<void> {
		this.n8n.kill();
		for (const webhook of this.webhooks) {
			if (this.problemWith(webhook)) webhook.isInterrupted = true;
		}
		await this.survives(this.n8n.start());
		for (const workflow of this.n8n.failedAtStart) {
			for (const webhook of this.webhooks) {
				if (webhook.owner === workflow) webhook.isInterrupted = true;
			}
		}
		this.noteLog();
	}

	/** What is wrong with a webhook once everything has settled. */
	problemWith(webhook: Expected): string | undefined {
		const { owner, isInterrupted } = webhook;
		const now = this.stored(webhook);
		if (isInterrupted) return undefined;
		if (!isWorkflow(owner)) return this.isUntouched(now, owner) ? undefined : 'touched';
		if (!this.receiverOf(webhook)) {
			return now.status === 'inactive' ? undefined : 'an unpublished workflow left it on';
		}
		if (now.status !== 'active') return 'a published workflow receives nothing: it is off';
		if (addressOf(now.url) !== this.n8n.productionUrl(owner)) {
			return `a published workflow receives nothing: it points to ${now.url}`;
		}
		const { name } = this.registered.get(owner)!;
		return now.name === name ? undefined : `it is called ${now.name} instead of ${name}`;
	}

	/** Nobody can look at a webhook without setting a status: what was off may be on. */
	private isUntouched(now: StoredWebhook, before: StoredWebhook): boolean {
		const isOn = before.status === 'inactive' || now.status === 'active';
		const fields = ['url', 'name', 'events', 'secret'] as const;
		return isOn && fields.every((field) => String(now[field]) === String(before[field]));
	}

	/** The service calls; the one that the webhook is for must get it, at any time. */
	async deliver(webhook: Expected): Promise<void> {
		const { status, url, secret } = this.stored(webhook);
		const receiver = this.receiverOf(webhook);
		if (status !== 'active' || !receiver) return;
		if (addressOf(url) !== this.n8n.productionUrl(receiver)) return;
		const isAccepted = this.acceptedBy(receiver).includes(String(secret));
		// Only if n8n has lost the old secret, and the new token has not been published.
		if (!isAccepted) expect(JSON.stringify(receiver.staticData)).not.toContain('secretDigest');
		const { length } = this.n8n.started;
		const body = { event: EVENT, call: length };
		const headers: Array<[string, string]> = [['X-Webhook-Secret', String(secret)]];
		const call = this.n8n.call(addressOf(url), { headers, body });
		const answer = await this.clock.until(call, () => !this.n8n.isAlive);
		if (!this.n8n.isAlive) return await this.restart();
		const started = this.n8n.started.slice(length).map(({ json }) => json);
		expect([answer?.status, started]).toEqual(isAccepted ? [200, [body]] : [401, []]);
	}

	/** The service is up again, and nothing goes on by itself. */
	async settle(): Promise<void> {
		this.network.faults = [];
		this.noteLog();
		const { sent } = this.network;
		await this.clock.pass(60 * MINUTE);
		expect(this.network.sent).toBe(sent);
		for (const webhook of this.webhooks) {
			expect(this.problemWith(webhook)).toBeUndefined();
			await this.deliver(webhook);
		}
		expect(this.n8n.thrownInDelete).toEqual([]);
	}
}

function isWorkflow(owner: Owner): owner is SimulatedWorkflow {
	return 'draft' in owner;
}

type Command = fc.AsyncCommand<object, World>;

function command(name: string, run: (world: World) => Promise<void> | void): Command {
	return {
		check: () => true,
		run: async (_model, world) => await run(world),
		toString: () => name,
	};
}

/** What n8n shows; an assertion that failed must stay. */
function expectRefusal(error: unknown): void {
	if (typeof error === 'object' && error && 'matcherResult' in error) throw error;
	expect((error as Error).message).not.toContain('token-');
}

const publish = (index: number) =>
	command(`publish ${index}`, async (world) => {
		const { n8n } = world;
		const workflow = world.workflows[index];
		const { published: before } = workflow;
		const webhook = world.webhookOf(workflow.draft);
		const stored = webhook && { ...world.stored(webhook) };
		const holder = webhook && world.holderBeside(workflow, webhook);
		const publishing = n8n.publish(workflow);
		publishing.catch(() => {});
		try {
			if (!(await world.survives(publishing, workflow))) {
				for (const touched of [webhook, world.webhookOf(before)]) {
					if (touched) touched.isInterrupted = true;
				}
			} else if (webhook && workflow.published !== before) {
				expect(holder?.draft.workflowName).toBeUndefined();
				world.registered.set(workflow, {
					name: `n8n: ${workflow.draft.workflowName}`,
					secret: String(world.stored(webhook).secret),
				});
				Object.assign(webhook, { owner: workflow, isInterrupted: false });
			}
		} catch (error) {
			expectRefusal(error);
			const isTaken = /^Another published workflow uses this webhook/.test(
				(error as Error).message,
			);
			const others = world.workflows.filter(({ path }) => path !== workflow.path);
			const addresses = others.map((other) => n8n.productionUrl(other));
			if (isTaken) expect(addresses).toContain(addressOf(String(stored?.url)));
			// What it has taken before it failed, nobody can give back.
			const now = webhook && world.stored(webhook);
			const hasTaken = now?.url !== stored?.url || now?.secret !== stored?.secret;
			if (webhook && hasTaken) Object.assign(webhook, { owner: workflow, isInterrupted: false });
		}
		world.noteLog();
	});

const unpublish = (index: number) =>
	command(`unpublish ${index}`, async (world) => {
		const workflow = world.workflows[index];
		const webhook = world.webhookOf(workflow.published);
		const isDone = await world.survives(world.n8n.unpublish(workflow), workflow);
		if (!isDone && webhook?.owner === workflow) webhook.isInterrupted = true;
		world.noteLog();
	});

const event = (index: number) =>
	command(`event of webhook ${index}`, async (world) => await world.deliver(world.webhooks[index]));

const edit = fc
	.record({
		index: fc.nat(1),
		change: fc.oneof(
			fc.constantFrom(...CREDENTIALS).map((credentialId) => ({ credentialId })),
			fc.nat(1).map((webhook) => ({ webhook })),
			fc.constantFrom([EVENT], EVENT).map((events) => ({ events })),
			fc.uuid().map((nodeId) => ({ nodeId })),
		),
	})
	.map(({ index, change }) =>
		command(`edit ${index}: ${JSON.stringify(change)}`, ({ workflows, webhooks }) => {
			const { draft } = workflows[index];
			if ('credentialId' in change) draft.credentialId = change.credentialId;
			else if ('webhook' in change) draft.parameters.webhookId = webhooks[change.webhook].id;
			else if ('nodeId' in change) draft.nodeId = change.nodeId;
			else Object.assign(draft.parameters, change);
		}),
	);

const fault: fc.Arbitrary<Fault | undefined> = fc.constantFrom<Array<Fault | undefined>>(
	...(['unreachable', 'responseLost', 'stalled', undefined] as const),
	...[500, 503, 400, 401, 429].map((status) => ({ status })),
	...[3, 20, 60].map((retryAfter) => ({ status: 429, retryAfter })),
);

/** More than all attempts of a request, and of n8n. */
const lasting = fc
	.record({
		fault: fc.constantFrom<Fault[]>(
			'unreachable',
			{ status: 429 },
			{ status: 429, retryAfter: 20 },
		),
		times: fc.integer({ min: 4, max: 20 }),
	})
	.map(({ fault: same, times }) => Array<Fault>(times).fill(same));

const faults = fc.oneof(fc.array(fault, { minLength: 1, maxLength: 8 }), lasting).map((list) =>
	command(`faults ${JSON.stringify(list)}`, ({ network }) => {
		network.faults.push(...list);
	}),
);

const kill = fc
	.record({ requests: fc.nat(4), how: fc.constantFrom<Fault[]>('killedBefore', 'killedAfter') })
	.map(({ requests, how }) =>
		command(`${how} request ${requests} from now`, ({ network }) => {
			network.faults.push(...Array<undefined>(requests), how);
		}),
	);

const restart = fc.constant(command('restart', async (world) => await world.restart()));

/** An execution that began before the last publication writes back the static data of then. */
const forget = fc.nat(1).map((index) =>
	command(`an old execution writes static data in ${index}`, ({ workflows }) => {
		workflows[index].staticData = {};
	}),
);

/** A receiver elsewhere, another one of this n8n, and the same trigger in a copy of this n8n. */
const receiverUrls = {
	elsewhere: ({ network }: World) => `https://elsewhere.example.com/${network.sent}?key=1`,
	form: ({ n8n }: World) => `${n8n.origin}/form/1`,
	copy: ({ workflows }: World) =>
		`https://staging.example.com/webhook/${workflows[0].path}/webhook`,
};

const takeover = fc
	.record({ index: fc.nat(1), receiver: fc.constantFrom('elsewhere', 'form', 'copy') })
	.map(({ index, receiver }) =>
		command(`webhook ${index} is changed: ${receiver}`, (world) => {
			const webhook = world.webhooks[index];
			const owner = Object.assign(world.stored(webhook), {
				url: world.altered(receiverUrls[receiver](world)),
				name: 'Elsewhere',
				secret: 'the secret of somebody else',
				status: 'active',
			});
			Object.assign(webhook, { owner: { ...owner }, isInterrupted: false });
		}),
	);

const newToken = fc
	.constantFrom(...CREDENTIALS)
	.map((name) => command(`new token for ${name}`, (world) => world.replaceToken(name)));

const pass = fc
	.constantFrom(1_000, 10_000, MINUTE, 3 * MINUTE)
	.map((time) => command(`${time / 1000} s pass`, async (world) => await world.pass(time)));

const twice = <T>(value: T) => [value, value];

const commands = fc.commands(
	[
		...twice(fc.nat(1).map((index) => publish(index))),
		fc.nat(1).map(unpublish),
		...twice(fc.nat(1).map(event)),
		...twice(edit),
		...twice(faults),
		...[kill, restart, takeover, newToken, forget, pass],
	] as Array<fc.Arbitrary<Command>>,
	{ maxCommands: 30, size: 'max' },
);

const circumstances: fc.Arbitrary<Circumstances> = fc.record({
	alteration: fc.constantFrom<Alteration[]>('none', 'slash'),
	isCopy: fc.boolean(),
	origin: fc.constantFrom(
		'https://n8n.example.com',
		...['https://N8N.example.com:443', 'https://bücher.example', 'https://user:pass@a.example/a b'],
	),
});

it.each(['2.41', '1.123'] as const)(
	'whatever happens in n8n %s, a published trigger receives, and takes nothing from others',
	async (version) => {
		await fc.assert(
			fc.asyncProperty(circumstances, commands, async (given, life) => {
				// It would keep all that it was ever sent.
				service.clearRequests();
				const world = new World(version, useVirtualTime(), given);
				// Most that can go wrong goes wrong with what is published.
				await publish(0).run({}, world);
				await fc.asyncModelRun(async () => ({ model: {}, real: world }), life);
				await world.settle();
			}),
			{ numRuns: Math.ceil(RUNS / 2), interruptAfterTimeLimit: undefined },
		);
	},
	3_600_000,
);
