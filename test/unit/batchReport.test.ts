import * as fc from 'fast-check';
import type { ItemOutcome } from '../../nodes/CandidateAssessment/actions/operation';
import {
	formatBatchReport,
	throwIfFailed,
} from '../../nodes/CandidateAssessment/batch/batchReport';
import { BATCH_FAILED } from '../../nodes/CandidateAssessment/batch/runBatch';

const error = new Error('It failed');
const outcomes = {
	Succeeded: { kind: 'succeeded', output: { json: {} } },
	Unknown: { kind: 'unknown', error },
	Failed: { kind: 'refused', error },
	'Not sent': { kind: 'notSent', error },
} satisfies Record<string, ItemOutcome>;
const { Succeeded: SUCCEEDED, 'Not sent': NOT_SENT } = outcomes;
const FOLLOWED = { kind: 'notSent', error: BATCH_FAILED } as const;

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

it.each<[string, RegExp, ...ItemOutcome[]]>([
	['which says most', /^APP-2 \(item 2\): It failed$/, NOT_SENT, outcomes.Failed, SUCCEEDED],
	['which is the cause, not what followed', /^It failed$/, FOLLOWED, NOT_SENT],
])('a batch fails with the error %s, wherever it stands', (_what, message, ...all) => {
	const context = { getNode: () => ({ type: 'node' }) } as never;
	const items = all.map((_outcome, index) => ({ reference: `APP-${index + 1}` })) as never;
	expect(() => throwIfFailed(context, {} as never, items, all, { isSent: true })).toThrow(message);
});
