import { loadTrigger, useVirtualTime } from './n8n/virtualTime.mts';
import * as fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import type { TriggerStaticData } from '../../nodes/CandidateAssessment/trigger/staticData';
import type { StoredWebhook } from '../../mock-service/types.mts';
import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';
import { histories } from '../support/histories.mts';
import { ALTERATIONS, Network, type Alteration, type Fault } from './n8n/Network.mts';
import { SimulatedN8n, type SimulatedWorkflow, type Version } from './n8n/SimulatedN8n.mts';
import { addressOf, derivedSecret, digest, EVENT } from './n8n/setUpTrigger.mts';
import type { VirtualClock } from './n8n/VirtualClock.mts';

/**
 * Random lives of two workflows that share two webhooks with each other, with a receiver elsewhere, and
 * with what somebody entered by hand, at a service that may alter URLs: whatever happens, and wherever it
 * breaks off, what is published receives, and nobody loses anything.
 */

const RUNS = histories(300);
const MINUTE = 60_000;
/** Chosen without much thought: each call from anywhere carries it. */
const ON_EVERY_CALL = 'application/json';

let service: PartnerService;
beforeAll(async () => {
	service = await startPartnerService();
});
afterAll(async () => await service.close());
afterEach(() => jest.restoreAllMocks());

/** To whom a webhook belongs: whoever published last, or took it over from outside. */
type Owner = SimulatedWorkflow | Readonly<StoredWebhook>;

/** What is expected of one webhook. */
interface Expected {
	readonly id: string;
	owner?: Owner;
	/** The URL without its query, name and events, as its owner registered it. */
	registered?: { address: string; name: string };
	/** n8n was killed in the middle: it need not be in place before the next publish, or test. */
	isInterrupted?: 'untilTest' | 'untilPublish';
	/** Taken over for a test: its receiver needs a new secret. */
	isSecretLost?: boolean;
	/** A test has given it back with a secret that production was never shown, and that is outdated. */
	isSecretOutdated?: boolean;
	/** The credential as it was when its owner was published. */
	publishedWith?: unknown;
	/** The token of the test that has borrowed it last. */
	testToken?: unknown;
}

class World {
	readonly webhooks: Expected[];
	readonly workflows: SimulatedWorkflow[];
	readonly n8n: SimulatedN8n;
	readonly network: Network;
	private readonly tokens: string[] = [];

	constructor(
		line: '2.41' | '1.123',
		readonly clock: VirtualClock,
		{ alteration, isCopy }: { alteration: Alteration; isCopy: boolean },
	) {
		this.network = new Network(service, clock);
		this.network.alteration = alteration;
		this.n8n = new SimulatedN8n(line, this.network, clock, loadTrigger);
		this.webhooks = [0, 1].map((): Expected => {
			const url = this.altered('https://elsewhere.example.com/results');
			const id = service.createWebhook({ url, secret: 'the secret of a receiver elsewhere' });
			return { id, owner: { ...this.stored({ id }) } };
		});
		for (const credential of ['A', 'B']) this.enterToken(credential);
		const path = isCopy ? crypto.randomUUID() : undefined;
		this.workflows = ['One', 'Two'].map((workflowName) =>
			this.n8n.createWorkflow(
				{
					workflowName,
					credentialId: 'A',
					parameters: { webhookId: this.webhooks[0].id, events: [EVENT], options: {} },
				},
				path,
			),
		);
	}

	/** A URL as the service keeps it. */
	altered(url: string): string {
		return ALTERATIONS[this.network.alteration](url);
	}

	/** Changes something behind n8n's back. A secret that was read a second ago is read anew then. */
	async later(): Promise<void> {
		await this.clock.pass(1_000);
		if (!this.n8n.isAlive) await this.restart();
	}

	/** The service gives out a new token, and the user enters it. */
	enterToken(credential: string): void {
		const before = this.n8n.credentials.get(credential);
		this.network.tokens.delete(String(before?.accessToken));
		const accessToken = `token-${this.tokens.length}-of-${credential}`;
		this.tokens.push(accessToken);
		this.network.tokens.add(accessToken);
		this.n8n.credentials.set(credential, {
			webhookSecret: '',
			...before,
			baseUrl: service.baseUrl,
			accessToken,
		});
	}

