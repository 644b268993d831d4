import { sleep, type ICheckProcessedOptions, type IExecuteFunctions } from 'n8n-workflow';
import { NotSentError } from '../errors/ItemError';
import { inSequence } from '../utils/inSequence';
import { actionFor, type ApplicationState, type Application } from './alreadyInvited';
import {
	addedAtEnd,
	entriesAskedFor,
	entriesWhileClaimed,
	removedAtEnd,
	stateIn,
	type ClaimedApplication,
	type EndedApplication,
} from './entries';
import { LOOKUP_SIZE, MAX_APPLICATIONS, MAX_IN_DOUBT } from './limits';
import { retryOnce, takeLock, type Lock, type LockContext } from './lock/workflowLock';

/** Retry for half a minute: a database that restarts leaves no sent invitation unconfirmed. */
const RECORD_AGAIN_AFTER_MS = [1_000, 5_000, 20_000];

/** The applications that one execution has claimed, by key, until what became of them is recorded. */
type OpenClaims = Map<string, ClaimedApplication & Partial<EndedApplication>>;

/** The states of the applications that were asked for. */
export type States = ReadonlyMap<Application, ApplicationState>;

/** An execution's update of its node's record. Whichever execution has the lock applies all that wait. */
interface Update {
	/** Applying it removes what has ended, which it records, and adds what it claims. */
	claims: OpenClaims;
	asked: readonly Application[];
	/** Whether it claims those that may be sent. */
	isClaiming: boolean;
}

/** The updates of a node that are applied together. */
interface Group {
	updates: Update[];
	record: NodeRecord;
	applied: Promise<ReadonlyMap<Update, States>>;
}

/** The groups that wait for the lock, by node. */
const waiting = new Map<string, Group>();

/** The claims of the execution that is sending an application, by node and key, until its outcome is recorded. */
const sending = new Map<string, OpenClaims>();
const idOf = (nodeId: string, key: string) => `${nodeId} ${key}`;

/**
 * A group takes all updates of the node that wait in this process by the time that it has the lock (group commit): n8n's
 * helper reads and writes the whole record each time, so many executions cost as much as one. If a step fails, it fails
 * for all of them: nothing that they asked for is sent, and when they close, they record what has ended, and undo their
 * other claims.
 */
function newGroup(nodeId: string, context: RecordContext): Group {
	const updates: Update[] = [];
	const record = new NodeRecord(context);
	const apply = async () => {
		// Later callers start a new group.
		await record.lock().finally(() => waiting.delete(nodeId));
		try {
			await recordEnded(nodeId, updates, record);
			return await answerAsked(nodeId, updates, record);
		} finally {
			await record.unlock();
		}
	};
	const applied = inSequence(`memory of ${context.getWorkflow().id}`, apply);
	const group = { updates, record, applied };
	waiting.set(nodeId, group);
	return group;
}

/** Records the applications that have an outcome by now, and takes them out of their updates. */
async function recordEnded(nodeId: string, updates: Update[], record: NodeRecord): Promise<void> {
	// One execution may have several updates.
	const ended = [...new Set(updates.map((update) => update.claims))].flatMap((claims) =>
		[...claims.values()].flatMap(({ kind, ...claimed }) =>
			kind ? { ...claimed, kind, claims } : [],
		),
	);
	// Adding tells which were there.
	const present = await record.add(ended.flatMap(addedAtEnd));
	const removed = ended.flatMap((each) => removedAtEnd(each, present));
	for (const { claims, key, state, kind } of ended) {
		// A `remove` that throws may have worked, and another process claimed it since. A retry changes nothing: that is `unknown`.
		if (kind !== 'succeeded') claims.set(key, { key, state, kind: 'unknown' });
	}
	await record.remove(removed);
	for (const { claims, key } of ended) {
		claims.delete(key);
		endSending(nodeId, key, claims);
	}
}

/** Answers one update after the other: what one claims is `sending` to the next. */
async function answerAsked(nodeId: string, updates: Update[], record: NodeRecord) {
	const asked = new Set(
		updates.flatMap((update) => update.asked.flatMap(({ key }) => entriesAskedFor(key))),
	);
	const present = await record.add([...asked]);
	const staying = new Set(present);
	const answers = new Map<Update, States>();
	for (const update of updates) {
		const states = update.asked.map((application): [Application, ApplicationState] => {
			const { key } = application;
			const id = idOf(nodeId, key);
			if (sending.has(id)) return [application, 'sending'];
			const state = stateIn(present, key);
			if (update.isClaiming && actionFor(application, state) === 'send') {
				update.claims.set(key, { key, state });
				sending.set(id, update.claims);
				for (const entry of entriesWhileClaimed({ key, state })) staying.add(entry);
			}
			return [application, state];
		});
		answers.set(update, new Map(states));
	}
	await record.add([...staying].filter((entry) => !asked.has(entry)));
	await record.remove([...asked].filter((entry) => !staying.has(entry)));
	return answers;
}

