import { sleep } from 'n8n-workflow';
import { NotSentError } from '../errors/ItemError';
import { inTurn } from '../utils/inTurn';
import { maySend, type Claim } from './claim';
import { addedAtEnd, askedFor, claimed, removedAtEnd, stateIn, type Ended } from './entries';
import { LOOKUP_SIZE } from './limits';
import { isRecordEmpty, NodeRecord, nodeIdOf, type RecordContext } from './nodeRecord';
import { errorOf, isUnknownWorkflow } from './lock/workflowLock';

/** Retry for half a minute: a database that restarts leaves no sent invitation unconfirmed. */
const RECORD_AGAIN_AFTER_MS = [1_000, 5_000, 20_000];

/** What an execution has yet to record: its claims, with their outcomes once known. */
type ToRecord = Map<Claim, Ended['outcome'] | undefined>;

/** What one execution needs from its node's record. Whichever execution takes the turn updates these. */
interface Turn {
	/** Taking the turn removes claims with an outcome, which it records, and adds new claims. */
	toRecord: ToRecord;
	/** Applications whose states it sets. */
	asked: readonly Claim[];
	/** Whether it claims those that may be sent. */
	isClaiming: boolean;
}

/** The turns that wait for the lock, by node. */
const waiting = new Map<string, { turns: Turn[]; taken: Promise<void> }>();

/** Claims that this process is sending, by node and key, until their outcomes are recorded. */
const sending = new Map<string, Claim>();
const idOf = (nodeId: string, { key }: Claim) => `${nodeId} ${key}`;

/**
 * Takes a turn, together with all others of the node that wait in this process by then (group commit): n8n's helper
 * reads and writes the whole record each time, so many executions cost as much as one. Throws the database's error.
 */
async function joinGroup(context: RecordContext, turn: Turn): Promise<void> {
	const nodeId = nodeIdOf(context);
	let group = waiting.get(nodeId);
	if (!group) {
		const turns: Turn[] = [];
		const record = new NodeRecord(context);
		const take = async () => await takeTurns(nodeId, turns, record);
		group = { turns, taken: inTurn(`memory of ${context.getWorkflow().id}`, take) };
		waiting.set(nodeId, group);
	}
	group.turns.push(turn);
	await group.taken;
}

/**
 * Takes the turns of several executions. If a step fails, it fails for all of them: nothing that they asked for is
 * sent, and when they close, they record what has ended, and give back what they claimed.
 * @param record none if n8n doesn't know the workflow
 */
async function takeTurns(nodeId: string, turns: Turn[], record?: NodeRecord): Promise<void> {
	try {
		await record?.lock();
	} finally {
		// Later callers start a new group.
		if (waiting.get(nodeId)?.turns === turns) waiting.delete(nodeId);
	}
	try {
		await recordEnded(nodeId, turns, record);
		await answerAsked(nodeId, turns, record);
	} finally {
		await record?.unlock();
	}
}

/** Records the claims that have an outcome by now, and takes them out of their turns. */
async function recordEnded(nodeId: string, turns: Turn[], record?: NodeRecord): Promise<void> {
	// One execution may have several turns.
	const ended = [...new Set(turns.map((turn) => turn.toRecord))].flatMap((toRecord) =>
		[...toRecord].flatMap(([claim, outcome]) => (outcome ? { toRecord, claim, outcome } : [])),
	);
	const present = await record?.add(ended.flatMap(addedAtEnd));
	const removed = ended.flatMap((each) => removedAtEnd(each, present));
	for (const { toRecord, claim, outcome } of ended) {
		// If `remove` throws, it may have worked, and another process may have claimed it since: a retry must leave it alone.
		if (outcome !== 'succeeded') toRecord.set(claim, 'unknown');
	}
	await record?.remove(removed);
	for (const { toRecord, claim } of ended) {
		toRecord.delete(claim);
		endSending(nodeId, claim);
	}
}

