import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { networkError } from '../../nodes/CandidateAssessment/transport/networkError';

/** The error as n8n throws it: 1.x drops what caused it. */
function wrapped(code: string, message: string, version: '2.x' | '1.x') {
	const cause = Object.assign(new Error(message), { code });
	const error = new NodeApiError({ name: 'Invite', type: 'node' } as INode, cause as never);
	if (version === '1.x') error.cause = undefined;
	return error;
}

describe.each(['2.x', '1.x'] as const)('on n8n %s', (version) => {
	it.each([
		['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'],
		['ECONNREFUSED', ''],
		['EAI_AGAIN', 'getaddrinfo EAI_AGAIN assessment.example.com'],
		['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443'],
		['ECONNRESET', 'connect ECONNRESET 127.0.0.1:1'],
		[
			'ECONNRESET',
			'Client network socket disconnected before secure TLS connection was established',
		],
		['EPROTO', 'write EPROTO 80AC:error:0A00010B:SSL routines:ssl3_get_record:wrong version'],
		['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
		['CERT_HAS_EXPIRED', 'certificate has expired'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
		['ERR_INVALID_URL', 'Invalid URL'],
	])('a request was certainly not sent with %s (%s)', (code, words) => {
		const error = networkError(wrapped(code, words, version));
		expect(error).toEqual({ kind: 'networkError', code, wasSent: false });
	});

	it.each([
		['ECONNRESET', 'socket hang up'],
		['ECONNRESET', 'read ECONNRESET'],
		['ETIMEDOUT', 'read ETIMEDOUT'],
		['EHOSTUNREACH', 'read EHOSTUNREACH'],
		['ENETDOWN', 'write ENETDOWN'],
		['ECONNABORTED', 'timeout of 1000ms exceeded'],
		['ERR_CANCELED', 'canceled'],
		['HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/'],
		['ERR_SSL_WRONG_VERSION_NUMBER', '80AC:error:0A00010B:SSL routines:ssl3_get_record:wrong'],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', '80AC:error:0A00045C:SSL routines:…'],
		['SOMETHING_NEW', 'nobody has seen this before'],
	])('a request may have been sent with %s (%s)', (code, words) => {
		const error = networkError(wrapped(code, words, version));
		expect(error).toEqual({ kind: 'networkError', code, wasSent: true });
	});

	it('a request may have been sent where the error has no code', () => {
		const node = { name: 'Invite', type: 'node' } as INode;
		const unknown = [new Error('It failed'), new NodeApiError(node, {}), 'a text', undefined];
		const circle = new Error('It failed');
		circle.cause = circle;
		unknown.push(circle);
		const expected = { kind: 'networkError', code: 'unknown', wasSent: true };
		for (const error of unknown) expect(networkError(error)).toEqual(expected);
	});
});

it('a request that n8n refused to send was not sent', () => {
	const blocked = Object.assign(new Error('Blocked'), { name: 'SsrfBlockedIpError' });
	const wrapper = new Error('n8n', { cause: new Error('axios', { cause: blocked }) });
	for (const error of [blocked, wrapper]) {
		const expected = { code: 'SsrfBlockedIpError', wasSent: false };
		expect(networkError(error)).toMatchObject(expected);
	}
});
