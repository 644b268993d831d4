import type { ItemOutcome } from '../errors/ItemError';

/**
 * The entries of an application in n8n's database: k (known), d (doubt), r (resent). Nothing else adds or removes one.
 *
 *     new        none
 *     in doubt   k d, or k d r: no end of its claim is recorded
 *     invited    k
 *
 * Asking for an application adds k and d, and n8n tells which were there. If it's new and claimed, both stay, so a crash
 * (of a lookup, too) leaves it in doubt. Once it's sent, d goes; if it wasn't sent, both go.
 *
 * Sending one that is in doubt or invited adds r, so that a process that claimed it when it was new leaves its entries
 * alone. Without d, r means nothing.
 */
export type RecordedState = 'new' | 'inDoubt' | 'invited';
type Entries = '' | 'k' | 'd' | 'dr' | 'kd' | 'kdr';
type Change = [added: Entries, removed: Entries];

/**
 * What becomes of them at the end of a claim, by its state when it was claimed:
 *
 *                sent      nobody knows   certainly not sent
 *     new        −d        all stay       −kdr, or see below
 *     invited    +k −dr    all stay       −dr
 *     in doubt   +k −dr    all stay       all stay
 *
 * A new one that wasn't sent is left to another process that sends it again (r is there). If another has recorded it as
 * invited (d is gone), k stays. The k of the others may be gone: if there are too many entries, the oldest are dropped.
 */
const AT_END: Record<RecordedState, { sent: Change; notSent: Change }> = {
	new: { sent: ['', 'd'], notSent: ['', 'kdr'] },
	invited: { sent: ['k', 'dr'], notSent: ['', 'dr'] },
	inDoubt: { sent: ['k', 'dr'], notSent: ['', ''] },
};

/** An application by its key, with its state when it was claimed. */
export interface ClaimedApplication {
	key: string;
	state: RecordedState;
}

/** What became of a claimed application. */
export type EndedApplication = ClaimedApplication & Pick<ItemOutcome, 'kind'>;

const entries = (names: Entries, key: string) => Array.from(names, (name) => name + key);

export const entriesAskedFor = (key: string) => entries('kd', key);

export const entriesWhileClaimed = ({ key, state }: ClaimedApplication) =>
	entries(state === 'new' ? 'kd' : 'kdr', key);

/** One in doubt may lack its k: the oldest entries are dropped. */
export function stateIn(present: ReadonlySet<string>, key: string): RecordedState {
	const [known, doubt] = entries('kd', key).map((entry) => present.has(entry));
	if (doubt) return 'inDoubt';
	return known ? 'invited' : 'new';
}

/** Added at the end of a claim. Undoing it depends on d and r: n8n tells whether they are there only by adding them. */
export function addedAtEnd(ended: EndedApplication): string[] {
	return entries(isGivenBack(ended) ? 'dr' : changeAtEnd(ended)[0], ended.key);
}

/** @param present those of `addedAtEnd` that were there */
export function removedAtEnd(ended: EndedApplication, present: ReadonlySet<string>): string[] {
	const { key } = ended;
	const [, removed] = changeAtEnd(ended);
	if (!isGivenBack(ended)) return entries(removed, key);
	const [doubt, resent] = entries('dr', key).map((entry) => present.has(entry));
	if (resent) return [];
	return entries(doubt ? removed : 'dr', key);
}

function changeAtEnd({ state, kind }: EndedApplication): Change {
	if (kind === 'unknown') return ['', ''];
	return AT_END[state][kind === 'succeeded' ? 'sent' : 'notSent'];
}

const isGivenBack = ({ state, kind }: EndedApplication) =>
	state === 'new' && kind !== 'succeeded' && kind !== 'unknown';
