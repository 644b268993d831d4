import * as fc from 'fast-check';
import { formatBatchReport, itemNumber } from '../../nodes/CandidateAssessment/batch/batchReport';
import type { Outcome } from '../../nodes/CandidateAssessment/batch/runBatch';
import { ApiError } from '../../nodes/CandidateAssessment/errors/messages';

const words = { message: 'It failed' };
const post = { method: 'POST', path: '/' } as const;
const done: Outcome = { kind: 'success', json: {} };
const notSent: Outcome = { kind: 'notSent' };
const failed: Outcome = { kind: 'failed', error: new Error('It failed') };
const refused: Outcome = {
	kind: 'failed',
	error: new ApiError(words, post, { kind: 'response', status: 400, headers: {}, text: '' }),
};
const unknown: Outcome = {
	kind: 'failed',
	error: new ApiError(words, post, { kind: 'networkError', code: 'ECONNRESET', sent: true }),
};

describe('The account of a batch', () => {
	it('says of every item what became of it, with its number and its reference', () => {
		expect(
			formatBatchReport(
				[done, refused, unknown, done, notSent, failed],
				['APP-1', 'APP-2', 'APP-3', undefined, 'APP-5', ''],
			),
		).toBe(
			[
				'Went through (2): item 1 (APP-1), item 4.',
				'Not known (1): item 3 (APP-3).',
				'Failed (2): item 2 (APP-2), item 6.',
				'Never sent (1): item 5 (APP-5).',
			].join('\n'),
		);
	});

	it('leaves out what does not occur', () => {
		expect(formatBatchReport([done], ['APP-1'])).toBe('Went through (1): item 1 (APP-1).');
		expect(formatBatchReport([notSent], [])).toBe('Never sent (1): item 1.');
		expect(formatBatchReport([], [])).toBe('');
	});

	it('names every item once, under its own heading', () => {
		const TITLES = new Map<Outcome, string>([
			[done, 'Went through'],
			[unknown, 'Not known'],
			[refused, 'Failed'],
			[failed, 'Failed'],
			[notSent, 'Never sent'],
		]);
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...TITLES.keys()), { maxLength: 60 }), (outcomes) => {
				const places = formatBatchReport(outcomes, [])
					.split('\n')
					.flatMap((line) => {
						const [, title, count, items] = /^(.+) \((\d+)\): (.+)\.$/.exec(line) ?? [];
						const names = items?.split(', ') ?? [];
						expect(names).toHaveLength(Number(count ?? 0));
						return names.map((name): [string, string] => [name, title]);
					});
				expect(places).toHaveLength(outcomes.length);
				expect(new Map(places)).toEqual(
					new Map(
						outcomes.map((outcome, index) => [
							`item ${itemNumber(index)}`,
							TITLES.get(outcome) as string,
						]),
					),
				);
			}),
			{ numRuns: 500 },
		);
	});
});