	stored({ id }: { id: string }): StoredWebhook {
		return service.webhooks.find((webhook) => webhook.id === id) as StoredWebhook;
	}

	expectedOf(version?: { parameters: object }): Expected | undefined {
		const { webhookId, registration } = (version?.parameters ?? {}) as Record<string, string>;
		if (registration === 'manual') return undefined;
		return this.webhooks.find(({ id }) => id === webhookId?.toLowerCase());
	}

	/** Does something in n8n; true if n8n survived it. Rejects like it. */
	async does(work: Promise<void>): Promise<boolean> {
		await this.clock.until(work, () => !this.n8n.isAlive);
		return this.n8n.isAlive;
	}

	/** n8n is gone, and comes back. What was not in place then may stay so. */
	async restart(): Promise<void> {
		this.n8n.kill();
		for (const webhook of this.webhooks) {
			const { url } = this.stored(webhook);
			const isUnpublished = isWorkflow(webhook.owner) && !this.publishedOwner(webhook);
			// It may be off, but not say so yet.
			const isHalfOff = isUnpublished && !url.includes('registration=off');
			if (this.problemWith(webhook) || isHalfOff) {
				const isHealedByTest = url.includes('=test') && !isUnpublished;
				this.interrupt(webhook, isHealedByTest ? 'untilTest' : 'untilPublish');
			}
		}
		const isSurvived = await this.does(this.n8n.start());
		if (!isSurvived) return await this.restart();
	}

	interrupt(webhook: Expected, until: 'untilTest' | 'untilPublish'): void {
		if (webhook.isInterrupted !== 'untilPublish') webhook.isInterrupted = until;
	}

	publishedOwner(webhook: Expected): SimulatedWorkflow | undefined {
		const { owner } = webhook;
		return isWorkflow(owner) && owner.published && this.expectedOf(owner.published) === webhook
			? owner
			: undefined;
	}

	/** What is wrong with a webhook that should be in place by now. */
	problemWith(webhook: Expected): string | undefined {
		const { owner, registered } = webhook;
		const now = this.stored(webhook);
		if (webhook.isInterrupted || !owner) return undefined;
		if (!isWorkflow(owner)) {
			const { url, name, events, secret, status } = owner;
			// Nobody can look at a webhook without setting a status: what was off may be on.
			const isOn = status === 'inactive' || now.status === 'active';
			const isSame =
				now.url === url &&
				now.name === name &&
				String(now.events) === String(events) &&
				(now.secret === secret || (webhook.isSecretLost && !this.isOurs(now.secret, webhook)));
			return isOn && isSame ? undefined : 'what belongs to a receiver elsewhere was touched';
		}
		if (!this.publishedOwner(webhook)) {
			// Without a query it may have been entered by hand.
			const isOff = now.status === 'inactive' || this.network.alteration === 'dropQuery';
			return isOff ? undefined : 'an unpublished workflow left it on';
		}
		if (now.status !== 'active') return 'a published workflow receives nothing: it is off';
		if (addressOf(now.url) !== registered?.address) {
			return `a published workflow receives nothing: it points to ${now.url}`;
		}
		if (now.name !== registered.name) return `it is called ${now.name}`;
		return undefined;
	}

	/** A secret that a trigger verifies calls by, which is nobody else's business. */
	private isOurs(secret: string | null, { id }: Expected): boolean {
		const ours = this.tokens.map((token) => derivedSecret(id, token));
		return [...ours, ON_EVERY_CALL].includes(String(secret));
	}

	/** The service calls; what comes of it must be right at any time. */
	async deliver(webhook: Expected, payload: object = {}): Promise<boolean> {
		const { status, url, secret } = this.stored(webhook);
		if (status !== 'active') return false;
		// A test of one webhook gets no calls of another, which n8n was killed in a test of.
		const isMeant = url.includes('/webhook-test/')
			? this.workflows.some(
					(one) => url.includes(one.path) && this.expectedOf(one.test?.version) === webhook,
				)
			: this.publishedOwner(webhook) !== undefined;
		const before = this.n8n.started.length;
		const body = { ...payload, delivery: before };
		const answer = await this.clock.until(
			this.n8n.call(addressOf(url), { headers: [['X-Webhook-Secret', String(secret)]], body }),
			() => !this.n8n.isAlive,
		);
		if (!answer || !isMeant || webhook.isSecretOutdated) return answer?.status === 200;
		expect([answer.status, this.n8n.started.slice(before).map(({ json }) => json)]).toEqual([
			200,
			[body],
		]);
		webhook.isSecretOutdated = false;
		return true;
	}

