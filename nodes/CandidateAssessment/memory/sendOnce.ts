import type { ItemOutcome } from '../actions/ItemOutcome';
import type { Application } from '../actions/operation';
import { ItemError } from '../errors/ItemError';
import type { EarlierTries } from './earlierTries';
import {
	applicationKey,
	maySend,
	Memory,
	type ApplicationState,
	type ClaimRequest,
} from './memory';
import { MAX_APPLICATIONS, type MemoryStore } from './memoryStore';

type Sendable = { kind: 'ready'; application?: Application } | { kind: 'invalid'; error: Error };

/** An item's application, and the first item in the list that has the same. */
type Request = ClaimRequest & Pick<Application, 'notConfirmed'> & { first: number };

/** A crash during a lookup leaves at most this many in doubt. */
const LOOKUP_SIZE = 100;

/**
 * Sends each application once, over all executions of a node. One that was sent before is left out,
 * fails or is sent again, as its item says.
 */
export class SendOnce {
	/** The items to send, in order. The others have an outcome, or the application of an earlier one. */
	readonly pending: number[];
	/** Of the items to send. */
	private readonly claimRequests: ReadonlyArray<Request | undefined>;
	/** Each claims as many items as may be in flight: a crash leaves at most twice as many in doubt. */
	private readonly groups: Array<Promise<Map<string, ApplicationState>>> = [];

	private constructor(
		private readonly memory: Memory,
		private readonly requests: ReadonlyArray<Request | undefined>,
		/** By item, where it is settled before anything is sent. */
		readonly outcomes: ReadonlyArray<ItemOutcome | undefined>,
		private readonly tries: EarlierTries | undefined,
		private readonly concurrency: number,
	) {
		const isPending = (index: number) =>
			!outcomes[index] && (requests[index]?.first ?? index) === index;
		this.pending = [...outcomes.keys()].filter(isPending);
		this.claimRequests = requests.map((request, index) => (isPending(index) ? request : undefined));
	}

	/**
	 * Looks up every application; nothing is sent or remembered. Throws `ItemError` if the memory fails
	 * or cannot hold the list, or if n8n would repeat what is to be sent again.
	 */
	static async open(
		store: MemoryStore,
		items: readonly Sendable[],
		tries: EarlierTries | undefined,
		concurrency: number,
	): Promise<SendOnce> {
		const requests = requestsOf(items);
		throwIfUnsafe(requests, tries !== undefined);
		const memory = new Memory(store);
		const outcomes = items.map((item, index): ItemOutcome | undefined => {
			if (item.kind === 'invalid') return item;
			const { key = '', ifAlreadySent, first = index } = requests[index] ?? {};
			if (first === index) return tries?.get(key);
			return ifAlreadySent === 'fail' ? alreadySent(sameAs(first)) : undefined;
		});
		const unsettled = requests.flatMap((request, index) =>
			request?.first === index && !outcomes[index] ? [request] : [],
		);
		for (let start = 0; start < unsettled.length; start += LOOKUP_SIZE) {
			const group = unsettled.slice(start, start + LOOKUP_SIZE);
			const states = await withMemory(memory.lookUp(group.map(({ key }) => key)));
			group.forEach((request, place) => {
				outcomes[request.first] = outcomeWithoutSending(request, states[place]);
				const isSettled = states[place] === 'inDoubt' && request.ifAlreadySent === 'skipUnknown';
				if (isSettled) memory.settle(request.key);
			});
		}
		return new SendOnce(memory, requests, outcomes, tries, concurrency);
	}

	/** Sends a pending item unless its application was sent in the meantime. Call it in their order. */
	async send(index: number, send: () => Promise<ItemOutcome>): Promise<ItemOutcome> {
		const request = this.requests[index];
		if (!request) return await send();
		try {
			const states = await this.claimGroupOf(index);
			// Ahead of time. If it fails, so does the next item that asks for it.
			void this.claimGroupOf(index + 1).catch(() => {});
			const outcome = outcomeWithoutSending(request, states.get(request.key) ?? 'new');
			if (outcome) return outcome;
		} catch (error) {
			return { kind: 'notSent', error: error as Error };
		}
		const outcome = await send();
		this.memory.end(request.key, outcome.kind);
		// Anything else is sent in the next try.
		if (['succeeded', 'unknown'].includes(outcome.kind)) this.tries?.set(request.key, outcome);
		return outcome;
	}

	/** The outcome of every item, with those of the pending ones. */
	complete(sent: readonly ItemOutcome[]): ItemOutcome[] {
		const outcomes = [...this.outcomes] as ItemOutcome[];
		this.pending.forEach((index, place) => (outcomes[index] = sent[place]));
		this.requests.forEach((request, index) => {
			if (request) outcomes[index] ??= duplicate(outcomes[request.first], request.first);
		});
		return outcomes;
	}

