/**
 * Follows n8n 2.41.1 (`workflows/triggers/webhook-trigger-registrar.js`), 1.123.81 and 2.33.7 (the same
 * `active-workflow-manager.js`), and all three (`webhooks/test-webhooks.js`, `webhooks/live-webhooks.js`). To see that it
 * still does, compare these files of n8n's `dist` with a newer n8n's, and run what does the same in a real one:
 * `npx playwright test trigger deliveries crash hosts`.
 */
import { loadTrigger } from './virtualTime.mts';
import { isDeepStrictEqual } from 'node:util';
import { HookContext, WebhookContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type IHookFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IWebhookData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Network, Options, Process } from './Network.mts';
import type { VirtualClock } from './VirtualClock.mts';
import {
	additionalDataWith,
	credentialsStore,
	nodeTypesBy,
	type Credential,
} from '../credentialsStore.mts';

const CREDENTIAL = 'candidateAssessmentApi';
const NODE_NAME = 'Trigger';
/** 2.41 ends a publication, with the `delete` that undoes it, after 84 seconds. */
const MAX_SECONDS = 42;
/** n8n's socket, whatever its public addresses are. */
const SOCKET = { localAddress: '192.0.2.1', localPort: 5678 };

export interface Call {
	/** In order of arrival; a name may occur twice. */
	headers: Array<[string, string]>;
	/** As n8n parsed it: bytes if it doesn't know their type. */
	body: unknown;
	/** What n8n has parsed, if that was neither JSON nor text. */
	rawBody?: string;
	/** Replaces both with a request that really came over HTTP. */
	request?: object;
}

/** The caller's response, and the items of the execution that it started (if any). */
export interface Answer {
	status: number;
	body: unknown;
	items?: INodeExecutionData[];
}

/** A workflow as a user edits it. Publishing copies it. */
export interface Version {
	/** A node pasted over itself gets another ID. */
	nodeId?: string;
	credentialId: string;
	parameters: INodeParameters;
}

/** A workflow with one trigger. */
export interface SimulatedWorkflow {
	readonly id: string;
	/** The path in the node's URLs. */
	readonly path: string;
	draft: Version;
	published?: Version;
	/** The static data in n8n's database. */
	staticData: IDataObject;
	/** The version that listens for a test event. */
	test?: Version;
}

/** Handles a trigger node as n8n does, around n8n-core's own contexts. */
export class SimulatedN8n {
	/** The address that its administrator configured. */
	origin = 'https://n8n.example.com';
	/** The trigger's lines in n8n's log. */
	readonly log: string[] = [];
	readonly credentials = new Map<string, Credential>();
	/** The bodies that have started a workflow, by its ID. */
	readonly started: Array<{ workflowId: string; isTest: boolean; json: IDataObject }> = [];
	/** What none of its calls to the trigger may do: fail in `delete`, ask the service for a test, or take too long. */
	readonly wrongs: string[] = [];
	/** Workflows that it couldn't register again at its last start. */
	failedAtStart: SimulatedWorkflow[] = [];
	/** How often n8n tries to publish. */
	attempts: number;
	/** Whether a test never answers what is passed on to it. */
	isTestStuck = false;
	/** The process that acts next. */
	main: 0 | 1 = 0;
	private readonly workflows: SimulatedWorkflow[] = [];
	private mains = twoMains();