	/** A credential is about to change: production knows its secret of now, unless a test made it. */
	beforeChangeOf(credential: string, isDeletion = false): void {
		for (const webhook of this.webhooks) {
			const owner = this.publishedOwner(webhook);
			const { secret, url, status } = this.stored(webhook);
			const isTest = url.includes('=test');
			const data = this.n8n.credentials.get(credential);
			const token = data?.accessToken;
			// The test knows a token that is of no use any more, and cannot read the new one.
			if (isTest && isDeletion && token !== webhook.testToken) this.interrupt(webhook, 'untilTest');
			// What goes on in the background may know a token that is of no use any more.
			const isInPlace = addressOf(url) === webhook.registered?.address;
			// A look may have switched on what says that it is off.
			const isOff = url.includes('=off') && status === 'inactive';
			const isPending = owner ? !isInPlace && !isTest : isWorkflow(webhook.owner) && !isOff;
			if (isPending && isDeletion) this.interrupt(webhook, 'untilPublish');
			// Whoever unpublishes during a test enters the secret of now, which the test was never shown.
			const { test } = this.workflows.find((one) => one.test && url.includes(one.path)) ?? {};
			if (isTest && isDeletion && !isRemembered(secret, test?.staticData)) {
				webhook.isSecretOutdated = true;
			}
			if (owner?.published?.credentialId !== credential || (isTest && !isDeletion)) continue;
			// A test is followed by its own secret or the credential's, which production may never have seen.
			const secrets = isTest && data ? [secret, secretOf(data, webhook)] : [secret];
			if (!secrets.every((one) => isRemembered(one, owner.staticData))) {
				webhook.isSecretOutdated = true;
			}
			// When 1.x started, it may have begun to register the secret of now.
			const isChanged = this.n8n.credentials.get(credential) !== webhook.publishedWith;
			if (this.n8n.line === '1.123' && isChanged) webhook.isSecretOutdated = true;
		}
	}

	/** The service is back, nobody listens, and a minute goes by. */
	async settle(): Promise<void> {
		this.network.faults = [];
		for (const workflow of this.workflows) await this.stop(workflow);
		await this.clock.pass(MINUTE);
		for (const webhook of this.webhooks) {
			expect(this.problemWith(webhook)).toBeUndefined();
			const owner = this.publishedOwner(webhook);
			const isReachable = owner && this.stored(webhook).url.startsWith(this.n8n.origin);
			if (!isReachable || webhook.isInterrupted || webhook.isSecretOutdated) continue;
			expect(await this.deliver(webhook)).toBe(true);
		}
		expect(this.n8n.thrownInDelete).toEqual([]);
		expect(this.workflows.filter(({ test }) => test)).toEqual([]);
	}

	async stop(workflow: SimulatedWorkflow): Promise<void> {
		if (!(await this.does(this.n8n.stopListening(workflow)))) await this.restart();
	}
}

/** What a trigger with this credential registers. */
function isRemembered(secret: string | null, staticData: IDataObject = {}): boolean {
	const { secretDigest } = (staticData['node:Trigger'] ?? {}) as TriggerStaticData;
	return secretDigest === digest(String(secret));
}

function secretOf(data: ICredentialDataDecryptedObject, { id }: Expected): string {
	return String(data.webhookSecret || derivedSecret(id, String(data.accessToken)));
}

function isWorkflow(owner?: Owner): owner is SimulatedWorkflow {
	return owner !== undefined && 'draft' in owner;
}

type Command = fc.AsyncCommand<object, World>;

function command(name: string, run: (world: World) => Promise<void> | void): Command {
	return {
		check: () => true,
		run: async (_model, world) => await run(world),
		toString: () => name,
	};
}

