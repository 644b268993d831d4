import { inSeconds } from '../../nodes/CandidateAssessment/errors/messages';
import {
	backoff,
	decide,
	parseEnvelope,
	retryAfter,
} from '../../nodes/CandidateAssessment/transport/retryPolicy';
import type { Reply } from '../../nodes/CandidateAssessment/transport/types';
import { NOW } from './support/arbitraries';

const now = Date.parse(NOW);
const answer = (status: number, retry?: string, text = ''): Reply => ({
	kind: 'response',
	status,
	headers: retry === undefined ? {} : { 'retry-after': retry },
	text,
});
const lost = (wasSent: boolean): Reply => ({
	kind: 'networkError',
	code: 'ECONNRESET',
	wasSent,
});
const FIRST = { mayBeDone: false, now };
const once = (attempt: Reply) => decide(attempt, { isRepeatable: false }, FIRST);
const repeatable = (attempt: Reply) => decide(attempt, { isRepeatable: true }, FIRST);

// statusMeaning.test.ts has what else each status means.
it.each<[status: number, retry: string | undefined, wait: number | undefined, allWait: boolean]>([
	[408, '2', 2000, false],
	[422, '2', 2000, false],
	[429, '2', 2000, true],
	[429, 'soon', undefined, true],
	[500, '2', 2000, false],
	[503, '2', 2000, true],
	[503, undefined, undefined, false],
])('after a %i (Retry-After: %s), the wait is %s, and all wait: %s', (status, retry, wait, all) => {
	for (const decide of [once, repeatable]) {
		expect(decide(answer(status, retry))).toMatchObject({ isThrottled: all, wait });
	}
});

it.each([
	['refused', '{"error":"closed"}', '{"errors":["closed"]}', '{"data":{"error":"closed"}}'],
	['refused', '{"error":{"code":7},"data":null}', '{"Errors":[{"code":7}]}'],
	['refused', '{"success":false}', '{"data":null,"isSuccess":"false"}', '{"ok":false}'],
	['refused', '{"status":"error"}', '{"result":"FAILED"}', '{"status":"fail","data":[]}'],
	['unknown', '{"data":null,"errors":[]}', '{"data":null,"error":{}}', '{"data":null}', '[]'],
	['unknown', '{"success":true}', '{"message":"Queued"}', '{"status":"ok"}', '{"code":0}'],
	['unknown', '{"email_delivery":"failed"}', '{"last_name":"Fail"}'],
	// Fields and words that only contain those of a failure.
	['unknown', '{"test_status":"failed"}', '{"status_text":"failed"}', '{"status":"not failed"}'],
	['unknown', '{"has_error":"no"}', '{"errors_left":"no"}', '{"ok_to_mail":false}'],
	['unknown', '{"data":null,"error":false,"errors":null}', '{"__proto__":{"error":"x"}}'],
	['unknown', 'null', '"data"', '{"data":"sent"}', '{"data":[1]}', '<html></html>'],
])('a response of 200 without a resource is %s with %s', (kind, ...texts) => {
	for (const text of texts) {
		expect(once(answer(200, undefined, text))).toMatchObject({ isRetryable: false, kind });
		const data = text.startsWith('{"data":{') ? { error: 'closed' } : undefined;
		expect(parseEnvelope(text).data).toEqual(data);
		if (kind === 'refused') expect(once(answer(302, undefined, text)).kind).toBe('unknown');
	}
});

it.each([
	[false, 'notSent'],
	[true, 'unknown'],
])('a lost connection, with the request sent: %s, makes it %s', (wasSent, kind) => {
	const expected = { kind, isThrottled: false };
	expect(once(lost(wasSent))).toEqual({ ...expected, isRetryable: !wasSent });
	expect(repeatable(lost(wasSent))).toEqual({ ...expected, isRetryable: true });
});

it.each([lost(false), answer(401), answer(422), answer(429), answer(301)])(
	'a change stays unknown where an earlier attempt may have been carried out, whatever comes then: %j',
	(attempt) => {
		const later = { mayBeDone: true, now };
		const change = { isRepeatable: true };
		expect(decide(attempt, change, later).kind).toBe('unknown');
		const first = decide(attempt, change, FIRST).kind;
		expect(decide(attempt, { ...change, isRead: true }, later).kind).toBe(first);
	},
);

it.each([
	[1000, '1', ' 1 '],
	[120_000, '120'],
	[500, '0.5'],
	[12_250, '12.25', '12.250'],
	// All forms of RFC 9110 (the third is in UTC), and a form that many APIs use.
	[30_000, 'Fri, 20 Nov 2026 09:30:30 GMT', 'Friday, 20-Nov-26 09:30:30 GMT'],
	[30_000, 'Fri Nov 20 09:30:30 2026', '2026-11-20T09:30:30Z', '2026-11-20T10:30:30+01:00'],
	[1_795_167_030_000, '1795167030'],
	[undefined, '', 'soon', '-1', '0', 'Fri, 20 Nov 2026 09:30:00 GMT', undefined, '1e3', '∞'],
	[undefined, '-2.5', '.5', '5.', '1,5', '1 2', '12/31', '10-12', '5s', '0x10', '9:30', '09:30:30'],
])('Retry-After asks for a wait of %p milliseconds with %j', (wait, ...headers) => {
	for (const header of headers) {
		expect([header, retryAfter({ 'retry-after': header }, now)]).toEqual([header, wait]);
	}
});

it.each([
	[1, '1 second', '1'],
	[2500, '3 seconds', '2.5'],
	[90_000_000, '90000 seconds', '90000'],
	[90_001_000, "90001 seconds (it wrote 'Retry-After: 90001')", '90001'],
	[1_795_167_030_000, "1795167030 seconds (it wrote 'Retry-After: 1795167030')", '1795167030'],
])("a wait of %i milliseconds is '%s', as errors have it", (wait, words, header) => {
	expect(inSeconds(wait, answer(429, header))).toBe(words);
});

it('the wait between retries doubles up to half a minute, half of it by chance', () => {
	const chance = jest.spyOn(Math, 'random');
	const waits = [0, 1].map((value) => {
		chance.mockReturnValue(value);
		return [0, 1, 9].map(backoff);
	});
	chance.mockRestore();
	expect(waits).toEqual([
		[250, 500, 15_000],
		[500, 1000, 30_000],
	]);
});
