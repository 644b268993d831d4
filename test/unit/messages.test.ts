import * as fc from 'fast-check';
import type { ApiCredentials } from '../../nodes/CandidateAssessment/transport/credentials';
import {
	NETWORK_ERROR_MESSAGES,
	describeError,
	ApiError,
	STATUS_CODE_MESSAGES,
} from '../../nodes/CandidateAssessment/errors/messages';
import type { Attempt, ApiRequest } from '../../nodes/CandidateAssessment/transport/types';
import { anyText, token } from './arbitraries';

const connection = {
	baseUrl: 'https://assessment.example.com',
	accessToken: 'an-access-token-of-somebody',
	webhookSecret: 'a secret of the webhook',
	decrypted: { id: '', name: '', type: '', data: {} },
} satisfies ApiCredentials;

const OUTCOME_UNKNOWN = 'It is not known whether this candidate was invited';
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const request = (method: ApiRequest['method'], body?: ApiRequest['body']) =>
	({ method, path: '/', body }) satisfies ApiRequest;
const answer = (status: number, text = '', headers = {}): Attempt => ({
	kind: 'response',
	status,
	headers,
	text,
});

/** The failure as the user meets it. */
function failure(asked: ApiRequest, attempt: Attempt, wait?: number): ApiError {
	const words = describeError(asked, attempt, connection, undefined, wait);
	return new ApiError(words, asked, attempt);
}

