import type { ItemOutcome } from '../actions/ItemOutcome';
import type { Application } from '../actions/operation';
import { ItemError } from '../errors/ItemError';
import type { EarlierTries } from './earlierTries';
import { applicationKey, maySend, Memory, type ClaimRequest, type Remembered } from './memory';
import { MAX_APPLICATIONS, type MemoryStore } from './memoryStore';

type Sendable = { kind: 'ready'; application?: Application } | { kind: 'invalid'; error: Error };

/** An item's application, and the first item in the list that has the same. */
type Request = ClaimRequest & Pick<Application, 'notConfirmed'> & { first: number };

/**
 * Sends each application once, over all executions of a node. One that was sent before is left out,
 * fails or is sent again, as its item says.
 */
export class SendOnce {
	/** The items to send, in order. The others have an outcome, or the application of an earlier one. */
	readonly pending: number[];
	/** Each claims as many items as may be in flight: a crash leaves at most twice as many in doubt. */
	private readonly groups: Array<Promise<Map<string, Remembered>>> = [];

	private constructor(
		private readonly memory: Memory,
		private readonly requests: ReadonlyArray<Request | undefined>,
		/** By item, where it is known before anything is sent. */
		readonly outcomes: ReadonlyArray<ItemOutcome | undefined>,
		private readonly tries: EarlierTries | undefined,
		/** Maximum number of requests in flight. */
		private readonly concurrency: number,
	) {
		this.pending = [...outcomes.keys()].filter(
			(index) => !outcomes[index] && (requests[index]?.first ?? index) === index,
		);
	}

	/**
	 * Looks up what fails if it was sent before; nothing is sent. Throws `ItemError` if the memory fails
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
		const outcomes = items.map((item, index): ItemOutcome | undefined => {
			if (item.kind === 'invalid') return item;
			const { key = '', ifAlreadySent, first = index } = requests[index] ?? {};
			if (first === index) return tries?.get(key);
			return ifAlreadySent === 'fail' ? alreadySent(sameAs(first)) : undefined;
		});
		const memory = new Memory(store);
		const strict = requests.flatMap((request, index) =>
			request?.ifAlreadySent === 'fail' && !outcomes[index] ? [request] : [],
		);
		// A crash must not leave more in doubt than one while sending.
		for (let start = 0; start < strict.length; start += concurrency) {
			const group = strict.slice(start, start + concurrency);
			const accepted = await withMemory(memory.findAccepted(group.map(({ key }) => key)));
			for (const { key, first } of group) {
				if (accepted.includes(key)) outcomes[first] = alreadySent(ALREADY_INVITED);
			}
		}
		return new SendOnce(memory, requests, outcomes, tries, concurrency);
	}

	/**
	 * Sends one of the pending items unless its application was sent before. Call it in their order.
	 * @param place of the item among the pending ones
	 */
	async send(place: number, send: () => Promise<ItemOutcome>): Promise<ItemOutcome> {
		const request = this.requests[this.pending[place]];
		if (!request) return await send();
		let before: Remembered = 'new';
		try {
			before = (await this.claimGroupOf(place)).get(request.key) ?? before;
			// Ahead of time; who asks next finds what went wrong.
			void this.claimGroupOf(place + 1).catch(() => {});
		} catch (error) {
			return { kind: 'notSent', error: error as Error };
		}
		if (!maySend(request, before)) {
			if (before === 'inDoubt') return inDoubt(request);
			if (request.ifAlreadySent === 'fail') return alreadySent(ALREADY_INVITED);
			return { kind: 'alreadySent', reason: ALREADY_INVITED };
		}
		const outcome = await send();
		this.memory.end(request.key, outcome.kind);
		// Anything else is sent in the next try.
		if (outcome.kind === 'succeeded' || outcome.kind === 'unknown') {
			this.tries?.set(request.key, { ...outcome, fromEarlierExecution: true });
		}
		return outcome;
	}

	/** The outcome of every item, with those of the pending ones. */
	complete(sent: readonly ItemOutcome[]): ItemOutcome[] {
		const outcomes = [...this.outcomes] as ItemOutcome[];
		this.pending.forEach((index, place) => (outcomes[index] = sent[place]));
		this.requests.forEach((request, index) => {
			if (request) outcomes[index] ??= duplicate(outcomes[request.first], request);
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

	private async claimGroupOf(place: number): Promise<Map<string, Remembered>> {
		const { concurrency } = this;
		const group = Math.floor(place / concurrency);
		const items = this.pending.slice(group * concurrency, (group + 1) * concurrency);
		const requests = items.flatMap((index) => this.requests[index] ?? []);
		this.groups[group] ??= withMemory(this.memory.claim(requests));
		return await this.groups[group];
	}
}

const ALREADY_INVITED = 'This candidate was already invited';

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

/** An item whose application stands earlier in the list. */
function duplicate(outcome: ItemOutcome, { first, ifAlreadySent }: Request): ItemOutcome {
	if (outcome.kind === 'succeeded' && ifAlreadySent !== 'inviteAgain') {
		return { kind: 'alreadySent', reason: sameAs(first) };
	}
	if (outcome.kind !== 'refused') return { ...outcome, fromEarlierExecution: true };
	// A corrected second row must not seem to be invited with the first.
	const message = `Not sent: this is the same application as item ${first + 1}`;
	const description = 'That one failed. Correct it or remove it, then run the workflow again.';
	const error = new ItemError({ message, description }, 'notSent');
	return { kind: 'notSent', error, fromEarlierExecution: true };
}

function inDoubt({ notConfirmed }: Request): ItemOutcome {
	const description = `An earlier execution couldn't confirm it. ${notConfirmed.description}`;
	const error = new ItemError({ ...notConfirmed, description }, 'unknown');
	return { kind: 'unknown', error, fromEarlierExecution: true };
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