	constructor(
		readonly line: '2.41' | '1.123',
		private readonly network: Network,
		private readonly clock: VirtualClock,
	) {
		this.attempts = line === '2.41' ? 5 : 1;
		// Allows only the trigger's requests to n8n itself, at its own socket.
		jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
			const { origin, pathname } = new URL(String(url));
			expect(origin).toBe(`http://${SOCKET.localAddress}:${SOCKET.localPort}`);
			expect(pathname).toMatch(/^\/webhook-test\//);
			if (this.isTestStuck) await new Promise(() => {});
			const body = JSON.parse(String(init?.body)) as unknown;
			const headers = Object.entries(init?.headers as Record<string, string>);
			const answer = await this.call(`${this.origin}${pathname}`, { headers, body });
			return new Response(null, { status: answer?.status ?? 404 });
		});
	}

	get isAlive(): boolean {
		return this.mains.every(({ isAlive }) => isAlive);
	}

	private get process(): Main {
		return this.mains[this.main];
	}

	/** @param path another workflow's path if this is a copy of it */
	createWorkflow(draft: Version, path: string = crypto.randomUUID()): SimulatedWorkflow {
		const workflow = { id: crypto.randomUUID(), path, draft, staticData: {} };
		this.workflows.push(workflow);
		return workflow;
	}

	productionUrl({ path }: SimulatedWorkflow): string {
		return new URL(`${this.origin}/webhook/${path}/webhook`).href;
	}

	testUrl({ path }: SimulatedWorkflow): string {
		return new URL(`${this.origin}/webhook-test/${path}/webhook`).href;
	}

	/** Rejects with what the user sees. n8n skips a workflow that is published unchanged. */
	async publish(workflow: SimulatedWorkflow): Promise<void> {
		const version = structuredClone(workflow.draft);
		const before = workflow.published;
		if (isDeepStrictEqual(version, before)) return;
		const copies = this.copiesOf(workflow).filter((copy) => copy !== workflow);
		if (copies.some(({ published }) => published)) {
			// 1.123 finds out when it registers, and then calls delete.
			if (this.line === '1.123') await this.deregister(workflow, version);
			throw new Error('Another workflow is published at this address');
		}
		if (before) await this.deregister(workflow, before);
		workflow.published = version;
		try {
			await this.register(workflow, before ? 'update' : 'activate');
		} catch (error) {
			workflow.published = undefined;
			throw error;
		}
	}

	async unpublish(workflow: SimulatedWorkflow): Promise<void> {
		if (workflow.published) await this.deregister(workflow, workflow.published);
		workflow.published = undefined;
	}

	/** Begins a test. Rejects with what the user sees. */
	async listen(workflow: SimulatedWorkflow): Promise<void> {
		const version = structuredClone(workflow.draft);
		for (const copy of this.copiesOf(workflow)) copy.test = undefined;
		// n8n registers a test before it calls create.
		workflow.test = version;
		const n8nWorkflow = this.n8nWorkflowOf(workflow, version, true);
		try {
			await this.callHook('create', n8nWorkflow, 'manual', 'manual');
		} catch (error) {
			await this.stopListening(workflow);
			throw error;
		}
	}

	/** The user stops the test, or its two minutes are over. */
	async stopListening(workflow: SimulatedWorkflow): Promise<void> {
		if (!workflow.test) return;
		await this.callDelete(this.n8nWorkflowOf(workflow, workflow.test, true));
		workflow.test = undefined;
	}

	/** Stops n8n abruptly. */
	kill(): void {
		for (const main of this.mains) main.isAlive = false;
		this.clock.clear();
		for (const workflow of this.workflows) workflow.test = undefined;
	}

	async start(): Promise<void> {
		this.mains = twoMains();
		await this.registerAll('init');
	}

	/** From now on, the other main leads and publishes. Either one may unpublish. */
	async changeLeader(): Promise<void> {
		this.main = this.main === 0 ? 1 : 0;
		await this.registerAll('leadershipChange');
	}

	/** Updates the package in place: its code is loaded again, and n8n keeps what is published. */
	update(): void {
		for (const main of this.mains) main.reload();
	}

	/** Up to 2.39, n8n registers published workflows when it starts, and when it takes over from another main. */
	private async registerAll(activation: WorkflowActivateMode): Promise<void> {
		this.failedAtStart = [];
		if (this.line === '2.41') return;
		for (const workflow of this.workflows.filter(({ published }) => published)) {
			await this.register(workflow, activation).catch(() => this.failedAtStart.push(workflow));
		}
	}

	/** A call from outside. Returns undefined if nobody is there to receive it: n8n's own 404, or another address. */
	async call(
		url: string,
		{ headers = [], body = {}, ...more }: Partial<Call>,
	): Promise<Answer | undefined> {
		const { origin, pathname } = new URL(url);
		// n8n may be at its own path.
		const isTest = pathname.includes('/webhook-test/');
		const versionOf = ({ test, published }: SimulatedWorkflow) => (isTest ? test : published);
		const workflow = this.workflows.find(
			(candidate) => versionOf(candidate) && pathname.includes(`/${candidate.path}/`),
		);
		if (!workflow || origin !== new URL(this.origin).origin) return undefined;
		const n8nWorkflow = this.n8nWorkflowOf(workflow, versionOf(workflow) as Version, isTest);
		const answer = await this.receive(n8nWorkflow, { headers, body, ...more });
		// 2.x forgets the changes a call makes.
		if (!isTest && this.line === '1.123') workflow.staticData = plain(n8nWorkflow.staticData);
		for (const { json } of answer.items ?? []) {
			this.started.push({ workflowId: workflow.id, isTest, json });
		}
		if (isTest && answer.items) await this.stopListening(workflow);
		return answer;
	}

	/** All workflows at its address, including itself. */
	private copiesOf({ path }: SimulatedWorkflow): SimulatedWorkflow[] {
		return this.workflows.filter((workflow) => workflow.path === path);
	}

	private async register(workflow: SimulatedWorkflow, activation: WorkflowActivateMode) {
		const version = workflow.published as Version;
		for (let attempt = 1; ; attempt++) {
			const n8nWorkflow = this.n8nWorkflowOf(workflow, version, false);
			try {
				await this.callHook('create', n8nWorkflow, 'trigger', activation);
				workflow.staticData = plain(n8nWorkflow.staticData);
				return;
			} catch (error) {
				// 2.x passes on the static data that create has left; 1.x reads it from its database.
				await this.deregister(workflow, version, this.line === '2.41' ? n8nWorkflow : undefined);
				if (attempt >= this.attempts) throw error;
				await this.clock.sleep(1000 * 2 ** (attempt - 1));
			}
		}
	}

	private async deregister(
		workflow: SimulatedWorkflow,
		version: Version,
		n8nWorkflow = this.n8nWorkflowOf(workflow, version, false),
	) {
		await this.callDelete(n8nWorkflow);
		workflow.staticData = plain(n8nWorkflow.staticData);
	}

	private async callDelete(n8nWorkflow: Workflow) {
		await this.callHook('delete', n8nWorkflow, 'internal', 'update').catch((error: Error) =>
			this.wrongs.push(`delete failed: ${error.message}`),
		);
	}

	private async callHook(
		method: 'create' | 'delete',
		workflow: Workflow,
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const node = workflow.nodes[NODE_NAME];
		const additionalData = this.additionalData();
		const webhook = { isTest: !workflow.active } as IWebhookData;
		const context = new HookContext(workflow, node, additionalData, mode, activation, webhook);
		this.captureLog(context);
		this.interceptRequests(context, workflow.active);
		const methods = this.process.trigger.webhookMethods?.default;
		const { now } = this.clock;
		try {
			if (method === 'create' && (await methods?.checkExists.call(context))) return;
			await methods?.[method].call(context);
		} finally {
			const seconds = (this.clock.now - now) / 1000;
			if (seconds > MAX_SECONDS) this.wrongs.push(`${method} took ${seconds} s`);
		}
	}

	private captureLog(context: IHookFunctions | IWebhookFunctions): void {
		const write = (message: string) => this.log.push(message);
		// n8n omits the rest unless configured otherwise.
		const logger = { debug: () => {}, info: write, warn: write, error: write };
		Object.defineProperty(context, 'logger', { value: logger });
	}

	/** n8n-core sends the requests; the network sits between it and the service. */
	private interceptRequests(context: IHookFunctions, isProduction: boolean): void {
		const { network, process, wrongs } = this;
		const original = context.helpers.httpRequestWithAuthentication;
		context.helpers.httpRequestWithAuthentication = async function (type, options, extra) {
			if (!isProduction) wrongs.push(`A test asked ${options.url}`);
			const aborted = new Promise<never>((_resolve, reject) => {
				options.abortSignal?.addEventListener?.('abort', () => reject(new Error('canceled')));
			});
			const answer = network.exchange(process, {
				extra: extra as Options['extra'],
				send: async (real) => await original.call(this, type, network.toService(options), real),
			});
			// The client stops waiting at its deadline, but its request still arrives.
			return await Promise.race([answer, aborted]);
		};
	}

	private async receive(
		workflow: Workflow,
		{ headers, body, rawBody, request: received }: Call,
	): Promise<Answer> {
		const answer: Answer = { status: 200, body: undefined };
		const response = {
			status(code: number) {
				answer.status = code;
				return response;
			},
			json(value: unknown) {
				answer.body = value;
				return response;
			},
		};
		const isUnknown = Buffer.isBuffer(body);
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const request = {
			rawHeaders: headers.flat(),
			headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
			body: isUnknown ? undefined : body,
			rawBody: isUnknown ? undefined : Buffer.from(rawBody ?? text),
			readRawBody: async () => {
				// It hasn't arrived yet.
				await new Promise(setImmediate);
				if (isUnknown) request.rawBody = Buffer.from(body);
			},
			socket: SOCKET,
		};
		const additionalData = this.additionalData();
		Object.assign(additionalData, { httpRequest: received ?? request, httpResponse: response });
		const context = new WebhookContext(
			workflow,
			workflow.nodes[NODE_NAME],
			additionalData,
			workflow.active ? 'webhook' : 'manual',
			{ isTest: !workflow.active } as IWebhookData,
			[],
			null,
		);
		this.captureLog(context);
		const result = (await this.process.trigger.webhook?.call(context)) as IWebhookResponseData;
		if (!result.noWebhookResponse) answer.body = result.webhookResponse;
		return { ...answer, items: result.workflowData?.[0] };
	}

	/** A version of a workflow as n8n passes it to a node. */
	private n8nWorkflowOf(
		{ id, path, staticData }: SimulatedWorkflow,
		{ nodeId, credentialId, parameters }: Version,
		isTest: boolean,
	): Workflow {
		const { trigger } = this.process;
		const node: INode = {
			id: nodeId ?? `${id}-node`,
			name: NODE_NAME,
			type: 'n8n-nodes-candidate-assessment.candidateAssessmentTrigger',
			typeVersion: 1.1,
			position: [0, 0],
			parameters: structuredClone(parameters),
			webhookId: path,
			credentials: { [CREDENTIAL]: { id: credentialId, name: credentialId } },
		};
		return new Workflow({
			id,
			name: 'Results',
			nodes: [node],
			connections: {},
			active: !isTest,
			nodeTypes: nodeTypesBy(() => trigger),
			settings: { timezone: 'Europe/Berlin' },
			staticData: isTest ? {} : structuredClone(staticData),
		});
	}

	private additionalData(): IWorkflowExecuteAdditionalData {
		const store = credentialsStore((id) => {
			const credential = this.credentials.get(String(id));
			if (!credential) throw new Error(`Credential with ID "${id}" does not exist`);
			return credential;
		});
		return additionalDataWith(store, this.origin);
	}
}

/** A process of n8n. It loads the package when needed. */
class Main implements Process {
	isAlive = true;
	private loaded?: INodeType;

	get trigger(): INodeType {
		return (this.loaded ??= loadTrigger());
	}

	reload(): void {
		this.loaded = undefined;
	}
}

const twoMains = () => [new Main(), new Main()] as const;

/** A copy, as JSON in a database. */
function plain(data: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(data)) as IDataObject;
}
