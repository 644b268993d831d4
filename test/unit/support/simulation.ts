import { type IExecuteData, type IExecuteFunctions, type INode } from 'n8n-workflow';
import type { ItemOutcome, ItemOutput } from '../../../nodes/CandidateAssessment/errors/ItemError';
import type { ApplicationId } from '../../../nodes/CandidateAssessment/memory/alreadyInvited';
import type { Batch } from '../../../nodes/CandidateAssessment/batch/batch';
import { Deduplicator, rowOf, type Statement } from '../../support/Deduplicator';
import type { ApiRequest } from '../../../nodes/CandidateAssessment/transport/types';
import { AWAKE, World, type Hit, type Messenger } from './simulatedWorld';

type SendOnce = typeof import('../../../nodes/CandidateAssessment/batch/SendOnceRun');
type Run = typeof import('../../../nodes/CandidateAssessment/batch/run');
type Lock = typeof import('../../../nodes/CandidateAssessment/memory/lock/workflowLock');
type Kept = typeof import('../../../nodes/CandidateAssessment/memory/KeptOutcomes');
type Limits = Record<
	keyof typeof import('../../../nodes/CandidateAssessment/memory/limits'),
	number
>;
type KeptOutcomes = InstanceType<Kept['KeptOutcomes']>;
type Errors = typeof import('../../../nodes/CandidateAssessment/errors/ItemError');

/** One life of a process of n8n, with the package loaded in it. */
export interface Process
	extends
		Messenger,
		Pick<SendOnce, 'SendOnceRun'>,
		Pick<Run, 'runBatch'>,
		Pick<Kept, 'KeptOutcomes'>,
		Pick<Errors, 'ApiError' | 'NotSentError'> {
	world: Surroundings;
	/** Its connection to the database. */
	deduplicator: Deduplicator;
	/** When it last took the lock. */
	lockedAt: number;
}

/** The parts of its world that a process sees. */
type Surroundings = Pick<
	World,
	'now' | 'lastFault' | 'random' | 'step' | 'query' | 'onWaitForLock'
>;

/**
 * Scaled down, so that lists reach them: how many links of n8n's output are kept, and how many are looked up at once.
 * Promises about a person hold as long as the others leave enough room.
 */
export const LIMITS: Limits = {
	MAX_APPLICATIONS: 24,
	MAX_IN_DOUBT: 24,
	LOOKUP_SIZE: 5,
	MAX_OUTPUT: 3,
};

/** Other worlds reuse these, with their own workflows, because loading one takes time. */
const processes: Process[] = [];

/** Returns the process of this number, in a world and at its database. */
export function processOf(
	number: number,
	world: Surroundings,
	rows: Map<string, string>,
	faults: readonly Hit[] = [],
): Process {
	const process = (processes[number] ??= loadProcess());
	const query = async <T>(effect: () => T, name: Statement) =>
		await world.query(process, name, effect);
	const deduplicator = new Deduplicator(rows, query);
	const state = { ...AWAKE, sent: new Map(), isFaulty: false };
	return Object.assign(process, { world, deduplicator, faults, ...state });
}

function loadProcess(): Process {
	const process = {} as Process;
	const random = () => process.world.random();
	const source = '../../../nodes/CandidateAssessment';
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		sleep: async (milliseconds: number) => await process.world.step(process, milliseconds),
	}));
	jest.doMock('crypto', () => ({
		...jest.requireActual<object>('crypto'),
		randomInt: (min: number, max: number) => min + Math.floor(random() * (max - min)),
		randomUUID: () => String(random()),
	}));
	jest.doMock('../../../nodes/CandidateAssessment/memory/limits', () => LIMITS);
	jest.doMock('../../../nodes/CandidateAssessment/memory/lock/workflowLock', () => {
		const actual = jest.requireActual<Lock>(`${source}/memory/lock/workflowLock`);
		const takeLock: Lock['takeLock'] = async (context) => {
			const since = process.world.now;
			const lock = await actual.takeLock(context);
			const { now, lastFault, onWaitForLock } = process.world;
			process.lockedAt = now;
			onWaitForLock(process, now - Math.max(since, lastFault));
			return lock;
		};
		return { ...actual, takeLock };
	});
	jest.isolateModules(() => {
		Object.assign(process, {
			...jest.requireActual<SendOnce>(`${source}/batch/SendOnceRun`),
			...jest.requireActual<Run>(`${source}/batch/run`),
			...jest.requireActual<Kept>(`${source}/memory/KeptOutcomes`),
			...jest.requireActual<Errors>(`${source}/errors/ItemError`),
		});
	});
	return process;
}

