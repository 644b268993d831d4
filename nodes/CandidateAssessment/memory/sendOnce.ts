import type { Application, ItemOutput } from '../actions/operation';
import { ItemError } from '../errors/ItemError';
import { fillIn } from '../errors/fillIn';
import { MEMORY_HINTS, MEMORY_MESSAGES } from '../errors/memoryMessages';
import { messageWithAdvice } from '../errors/toNodeError';
import type { ErrorMessage } from '../errors/types';
import { itemName } from '../batch/batchReport';
import { Claims, lookUp, type Admission, type Ending } from './claims';
import { applicationKey, Memory, type MemoryStore } from './memory';
import type { PreparedItem } from '../batch/prepareItems';
import type { Outcome } from '../batch/runBatch';
import type { Tries } from './tries';

type KeyedApplication = Pick<Application, 'ifAlreadySent'> & { key: string };

interface SendOnceOptions {
	/** Maximum number of requests in flight. */
	concurrency: number;
	tries: Tries;
}

/**
 * Sends each application once, over all executions of a node. One that was sent before is left out,
 * fails or is sent again, as its item says.
 */
export class SendOnce {
	private readonly leftOut = { before: 0, duplicate: 0 };
	/** What was sent in this execution, by item. */
	private readonly sent = new Map<number, Promise<Outcome>>();

	private constructor(
		private readonly store: MemoryStore,
		private readonly claims: Claims,
		private readonly tries: Tries,
		private readonly applications: ReadonlyArray<KeyedApplication | undefined>,
		/** The items; those that fail because their application was sent before are invalid. */
		readonly items: readonly PreparedItem[],
	) {}

	/**
	 * Looks up what fails if it was sent before; nothing is sent. Throws `ItemError` if the memory
	 * fails, or if n8n would repeat what is to be sent again.
	 */
	static async open(
		store: MemoryStore,
		prepared: readonly PreparedItem[],
		{ concurrency, tries }: SendOnceOptions,
	): Promise<SendOnce> {
		const applications = prepared.map(keyedApplication);
		if (tries.areSeveral) throwIfSentAgain(applications);
		const memory = new Memory(store);
		const strict = applications.flatMap((application) =>
			application?.ifAlreadySent === 'fail' && !tries.has(application.key) ? [application.key] : [],
		);
		const taken = await withMemory(
			// A crash must not leave more in doubt than one while sending.
			async () => await lookUp(memory, new Set(strict), 2 * concurrency),
		);
		const items = invalidateSent(prepared, applications, taken);
		const candidacies = items.map((item, index) => {
			const application = item.kind === 'ready' ? applications[index] : undefined;
			return (
				application && {
					key: application.key,
					again: application.ifAlreadySent === 'inviteAgain',
				}
			);
		});
		const claims = new Claims(memory, candidacies, concurrency);
		return new SendOnce(store, claims, tries, applications, items);
	}

	/** Sends an item unless its application was sent before. Call it for the items in order. */
	async send(index: number, send: () => Promise<Outcome>): Promise<Outcome> {
		let admission: Admission;
		try {
			admission = await withMemory(async () => await this.claims.admit(index));
		} catch (error) {
			return { kind: 'notSent', error: error as Error };
		}
		const { key, ifAlreadySent } = this.applications[index] ?? {};
		const output = key === undefined ? undefined : this.tries.take(key);
		switch (admission.kind) {
			case 'send': {
				// Where the memory could not be kept, an earlier try may have sent it.
				const sent = output ? Promise.resolve(succeeded(output)) : send();
				this.sent.set(index, sent);
				const outcome = await sent;
				this.claims.end(index, endingOf(outcome));
				if (outcome.kind === 'succeeded' && key !== undefined) this.tries.add(key, outcome.output);
				return outcome;
			}
			case 'inDoubt':
				return { kind: 'unknown', error: IN_DOUBT, isFromBefore: true };
			case 'alreadyTaken':
				if (output) return succeeded(output);
				if (ifAlreadySent === 'fail') {
					return { kind: 'invalid', error: new AlreadySent(alreadyInvited) };
				}
				this.leftOut.before++;
				return { kind: 'leftOut', reason: alreadyInvited.message };
			case 'duplicate': {
				const outcome = await this.sent.get(admission.of);
				if (outcome?.kind === 'notSent') return outcome;
				// A corrected second row must not seem to be invited with the first.
				if (outcome?.kind === 'refused') {
					const message = fillIn(sameAsRefused, { item: itemName(admission.of) });
					return { kind: 'notSent', error: new ItemError(message, 'notSent') };
				}
				this.leftOut.duplicate++;
				return { kind: 'leftOut', reason: sameAs(admission.of).message };
			}
			default:
				return admission satisfies never;
		}
	}