const publish = (index: number) =>
	command(`publish ${index}`, async (world) => {
		const workflow = world.workflows[index];
		const { n8n } = world;
		const webhook = world.expectedOf(workflow.draft);
		const before = world.expectedOf(workflow.published);
		const isUnchanged = inN8n(workflow.published) === inN8n(workflow.draft);
		if (before && !isUnchanged) beforeSwitchingOff(world, workflow, before);
		const stored = webhook && { ...world.stored(webhook) };
		const isOver = webhook && before === webhook && world.network.faults.length === 0;
		const { length } = service.requests;
		try {
			const isSurvived = await world.does(n8n.publish(workflow));
			if (isUnchanged) return;
			if (!isSurvived) {
				// n8n does not say what it takes for published then.
				workflow.published = undefined;
				for (const one of [webhook, before]) if (one) world.interrupt(one, 'untilPublish');
				await world.restart();
				return;
			}
			if (!webhook) return;
			if (isOver) {
				const sent = service.requests.slice(length).map(({ body }) => body);
				expect(sent).not.toContainEqual({ status: 'inactive' });
			}
			const options = workflow.draft.parameters.options as { webhookName?: string };
			Object.assign(webhook, {
				owner: workflow,
				isInterrupted: undefined,
				isSecretLost: false,
				isSecretOutdated: false,
				publishedWith: n8n.credentials.get(workflow.draft.credentialId),
				registered: {
					address: n8n.productionUrl(workflow),
					name: options.webhookName ?? `n8n: ${workflow.draft.workflowName}`,
				},
			});
		} catch (error) {
			keepAssertion(error);
			if (!webhook) return;
			// What it had taken before it failed, nobody can give back. Refused, it has taken nothing.
			const { url, secret } = world.stored(webhook);
			const hasTaken = url !== stored?.url || secret !== stored.secret;
			if (hasTaken && url.startsWith(n8n.productionUrl(workflow))) {
				webhook.owner = workflow;
				webhook.isInterrupted = undefined;
				if (!n8n.credentials.has(workflow.draft.credentialId)) {
					world.interrupt(webhook, 'untilPublish');
				}
			}
		}
	});

const unpublish = (index: number) =>
	command(`unpublish ${index}`, async (world) => {
		const workflow = world.workflows[index];
		const webhook = world.expectedOf(workflow.published);
		if (!webhook) return;
		beforeSwitchingOff(world, workflow, webhook);
		if (await world.does(world.n8n.unpublish(workflow))) return;
		workflow.published = undefined;
		await world.restart();
	});

/** What n8n compares to see if something has to be registered anew. */
function inN8n(version?: Version): string {
	return JSON.stringify([version?.nodeId, version?.credentialId, version?.parameters]);
}

/** What an assertion says must stay. */
function keepAssertion(error: unknown): void {
	if (typeof error === 'object' && error && 'matcherResult' in error) throw error;
	const { message } = error as Error;
	expect(message).not.toContain('token-');
}

/** What keeps a webhook from being switched off. */
function beforeSwitchingOff(world: World, workflow: SimulatedWorkflow, webhook: Expected): void {
	const { published } = workflow;
	if (!published || world.publishedOwner(webhook)?.published !== published) return;
	const hasCredential = world.n8n.credentials.has(published.credentialId);
	// What looks like a test that goes on may be one that n8n was killed in.
	const { url } = world.stored(webhook);
	const isTested = world.workflows.some(({ test, path }) => test && url.includes(path));
	// At another address this n8n does not know its own.
	const isMoved = webhook.registered?.address !== world.n8n.productionUrl(workflow);
	if (!hasCredential || isMoved || (url.includes('=test') && !isTested)) {
		world.interrupt(webhook, 'untilPublish');
	}
}

const listen = (index: number) =>
	command(`listen ${index}`, async (world) => {
		const workflow = world.workflows[index];
		const { n8n } = world;
		const webhook = world.expectedOf(workflow.draft);
		const { takeOver } = workflow.draft.parameters.options as { takeOver?: boolean };
		const { owner } = webhook ?? {};
		const isOurForm = !isWorkflow(owner) && owner?.url.startsWith(n8n.productionUrl(workflow));
		if (webhook && !isWorkflow(owner) && takeOver && !isOurForm) webhook.isSecretLost = true;
		try {
			if (!(await world.does(n8n.listen(workflow)))) return await world.restart();
			if (!webhook) return;
			expect(['dropQuery', 'cut']).not.toContain(world.network.alteration);
			webhook.testToken = n8n.credentials.get(workflow.draft.credentialId)?.accessToken;
			expect(world.stored(webhook)).toMatchObject({ status: 'active', events: [EVENT] });
			expect(addressOf(world.stored(webhook).url)).toBe(n8n.testUrl(workflow));
			if (webhook.isInterrupted === 'untilTest') webhook.isInterrupted = undefined;
			webhook.isSecretOutdated = false;
		} catch (error) {
			keepAssertion(error);
		}
	});