const NODE: INode = {
	id: 'invite',
	name: 'Invite',
	type: 'node',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Everybody there is. Lists draw from these people. */
export const PEOPLE = Array.from({ length: 12 }, (_, index) => `p${index}`);

/** An entry of a list. */
export interface Row {
	person: string;
	mode?: ApplicationId['ifAlreadySent'];
}

/** The part of n8n that the node needs. */
export type RunContext = Pick<
	IExecuteFunctions,
	'getWorkflow' | 'getNode' | 'getExecuteData' | 'helpers'
>;

interface SendOptions<Listed> {
	concurrency?: number;
	continueOnFail?: boolean;
	checkOnly?: boolean;
	/** Stops the execution. */
	stopped?: AbortSignal;
	/** Shared by all tries of an execution, if there are several. */
	context?: RunContext;
	account?: string;
	/** Called when the record has answered, before anything is sent. */
	onAnswer?: () => void;
	/** The service and the connection to it. */
	send?: (row: Listed, stop: AbortSignal) => Promise<ItemOutcome>;
}

/** A world in which nothing takes time. */
const INSTANT: Surroundings = {
	now: 0,
	lastFault: 0,
	random: () => 0,
	step: async () => {},
	query: async (_process, _moment, effect) => effect(),
	onWaitForLock: () => {},
};

/** Counts workflows, so that each has an ID that no process has seen. */
let workflows = 0;

/** The partner service, n8n's database, and a workflow with the node. */
export class Simulation<Listed extends Row = Row> {
	readonly rows = new Map<string, string>();
	readonly database = new Deduplicator(this.rows);
	readonly workflow = `w${++workflows}`;
	/** The rows of the lock, and of the node's record. */
	readonly lock = rowOf(this.workflow);
	readonly record = rowOf(this.workflow, NODE.id);
	/** How often the service has taken an invitation, by person. */
	readonly taken = new Map<string, number>();

	/** Set when a forbidden request was sent. The node only sees an unknown outcome. */
	private mistake?: Error;

	constructor(
		seed: number,
		readonly world = new World(seed),
	) {}

	/** The entries of the node's record. */
	get entries(): string[] {
		return (this.database.valueOf(this.record)?.data ?? []) as string[];
	}

	protected take(person: string): void {
		this.taken.set(person, (this.taken.get(person) ?? 0) + 1);
	}

	protected onHint(_process: Process, message: string): void {
		throw new Error(message);
	}

	/** The context of an execution with all its tries. */
	protected contextOf(process: Process, retryOnFail = false): RunContext {
		const node: INode = { ...NODE, retryOnFail };
		const run: IExecuteData = { node, data: {}, source: null };
		return {
			getWorkflow: () => ({ id: this.workflow, active: true }),
			getNode: () => node,
			getExecuteData: () => run,
			helpers: process.deduplicator.helpersOf(this.workflow, NODE.id),
		};
	}

	/** Sends a list as `execute` does. Returns nothing if the list is refused. */
	async sendOnce(
		process: Process,
		list: Listed[],
		options: SendOptions<Listed> = {},
	): Promise<ItemOutcome[] | undefined> {
		const { concurrency = 30, continueOnFail = true, checkOnly = false, stopped } = options;
		const { context = this.contextOf(process), account: baseUrl = 'one' } = options;
		const stop = new AbortController();
		const notSent = new process.NotSentError({ message: 'stopped' });
		stopped?.addEventListener('abort', () => stop.abort(notSent));
		const request = async ({ body }: ApiRequest) => {
			if (stop.signal.aborted) throw notSent;
			const sent = options.send!(list[body!.index as number], stop.signal);
			const outcome = await sent.catch((error: Error) => {
				this.mistake ??= error;
				throw error;
			});
			if ('error' in outcome) throw outcome.error;
			return (outcome as { output: ItemOutput }).output.json;
		};
		const batch = {
			...{ context, items: list.map(itemOf), operation: {}, continueOnFail, isTool: false, stop },
			options: { concurrency, checkOnly },
			client: { credentials: { baseUrl }, request },
		} as unknown as Batch;
		const kept = new process.KeptOutcomes(context, stopped);
		let ended: ItemOutcome[] | undefined;
		try {
			ended = await this.runOf(process, batch, kept, options.onAnswer);
		} finally {
			if (isDiscarded(ended, continueOnFail)) kept.onDiscarded();
			else kept.onOutput();
		}
		if (this.mistake) throw this.mistake;
		return ended;
	}

	private async runOf(process: Process, batch: Batch, kept: KeptOutcomes, onAnswer = () => {}) {
		const run = new process.SendOnceRun(batch, kept);
		const lookUpOrClaim = run.lookUpOrClaim.bind(run);
		run.lookUpOrClaim = async () => await lookUpOrClaim().finally(onAnswer);
		try {
			return await process.runBatch(batch, run).catch(unlessRefused);
		} finally {
			for (const warning of run.warnings) this.onHint(process, warning);
		}
	}

	/** Everybody's outcome if they were invited now, while nobody has the lock. */
	async states(): Promise<Map<string, ItemOutcome['kind']>> {
		const rows = new Map([...this.rows].filter(([row]) => row !== this.lock));
		const list = PEOPLE.map((person) => ({ person }) as Listed);
		const outcomes = await this.sendOnce(processOf(0, INSTANT, rows), list, { checkOnly: true });
		return new Map(PEOPLE.map((person, index) => [person, outcomes![index].kind]));
	}
}

/** Whether n8n discards the outcomes of a failed node. */
export function isDiscarded(outcomes: ItemOutcome[] | undefined, continueOnFail: boolean): boolean {
	return !outcomes || (!continueOnFail && outcomes.some((each) => 'error' in each));
}

/** n8n tries again if the first item at the first output is an error. */
export function beginsWithError(outcomes: ItemOutcome[] = []): boolean {
	const [first] = outcomes.filter(({ kind }) => kind !== 'alreadySent' && kind !== 'duplicate');
	return first !== undefined && 'error' in first;
}

function itemOf({ person, mode = 'skip' }: Row, index: number) {
	const application = { key: person, ifAlreadySent: mode };
	return { kind: 'ready', application, request: { body: { index } } };
}

/** A list that is refused has no outcomes. */
function unlessRefused(error: Error): undefined {
	if (!/^Node(Api|Operation)Error$/.test(error.constructor.name)) throw error;
}
