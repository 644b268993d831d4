import { describeError } from '../../nodes/CandidateAssessment/errors/messages';
import { redact } from '../../nodes/CandidateAssessment/errors/redact';
import type { ErrorMessage } from '../../nodes/CandidateAssessment/errors/ItemError';

type Failure = Parameters<typeof describeError>[0];

const UNKNOWN_OUTCOME = {
	message: "Couldn't confirm whether this candidate was invited",
	description: 'Check the service for the invitation before sending it again.',
};
const statusMessages = { 404: { message: 'No job with this ID exists' } };
const answer = (status: number, text = ''): Failure => ({ kind: 'response', status, text });
const lost = (code: string): Failure => ({ kind: 'networkError', code });
const asIs = (text: string) => text;

/** What the user reads; of a request whose outcome is unknown, if told so. */
function message(failure: Failure, isUnknown = false, wait?: number): ErrorMessage {
	const context = { isUnknown, wait, redact: asIs };
	return describeError(failure, { statusMessages, unknownOutcome: UNKNOWN_OUTCOME }, context);
}

it('a failure has a message and what to do about it for every status, known outcome or not', () => {
	for (let status = 200; status <= 999; status++) {
		for (const isUnknown of [false, true]) {
			const { message: said, description } = message(answer(status), isUnknown);
			expect(said === UNKNOWN_OUTCOME.message).toBe(isUnknown);
			expect(said.length).toBeGreaterThan(20);
			expect(description).toMatch(/\.$/);
			expect(`${said}${description}`).not.toMatch(/undefined|null|\[object/);
		}
	}
});

it.each([
	['ECONNREFUSED', "Couldn't connect to the service"],
	['ENOTFOUND', "The service's address wasn't found"],
	['ETIMEDOUT', "The service didn't respond in time"],
	['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate can't be trusted$/],
	['ERR_TLS_CERT_ALTNAME_INVALID', /certificate can't be trusted$/],
	['SsrfBlockedIpError', /^This n8n doesn't allow requests/],
	['EPROTO', /certificate can't be trusted$/],
	['ERR_RESPONSE_TOO_LARGE', "The service's response is too large"],
	['ECONNRESET', 'The connection to the service was lost'],
	['ANYTHING ELSE', 'The connection to the service was lost'],
])('a failure of a connection with %s has its own words', (code, said) => {
	const { message: text, description } = message(lost(code));
	expect(text).toEqual(expect.stringMatching(said));
	expect(description).toMatch(new RegExp(`\\(${code}\\)$`));
});

it('a failure that is the web page of a proxy or web server is not about tokens, jobs or candidates', () => {
	const page = '<html><title>Access denied</title></html>';
	for (let status = 400; status < 500; status++) {
		const { message: said, description } = message(answer(status, page));
		expect(said).toBe(
			status === 404
				? 'No assessment API found at this address'
				: status === 407
					? 'The proxy between n8n and the service refused the request'
					: 'Something between n8n and the service refused the request',
		);
		expect(description).toMatch(/ The page says: Access denied$/);
		expect(message(answer(status, '{"message":"<html>"}')).message).not.toMatch(/^Something/);
	}
	expect(message(answer(404, '{"message":"<html> not found"}')).message).toBe(
		'No job with this ID exists',
	);
});

it.each([answer(429), lost('ETIMEDOUT')])(
	'a failure names an option only where there are any',
	(failed) => {
		const advice = (hasNoOptions: boolean) =>
			describeError(failed, { hasNoOptions }, { redact: asIs }).description;
		expect(advice(false)).toContain("in the node's options");
		expect(advice(true)).toMatch(/^Try again later\.( \(ETIMEDOUT\))?$/);
	},
);

it('a failure says how long the service asked to wait, in whole seconds, and quotes it', () => {
	const { description } = message(answer(429, '{"message":"Slow down"}'), false, 60_001);
	expect(description).toMatch(
		/ The service asks to wait 61 seconds\. The service says: Slow down$/,
	);
});

it('a failure hides what is confidential, but nothing in our own words', () => {
	const hide = (text: string) => redact(text, [], ['Access', 'service']);
	const { message: said, description } = describeError(
		answer(401, '{"message":"No access for this service"}'),
		{},
		{ redact: hide },
	);
	expect(said).toBe('The access token was refused');
	expect(description).toMatch(/access token\. The service says: No ••• for this •••$/);
	expect(describeError(lost('E_ACCESS'), {}, { redact: hide }).description).toMatch(/\(E_•••\)$/);
});

it('a failure says when a response was empty', () => {
	expect(message(answer(200, ' \n')).description).toContain('The response was empty.');
	expect(message(answer(200, 'OK')).description).not.toContain('The response was empty.');
});