const stopListening = (index: number) =>
	command(`stop listening ${index}`, async (world) => await world.stop(world.workflows[index]));

const event = fc
	.record({
		index: fc.nat(1),
		// What a delivery looks like is not specified.
		payload: fc.constantFrom({}, { event: EVENT }, { event: '' }, { type: 'assessment' }),
	})
	.map(({ index, payload }) =>
		command(`event of webhook ${index}: ${JSON.stringify(payload)}`, async (world) => {
			await world.deliver(world.webhooks[index], payload);
			if (!world.n8n.isAlive) await world.restart();
		}),
	);

const forgery = fc
	.record({ index: fc.nat(1), isTest: fc.boolean(), secret: fc.constantFrom('', 'a guess') })
	.map(({ index, isTest, secret }) =>
		command(`forged call for ${index}`, async ({ n8n, workflows, clock }) => {
			const workflow = workflows[index];
			const url = isTest ? n8n.testUrl(workflow) : n8n.productionUrl(workflow);
			const before = n8n.started.length;
			const headers: Array<[string, string]> = [
				['Content-Type', 'application/json'],
				['X-Webhook-Secret', secret],
			];
			const answer = await clock.until(n8n.call(url, { headers, body: { event: EVENT } }));
			expect(answer?.status ?? 401).toBe(401);
			expect(n8n.started).toHaveLength(before);
		}),
	);

const edit = fc
	.record({
		index: fc.nat(1),
		change: fc.oneof(
			fc.constantFrom('A', 'B').map((credentialId) => ({ credentialId })),
			fc.nat(1).map((webhook) => ({ webhook })),
			fc.constant({ letters: 'small or large' }),
			fc.constantFrom('Renamed', undefined).map((webhookName) => ({ webhookName })),
			fc.boolean().map((takeOver) => ({ takeOver })),
			fc.constantFrom('automatic', 'manual').map((registration) => ({ registration })),
			fc.uuid().map((nodeId) => ({ nodeId })),
		),
	})
	.map(({ index, change }) =>
		command(`edit ${index}: ${JSON.stringify(change)}`, ({ workflows, webhooks }) => {
			const { draft } = workflows[index];
			const options = draft.parameters.options as Record<string, unknown>;
			if ('credentialId' in change) draft.credentialId = change.credentialId;
			else if ('webhook' in change) draft.parameters.webhookId = webhooks[change.webhook].id;
			else if ('nodeId' in change) draft.nodeId = change.nodeId;
			else if ('registration' in change) draft.parameters.registration = change.registration;
			else if ('letters' in change) draft.parameters.webhookId = inOtherLetters(draft.parameters);
			else Object.assign(options, change);
			if (options.webhookName === undefined) delete options.webhookName;
		}),
	);

/** The same ID, with capitals or without. */
function inOtherLetters(parameters: object): string {
	const { webhookId } = parameters as { webhookId: string };
	const small = webhookId.toLowerCase();
	return webhookId === small ? small.toUpperCase() : small;
}

const fault: fc.Arbitrary<Fault | undefined> = fc.constantFrom<Array<Fault | undefined>>(
	'unreachable',
	'responseLost',
	'stalled',
	{ status: 500 },
	{ status: 503 },
	{ status: 400 },
	{ status: 401 },
	{ status: 429 },
	{ status: 429, retryAfter: 45 },
	undefined,
);

/** More than all attempts of a request, and of n8n. */
const lasting = fc
	.record({
		fault: fc.constantFrom<Fault[]>('unreachable', { status: 429 }),
		times: fc.integer({ min: 4, max: 30 }),
	})
	.map(({ fault: one, times }) => Array<Fault>(times).fill(one));

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

