import {
	ApiError,
	BATCH_FAILED,
	ItemError,
	type ItemOutcome,
} from '../../nodes/CandidateAssessment/errors/ItemError';
import {
	throwIfFailed,
	throwIfUnsendable,
} from '../../nodes/CandidateAssessment/batch/batchReport';
import { meaningOf } from '../../nodes/CandidateAssessment/errors/statusMeaning';

type Kind = 'invalid' | 'refused' | 'unknown' | 'notSent';

const failed = (kind: Kind, message: string, description?: string): ItemOutcome => ({
	kind,
	error: new ItemError({ message, description }),
});
const SUCCEEDED: ItemOutcome = { kind: 'succeeded', output: { json: { link: 'https://a/1' } } };
const WITHOUT_LINK: ItemOutcome = { kind: 'succeeded', output: { json: {} } };
const ALREADY: ItemOutcome = { kind: 'alreadySent', reason: 'Invited' };
const FOLLOWED: ItemOutcome = { kind: 'notSent', error: BATCH_FAILED };
const NO_EMAIL = failed('invalid', 'Email: empty');
const NO_NAME = failed('invalid', 'Name: empty', 'Enter one.');
const IN_DOUBT = failed('unknown', "Couldn't confirm it.", 'Look it up.');
const REFUSED = failed('refused', 'It was refused', 'Correct it.');
const answered = (status: number): ItemOutcome => ({
	kind: 'refused',
	error: new ApiError(
		{ message: `The service says ${status}` },
		'refused',
		status,
		meaningOf(status).scope,
	),
});
const BUSY = failed('notSent', 'The service is busy');

/** n8n's error for a list with these outcomes, as the panel shows it. All items but the last have a reference. */
function errorOf(isSent: boolean, ...outcomes: Array<ItemOutcome | undefined>) {
	const context = { getNode: () => ({ type: 'node' }) };
	const operation = { application() {}, receipt: 'link' };
	const items = outcomes.map((_outcome, index) => ({
		reference: index < outcomes.length - 1 ? `APP-${index + 1}` : undefined,
	}));
	const batch = { context, operation, items } as never;
	try {
		if (isSent) throwIfFailed(batch, outcomes as ItemOutcome[], []);
		else throwIfUnsendable(batch, outcomes);
	} catch (error) {
		const { message, description } = error as Error & { description: string };
		return `${message}\n${description}`;
	}
	return undefined;
}

const withoutIndent = (text: string) => text.replace(/^\t+/gm, '');

it('a batch in which nothing failed throws nothing', () => {
	expect(errorOf(false, undefined, ALREADY, undefined)).toBeUndefined();
	expect(errorOf(true, SUCCEEDED, ALREADY, FOLLOWED)).toBeUndefined();
});

it.each<[what: string, Array<ItemOutcome | undefined>, says: string]>([
	['a single item', [NO_EMAIL], 'Email: empty\nNothing was sent.'],
	[
		'several, whose mistakes are told once',
		[NO_NAME, NO_EMAIL, ALREADY, NO_NAME, NO_EMAIL],
		`4 of 5 items need attention. Nothing was sent. APP-1 (item 1): Name: empty
		Enter one.

		Needs correction (4):
		APP-1 (item 1), APP-4 (item 4): Name: empty. Enter one.
		APP-2 (item 2), item 5: Email: empty
		Already invited (1): item 3.`,
	],
	[
		'one in doubt beside a mistake',
		[NO_EMAIL, IN_DOUBT, IN_DOUBT],
		`3 of 3 items need attention. Nothing else was sent. APP-1 (item 1): Email: empty
		Unconfirmed (2): APP-2 (item 2), item 3: Couldn't confirm it. Look it up.
		Needs correction (1): APP-1 (item 1).`,
	],
])('before anything is sent, an error has %s', (_what, outcomes, says) => {
	expect(errorOf(false, ...outcomes)).toBe(withoutIndent(says));
});

it.each<[what: string, ItemOutcome[], says: string]>([
	[
		'the cause, wherever it stands, and what became of all',
		[BUSY, ALREADY, SUCCEEDED, WITHOUT_LINK, REFUSED, IN_DOUBT, FOLLOWED, FOLLOWED],
		`APP-5 (item 5): It was refused
		Correct it.

		Succeeded (2):
		APP-3 (item 3): https://a/1
		APP-4 (item 4).
		Unconfirmed (1): APP-6 (item 6): Couldn't confirm it. Look it up.
		Refused (1): APP-5 (item 5).
		Already invited (1): item 2.
		Not sent (3):
		item 1: The service is busy
		items 7–8.`,
	],
	[
		'what kept the batch from going on, without an item',
		[FOLLOWED, BUSY, BUSY],
		`The service is busy
		Not sent (3):
		item 1.
		items 2–3: The service is busy`,
	],
	[
		'a refused token, which no item is to blame for',
		[SUCCEEDED, answered(401), FOLLOWED],
		`2 of 3 candidates were not invited: The service says 401
		Succeeded (1): APP-1 (item 1): https://a/1
		Refused (1): APP-2 (item 2).
		Not sent (1): item 3.`,
	],
	[
		'a service that is too busy, and somebody who may have been invited',
		[answered(429), IN_DOUBT],
		`1 of 2 candidates were not invited: The service says 429
		Unconfirmed (1): item 2: Couldn't confirm it. Look it up.
		Refused (1): APP-1 (item 1).`,
	],
	[
		'a service that is away, which no item is to blame for',
		[{ kind: 'notSent', error: new ApiError({ message: 'It is away' }, 'notSent') }, FOLLOWED],
		`2 of 2 candidates were not invited: It is away
		Not sent (2):
		item 1: It is away
		item 2.`,
	],
	[
		'an item that may not do what others may',
		[answered(403), FOLLOWED],
		`APP-1 (item 1): The service says 403
		Refused (1): APP-1 (item 1).
		Not sent (1): item 2.`,
	],
	[
		'an item that another execution is sending',
		[BUSY, SUCCEEDED],
		`APP-1 (item 1): The service is busy
		Succeeded (1): item 2: https://a/1
		Not sent (1): item 1.`,
	],
	['one item and no report for one', [REFUSED], 'It was refused\nCorrect it.'],
])('after sending, an error has %s', (_what, outcomes, says) => {
	expect(errorOf(true, ...outcomes)).toBe(withoutIndent(says));
});
