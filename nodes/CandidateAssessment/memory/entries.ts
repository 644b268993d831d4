import type { ItemOutcome } from '../errors/ItemOutcome';
import type { Claim } from './claim';

/**
 * The entries of an application in n8n's database: k (known), d (doubt), r (resent). Nothing else adds or removes one.
 *
 *     new        none
 *     in doubt   k d, or k d r
 *     invited    k
 *
 * Asking for an application adds k and d, and n8n tells which were there. If it's new and claimed, both stay, so a crash
 * leaves it in doubt. Once it's sent, d goes; if it wasn't sent, both go.
 *
 * Sending one that is in doubt or invited adds r, so that a process that claimed it when it was new leaves its entries
 * alone. Without d, r means nothing.
 */
type Entries = '' | 'k' | 'd' | 'dr' | 'kd' | 'kdr';
type RecordedState = Exclude<Claim['state'], 'sending'>;
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

/** Added at the end of a claim. Giving it back depends on d and r: n8n tells whether they are there only by adding them. */
export function addedAtEnd(ended: Ended): string[] {
	return entries(isGivenBack(ended) ? 'dr' : changeAtEnd(ended)[0], ended.claim);
}

/** @param present those of `addedAtEnd` that were there */
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

const isGivenBack = ({ claim, outcome }: Ended) =>
	claim.state === 'new' && outcome !== 'succeeded' && outcome !== 'unknown';
