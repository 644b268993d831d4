import * as fc from 'fast-check';
import {
	formatBatchReport,
	itemName,
	itemRanges,
} from '../../nodes/CandidateAssessment/batch/batchReport';
import type { ItemOutcome } from '../../nodes/CandidateAssessment/actions/ItemOutcome';

const error = new Error('It failed');
const succeeded: ItemOutcome = {
	kind: 'succeeded',
	output: { json: { link: 'https://a.example/1' } },
};
const outcomes = {
	Succeeded: succeeded,
	Unknown: { kind: 'unknown', error },
	Failed: { kind: 'refused', error },
	Invalid: { kind: 'invalid', error },
	'Not sent': { kind: 'notSent', error },
} satisfies Record<string, ItemOutcome>;
const { Unknown: unknown, Failed: refused, 'Not sent': notSent } = outcomes;

const noReceipt = () => undefined;
const linkOf = (outcome: ItemOutcome) =>
	outcome.kind === 'succeeded' ? outcome.output.json.link : undefined;
const named = (...references: Array<string | undefined>) =>
	references.map((reference) => ({ reference }));

describe('The report of a batch', () => {
	it('says of every item what became of it, by its reference and number', () => {
		expect(
			formatBatchReport(
				[succeeded, refused, unknown, succeeded, notSent, outcomes.Invalid],
				named('APP-1', 'APP-2', 'APP-3', undefined, 'APP-5', ''),
				noReceipt,
			),
		).toBe(
			[
				'Succeeded (2): APP-1 (item 1), item 4.',
				'Unknown (1): APP-3 (item 3).',
				'Failed (1): APP-2 (item 2).',
				'Invalid (1): item 6.',
				'Not sent (1): item 5.',
			].join('\n'),
		);
	});

	it('gives the invitation link of those that succeeded, since no output will', () => {
		expect(formatBatchReport([succeeded, notSent], named('APP-1'), linkOf)).toBe(
			['Succeeded (1):', 'APP-1 (item 1): https://a.example/1', 'Not sent (1): item 2.'].join('\n'),
		);
	});

	it('says in one line what hundreds of items have in common', () => {
		const many = Array.from({ length: 340 }, () => notSent);
		const report = formatBatchReport([...many, succeeded, notSent], [], noReceipt);
		expect(report).toBe('Succeeded (1): item 341.\nNot sent (341): items 1–340, 342.');
	});

	it('leaves out what does not occur', () => {
		expect(formatBatchReport([succeeded], named('APP-1'), noReceipt)).toBe(
			'Succeeded (1): APP-1 (item 1).',
		);
		expect(formatBatchReport([], [], noReceipt)).toBe('');
	});

	it('names every item once, under its own heading', () => {
		const titles = Object.keys(outcomes) as Array<keyof typeof outcomes>;
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...titles), { maxLength: 60 }), (expected) => {
				const report = formatBatchReport(
					expected.map((title) => outcomes[title]),
					[],
					noReceipt,
				);
				const found: string[] = [];
				for (const line of report.split('\n').filter(Boolean)) {
					const [, title, count, items] = /^(.+) \((\d+)\): (.+)\.$/.exec(line) ?? [];
					const numbers = items.split(', ').flatMap((part) => {
						const [first, last] = part
							.replace(/items? /, '')
							.split('–')
							.map(Number);
						return Array.from({ length: (last ?? first) - first + 1 }, (_, step) => first + step);
					});
					expect(numbers).toHaveLength(Number(count));
					for (const number of numbers) {
						expect(found[number - 1]).toBeUndefined();
						found[number - 1] = title;
					}
				}
				expect(found).toEqual(expected);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('Items in words', () => {
	it('are counted from 1', () => {
		expect([itemName(0), itemName(1, 'APP-2')]).toEqual(['item 1', 'APP-2 (item 2)']);
		expect(itemRanges([4])).toBe('item 5');
		expect(itemRanges([0, 1, 2, 5, 7, 8])).toBe('items 1–3, 6, 8–9');
	});
});
