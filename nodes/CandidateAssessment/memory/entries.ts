import type { ItemOutcome } from '../errors/ItemOutcome';
import type { Claim } from './claim';

/**
 * The entries of an application in n8n's database. Nothing else adds or removes one.
 *
 *     new
 *     in doubt   k d, or k d r
 *     invited    k
 *
 * Asking adds k (known) and d (doubt), so a crash can only leave an application in doubt, even if it was invited. Sending
 * one that is in doubt or invited adds r (resent), so that the process that claimed it when it was new leaves its entries
 * alone. Without d, r means nothing.
 */
type Entries = '' | 'k' | 'd' | 'dr' | 'kd' | 'kdr';
type RecordedState = Exclude<Claim['state'], 'sending'>;
type Change = [added: Entries, removed: Entries];

/**
 * What becomes of them at the end of a claim, by the state in which it was claimed:
 *
 *                sent      nobody knows   certainly not sent
 *     new        −d        all stay       −k d r, or see below
 *     invited    +k −d r   all stay       −d r
 *     in doubt   +k −d r   all stay       all stay
 *
 * A new one that wasn't sent is left to another process that sends it again (r is there). If another has recorded it as
 * invited (d is gone), k stays. The k of the others may be gone: if there are too many entries, the oldest are dropped.
 */
const AT_END: Record<RecordedState, { sent: Change; notSent: Change }> = {
	new: { sent: ['', 'd'], notSent: ['', 'kdr'] },
	invited: { sent: ['k', 'dr'], notSent: ['', 'dr'] },
	inDoubt: { sent: ['k', 'dr'], notSent: ['', ''] },
};

/** A claim that has an outcome. */
export type Ended = { claim: Claim; outcome: ItemOutcome['kind'] };

const entries = (names: Entries, { key }: Claim) => Array.from(names, (name) => name + key);

/** To ask for a claim, all of these are added. */
export const askedFor = (claim: Claim) => entries('kd', claim);

/** The entries of a claim while it's sent. */
export const claimed = (claim: Claim) => entries(claim.state === 'new' ? 'kd' : 'kdr', claim);

export function stateIn(present: ReadonlySet<string>, claim: Claim): RecordedState {
	const [known, doubt] = entries('kd', claim).map((entry) => present.has(entry));
	if (doubt) return 'inDoubt';
	return known ? 'invited' : 'new';
}

/** The entries to add at the end of a claim, or to ask for, which is the same to n8n. */
export function addedAtEnd(ended: Ended): string[] {
	return entries(isGivenBack(ended) ? 'dr' : changeAtEnd(ended)[0], ended.claim);
}

/** @param present what was there of `addedAtEnd` */
export function removedAtEnd(ended: Ended, present: ReadonlySet<string> = new Set()): string[] {
	const { claim } = ended;
	const [, removed] = changeAtEnd(ended);
	if (!isGivenBack(ended)) return entries(removed, claim);
	const [doubt, resent] = entries('dr', claim).map((entry) => present.has(entry));
	if (resent) return [];
	return entries(doubt ? removed : 'dr', claim);
}

function changeAtEnd({ claim, outcome }: Ended): Change {
	if (outcome === 'unknown') return ['', ''];
	return AT_END[claim.state as RecordedState][outcome === 'succeeded' ? 'sent' : 'notSent'];
}

const isGivenBack = (ended: Ended) => changeAtEnd(ended) === AT_END.new.notSent;