function endSending(nodeId: string, key: string, claims: OpenClaims): void {
	const id = idOf(nodeId, key);
	// Another execution may be sending what this one has settled.
	if (sending.get(id) === claims) sending.delete(id);
}

/** What a node has sent, as its record says, and what one execution of it sends. */
export class Memory {
	/** False once n8n turns out to have no workflow to keep the record with. */
	hasRecord = true;
	private readonly claims: OpenClaims = new Map();

	constructor(private readonly context: RecordContext) {}

	/** Finds out the states. n8n tells them only by adding entries: a crash leaves these in doubt. Throws `NotSentError`. */
	async lookUp(applications: readonly Application[]): Promise<States> {
		const states: Array<[Application, ApplicationState]> = [];
		for (let start = 0; start < applications.length; start += LOOKUP_SIZE) {
			states.push(...(await this.ask(applications.slice(start, start + LOOKUP_SIZE), false)));
		}
		return new Map(states);
	}

	/** Finds out the states, claims those that may be sent, and records what has ended before. Throws like `lookUp`. */
	claim = async (applications: readonly Application[]) => await this.ask(applications, true);

	private async ask(applications: readonly Application[], isClaiming: boolean): Promise<States> {
		if (applications.length === 0) return new Map();
		return await this.update(applications, isClaiming).catch((error: Error) => {
			const message = "Not sent: the node couldn't save its record in n8n's database";
			const description = `${error.message}. Without that record, a candidate could be invited twice. Run the workflow again. If it fails again, ask your n8n administrator.`;
			throw new NotSentError({ message, description, cause: error });
		});
	}

	/** Notes what became of a claimed application, to be recorded with the next update, or at the end. */
	setOutcome({ key }: Application, kind: EndedApplication['kind']): void {
		this.claims.set(key, { ...this.claims.get(key)!, kind });
	}

	/** Notes that one in doubt counts as invited from now on. */
	settle({ key }: Application): void {
		this.claims.set(key, { key, state: 'inDoubt', kind: 'succeeded' });
	}

	/** Records all outcomes, and undoes the claims without one: they weren't sent. Throws the database's error. */
	async close(): Promise<void> {
		for (const [key, each] of this.claims) this.claims.set(key, { kind: 'notSent', ...each });
		if (this.claims.size === 0) return;
		try {
			await patiently(async () => await this.update([], false));
		} finally {
			const nodeId = nodeIdOf(this.context);
			for (const key of this.claims.keys()) endSending(nodeId, key, this.claims);
		}
	}

	private async update(asked: readonly Application[], isClaiming: boolean): Promise<States> {
		const nodeId = nodeIdOf(this.context);
		const group = waiting.get(nodeId) ?? newGroup(nodeId, this.context);
		const update = { claims: this.claims, asked, isClaiming };
		group.updates.push(update);
		const answers = await group.applied;
		this.hasRecord = group.record.exists;
		return answers.get(update)!;
	}
}

async function patiently(record: () => Promise<unknown>): Promise<unknown> {
	for (const delay of RECORD_AGAIN_AFTER_MS) {
		try {
			return await record();
		} catch {
			await sleep(delay);
		}
	}
	return await record();
}

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

export type RecordContext = LockContext & Pick<IExecuteFunctions, 'getNode'>;

/** The same in every execution of the node. */
export function nodeIdOf(context: Pick<RecordContext, 'getWorkflow' | 'getNode'>): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/** A node's record in n8n's database, which is locked first. All throw the database's error. */
class NodeRecord {
	private held?: Lock;

	constructor(private readonly context: RecordContext) {}

	/** False if n8n has no workflow to keep the record with: then it stays empty. */
	get exists(): boolean {
		return this.held !== undefined;
	}

	async lock(): Promise<void> {
		this.held = await takeLock(this.context);
	}

	async unlock(): Promise<void> {
		await this.held?.release();
	}

	/** Drops the oldest entries if there are too many. @returns those that were there, which n8n tells only by adding them */
	async add(entries: readonly string[]): Promise<ReadonlySet<string>> {
		const { held } = this;
		if (!held || entries.length === 0) return new Set();
		const options = { ...OPTIONS, maxEntries: MAX_APPLICATIONS + MAX_IN_DOUBT };
		const { checkProcessedAndRecord: add } = this.context.helpers;
		const fenced = held.fence(entries);
		const { processed } = await retryOnce(async () => await add(fenced, 'node', options));
		const present = new Set(processed);
		return new Set(entries.filter((_entry, index) => present.has(fenced[index])));
	}

	async remove(entries: readonly string[]): Promise<void> {
		const { held } = this;
		if (!held || entries.length === 0) return;
		const { removeProcessed } = this.context.helpers;
		await retryOnce(async () => await removeProcessed(held.fence(entries), 'node', OPTIONS));
	}
}

/** True if the node remembers nobody. Changes nothing. */
export async function isRecordEmpty({ helpers }: RecordContext): Promise<boolean> {
	// If the database fails, the next call says so.
	const count = await helpers.getProcessedDataCount('node', OPTIONS).catch(() => undefined);
	return count === 0;
}
