import * as fc from 'fast-check';
import {
	unwrapEnvelope,
	classify,
	parseRetryAfter,
} from '../../nodes/CandidateAssessment/transport/retryPolicy';
import type { Attempt, ApiRequest } from '../../nodes/CandidateAssessment/transport/types';
import { anyText, NOW } from './arbitraries';

const now = Date.parse(NOW);
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
type Method = (typeof methods)[number];

const request = (method: Method): ApiRequest => ({ method, path: '/' });
const answer = (status: number, retry?: string, text = ''): Attempt => ({
	kind: 'response',
	status,
	headers: retry === undefined ? {} : { 'retry-after': retry },
	text,
});
const lost = (sent: boolean): Attempt => ({ kind: 'networkError', code: 'ECONNRESET', sent });
const decision = (method: Method, attempt: Attempt) =>
	classify(request(method), attempt, now, unwrapEnvelope);

const ENVELOPE = '{"data":{"status":"invited"},"meta":null}';

describe('An answer of the service', () => {
	/** What becomes of each status without a Retry-After, for POST and for the methods that may be repeated. */
	it.each([
		[200, 'failed', 'failed'],
		[201, 'failed', 'failed'],
		[204, 'failed', 'failed'],
		[301, 'failed', 'failed'],
		[302, 'failed', 'failed'],
		[304, 'failed', 'failed'],
		[400, 'failed', 'failed'],
		[401, 'failed', 'failed'],
		[403, 'failed', 'failed'],
		[404, 'failed', 'failed'],
		[408, 'failed', 'failed'],
		[409, 'failed', 'failed'],
		[422, 'failed', 'failed'],
		[429, 'throttled', 'throttled'],
		[500, 'failed', 'failed'],
		[501, 'failed', 'failed'],
		[502, 'failed', 'retry'],
		[503, 'failed', 'retry'],
		[504, 'failed', 'retry'],
		[599, 'failed', 'failed'],
	])('%i without data: an invitation %s, any other request %s', (status, invitation, other) => {
		for (const method of methods) {
			expect(decision(method, answer(status)).kind).toBe(method === 'POST' ? invitation : other);
		}
	});

	it('pushes back with 429, and with 503 only when it says for how long', () => {
		for (const method of methods) {
			expect(decision(method, answer(429, '2'))).toEqual({ kind: 'throttled', wait: 2000 });
			expect(decision(method, answer(429))).toEqual({ kind: 'throttled', wait: undefined });
			expect(decision(method, answer(429, 'soon'))).toEqual({ kind: 'throttled', wait: undefined });
			expect(decision(method, answer(503, '2'))).toEqual({ kind: 'throttled', wait: 2000 });
			expect(decision(method, answer(503, 'soon')).kind).toBe(
				method === 'POST' ? 'failed' : 'retry',
			);
		}
	});

	it.each([500, 502, 504])(
		'%i says nothing certain of an invitation, Retry-After or not',
		(status) => {
			expect(decision('POST', answer(status, '1')).kind).toBe('failed');
		},
	);

	it('of 200 with the envelope is its data', () => {
		for (const method of methods) {
			expect(decision(method, answer(200, undefined, ENVELOPE))).toEqual({
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
	])('of 200 without the envelope is no success: %j', (text) => {
		for (const method of methods) {
			expect(decision(method, answer(200, undefined, text))).toEqual({ kind: 'failed' });
		}
	});

	it.each([201, 202, 302, 404, 500])('of %i is no success even with the envelope', (status) => {
		for (const method of methods) {
			expect(decision(method, answer(status, undefined, ENVELOPE))).toEqual({ kind: 'failed' });
		}
	});

	it('never makes an invitation go out again but after 429, or 503 with a wait', () => {
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
				const { kind } = decision('POST', attempt);
				expect(kind).not.toBe('retry');
				if (kind === 'throttled' && attempt.status !== 429) {
					expect(attempt.status).toBe(503);
					expect(parseRetryAfter(attempt.headers['retry-after'], now)).toBeDefined();
				}
				if (kind === 'success') expect(attempt.status).toBe(200);
			}),
			{ numRuns: 3000 },
		);
	});
});

describe('A lost connection', () => {
	it.each(methods)('lets %s go out again only where that does no harm', (method) => {
		expect(decision(method, lost(false)).kind).toBe('retry');
		expect(decision(method, lost(true)).kind).toBe(method === 'POST' ? 'failed' : 'retry');
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
		expect(parseRetryAfter(header, now)).toBe(wait);
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
		expect(parseRetryAfter(header, now)).toBeUndefined();
	});

	it.each([undefined, null, 7, ['7'], {}, new Date()])(
		'that is no text says nothing: %p',
		(header) => {
			expect(parseRetryAfter(header, now)).toBeUndefined();
		},
	);

	it('is a wait of 0 or more, or nothing, whatever is in it', () => {
		const digits = fc.stringMatching(/^\d{1,400}$/);
		fc.assert(
			fc.property(fc.oneof(anyText(), digits, fc.date().map(String)), (header) => {
				expect(parseRetryAfter(header, now) ?? 0).toBeGreaterThanOrEqual(0);
			}),
			{ numRuns: 2000 },
		);
		expect(parseRetryAfter('9'.repeat(400), now)).toBe(Infinity);
	});
});
