import * as fc from 'fast-check';
import type { ItemOutcome } from '../../nodes/CandidateAssessment/actions/operation';
import {
	formatBatchReport,
	itemName,
	itemRanges,
	throwIfFailed,
} from '../../nodes/CandidateAssessment/batch/batchReport';
import { BATCH_FAILED } from '../../nodes/CandidateAssessment/batch/runBatch';

const error = new Error('It failed');
const outcomes = {
	Succeeded: { kind: 'succeeded', output: { json: { link: 'https://a.example/1' } } },
	Unknown: { kind: 'unknown', error },
	Failed: { kind: 'refused', error },
	'Not sent': { kind: 'notSent', error },
} satisfies Record<string, ItemOutcome>;
const { Succeeded: succeeded, 'Not sent': notSent } = outcomes;

const named = (...references: Array<string | undefined>) =>
	references.map((reference) => ({ reference }));

it('a report gives the invitation links, since no output will', () => {
	const operation = { receipt: ({ link }: { link?: unknown }) => link };
	const items = named('APP-1', 'APP-2', 'APP-3', 'APP-4', 'APP-5');
	const withoutLink = { kind: 'succeeded', output: { json: { link: 7 } } } as const;
	const before = { kind: 'alreadySent', reason: 'Invited' } as const;
	const all = [succeeded, withoutLink, outcomes.Failed, before, notSent];
	expect(formatBatchReport(operation, items, all).split('\n')).toEqual([
		...['Succeeded (2):', 'APP-1 (item 1): https://a.example/1', 'APP-2 (item 2)'],
		...['Failed (1): APP-3 (item 3).', 'Already invited (1): item 4.', 'Not sent (1): item 5.'],
	]);
});

it('a batch fails with the error that says most, wherever it stands', () => {
	const context = { getNode: () => ({ type: 'node' }) } as never;
	const items = named('APP-1', 'APP-2', 'APP-3') as never;
	const all = [notSent, succeeded, outcomes.Failed];
	for (const isSent of [true, false]) {
		expect(() => throwIfFailed(context, {} as never, items, all, { isSent })).toThrow(
			/^APP-3 \(item 3\): It failed$/,
		);
	}
});

it('a batch that nothing of was sent fails with its cause, not with what followed from it', () => {
	const context = { getNode: () => ({ type: 'node' }) } as never;
	const followed = { kind: 'notSent', error: BATCH_FAILED } as const;
	const items = named('APP-1', 'APP-2') as never;
	expect(() =>
		throwIfFailed(context, {} as never, items, [followed, notSent], { isSent: true }),
	).toThrow(/^It failed$/);
});

it('a report names every item once, under its own heading', () => {
	const titles = Object.keys(outcomes) as Array<keyof typeof outcomes>;
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...titles), { maxLength: 60 }), (expected) => {
			const all = expected.map((title) => outcomes[title]);
			const titleOf: string[] = [];
			for (const line of formatBatchReport({}, [], all).split('\n').filter(Boolean)) {
				const [, title, count, items] = /^(.+) \((\d+)\): (.+)\.$/.exec(line) ?? [];
				const numbers = items.split(', ').flatMap((part) => {
					const [first, last = first] = (part.match(/\d+/g) ?? []).map(Number);
					return Array.from({ length: last - first + 1 }, (_, step) => first + step);
				});
				expect(numbers).toHaveLength(Number(count));
				for (const number of numbers) {
					expect(titleOf[number - 1]).toBeUndefined();
					titleOf[number - 1] = title;
				}
			}
			expect(titleOf).toEqual(expected);
		}),
		{ numRuns: 500 },
	);
});

it('items count from 1, and hundreds of them are ranges', () => {
	const names = [itemName(0), itemName(1, 'APP-2'), itemName(2, '')];
	expect(names).toEqual(['item 1', 'APP-2 (item 2)', 'item 3']);
	expect(itemRanges([4])).toBe('item 5');
	expect(itemRanges([0, 1, 2, 5, 7, 8])).toBe('items 1–3, 6, 8–9');
	expect(itemRanges([0, 1, 2, 5, 7, 8], 2)).toBe('items 1–3, 6 and 2 more');
	expect(formatBatchReport({}, [], [notSent, notSent])).toBe('Not sent (2): items 1–2.');
});
