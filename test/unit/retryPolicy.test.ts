import * as fc from 'fast-check';
import { unwrapEnvelope } from '../../nodes/CandidateAssessment/transport/envelope';
import { parseRetryAfter } from '../../nodes/CandidateAssessment/transport/retryAfter';
import { classify, isSuccess } from '../../nodes/CandidateAssessment/transport/retryPolicy';
import type { Attempt } from '../../nodes/CandidateAssessment/transport/types';
import { anyText, NOW } from './arbitraries';

const now = Date.parse(NOW);
const policies = ['once', 'repeatable'] as const;
type Policy = (typeof policies)[number];

const answer = (status: number, retry?: string, text = ''): Attempt => ({
	kind: 'response',
	status,
	headers: retry === undefined ? {} : { 'retry-after': retry },
	text,
});
const lost = (wasSent: boolean): Attempt => ({
	kind: 'networkError',
	code: 'ECONNRESET',
	wasSent,
	isTransient: true,
});
const decision = (policy: Policy, attempt: Attempt) =>
	classify(attempt, { isRepeatable: policy === 'repeatable' }, now, (response) =>
		isSuccess(response) ? unwrapEnvelope(response.text) : undefined,
	);

const ENVELOPE = '{"data":{"status":"invited"},"meta":null}';

describe('A response of the service', () => {
	/** What each status without data means: what to do about a request that must be sent only once, about one that may be repeated, and the outcome. */
	it.each([
		[200, 'failed', 'failed', 'unknown'],
		[201, 'failed', 'failed', 'unknown'],
		[204, 'failed', 'failed', 'unknown'],
		[301, 'failed', 'failed', 'refused'],
		[302, 'failed', 'failed', 'unknown'],
		[303, 'failed', 'failed', 'unknown'],
		[304, 'failed', 'failed', 'refused'],
		[307, 'failed', 'failed', 'refused'],
		[400, 'failed', 'failed', 'refused'],
		[401, 'failed', 'failed', 'refused'],
		[403, 'failed', 'failed', 'refused'],
		[404, 'failed', 'failed', 'refused'],
		[408, 'failed', 'failed', 'refused'],
		[409, 'failed', 'failed', 'refused'],
		[422, 'failed', 'failed', 'refused'],
		[429, 'throttled', 'throttled', 'refused'],
		[500, 'failed', 'failed', 'unknown'],
		[501, 'failed', 'failed', 'unknown'],
		[502, 'failed', 'retry', 'unknown'],
		[503, 'failed', 'retry', 'unknown'],
		[504, 'failed', 'retry', 'unknown'],
		[599, 'failed', 'failed', 'unknown'],
	])('%i without data: once %s, repeatable %s, outcome %s', (status, once, repeatable, outcome) => {
		expect(decision('once', answer(status))).toMatchObject({ kind: once, outcome });
		expect(decision('repeatable', answer(status))).toMatchObject({ kind: repeatable, outcome });
	});

	it('throttles with 429, which it has not carried out', () => {
		const throttled = { kind: 'throttled', outcome: 'refused', isRetryable: true };
		for (const policy of policies) {
			expect(decision(policy, answer(429, '2'))).toEqual({ ...throttled, wait: 2000 });
			expect(decision(policy, answer(429))).toEqual({ ...throttled, wait: undefined });
			expect(decision(policy, answer(429, 'soon'))).toEqual({ ...throttled, wait: undefined });
		}
	});

	it('throttles with 503 and a wait, but may have carried the request out', () => {
		const throttled = { kind: 'throttled', outcome: 'unknown', wait: 2000 };
		expect(decision('once', answer(503, '2'))).toEqual({ ...throttled, isRetryable: false });
		expect(decision('repeatable', answer(503, '2'))).toEqual({ ...throttled, isRetryable: true });
		expect(decision('once', answer(503, 'soon')).kind).toBe('failed');
		expect(decision('repeatable', answer(503, 'soon')).kind).toBe('retry');
	});

	it.each([500, 502, 504])('%i says nothing certain, Retry-After or not', (status) => {
		expect(decision('once', answer(status, '1'))).toEqual({ kind: 'failed', outcome: 'unknown' });
	});

	it.each([200, 201, 202, 299])('of %i with the envelope is its data', (status) => {
		for (const policy of policies) {
			expect(decision(policy, answer(status, undefined, ENVELOPE))).toEqual({
				kind: 'success',
				data: { status: 'invited' },
			});
		}
	});

	it.each([
		'',
		'   ',
		'OK',
		'null',
		'5',
		'"text"',
		'[]',
		'{}',
		'[{"data":{}}]',
		'{"data":null}',
		'{"data":[]}',
		'{"data":"x"}',
		'{"data":{}',
		'<html></html>',
		'{"Data":{}}',
		'{"__proto__":{"data":{}}}',
		'{"data":null,"meta":null,"errors":[]}',
		'{"data":null,"error":{}}',
		'{"data":null,"error":false,"errors":null}',
	])('of 200 without the envelope is no success, and leaves open what happened: %j', (text) => {
		for (const policy of policies) {
			const found = decision(policy, answer(200, undefined, text));
			expect(found).toEqual({ kind: 'failed', outcome: 'unknown' });
		}
	});

	it.each([
		'{"error":"job closed"}',
		'{"errors":["job closed"]}',
		'{"error":{"code":7},"data":null}',
	])('of 200 that names an error is a refusal: %s', (text) => {
		const found = decision('once', answer(200, undefined, text));
		expect(found).toEqual({ kind: 'failed', outcome: 'refused' });
	});

	it.each([302, 404, 500])('of %i is no success even with the envelope', (status) => {
		for (const policy of policies) {
			expect(decision(policy, answer(status, undefined, ENVELOPE)).kind).toBe('failed');
		}
	});

	it('never lets what must be sent once go out again, except after 429', () => {
		const anyAnswer = fc.record({
			kind: fc.constant('response' as const),
			status: fc.oneof(fc.integer({ min: 100, max: 999 }), fc.constantFrom(429, 503)),
			headers: fc.dictionary(
				fc.constantFrom('retry-after', '__proto__', 'date'),
				fc.oneof(anyText(), fc.constantFrom('1', '-1', NOW, undefined, null, 5, ['1'])),
			),
			text: fc.oneof(anyText(), fc.json(), fc.constant(ENVELOPE)),
		});
		fc.assert(
			fc.property(anyAnswer, (attempt) => {
				const found = decision('once', attempt);
				expect(found.kind).not.toBe('retry');
				if (found.kind === 'throttled') {
					expect(found.isRetryable).toBe(attempt.status === 429);
					if (attempt.status !== 429) {
						expect(attempt.status).toBe(503);
						expect(parseRetryAfter(attempt.headers, now)).toBeDefined();
					}
				}
				if (found.kind === 'success') expect(isSuccess(attempt)).toBe(true);
			}),
			{ numRuns: 3000 },
		);
	});
});

