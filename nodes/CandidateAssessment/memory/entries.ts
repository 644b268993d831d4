import type { ItemOutcome } from '../actions/operation';
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

const STAY: { add: Entries; remove: Entries } = { add: '', remove: '' };

/**
 * What becomes of the entries at the end of a claim, by the state in which it was claimed:
 *
 *                sent      nobody knows   certainly not sent
 *     new        −d        all stay       −k d r, or see below
 *     invited    +k −d r   all stay       −d r
 *     in doubt   +k −d r   all stay       all stay
 *
 * A new one that wasn't sent is left to another process that sends it again (r is there). If another has recorded it as
 * invited (d is gone), k stays.
 */
const AT_END: Record<
	ClaimedState,
	Record<'sent' | 'notSent', { add: Entries; remove: Entries }>
> = {
	new: { sent: { add: '', remove: 'd' }, notSent: { add: '', remove: 'kdr' } },
	// It may have been the oldest, which is dropped when there are too many.
	invited: { sent: { add: 'k', remove: 'dr' }, notSent: { add: '', remove: 'dr' } },
	inDoubt: { sent: { add: 'k', remove: 'dr' }, notSent: STAY },
};

type ClaimedState = Exclude<Claim['state'], 'sending'>;

/** A claim with its outcome. */
export interface Ended {
	claim: Claim;
	outcome: ItemOutcome['kind'];
}

const entries = (names: Entries, { key }: Pick<Claim, 'key'>) =>
	Array.from(names, (name) => `${name}${key}`);

/** To ask for a claim, all of these are added. */
export const askedFor = (claim: Claim) => entries('kd', claim);

/** Of those, the ones that stay once it's claimed, and what is added then. */
export const claimed = (claim: Claim) => entries(claim.state === 'new' ? 'kd' : 'kdr', claim);

export function stateIn(present: ReadonlySet<string>, claim: Claim): ClaimedState {
	const [known, doubt] = entries('kd', claim).map((entry) => present.has(entry));
	if (doubt) return 'inDoubt';
	return known ? 'invited' : 'new';
}

/** The entries to add at the end of a claim, and those to ask for, which is the same to n8n. */
export function addedAtEnd(ended: Ended): string[] {
	return entries(isGivenBack(ended) ? 'dr' : changeOf(ended).add, ended.claim);
}

/** @param present what was there of `addedAtEnd` */
export function removedAtEnd(ended: Ended, present: ReadonlySet<string> = new Set()): string[] {
	const { claim } = ended;
	const { remove } = changeOf(ended);
	if (!isGivenBack(ended)) return entries(remove, claim);
	const [doubt, resent] = entries('dr', claim).map((entry) => present.has(entry));
	if (resent) return [];
	return entries(doubt ? remove : 'dr', claim);
}

function changeOf({ claim, outcome }: Ended) {
	if (outcome === 'unknown') return STAY;
	return AT_END[claim.state as ClaimedState][outcome === 'succeeded' ? 'sent' : 'notSent'];
}

const isGivenBack = (ended: Ended) => changeOf(ended) === AT_END.new.notSent;
