import type { IExecuteFunctions } from 'n8n-workflow';
import { ApiError } from '../errors/ApiError';
import { itemName } from './batchReport';
import { Claims, lookUp, type Admission, type Ending } from './claims';
import { Memory } from './memory';
import { NodeMemoryStore } from './memoryStore';
import type { PreparedItem } from './prepareItems';
import type { Outcome } from './runBatch';

/**
 * Sends each application once, over all executions of this node. What was sent before is left out,
 * fails or is sent again, as the item says.
 */
export class SendOnce {
	private readonly leftOut = { alreadyTaken: 0, duplicate: 0 };

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly store: NodeMemoryStore,
		private readonly claims: Claims,
		/** The items, with those invalid that were sent before and must not have been. */
		readonly items: readonly PreparedItem[],
	) {}

	/**
	 * Looks up the items that fail if they were sent before. Nothing is sent. Throws `ApiError` where
	 * the memory fails, or where n8n would repeat what is sent again.
	 * @param concurrency requests in flight at once, at most
	 */
	static async open(
		context: IExecuteFunctions,
		prepared: readonly PreparedItem[],
		concurrency: number,
	): Promise<SendOnce> {
		throwIfRepeated(context, prepared);
		const store = new NodeMemoryStore(context);
		const memory = new Memory(store);
		const strict = prepared
			.map(applicationOf)
			.filter((application) => application?.ifAlreadySent === 'fail')
			.map((application) => application!.key);
		// A crash leaves no more in doubt than one while sending.
		const taken = await withMemory(
			async () => await lookUp(memory, new Set(strict), 2 * concurrency),
		);
		const items = invalidateSent(prepared, taken);
		const candidacies = items.map(applicationOf).map(
			(application) =>
				application && {
					key: application.key,
					again: application.ifAlreadySent === 'inviteAgain',
				},
		);
		return new SendOnce(context, store, new Claims(memory, candidacies, concurrency), items);
	}

	/** Sends an item unless its application was sent before. Call it for the items in order. */
	async send(index: number, send: () => Promise<Outcome>): Promise<Outcome> {
		let admission: Admission;
		try {
			admission = await withMemory(async () => await this.claims.admit(index));
		} catch (error) {
			return { kind: 'notSent', error: error as Error };
		}
		switch (admission.kind) {
			case 'send': {
				const outcome = await send();
				this.claims.end(index, endingOf(outcome));
				return outcome;
			}
			case 'inDoubt':
				return { kind: 'unknown', error: IN_DOUBT, isFromBefore: true };
			case 'alreadyTaken':
				if (applicationOf(this.items[index])?.ifAlreadySent === 'fail') {
					return { kind: 'invalid', error: new AlreadyInvited() };
				}
				this.leftOut.alreadyTaken++;
				return { kind: 'leftOut', reason: 'This candidate was already invited' };
			case 'duplicate':
				this.leftOut.duplicate++;
				return { kind: 'leftOut', reason: `The same application as ${itemName(admission.of)}` };
			default:
				return admission satisfies never;
		}
	}

	/** Records what has ended, and says who was left out. What was sent stays sent: it never throws. */
	async close(): Promise<void> {
		const hints = [
			this.leftOut.alreadyTaken > 0 &&
				`${people(this.leftOut.alreadyTaken)} left out: already invited. To send again, set 'If Already Invited' to 'Invite Again'.`,
			this.leftOut.duplicate > 0 &&
				`${people(this.leftOut.duplicate)} left out: the same application as an earlier item.`,
			!this.store.isPersistent &&
				"The node can't remember who was invited, because this workflow was never saved. Save it before you run it again.",
		];
		try {
			await this.claims.close();
		} catch (error) {
			hints.push(
				`The node couldn't record who was invited (${(error as Error).message}). When it runs again, it reports them as not confirmed.`,
			);
		}
		for (const message of hints) {
			if (message) this.context.addExecutionHints({ message, location: 'outputPane' });
		}
	}
}

function throwIfRepeated(context: IExecuteFunctions, items: readonly PreparedItem[]): void {
	const isAny = items.some((item) => applicationOf(item)?.ifAlreadySent === 'inviteAgain');
	if (!isAny || !context.getNode().retryOnFail) return;
	throw new ApiError(
		{
			message: "'Retry On Fail' and 'Invite Again' together could invite candidates twice",
			description: "Nothing was sent. Turn off 'Retry On Fail' in the node's settings.",
		},
		'notSent',
	);
}

function invalidateSent(
	items: readonly PreparedItem[],
	taken: ReadonlySet<string>,
): PreparedItem[] {
	const first = new Map<string, number>();
	return items.map((item, index) => {
		const application = applicationOf(item);
		if (!application) return item;
		const { key, ifAlreadySent } = application;
		const earlier = first.get(key);
		if (earlier === undefined) first.set(key, index);
		if (ifAlreadySent !== 'fail' || (earlier === undefined && !taken.has(key))) return item;
		const name = taken.has(key) || earlier === undefined ? undefined : itemName(earlier);
		return { kind: 'invalid', reference: item.reference, error: new AlreadyInvited(name) };
	});
}

async function withMemory<T>(use: () => Promise<T>): Promise<T> {
	try {
		return await use();
	} catch (error) {
		throw new ApiError(
			{
				message: "Not sent: the node couldn't remember it in n8n's database",
				description: `${(error as Error).message}. Without that, a candidate could be invited twice.`,
			},
			'notSent',
		);
	}
}

/** An earlier execution was about to send it, and recorded no end. */
const IN_DOUBT = new ApiError(
	{
		message: "Couldn't confirm whether this candidate was invited",
		description:
			"An earlier execution was cut off while it invited this candidate. Check the service for the invitation. To send it again, set 'If Already Invited' to 'Invite Again'.",
	},
	'unknown',
);

class AlreadyInvited extends Error {
	readonly description = "To leave such items out, set 'If Already Invited' to 'Leave Out'.";

	/** @param earlier the item of the same list that is the same application */
	constructor(earlier?: string) {
		super(earlier ? `The same application as ${earlier}` : 'This candidate was already invited');
	}
}

function applicationOf(item: PreparedItem) {
	return item.kind === 'ready' ? item.application : undefined;
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

function people(count: number): string {
	return count === 1 ? '1 item was' : `${count} items were`;
}