const restart = fc.boolean().map((isMoved) =>
	command(isMoved ? 'restart at another address' : 'restart', async (world) => {
		world.n8n.kill();
		if (isMoved) world.n8n.origin = `https://n8n-${world.network.sent}.example.com`;
		await world.restart();
		// A test that was left behind at another address is nobody's that this n8n knows.
		const leftBehind = world.webhooks.filter(({ isInterrupted }) => isMoved && isInterrupted);
		for (const webhook of leftBehind) world.interrupt(webhook, 'untilPublish');
	}),
);

/** Who else can have a webhook: somebody elsewhere, this n8n by hand, or whoever writes what we would write. */
const receiverUrls = {
	elsewhere: ({ network }: World) => `https://elsewhere.example.com/${network.sent}`,
	byHand: ({ n8n, workflows }: World) => n8n.productionUrl(workflows[0]),
	pretending: ({ n8n }: World) => `${n8n.origin}/form/1?registration=published&credential=A`,
};

const takeover = fc
	.record({ index: fc.nat(1), who: fc.constantFrom('elsewhere', 'byHand', 'pretending') })
	.map(({ index, who }) =>
		command(`webhook ${index} is changed: ${who}`, (world) => {
			const webhook = world.webhooks[index];
			const stored = world.stored(webhook);
			Object.assign(stored, {
				url: world.altered(receiverUrls[who](world)),
				name: 'Elsewhere',
				secret: 'the secret of somebody else',
				status: 'active',
			});
			Object.assign(webhook, {
				owner: { ...stored },
				isInterrupted: undefined,
				isSecretLost: false,
				isSecretOutdated: false,
			});
		}),
	);

const newToken = (credential: string) =>
	command(`new token for ${credential}`, async (world) => {
		if (!world.n8n.credentials.has(credential)) return;
		world.beforeChangeOf(credential);
		world.enterToken(credential);
		await world.later();
	});

const newSecret = fc
	.record({
		credential: fc.constantFrom('A', 'B'),
		secret: fc.constantFrom('', ON_EVERY_CALL),
	})
	.map(({ credential, secret: webhookSecret }) =>
		command(`secret of ${credential}: ${webhookSecret}`, async (world) => {
			const data = world.n8n.credentials.get(credential);
			if (!data || data.webhookSecret === webhookSecret) return;
			world.beforeChangeOf(credential);
			world.n8n.credentials.set(credential, { ...data, webhookSecret });
			await world.later();
		}),
	);

const deletion = (credential: string) =>
	command(`delete credential ${credential}`, (world) => {
		world.beforeChangeOf(credential, true);
		world.n8n.credentials.delete(credential);
	});

const pass = fc.constantFrom(1_000, 10_000, MINUTE, 3 * MINUTE).map((time) =>
	command(`${time / 1000} s pass`, async (world) => {
		await world.clock.pass(time);
		if (!world.n8n.isAlive) await world.restart();
	}),
);

const commands = fc.commands(
	[
		fc.nat(1).map(publish),
		fc.nat(1).map(publish),
		fc.nat(1).map(unpublish),
		fc.nat(1).map(listen),
		fc.nat(1).map(listen),
		fc.nat(1).map(stopListening),
		event,
		forgery,
		edit,
		faults,
		faults,
		kill,
		restart,
		takeover,
		fc.constantFrom('A', 'B').map(newToken),
		newSecret,
		fc.constantFrom('A', 'B').map(deletion),
		pass,
	] as Array<fc.Arbitrary<Command>>,
	{ maxCommands: 30, size: 'max' },
);

const circumstances = fc.record({
	alteration: fc.constantFrom<Alteration[]>('none', 'none', 'slash', 'order', 'dropQuery', 'cut'),
	/** Both workflows are at the same address, as after a copy. */
	isCopy: fc.boolean(),
});

describe.each(['2.41', '1.123'] as const)(
	'In n8n %s, whatever happens to it, a trigger',
	(line) => {
		it('that is published receives, turns away what is forged, and takes nothing from others', async () => {
			await fc.assert(
				fc.asyncProperty(circumstances, commands, async (given, life) => {
					const world = new World(line, useVirtualTime(), given);
					// Most that can go wrong goes wrong with what is published.
					await publish(0).run({}, world);
					await fc.asyncModelRun(async () => ({ model: {}, real: world }), life);
					await world.settle();
				}),
				{ numRuns: Math.ceil(RUNS / 2), interruptAfterTimeLimit: undefined },
			);
		}, 3_600_000);
	},
);