describe('A lost connection', () => {
	it.each(policies)('lets a request (%s) go out again only if that does no harm', (policy) => {
		expect(decision(policy, lost(false))).toEqual({ kind: 'retry', outcome: 'notSent' });
		expect(decision(policy, lost(true))).toEqual({
			kind: policy === 'once' ? 'failed' : 'retry',
			outcome: 'unknown',
		});
	});

	it.each(policies)('that will not come back ends a request (%s)', (policy) => {
		const refused = { ...lost(false), isTransient: false };
		expect(decision(policy, refused)).toEqual({ kind: 'failed', outcome: 'notSent' });
	});
});

describe('Retry-After', () => {
	it.each([
		['0', 0],
		['1', 1000],
		['120', 120_000],
		[' 7 ', 7000],
		['007', 7000],
		['Fri, 20 Nov 2026 09:30:00 GMT', 0],
		['Fri, 20 Nov 2026 09:30:30 GMT', 30_000],
		['Friday, 20-Nov-26 09:31:00 GMT', 60_000],
		['Fri, 20 Nov 2026 09:29:00 GMT', 0],
		['Thu, 01 Jan 1970 00:00:00 GMT', 0],
		['Sat, 20 Nov 2027 09:30:00 GMT', 365 * 24 * 3600 * 1000],
	])('"%s" is a wait of %i milliseconds', (header, wait) => {
		expect(parseRetryAfter({ 'retry-after': header }, now)).toBe(wait);
	});

	it.each([
		'',
		'  ',
		'soon',
		'soon 7',
		'-1',
		'-120',
		'1.5',
		'1,5',
		'+7',
		'1e3',
		'0x10',
		'5 seconds',
		'in 2050',
		'NaN',
		'Fri, 99 Nov 2026 09:30:30 GMT',
		'Fri, 20 Nov 2026 99:99:99 GMT',
		'7; 8',
	])('"%s" is nonsense and says nothing', (header) => {
		expect(parseRetryAfter({ 'retry-after': header }, now)).toBeUndefined();
	});

	it.each([undefined, null, 7, ['7'], {}, new Date()])(
		'that is no text says nothing: %p',
		(header) => {
			expect(parseRetryAfter({ 'retry-after': header }, now)).toBeUndefined();
		},
	);

	it('is a wait of 0 or more, or nothing, whatever is in it', () => {
		const digits = fc.stringMatching(/^\d{1,400}$/);
		fc.assert(
			fc.property(fc.oneof(anyText(), digits, fc.date().map(String)), (header) => {
				expect(parseRetryAfter({ 'retry-after': header }, now) ?? 0).toBeGreaterThanOrEqual(0);
			}),
			{ numRuns: 2000 },
		);
		expect(parseRetryAfter({ 'retry-after': '9'.repeat(400) }, now)).toBe(Infinity);
	});

	it("is a date of the service's own clock, where that shows", () => {
		const headers = {
			'retry-after': 'Fri, 20 Nov 2026 09:30:05 GMT',
			date: 'Fri, 20 Nov 2026 09:30:00 GMT',
		};
		for (const skew of [-3_600_000, 0, 3_600_000]) {
			expect(parseRetryAfter(headers, now + skew)).toBe(5000);
		}
		expect(parseRetryAfter({ ...headers, date: 'nonsense' }, now)).toBe(5000);
	});
});
