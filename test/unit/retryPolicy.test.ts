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
	[200, false, 'unknown'],
	[301, false, 'refused'],
	[302, false, 'unknown'],
	[303, false, 'unknown'],
	[400, false, 'refused'],
	[422, false, 'refused'],
	[500, true, 'unknown'],
	[502, true, 'unknown'],
	[503, true, 'unknown'],
	[504, true, 'unknown'],
	[599, true, 'unknown'],
])(
	'a request answered with %i is tried again if that does no harm: %s; its outcome: %s',
	(status, again, outcome) => {
		const decision = { isThrottled: false, ...repeatable(answer(status)) };
		expect(decision).toEqual({ outcome, isThrottled: false, isRetryable: again });
		expect(once(answer(status)).isRetryable).toBe(false);
	},
);

it('a request answered with 429 was not carried out: everybody waits, then it is sent again', () => {
	const throttled = { outcome: 'refused', isRetryable: true, isThrottled: true };
	for (const decision of [once, repeatable]) {
		expect(decision(answer(429, '2'))).toEqual({ ...throttled, wait: 2000 });
		expect(decision(answer(429))).toEqual(throttled);
		expect(decision(answer(429, 'soon'))).toEqual(throttled);
	}
});

it('a request answered with 503 and a wait may have been carried out: everybody waits', () => {
	const throttled = { outcome: 'unknown', isThrottled: true, wait: 2000 };
	expect(once(answer(503, '2'))).toEqual({ ...throttled, isRetryable: false });
	expect(repeatable(answer(503, '2'))).toEqual({ ...throttled, isRetryable: true });
	expect(repeatable(answer(502, '2')).isThrottled).toBe(false);
});

it.each([
	['{"error":"job closed"}', 'refused'],
	['{"errors":["job closed"]}', 'refused'],
	['{"error":{"code":7},"data":null}', 'refused'],
	['{"data":{"error":"job closed"}}', 'refused'],
	['{"data":null,"errors":[]}', 'unknown'],
	['{"data":null,"error":{}}', 'unknown'],
	['{"data":null,"error":false,"errors":null}', 'unknown'],
	['{"__proto__":{"error":"x"}}', 'unknown'],
	['null', 'unknown'],
	['<html></html>', 'unknown'],
])('a response of 200 is a refusal only if it names an error: %s', (text, outcome) => {
	expect(once(answer(200, undefined, text))).toMatchObject({ isRetryable: false, outcome });
});

it.each([199, 300, 302, 500])('a response of %i that names an error is no refusal', (status) => {
	expect(once(answer(status, undefined, '{"error":"failed"}')).outcome).toBe('unknown');
});

it.each(['null', '"data"', '[]', '{"data":null}', '{"data":"sent"}', '{"data":[1]}'])(
	'a response that is %s holds no data',
	(text) => expect(parseEnvelope(text)).toEqual({ data: undefined, hasError: false }),
);

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

it('a lost connection lets a request go out again if it was not sent, or if that does no harm', () => {
	expect(once(lost(false))).toEqual({ isRetryable: true, outcome: 'notSent' });
	expect(repeatable(lost(false))).toEqual({ isRetryable: true, outcome: 'notSent' });
	expect(once(lost(true))).toEqual({ isRetryable: false, outcome: 'unknown' });
	expect(repeatable(lost(true))).toEqual({ isRetryable: true, outcome: 'unknown' });
});

it.each([
	['1', 1000],
	['120', 120_000],
	['Fri, 20 Nov 2026 09:30:30 GMT', 30_000],
])('Retry-After: "%s" is a wait of %i milliseconds', (header, wait) => {
	expect(retryAfter({ 'retry-after': header }, now)).toBe(wait);
});

it.each([...['', 'soon', '-1', '1.5', '0', 'Fri, 20 Nov 2026 09:30:00 GMT', undefined]])(
	'Retry-After: %j says nothing',
	(header) => {
		expect(retryAfter({ 'retry-after': header }, now)).toBeUndefined();
	},
);

it('the wait between retries doubles up to half a minute, half of it by chance', () => {
	const waits = (chance: number) =>
		[0, 1, 9].map((retries) => backoff(retries, { random: () => chance }));
	expect([...waits(0), ...waits(1)]).toEqual([250, 500, 15_000, 500, 1000, 30_000]);
});