describe('A failure', () => {
	it('has a message and what to do about it for every status, and is uncertain for invitations only', () => {
		for (let status = 200; status <= 999; status++) {
			for (const method of methods) {
				const { message, description, isOutcomeUnknown, ...rest } = failure(
					request(method),
					answer(status),
				);
				const isOpen = method === 'POST' && (status < 300 || status >= 500);
				expect({ status, isOutcomeUnknown }).toEqual({ status, isOutcomeUnknown: isOpen });
				expect(message === OUTCOME_UNKNOWN).toBe(isOpen);
				expect(message.length).toBeGreaterThan(20);
				expect(description).toMatch(/\.$/);
				expect(`${message}${description}`).not.toMatch(/undefined|null|\[object/);
				expect(rest.status).toBe(status);
			}
		}
	});

	it.each([
		[200, 'The service answered without the expected data'],
		[302, 'The service points to another address'],
		[400, 'The service refused the data'],
		[401, 'The access token was refused'],
		[403, 'The access token does not allow this'],
		[418, 'The service refused the request'],
		[429, 'The service is receiving too many requests'],
		[500, 'The service has a problem of its own'],
		[599, 'The service has a problem of its own'],
		[999, 'The service has a problem of its own'],
	])('of status %i says: %s', (status, message) => {
		expect(failure(request('GET'), answer(status)).message).toBe(message);
	});

	it('has better words where the operation has them, except for what is not known', () => {
		const words = { 404: { message: 'No such job' }, 500: { message: 'Not now' } };
		const explained = (status: number, method: ApiRequest['method']) =>
			describeError(request(method), answer(status), connection, words).message;
		expect(explained(404, 'POST')).toBe('No such job');
		expect(explained(500, 'PUT')).toBe('Not now');
		expect(explained(500, 'POST')).toBe(OUTCOME_UNKNOWN);
	});

	it.each([
		['ECONNREFUSED', 'The service cannot be reached'],
		['EHOSTUNREACH', 'The service cannot be reached'],
		['ENETUNREACH', 'The service cannot be reached'],
		['ENOTFOUND', "The service's address was not found"],
		['EAI_AGAIN', "The service's address was not found"],
		['ERR_INVALID_URL', "The service's address was not found"],
		['ECONNABORTED', 'The service did not answer in time'],
		['ETIMEDOUT', 'The service did not answer in time'],
		['ESOCKETTIMEDOUT', 'The service did not answer in time'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate can't be trusted$/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /certificate can't be trusted$/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /certificate can't be trusted$/],
		['CERT_HAS_EXPIRED', /certificate can't be trusted$/],
		['EPROTO', /certificate can't be trusted$/],
		['ECONNRESET', 'The connection to the service was lost'],
		['EPIPE', 'The connection to the service was lost'],
		['unknown', 'The connection to the service was lost'],
	])('of a connection with %s has its own words', (code, message) => {
		const { message: said, description } = failure(request('GET'), {
			kind: 'networkError',
			code,
			sent: true,
		});
		expect(said).toEqual(expect.stringMatching(message));
		expect(description).toMatch(new RegExp(`\\(${code}\\)$`));
	});

	it('of a connection has words whatever its code, and is uncertain for invitations that were sent', () => {
		const code = fc.oneof(
			fc.stringMatching(/^[A-Z][A-Z_0-9]{0,30}$/),
			anyText({ minLength: 1 }).filter((text) => /./.test(text)),
		);
		fc.assert(
			fc.property(code, fc.boolean(), fc.constantFrom(...methods), (one, sent, method) => {
				const said = failure(request(method), { kind: 'networkError', code: one, sent });
				expect(said.isOutcomeUnknown).toBe(method === 'POST' && sent);
				expect(said.message === OUTCOME_UNKNOWN).toBe(said.isOutcomeUnknown);
				expect(said.status).toBeUndefined();
				const known = [
					OUTCOME_UNKNOWN,
					...NETWORK_ERROR_MESSAGES.map(([, { message }]) => message),
				];
				expect(known).toContain(said.message);
			}),
			{ numRuns: 1000 },
		);
	});

	it('of 503 is certain only where the service says when to come back', () => {
		const { isOutcomeUnknown } = failure(
			request('POST'),
			answer(503, '', { 'retry-after': '120' }),
		);
		expect(isOutcomeUnknown).toBe(false);
		for (const headers of [{}, { 'retry-after': '' }, { 'retry-after': 'soon' }]) {
			expect(failure(request('POST'), answer(503, '', headers)).isOutcomeUnknown).toBe(true);
		}
	});

	it('says how long the service asked to wait, in whole seconds', () => {
		const { description } = failure(request('GET'), answer(429, '{"message":"Slow down"}'), 60_001);
		expect(description).toBe(
			`${STATUS_CODE_MESSAGES[429].description} It asks to wait 61 seconds. The service says: Slow down`,
		);
	});

	it('says to look first where it is not known what happened', () => {
		const { message, description } = failure(request('POST'), answer(502, 'Bad Gateway'));
		expect(message).toBe(OUTCOME_UNKNOWN);
		expect(description).toBe(
			'The service has a problem of its own. Look in the service whether the invitation exists before you send it again. The service says: Bad Gateway',
		);
	});

	it('says when an answer was empty', () => {
		expect(failure(request('GET'), answer(200, ' \n')).description).toContain(
			'The answer was empty.',
		);
		expect(failure(request('GET'), answer(200, 'OK')).description).not.toContain('empty');
	});
});

describe('No secret is told', () => {
	/** How a service may repeat what it was sent. */
	const echoes: Array<(secret: string) => string> = [
		(secret) => secret,
		(secret) => JSON.stringify({ message: `Bearer ${secret} is not valid` }),
		(secret) => JSON.stringify({ [secret]: { authorization: secret } }),
		(secret) => JSON.stringify([secret, [secret, { error: secret }]]),
		(secret) => `<html><title>${secret}</title><p>${secret}</html>`,
		(secret) => `${secret}${secret}\n${secret}`,
		(secret) => `{"message": "${secret}`,
	];
	const echo = fc.constantFrom(...echoes);
	const before = fc.oneof(
		anyText({ maxLength: 20 }),
		// So that the secret stands where long words are cut.
		fc.integer({ min: 420, max: 510 }).map((length) => 'x'.repeat(length)),
	);

	/** Not even a part of it long enough to be of use. */
	const partsOf = (secret: string) => [secret.slice(0, 10), secret.slice(-10)];

	it('wherever and however the service repeats it', () => {
		const status = fc.constantFrom(200, 302, 400, 401, 404, 429, 500, 503);
		fc.assert(
			fc.property(
				fc.tuple(token, token, token),
				fc.nat(2),
				echo,
				before,
				status,
				fc.constantFrom(...methods),
				([accessToken, webhookSecret, secret], which, echoed, start, code, method) => {
					const told = [accessToken, webhookSecret, secret][which];
					const attempt = answer(code, echoed(`${start}${told}`));
					const { message, description } = describeError(
						request(method, { secret }),
						attempt,
						{ ...connection, accessToken, webhookSecret },
						undefined,
					);
					for (const part of partsOf(told)) expect(`${message} ${description}`).not.toContain(part);
				},
			),
			{ numRuns: 2000 },
		);
	});

	it('where one secret is part of another', () => {
		fc.assert(
			fc.property(token, token, fc.boolean(), echo, (inner, more, isToken, echoed) => {
				const outer = inner + more;
				const secrets = isToken
					? { accessToken: inner, webhookSecret: outer }
					: { accessToken: outer, webhookSecret: inner };
				const { description } = describeError(
					request('GET'),
					answer(400, echoed(outer)),
					{ ...connection, ...secrets },
					undefined,
				);
				for (const part of [...partsOf(inner), ...partsOf(more)]) {
					expect(description).not.toContain(part);
				}
			}),
			{ numRuns: 500 },
		);
	});

	it('where it has blanks in it, which the words do not keep', () => {
		const webhookSecret = 'many  blanks \t in here';
		const { description } = describeError(
			request('PUT'),
			answer(400, JSON.stringify({ message: `${webhookSecret} is too weak` })),
			{ ...connection, webhookSecret },
			undefined,
		);
		expect(description).toMatch(/The service says: ••• is too weak$/);
	});

	it('as the code of a lost connection', () => {
		const { accessToken } = connection;
		const { description } = failure(request('GET'), {
			kind: 'networkError',
			code: `E_${accessToken}`,
			sent: true,
		});
		expect(description).toMatch(/\(E_•••\)$/);
	});
});