	/** Records what has ended. Gives what the user should know. What was sent stays sent: it never throws. */
	async close(): Promise<string[]> {
		const { before, duplicate } = this.leftOut;
		const { invitedBefore, duplicates, notRecorded, neverSaved } = MEMORY_HINTS;
		const hints: ErrorMessage[] = [];
		if (before > 0) hints.push(fillIn(invitedBefore, { items: countOf(before) }));
		if (duplicate > 0) hints.push(fillIn(duplicates, { items: countOf(duplicate) }));
		try {
			await this.claims.close();
		} catch (error) {
			hints.push(fillIn(notRecorded, { reason: (error as Error).message }));
		}
		if (!this.store.isPersistent && this.applications.some(Boolean)) hints.push(neverSaved);
		return hints.map(messageWithAdvice);
	}
}

const { alreadyInvited, inDoubt, notRemembered, retryOnFail, sameApplication, sameAsRefused } =
	MEMORY_MESSAGES;

/** An earlier execution was about to send it, and recorded no end. */
const IN_DOUBT = new ItemError(inDoubt, 'unknown');

/** It is to fail, since it was sent before. */
class AlreadySent extends Error {
	readonly description?: string;

	constructor({ message, description }: ErrorMessage) {
		super(message);
		this.description = description;
	}
}

function keyedApplication(item: PreparedItem): KeyedApplication | undefined {
	if (item.kind === 'invalid' || !item.application) return undefined;
	const { identity, ifAlreadySent } = item.application;
	return { key: applicationKey(identity), ifAlreadySent };
}

function throwIfSentAgain(applications: ReadonlyArray<KeyedApplication | undefined>): void {
	if (!applications.some((one) => one?.ifAlreadySent === 'inviteAgain')) return;
	throw new ItemError(retryOnFail, 'notSent');
}

function invalidateSent(
	items: readonly PreparedItem[],
	applications: ReadonlyArray<KeyedApplication | undefined>,
	taken: ReadonlySet<string>,
): PreparedItem[] {
	const firstByKey = new Map<string, number>();
	return items.map((item, index) => {
		const application = applications[index];
		if (!application) return item;
		const { key, ifAlreadySent } = application;
		const first = firstByKey.get(key);
		if (first === undefined) firstByKey.set(key, index);
		const reason = taken.has(key) ? alreadyInvited : first !== undefined && sameAs(first);
		if (ifAlreadySent !== 'fail' || !reason) return item;
		return { kind: 'invalid', reference: item.reference, error: new AlreadySent(reason) };
	});
}

async function withMemory<T>(use: () => Promise<T>): Promise<T> {
	return await use().catch((error: Error) => {
		const { message, description: consequence } = notRemembered;
		const description = messageWithAdvice({ message: error.message, description: consequence });
		throw new ItemError({ message, description }, 'notSent');
	});
}

function succeeded(output: ItemOutput): Outcome {
	return { kind: 'succeeded', output };
}

function endingOf({ kind }: Outcome): Ending {
	switch (kind) {
		case 'succeeded':
			return 'taken';
		case 'unknown':
			return 'unknown';
		case 'refused':
		case 'notSent':
		case 'invalid':
		case 'leftOut':
			return 'notTaken';
		default:
			return kind satisfies never;
	}
}

function sameAs(index: number): ErrorMessage {
	return fillIn(sameApplication, { item: itemName(index) });
}

function countOf(items: number): string {
	return items === 1 ? '1 item was' : `${items} items were`;
}