	/** Records what has ended. Gives what the user should know. What was sent stays sent: it never throws. */
	async close(): Promise<string[]> {
		const hints: string[] = [];
		try {
			await Promise.allSettled(this.groups);
			await this.memory.close();
		} catch (error) {
			hints.push(
				`The node couldn't record who was invited (${(error as Error).message}). In the next execution, it can't confirm whether these candidates were invited.`,
			);
		}
		if (!this.memory.store.isPersistent && this.requests.some(Boolean)) {
			hints.push(
				"The node can't remember who was invited, because this workflow was never saved. Save it before you run it again.",
			);
		}
		return hints;
	}

	private async claimGroupOf(index: number): Promise<Map<string, ApplicationState>> {
		const group = Math.floor(index / this.concurrency);
		const start = group * this.concurrency;
		const requests = this.claimRequests.slice(start, start + this.concurrency);
		this.groups[group] ??= withMemory(this.memory.claim(requests.flatMap((each) => each ?? [])));
		return await this.groups[group];
	}
}

function requestsOf(items: readonly Sendable[]): Array<Request | undefined> {
	const firsts = new Map<string, number>();
	return items.map((item, index) => {
		if (item.kind === 'invalid' || !item.application) return undefined;
		const { identity, ...application } = item.application;
		const key = applicationKey(identity);
		const first = firsts.get(key) ?? index;
		firsts.set(key, first);
		return { key, ...application, first };
	});
}

function throwIfUnsafe(requests: ReadonlyArray<Request | undefined>, mayBeRepeated: boolean): void {
	const choices = requests.flatMap((request) => request?.ifAlreadySent ?? []);
	if (mayBeRepeated && choices.includes('inviteAgain')) {
		const message = "'Retry On Fail' and 'Invite Again' together could invite candidates twice";
		const description = "Nothing was sent. Turn off 'Retry On Fail' in the node's settings.";
		throw new ItemError({ message, description }, 'notSent');
	}
	if (choices.length > MAX_APPLICATIONS && choices.some((choice) => choice !== 'inviteAgain')) {
		const limit = MAX_APPLICATIONS.toLocaleString('en-US');
		const message = `The list is too long: the node remembers the last ${limit} candidates it invited`;
		const description =
			'Nothing was sent. A longer list, run again, could invite the others twice. Split it between several nodes.';
		throw new ItemError({ message, description }, 'notSent');
	}
}

/** The outcome of an application that is not to be sent; undefined if it is. */
function outcomeWithoutSending(request: Request, state: ApplicationState): ItemOutcome | undefined {
	const { ifAlreadySent, notConfirmed } = request;
	if (maySend(ifAlreadySent, state)) return undefined;
	if (state === 'sending') {
		const message = 'Another execution is inviting this candidate right now';
		const description = 'Wait until it has ended, then run the workflow again.';
		return { kind: 'notSent', error: new ItemError({ message, description }, 'notSent') };
	}
	if (state === 'inDoubt' && ifAlreadySent !== 'skipUnknown') {
		const description = `An earlier execution couldn't confirm it. ${notConfirmed.description}`;
		return { kind: 'unknown', error: new ItemError({ ...notConfirmed, description }, 'unknown') };
	}
	const reason = 'This candidate was already invited';
	return ifAlreadySent === 'fail' ? alreadySent(reason) : { kind: 'alreadySent', reason };
}

/** The outcome of an item whose application stands earlier in the list. */
function duplicate(outcome: ItemOutcome, first: number): ItemOutcome {
	if (!('error' in outcome)) return { kind: 'alreadySent', reason: sameAs(first) };
	if (outcome.kind !== 'refused') return outcome;
	// A corrected second row must not seem to be invited with the first.
	const message = `Not sent: this is the same application as item ${first + 1}`;
	const description = 'That one failed. Correct it or remove it, then run the workflow again.';
	return { kind: 'notSent', error: new ItemError({ message, description }, 'notSent') };
}

function sameAs(first: number): string {
	return `This is the same application as item ${first + 1}`;
}

function alreadySent(message: string): ItemOutcome {
	const description = "To leave such items out, set 'If Already Invited' to 'Skip'.";
	return { kind: 'invalid', error: new ItemError({ message, description }, 'notSent') };
}

async function withMemory<T>(used: Promise<T>): Promise<T> {
	return await used.catch((error: Error) => {
		const message = "Not sent: the node couldn't remember it in n8n's database";
		const description = `${error.message}. Without that, a candidate could be invited twice.`;
		throw new ItemError({ message, description }, 'notSent');
	});
}
