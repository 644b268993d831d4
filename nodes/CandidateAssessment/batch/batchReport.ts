import type { Operation } from '../actions/operation';
import { ApiError, BATCH_FAILED, type ItemOutcome } from '../errors/ItemError';
import { NOTHING_SENT } from '../errors/messages';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import type { Batch, Outcomes, PreparedItem } from './batch';

type Reported = Pick<Batch, 'context' | 'operation' | 'items'>;
type FailedItem = Extract<ItemOutcome, { error: Error }> & { index: number };

/** Throws if an item keeps a list from being sent. The message counts such items, and has the first mistake. */
export function throwIfUnsendable(batch: Reported, outcomes: Outcomes): void {
	const failures = failuresIn(outcomes);
	const [first] = failures;
	if (!first) return;
	// "Else": an earlier run or try has sent something, or may have (`unknown`).
	const isAnySent = outcomes.some((each) => each?.kind === 'succeeded' || each?.kind === 'unknown');
	const summary = isAnySent ? 'Nothing else was sent.' : NOTHING_SENT;
	const isCounted = failures.length > 1 && first.kind !== 'notSent';
	const counted = `${failures.length} of ${batch.items.length} items need attention. ${summary} `;
	const prefix = (isCounted ? counted : '') + subjectOf(failures, batch, outcomes);
	throwFirst(batch, outcomes, first, prefix, isCounted ? [] : [summary]);
}

/** Throws if an item failed. The message has the first cause. */
export function throwIfFailed(
	batch: Reported,
	outcomes: readonly ItemOutcome[],
	warnings: Iterable<string>,
): void {
	const { items } = batch;
	const failures = failuresIn(outcomes);
	const [first] = failures;
	if (!first) return;
	const { error } = first;
	const isRefused = items.length > 1 && error instanceof ApiError && error.isAboutData;
	const isOutputNextTime = items.some((item, index) => {
		const choice = item.kind === 'ready' ? item.application?.ifAlreadySent : undefined;
		return outcomes[index].kind === 'succeeded' && choice && choice !== 'inviteAgain';
	});
	// n8n shows no hint of a run that fails.
	const advice = [isRefused ? REFUSED_ADVICE : '', ...warnings, isOutputNextTime ? RUN_AGAIN : ''];
	throwFirst(batch, outcomes, first, subjectOf(failures, batch, outcomes), advice);
}

/** Without it, the same item would keep the others from being sent in every run. */
const REFUSED_ADVICE =
	"Correct this item or leave it out, then run the list again. To send the others anyway, set 'On Error' to continue in the node's settings.";

/** n8n shows no output of a run that fails. */
const RUN_AGAIN =
	"What succeeded isn't sent again. The next run of this list with the same credential outputs it with its link, unless n8n restarts first, or in queue mode, another worker runs it.";

/** Items that weren't sent say the least about the cause: they count if there are no others. */
function failuresIn(outcomes: Outcomes): FailedItem[] {
	const failures = outcomes.flatMap((outcome, index) =>
		outcome && 'error' in outcome && outcome.error !== BATCH_FAILED ? { ...outcome, index } : [],
	);
	const causes = failures.filter(({ kind }) => kind !== 'notSent');
	return causes.length > 0 ? causes : failures;
}

/** The message's prefix: the item at fault, or, in an outage and the like, how many weren't invited. */
function subjectOf(
	[{ index, kind, error }, ...others]: FailedItem[],
	{ operation, items }: Reported,
	outcomes: Outcomes,
): string {
	if (items.length === 1) return '';
	// With `unknown`, name the item: somebody has to look that candidate up.
	if (error instanceof ApiError && error.countsAsOutage && kind !== 'unknown') {
		const kinds = outcomes.map((each) => each?.kind ?? '');
		const missing = kinds.filter(
			(each) => !['succeeded', 'alreadySent', 'duplicate', 'unknown'].includes(each),
		);
		const failed = operation.application ? 'candidates were not invited' : 'items failed';
		return `${missing.length} of ${items.length} ${failed}: `;
	}
	// Its message already says why the batch stopped.
	if (kind === 'notSent' && others.length > 0) return '';
	return `${itemName(index, items)}: `;
}

/** The error of an item, and below it what became of every item: n8n shows no output of a run that fails. */
function throwFirst(
	batch: Reported,
	outcomes: Outcomes,
	{ error }: FailedItem,
	prefix: string,
	advice: string[],
): never {
	const report = batch.items.length > 1 ? reportOn(batch, outcomes, error) : [];
	const details = [...advice, ...report].filter(Boolean).join('\n');
	throw toNodeError(batch.context, error, { prefix, details });
}

/** The title of each kind of outcome, in the report's order. */
const TITLES: Record<ItemOutcome['kind'], string> = {
	succeeded: 'Succeeded',
	unknown: 'Unconfirmed',
	refused: 'Refused',
	invalid: 'Needs correction',
	alreadySent: 'Already invited',
	duplicate: 'Duplicates',
	notSent: 'Not sent',
	ready: 'Ready to send',
};

/** Every item by name or number, with its link, or with its mistake unless the message above has it. */
export function reportOn({ operation, items }: Reported, outcomes: Outcomes, first?: Error) {
	return Object.entries(TITLES).flatMap(([kind, title]) => {
		const byDetail = new Map<string, number[]>();
		let count = 0;
		for (const [index, outcome] of outcomes.entries()) {
			if (outcome?.kind !== kind) continue;
			const detail = detailOf(outcome, operation);
			byDetail.set(detail, byDetail.get(detail) ?? []);
			byDetail.get(detail)?.push(index);
			count++;
		}
		const isSaid = first && byDetail.size === 1 && byDetail.has(messageWithAdvice(first));
		const lines = [...byDetail].map(([detail, indexes]) => {
			const isShort = kind === 'alreadySent' || kind === 'notSent';
			const who = isShort
				? itemRanges(indexes)
				: indexes.map((index) => itemName(index, items)).join(', ');
			return detail && !isSaid ? `${who}: ${detail}` : `${who}.`;
		});
		if (count === 0) return [];
		const heading = `${title} (${count}):`;
		return lines.length === 1 ? `${heading} ${lines[0]}` : [heading, ...lines];
	});
}

/** An item's link, or why it has none. */
function detailOf(outcome: ItemOutcome, { receipt }: Operation): string {
	if (outcome.kind === 'succeeded') return String((receipt && outcome.output.json[receipt]) ?? '');
	if (!('error' in outcome) || outcome.error === BATCH_FAILED) return '';
	return messageWithAdvice(outcome.error);
}

/** One item as the user knows it, counted from 1: "APP-1002 (item 2)". */
function itemName(index: number, items: readonly PreparedItem[]): string {
	const reference = items[index]?.reference;
	return reference ? `${reference} (item ${index + 1})` : `item ${index + 1}`;
}

/** Many items in few words: "items 1–340, 352". */
function itemRanges(indexes: readonly number[]): string {
	const firsts = indexes.filter((index, at) => indexes[at - 1] !== index - 1);
	const lasts = indexes.filter((index, at) => indexes[at + 1] !== index + 1);
	const ranges = firsts.map((first, at) =>
		first === lasts[at] ? `${first + 1}` : `${first + 1}–${lasts[at] + 1}`,
	);
	return `${indexes.length === 1 ? 'item' : 'items'} ${ranges.join(', ')}`;
}
