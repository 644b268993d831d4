import { ApiError } from '../../nodes/CandidateAssessment/errors/ItemError';
import { describeStatus } from '../../nodes/CandidateAssessment/errors/messages';
import { meaningOf } from '../../nodes/CandidateAssessment/errors/statusMeaning';
import { decide } from '../../nodes/CandidateAssessment/transport/retryPolicy';

const PAGE = '<!doctype html><html><body>No</body></html>';
const ERROR = '{"error":"No"}';

const range = (first: number, last = first) =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);

const numbersIn = (ranges: string) =>
	ranges.split(' ').flatMap((part) => range(...(part.split('-').map(Number) as [number, number?])));

/** Every status, and its meaning without a body. */
const ROWS: Array<[statuses: string, ...ReturnType<typeof words>]> = [
	['400 404-406 409-417 421-426 428 431 451', 'refused', 'never', 'request'],
	['403', 'refused', 'never', 'unclear'],
	['301 307 308 401 402 407', 'refused', 'never', 'all'],
	['429', 'refused', 'always', 'all'],
	['200-300 302-306 309-399', 'unknown', 'never', 'unclear'],
	['408 418-420 427 430 432-450 452-599', 'unknown', 'ifRepeatable', 'unclear'],
];

function words(...[status, body]: Parameters<typeof meaningOf>): [string, string, string] {
	const { kind, retry, scope } = meaningOf(status, body);
	return [kind, retry, scope];
}

it('every status from 200 to 599 has one meaning', () => {
	const all = ROWS.flatMap(([statuses]) => numbersIn(statuses));
	expect(all.sort((one, other) => one - other)).toEqual(range(200, 599));
});

it.each(ROWS)('a response with %s is %s, retried: %s, and about: %s', (statuses, ...meaning) => {
	for (const status of numbersIn(statuses)) {
		expect([status, ...words(status)]).toEqual([status, ...meaning]);
	}
});

it('a web page says the same, but that what one request holds is wrong', () => {
	for (const status of range(200, 599)) {
		const [kind, retry, scope] = words(status);
		const ofPage = status === 404 ? 'all' : scope === 'request' ? 'unclear' : scope;
		const expected = [status, kind, retry, ofPage];
		expect([status, ...words(status, { isPage: true })]).toEqual(expected);
	}
});

it('an error in the response turns a 2xx into a refusal, and changes nothing else', () => {
	for (const status of range(200, 599)) {
		const expected = status < 300 ? ['refused', 'never', 'unclear'] : words(status);
		expect([status, ...words(status, { hasError: true })]).toEqual([status, ...expected]);
	}
});

it.each([
	['nothing', '', {}],
	['an error', ERROR, { hasError: true }],
	['a web page', PAGE, { isPage: true }],
])('retries, lists, and messages follow that meaning, with %s as body', (_what, text, body) => {
	for (const status of range(200, 599)) {
		const { kind, retry, scope } = meaningOf(status, body);
		const response = { kind: 'response' as const, status, headers: {}, text };
		const first = { mayBeDone: false, now: 0 };
		for (const [isRepeatable, isRetryable] of [
			[false, retry === 'always'],
			[true, retry !== 'never'],
		]) {
			const decision = decide(response, { isRepeatable }, first);
			expect([status, decision]).toMatchObject([status, { kind, scope, isRetryable }]);
		}
		const { countsAsOutage, isAboutData } = new ApiError({ message: '' }, kind, status, scope);
		expect([status, countsAsOutage, isAboutData]).toEqual([
			status,
			kind === 'unknown' || scope === 'all',
			scope === 'request',
		]);
	}
});

it('the words of a 403 name the token, and too many requests, since services say it of both', () => {
	const { message, description } = describeStatus(403);
	expect(message).toBe("The access token doesn't allow this");
	expect(description).toMatch(
		/a token with this permission.* may be rate limiting you: try again later/,
	);
});

it('a message says of a 4xx that the service refused the request only if it did', () => {
	for (const status of range(400, 499)) {
		const { message } = describeStatus(status);
		if (meaningOf(status).kind === 'refused') {
			expect(message).not.toBe("The service couldn't process the request");
		} else expect(message).toMatch(/couldn't process the request$|didn't respond in time$/);
	}
});
