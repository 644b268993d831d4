import { itemName } from '../batch/batchReport';
import type { ItemOutcome } from '../batch/ItemOutcome';
import type { PreparedItem } from '../batch/prepareItems';
import { ItemError } from '../errors/ItemError';
import { NOT_CONFIRMED } from '../errors/memoryMessages';
import {
	applicationKey,
	MAX_APPLICATIONS,
	maySend,
	Memory,
	type ClaimRequest,
	type MemoryStore,
	type Remembered,
} from './memory';
import type { RetryOnFailOutputs } from './RetryOnFailOutputs';

interface SendOnceOptions {
	/** Maximum number of requests in flight. */
	concurrency: number;
	tries: RetryOnFailOutputs;
}

/**
 * Sends each application once, over all executions of a node. One that was sent before is left out,
 * fails or is sent again, as its item says.
 */
export class SendOnce {
	/** Each claims as many items as requests may be in flight, so that a crash leaves at most twice as many in doubt. */
	private readonly groups: Array<Promise<Map<string, Remembered>>> = [];
	private readonly outcomes: Array<Promise<ItemOutcome>> = [];
	/** Of each application, the first item in the list. */
	private readonly firsts = new Map<string, number>();

	private constructor(
		private readonly store: MemoryStore,
		private readonly memory: Memory,
		private readonly requests: ReadonlyArray<ClaimRequest | undefined>,
		/** The items; those that fail because their application was sent before are invalid. */
		readonly items: readonly PreparedItem[],
		private readonly options: SendOnceOptions,
	) {
		requests.forEach((request, index) => {
			if (request && !this.firsts.has(request.key)) this.firsts.set(request.key, index);
		});
	}

	/**
	 * Looks up what fails if it was sent before; nothing is sent. Throws `ItemError` if the memory fails
	 * or cannot hold the list, or if n8n would repeat what is to be sent again.
	 */
	static async open(
		store: MemoryStore,
		prepared: readonly PreparedItem[],
		options: SendOnceOptions,
	): Promise<SendOnce> {
		const requests = prepared.map(claimRequest);
		throwIfUnsafe(requests, options.tries);
		const memory = new Memory(store);
		const strict = requests.flatMap((request) =>
			request?.ifAlreadySent === 'fail' && !options.tries.takeOutput(request.key)
				? [request.key]
				: [],
		);
		const accepted = new Set<string>();
		// A crash must not leave more in doubt than one while sending.
		for (let first = 0; first < strict.length; first += options.concurrency) {
			const keys = strict.slice(first, first + options.concurrency);
			for (const key of await withMemory(memory.findAccepted(keys))) accepted.add(key);
		}
		const items = invalidateSent(prepared, requests, accepted);
		const claimed = requests.map((request, index) =>
			items[index].kind === 'ready' ? request : undefined,
		);
		return new SendOnce(store, memory, claimed, items, options);
	}

	/** Sends an item unless its application was sent before. Call it for the items in order. */
	async send(index: number, send: () => Promise<ItemOutcome>): Promise<ItemOutcome> {
		const request = this.requests[index];
		if (!request) return await send();
		const first = this.firsts.get(request.key) ?? index;
		if (first < index) return duplicate(await this.outcomes[first], first, request);
		return await (this.outcomes[index] = this.sendFirst(index, request, send));
	}

	/** What became of an item's application in an earlier try, or with an earlier item. */
	earlier(index: number): ItemOutcome | undefined {
		const request = this.requests[index];
		const outcome = request && this.options.tries.takeOutput(request.key);
		if (!outcome) return undefined;
		const first = this.firsts.get(request.key) ?? index;
		return first < index ? duplicate(outcome, first, request) : outcome;
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
		if (!this.store.isPersistent && this.requests.some(Boolean)) {
			hints.push(
				"The node can't remember who was invited, because this workflow was never saved. Save it before you run it again.",
			);
		}
		return hints;
	}

	private async sendFirst(
		index: number,
		request: ClaimRequest,
		send: () => Promise<ItemOutcome>,
	): Promise<ItemOutcome> {
		const { key, ifAlreadySent } = request;
		const earlier = this.options.tries.takeOutput(key);
		if (earlier) return earlier;
		let before: Remembered | undefined;
		try {
			before = await this.claim(index, key);
		} catch (error) {
			return { kind: 'notSent', error: error as Error };
		}
		if (!maySend(request, before)) {
			if (before === 'inDoubt') return IN_DOUBT;
			if (ifAlreadySent === 'fail') return { kind: 'invalid', error: alreadySent(ALREADY_INVITED) };
			return { kind: 'alreadySent', reason: ALREADY_INVITED };
		}
		const outcome = await send();
		this.memory.end(key, outcome.kind);
		this.options.tries.keep(key, outcome);
		return outcome;
	}