/** Sets the states of the claims asked for, one turn after the other: what one claims is `sending` to the next. */
async function answerAsked(nodeId: string, turns: Turn[], record?: NodeRecord): Promise<void> {
	const asked = new Set(turns.flatMap((turn) => turn.asked.flatMap(askedFor)));
	const present = (await record?.add([...asked])) ?? new Set();
	const claims: Claim[] = [];
	for (const turn of turns) {
		for (const claim of turn.asked) {
			const isSending = sending.has(idOf(nodeId, claim));
			claim.state = isSending ? 'sending' : stateIn(present, claim);
		}
		if (!turn.isClaiming) continue;
		for (const claim of turn.asked.filter(maySend)) {
			turn.toRecord.set(claim, undefined);
			sending.set(idOf(nodeId, claim), claim);
			claims.push(claim);
		}
	}
	const staying = new Set([...present, ...claims.flatMap(claimed)]);
	await record?.add([...staying].filter((entry) => !asked.has(entry)));
	await record?.remove([...asked].filter((entry) => !staying.has(entry)));
}

function endSending(nodeId: string, claim: Claim): void {
	const id = idOf(nodeId, claim);
	// Another execution may be sending what this one has settled.
	if (sending.get(id) === claim) sending.delete(id);
}

/** What a node has sent, as its record says, and what one execution of it sends. */
export class Memory {
	/** False once n8n turns out to have no workflow to keep the record with. */
	hasRecord: boolean;
	private readonly toRecord: ToRecord = new Map();

	constructor(private readonly context: RecordContext) {
		this.hasRecord = Boolean(context.getWorkflow().id);
	}

	/** Sets the claims' states. Throws `NotSentError` if that fails. */
	async lookUp(claims: readonly Claim[]): Promise<void> {
		for (let start = 0; start < claims.length; start += LOOKUP_SIZE) {
			await this.lookUpOrClaim(claims.slice(start, start + LOOKUP_SIZE), false);
		}
	}

	/** Notes a claim's outcome, to be recorded with the next claims, or at the end. */
	setOutcome(claim: Claim, outcome: Ended['outcome']): void {
		this.toRecord.set(claim, outcome);
	}

	/** True if the node remembers nobody. Changes nothing. */
	async isEmpty(): Promise<boolean> {
		return this.hasRecord && (await isRecordEmpty(this.context));
	}

	/** Records all outcomes, and releases the claims that have none. Throws the database's error. */
	async close(): Promise<void> {
		for (const [claim, outcome = 'notSent'] of this.toRecord) this.setOutcome(claim, outcome);
		if (this.toRecord.size === 0) return;
		try {
			await patiently(async () => await this.joinGroup([], false));
		} finally {
			const nodeId = nodeIdOf(this.context);
			for (const claim of this.toRecord.keys()) endSending(nodeId, claim);
		}
	}

	/** Sets the claims' states, claims what may be sent, if asked to, and records earlier outcomes. Throws `NotSentError`. */
	async lookUpOrClaim(claims: readonly Claim[], isClaiming: boolean): Promise<void> {
		if (claims.length === 0) return;
		await this.joinGroup(claims, isClaiming).catch((error: Error) => {
			const message = "Not sent: the node couldn't save its record in n8n's database";
			const description = `${error.message}. Without that record, a candidate could be invited twice. Run the workflow again. If it fails again, ask your n8n administrator.`;
			throw new NotSentError({ message, description });
		});
	}

	private async joinGroup(asked: readonly Claim[], isClaiming: boolean): Promise<void> {
		const turn: Turn = { toRecord: this.toRecord, asked, isClaiming };
		if (this.hasRecord) {
			const error = await errorOf(joinGroup(this.context, turn));
			if (!error) return;
			if (!isUnknownWorkflow(error)) throw error;
			this.hasRecord = false;
		}
		await takeTurns(nodeIdOf(this.context), [turn]);
	}
}

async function patiently(record: () => Promise<void>): Promise<void> {
	for (const delay of RECORD_AGAIN_AFTER_MS) {
		try {
			return await record();
		} catch {
			await sleep(delay);
		}
	}
	await record();
}
