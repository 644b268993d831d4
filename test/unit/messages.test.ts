import * as fc from 'fast-check';
import { fillIn } from '../../nodes/CandidateAssessment/errors/fillIn';
import { redact } from '../../nodes/CandidateAssessment/errors/redact';
import {
	describeError,
	NETWORK_ERROR_MESSAGES,
	STATUS_CODE_MESSAGES,
} from '../../nodes/CandidateAssessment/errors/messages';
import type { ErrorMessage } from '../../nodes/CandidateAssessment/errors/types';
import type { Attempt } from '../../nodes/CandidateAssessment/transport/types';
import { anyText } from './arbitraries';

const UNKNOWN_OUTCOME = {
	message: "Couldn't confirm whether this candidate was invited",
	description: 'Check the service for the invitation before sending it again.',
};
const answer = (status: number, text = ''): Attempt => ({
	kind: 'response',
	status,
	headers: {},
	text,
});
const lost = (code: string): Attempt => ({
	kind: 'networkError',
	code,
	wasSent: true,
	isTransient: true,
});
const asIs = (text: string) => text;

/** What the user reads; of a request whose outcome is unknown, if told so. */
function message(attempt: Attempt, isUnknown = false, wait?: number): ErrorMessage {
	return describeError(attempt, { unknownOutcome: UNKNOWN_OUTCOME }, isUnknown, asIs, wait);
}

describe('A failure', () => {
	it('has a message and what to do about it for every status, known outcome or not', () => {
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
		[200, "The service's response doesn't contain the expected data"],
		[302, 'The service redirected to another address'],
		[400, 'The service rejected the data'],
		[401, 'The access token was refused'],
		[403, "The access token doesn't allow this"],
		[418, 'The service refused the request'],
		[429, 'The service is receiving too many requests'],
		[500, 'The service returned a server error'],
		[599, 'The service returned a server error'],
		[999, 'The service returned a server error'],
	])('of status %i says: %s', (status, said) => {
		expect(message(answer(status)).message).toBe(said);
	});

	it('has better words if the operation has them, except for an unknown outcome', () => {
		const statusMessages = { 404: { message: 'No such job' }, 500: { message: 'Not now' } };
		const explained = (status: number, isUnknown: boolean) =>
			describeError(
				answer(status),
				{ statusMessages, unknownOutcome: UNKNOWN_OUTCOME },
				isUnknown,
				asIs,
			).message;
		expect(explained(404, false)).toBe('No such job');
		expect(explained(500, false)).toBe('Not now');
		expect(explained(500, true)).toBe(UNKNOWN_OUTCOME.message);
	});

	it.each([answer(429), lost('ETIMEDOUT')])(
		'names an option only where the node has any',
		(failed) => {
			const advice = (hasNoOptions: boolean) =>
				describeError(failed, { hasNoOptions }, false, asIs).description;
			expect(advice(false)).toContain("in the node's options");
			expect(advice(true)).toMatch(/^Try again later\./);
			expect(advice(true)).not.toContain('option');
		},
	);

	it('of an operation without words for an unknown outcome says what went wrong', () => {
		expect(describeError(answer(500), {}, true, asIs).message).toBe(
			'The service returned a server error',
		);
	});

	it.each([
		['ECONNREFUSED', "Couldn't connect to the service"],
		['EHOSTUNREACH', "Couldn't connect to the service"],
		['ENETUNREACH', "Couldn't connect to the service"],
		['ENOTFOUND', "The service's address wasn't found"],
		['EAI_AGAIN', "The service's address wasn't found"],
		['ERR_INVALID_URL', "The service's address wasn't found"],
		['ECONNABORTED', "The service didn't respond in time"],
		['ETIMEDOUT', "The service didn't respond in time"],
		['ESOCKETTIMEDOUT', "The service didn't respond in time"],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate can't be trusted$/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /certificate can't be trusted$/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /certificate can't be trusted$/],
		['CERT_HAS_EXPIRED', /certificate can't be trusted$/],
		['EPROTO', /certificate can't be trusted$/],
		['ERR_RESPONSE_TOO_LARGE', "The service's response is too large"],
		['ECONNRESET', 'The connection to the service was lost'],
		['EPIPE', 'The connection to the service was lost'],
		['unknown', 'The connection to the service was lost'],
	])('of a connection with %s has its own words', (code, said) => {
		const found = message(lost(code));
		expect(found.message).toEqual(expect.stringMatching(said));
		expect(found.description).toMatch(new RegExp(`\\(${code}\\)$`));
	});

	it('of a connection has words whatever its code', () => {
		const code = fc.oneof(
			fc.stringMatching(/^[A-Z][A-Z_0-9]{0,30}$/),
			anyText({ minLength: 1 }).filter((text) => /./.test(text)),
		);
		const known = NETWORK_ERROR_MESSAGES.map(([, words]) => words.message);
		fc.assert(
			fc.property(code, fc.boolean(), (one, isUnknown) => {
				const said = message(lost(one), isUnknown).message;
				expect(isUnknown ? [UNKNOWN_OUTCOME.message] : known).toContain(said);
			}),
			{ numRuns: 1000 },
		);
	});

	it("of a request that n8n itself refused keeps n8n's own explanation", () => {
		const explanation = { message: 'Domain not allowed', description: 'Ask your admin.' };
		const refused: Attempt = {
			kind: 'networkError',
			code: 'unknown',
			wasSent: false,
			isTransient: false,
			explanation,
		};
		expect(message(refused)).toEqual(explanation);
	});

	it('says how long the service asked to wait, in whole seconds', () => {
		const { description } = message(answer(429, '{"message":"Slow down"}'), false, 60_001);
		expect(description).toBe(
			`${STATUS_CODE_MESSAGES[429].description} ${STATUS_CODE_MESSAGES[429].option} The service asks to wait 61 seconds. The service says: Slow down`,
		);
	});

	it("hides nothing in our own words, whatever a candidate's skill is called", () => {
		const found = describeError(
			answer(401, '{"message":"No access for this service"}'),
			{},
			false,
			redact(['Access', 'service']),
		);
		expect(found).toEqual({
			message: STATUS_CODE_MESSAGES[401].message,
			description: `${STATUS_CODE_MESSAGES[401].description} The service says: No ••• for this •••`,
		});
	});

	it('says to check first if the outcome is unknown', () => {
		expect(message(answer(502, 'Bad Gateway'), true)).toEqual({
			message: UNKNOWN_OUTCOME.message,
			description:
				'The service returned a server error. Check the service for the invitation before sending it again. The service says: Bad Gateway',
		});
	});

	it('says when a response was empty', () => {
		const empty = 'The response was empty.';
		expect(message(answer(200, ' \n')).description).toContain(empty);
		expect(message(answer(200, 'OK')).description).not.toContain(empty);
	});
});

describe('A message with places in it', () => {
	it('shows every value as it is, and leaves a place without a value', () => {
		fc.assert(
			fc.property(anyText(), fc.integer(), (text, number) => {
				const places = { message: '{text}, {number}', description: '{other} of {text}' };
				expect(fillIn(places, { text, number })).toEqual({
					message: `${text}, ${number}`,
					description: `{other} of ${text}`,
				});
			}),
		);
	});
});
