import { NodeApiError, type INode } from 'n8n-workflow';
import { describeError } from '../../nodes/CandidateAssessment/errors/messages';
import { networkError } from '../../nodes/CandidateAssessment/transport/exchange';

const NODE = { name: 'Invite', type: 'node' } as INode;

/** The error as n8n throws it. 1.x drops its cause. */
function wrapped(code: string, message: string, version: '2.x' | '1.x') {
	const cause = Object.assign(new Error(message), { code });
	const error = new NodeApiError(NODE, cause as never);
	if (version === '1.x') error.cause = undefined;
	return error;
}

const NOT_FOUND = "The service's address wasn't found";
const NOT_CONNECTED = "Couldn't connect to the service";
const LATE = "The service didn't respond in time";
const NOT_TRUSTED = "The connection to the service isn't secure: its certificate can't be trusted";
const NO_TLS = 'Client network socket disconnected before secure TLS connection was established';
const LOST = 'The connection to the service was lost';

describe.each(['2.x', '1.x'] as const)('on n8n %s', (version) => {
	it.each([
		['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', NOT_CONNECTED],
		['ECONNREFUSED', '', NOT_CONNECTED],
		['EAI_AGAIN', 'getaddrinfo EAI_AGAIN assessment.example.com', NOT_FOUND],
		['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', LATE],
		['ECONNRESET', 'connect ECONNRESET 127.0.0.1:1', LOST],
		['ECONNRESET', NO_TLS, LOST],
		['EPROTO', 'write EPROTO 80AC:error:0A00010B:SSL routines:ssl3_get_record:wrong', NOT_TRUSTED],
		['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's", NOT_TRUSTED],
		['CERT_HAS_EXPIRED', 'certificate has expired', NOT_TRUSTED],
		['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', NOT_TRUSTED],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', NOT_TRUSTED],
		['ERR_INVALID_URL', 'Invalid URL', NOT_FOUND],
	])('a request was certainly not sent with %s (%s)', (code, words, said) => {
		expect(outcomeOf(wrapped(code, words, version))).toEqual({ code, wasSent: false, said });
	});

	it.each([
		['ECONNRESET', 'socket hang up', LOST],
		['ECONNRESET', 'read ECONNRESET', LOST],
		['ETIMEDOUT', 'read ETIMEDOUT', LATE],
		['EHOSTUNREACH', 'read EHOSTUNREACH', NOT_CONNECTED],
		['ENETDOWN', 'write ENETDOWN', LOST],
		['ECONNABORTED', 'timeout of 1000ms exceeded', LATE],
		['ERR_CANCELED', 'canceled', LOST],
		['HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/', LOST],
		['ERR_SSL_WRONG_VERSION_NUMBER', '80AC:error:0A00010B:SSL routines:ssl3', NOT_TRUSTED],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', '80AC:error:0A00045C:SSL', NOT_TRUSTED],
		['SOMETHING_NEW', 'nobody has seen this before', LOST],
	])('a request may have been sent with %s (%s)', (code, words, said) => {
		expect(outcomeOf(wrapped(code, words, version))).toEqual({ code, wasSent: true, said });
	});
});

/** The knowledge about the request, and the user's message. */
function outcomeOf(error: unknown) {
	const failure = networkError(error);
	const { code, wasSent } = failure;
	const redact = (text: string) => `redacted ${text}`;
	const { message: said, description } = describeError(failure, {}, { kind: 'notSent', redact });
	expect(description).toMatch(new RegExp(`\\. .*\\(redacted ${code}\\)$`));
	return { code, wasSent, said };
}

it('a request may have been sent where the error has no code', () => {
	const circle = new Error('It failed');
	circle.cause = circle;
	for (const error of [circle, new NodeApiError(NODE, {}), 'a text', undefined]) {
		expect(networkError(error)).toMatchObject({ code: '', wasSent: true });
	}
});

it('a request that n8n refused to send was not sent', () => {
	const blocked = Object.assign(new Error('Blocked'), { name: 'SsrfBlockedIpError' });
	const wrapper = new Error('n8n', { cause: new Error('axios', { cause: blocked }) });
	const said = "Your n8n blocks requests to the service's address";
	for (const error of [blocked, wrapper]) {
		expect(outcomeOf(error)).toEqual({ code: 'SsrfBlockedIpError', wasSent: false, said });
	}
});

it('a status that HTTP does not have is an error of the service', () => {
	const failure = { kind: 'response', status: 99, headers: {}, text: '' } as const;
	const { message } = describeError(failure, {}, { kind: 'notSent', redact: (text) => text });
	expect(message).toBe("The service couldn't process the request");
});