	private async claim(index: number, key: string): Promise<Remembered | undefined> {
		const { concurrency } = this.options;
		const claimed = (await this.claimGroup(Math.floor(index / concurrency))).get(key);
		// Ahead of time; who asks next finds what went wrong.
		void this.claimGroup(Math.floor((index + 1) / concurrency)).catch(() => {});
		return claimed;
	}

	private async claimGroup(group: number): Promise<Map<string, Remembered>> {
		const { concurrency, tries } = this.options;
		const first = group * concurrency;
		const isToClaim = ({ key }: ClaimRequest, index: number) =>
			this.firsts.get(key) === index && !tries.takeOutput(key);
		const requests = this.requests
			.slice(first, first + concurrency)
			.flatMap((request, place) => (request && isToClaim(request, first + place) ? [request] : []));
		const claim = async () => (requests.length > 0 ? await this.memory.claim(requests) : new Map());
		this.groups[group] ??= withMemory(claim());
		return await this.groups[group];
	}
}

const ALREADY_INVITED = 'This candidate was already invited';

/** An earlier execution was about to send it, and recorded no end. */
const IN_DOUBT: ItemOutcome = {
	kind: 'unknown',
	error: new ItemError(
		{
			message: NOT_CONFIRMED.message,
			description: `An earlier execution couldn't confirm it. ${NOT_CONFIRMED.description}`,
		},
		'unknown',
	),
	fromEarlierExecution: true,
};

function claimRequest(item: PreparedItem): ClaimRequest | undefined {
	if (item.kind === 'invalid' || !item.application) return undefined;
	const { identity, ifAlreadySent } = item.application;
	return { key: applicationKey(identity), ifAlreadySent };
}

function throwIfUnsafe(
	requests: ReadonlyArray<ClaimRequest | undefined>,
	tries: RetryOnFailOutputs,
): void {
	const choices = new Set(requests.map((request) => request?.ifAlreadySent));
	if (tries.isEnabled && choices.has('inviteAgain')) {
		const message = "'Retry On Fail' and 'Invite Again' together could invite candidates twice";
		const description = "Nothing was sent. Turn off 'Retry On Fail' in the node's settings.";
		throw new ItemError({ message, description }, 'notSent');
	}
	const count = new Set(requests.map((request) => request?.key)).size;
	if (count > MAX_APPLICATIONS && [...choices].some((choice) => choice !== 'inviteAgain')) {
		const limit = MAX_APPLICATIONS.toLocaleString('en-US');
		const message = `The list is too long: the node remembers the last ${limit} candidates it invited`;
		const description = `Nothing was sent. Run again, a longer list could invite the others twice. Split it between several nodes.`;
		throw new ItemError({ message, description }, 'notSent');
	}
}

/** The later ones of an application that is to fail, and those that were accepted before. */
function invalidateSent(
	items: readonly PreparedItem[],
	requests: ReadonlyArray<ClaimRequest | undefined>,
	accepted: ReadonlySet<string>,
): PreparedItem[] {
	const firsts = new Map<string, number>();
	return items.map((item, index) => {
		const request = requests[index];
		if (!request) return item;
		const { key, ifAlreadySent } = request;
		const first = firsts.get(key);
		if (first === undefined) firsts.set(key, index);
		const reason = accepted.has(key) ? ALREADY_INVITED : first !== undefined && sameAs(first);
		if (ifAlreadySent !== 'fail' || !reason) return item;
		return { kind: 'invalid', reference: item.reference, error: alreadySent(reason) };
	});
}

/** An item whose application stands earlier in the list. */
function duplicate(
	outcome: ItemOutcome,
	first: number,
	{ ifAlreadySent }: ClaimRequest,
): ItemOutcome {
	const again: ItemOutcome = { ...outcome, fromEarlierExecution: true };
	switch (outcome.kind) {
		case 'succeeded':
			return ifAlreadySent === 'inviteAgain'
				? again
				: { kind: 'alreadySent', reason: sameAs(first) };
		case 'refused': {
			// A corrected second row must not seem to be invited with the first.
			const message = `Not sent: this is the same application as ${itemName(first)}`;
			const description = 'That one failed. Correct it or remove it, then run the workflow again.';
			const error = new ItemError({ message, description }, 'notSent');
			return { kind: 'notSent', error, fromEarlierExecution: true };
		}
		case 'alreadySent':
		case 'unknown':
		case 'notSent':
		case 'invalid':
			return again;
		default:
			return outcome satisfies never;
	}
}

function sameAs(first: number): string {
	return `This is the same application as ${itemName(first)}`;
}

function alreadySent(message: string): ItemError {
	const description = "To leave such items out, set 'If Already Invited' to 'Skip'.";
	return new ItemError({ message, description }, 'notSent');
}

async function withMemory<T>(used: Promise<T>): Promise<T> {
	return await used.catch((error: Error) => {
		const message = "Not sent: the node couldn't remember it in n8n's database";
		const description = `${error.message}. Without that, a candidate could be invited twice.`;
		throw new ItemError({ message, description }, 'notSent');
	});
}
