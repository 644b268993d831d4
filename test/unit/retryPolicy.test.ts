import * as fc from 'fast-check';
import { parseEnvelope } from '../../nodes/CandidateAssessment/transport/envelope';
import { backoff, decide, retryAfter } from '../../nodes/CandidateAssessment/transport/retryPolicy';
import type { FailedAttempt } from '../../nodes/CandidateAssessment/transport/types';
import { anyText, NOW } from './arbitraries';

const now = Date.parse(NOW);
const answer = (status: number, retry?: string, text = ''): FailedAttempt => ({
	kind: 'response',
	status,
	headers: retry === undefined ? {} : { 'retry-after': retry },
	text,
});
const lost = (wasSent: boolean): FailedAttempt => ({
	kind: 'networkError',
	code: 'ECONNRESET',
	wasSent,
});
const once = (attempt: FailedAttempt) => decide(attempt, { isRepeatable: false }, now);
const repeatable = (attempt: FailedAttempt) => decide(attempt, { isRepeatable: true }, now);

it.each([
	[200, 'unknown'],
	[301, 'refused'],
	[302, 'unknown'],
	[303, 'unknown'],
	[400, 'refused'],
	[422, 'refused'],
	[500, 'unknown'],
	[502, 'unknown'],
	[504, 'unknown'],
	[599, 'unknown'],
])(
	'a request answered with %i is %s, and repeated if that does no harm and can help',
	(status, outcome) => {
		const decision = { isThrottled: false, ...repeatable(answer(status, '2')) };
		expect(decision).toMatchObject({ outcome, isThrottled: false, isRetryable: status >= 500 });
		expect(once(answer(status)).isRetryable).toBe(false);
	},
);

it('a request answered with 429 was not carried out: everybody waits, then it is sent again', () => {
	const throttled = { outcome: 'refused', isRetryable: true, isThrottled: true };
	for (const decision of [once, repeatable]) {
		expect(decision(answer(429, '2'))).toEqual({ ...throttled, wait: 2000 });
		expect(decision(answer(429, 'soon'))).toEqual(throttled);
	}
});

it('a request answered with 503 and a wait may have been carried out: everybody waits', () => {
	const throttled = { outcome: 'unknown', isThrottled: true, wait: 2000 };
	expect(once(answer(503, '2'))).toEqual({ ...throttled, isRetryable: false });
	expect(repeatable(answer(503, '2'))).toEqual({ ...throttled, isRetryable: true });
	expect(repeatable(answer(503)).isThrottled).toBe(false);
});

it.each([
	['refused', '{"error":"closed"}', '{"errors":["closed"]}', '{"data":{"error":"closed"}}'],
	['refused', '{"error":{"code":7},"data":null}'],
	['unknown', '{"data":null,"errors":[]}', '{"data":null,"error":{}}', '{"data":null}', '[]'],
	['unknown', '{"data":null,"error":false,"errors":null}', '{"__proto__":{"error":"x"}}'],
	['unknown', 'null', '"data"', '{"data":"sent"}', '{"data":[1]}', '<html></html>'],
])('a response of 200 without a resource is %s with %s', (outcome, ...texts) => {
	for (const text of texts) {
		expect(once(answer(200, undefined, text))).toMatchObject({ isRetryable: false, outcome });
		const data = text.startsWith('{"data":{') ? { error: 'closed' } : undefined;
		expect(parseEnvelope(text).data).toEqual(data);
		if (outcome === 'refused') expect(once(answer(302, undefined, text)).outcome).toBe('unknown');
	}
});

it('what must be sent once goes out again only after 429', () => {
	const anyAnswer = fc.record({
		kind: fc.constant('response' as const),
		status: fc.oneof(fc.integer({ min: 100, max: 999 }), fc.constantFrom(429, 503)),
		headers: fc.dictionary(
			fc.constantFrom('retry-after', '__proto__', 'date'),
			fc.oneof(anyText(), fc.constantFrom('1', '-1', NOW, undefined, null, 5, ['1'])),
		),
		text: fc.oneof(anyText(), fc.json()),
	});
	fc.assert(
		fc.property(anyAnswer, (attempt) => {
			expect(once(attempt).isRetryable).toBe(attempt.status === 429);
		}),
		{ numRuns: 500 },
	);
});

it.each([
	[false, 'notSent'],
	[true, 'unknown'],
])('a lost connection, with the request sent: %s, makes it %s', (wasSent, outcome) => {
	expect(once(lost(wasSent))).toEqual({ isRetryable: !wasSent, outcome });
	expect(repeatable(lost(wasSent))).toEqual({ isRetryable: true, outcome });
});

it.each([
	[1000, '1'],
	[120_000, '120'],
	[30_000, 'Fri, 20 Nov 2026 09:30:30 GMT'],
	[undefined, '', 'soon', '-1', '1.5', '0', 'Fri, 20 Nov 2026 09:30:00 GMT', undefined],
])('Retry-After asks for a wait of %p milliseconds with %j', (wait, ...headers) => {
	for (const header of headers) expect(retryAfter({ 'retry-after': header }, now)).toBe(wait);
});

it('the wait between retries doubles up to half a minute, half of it by chance', () => {
	const waits = (chance: number) =>
		[0, 1, 9].map((retries) => backoff(retries, { random: () => chance }));
	expect([...waits(0), ...waits(1)]).toEqual([250, 500, 15_000, 500, 1000, 30_000]);
});
