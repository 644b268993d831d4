import { networkError } from '../../nodes/CandidateAssessment/transport/exchange';

const withCode = (code: string) => Object.assign(new Error('It failed'), { code });

describe('A request that failed without a response', () => {
	it.each([
		'ECONNREFUSED',
		'ENOTFOUND',
		'EAI_AGAIN',
		'EHOSTUNREACH',
		'ENETUNREACH',
		'UND_ERR_CONNECT_TIMEOUT',
	])('was certainly not sent with %s, and may be sent later', (code) => {
		expect(networkError(withCode(code))).toMatchObject({ wasSent: false, isTransient: true });
	});

	it.each([
		'EPROTO',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
		'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'ERR_INVALID_URL',
	])('was certainly not sent with %s, and trying again is useless', (code) => {
		expect(networkError(withCode(code))).toMatchObject({ wasSent: false, isTransient: false });
	});

	it.each([
		'ECONNRESET',
		'EPIPE',
		'ETIMEDOUT',
		'ECONNABORTED',
		'ERR_BAD_RESPONSE',
		'HPE_INVALID_CONSTANT',
		'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
		'UND_ERR_SOCKET',
		'SOMETHING_NEW',
	])('may have been sent with %s', (code) => {
		expect(networkError(withCode(code))).toMatchObject({ wasSent: true, isTransient: true });
	});

	it.each(['read', 'write'])(
		'may have been sent where the network goes away during a %s',
		(syscall) => {
			for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']) {
				const failed = Object.assign(withCode(code), { syscall });
				const wrapped = new Error('n8n', { cause: new Error('axios', { cause: failed }) });
				expect(networkError(wrapped)).toMatchObject({ code, wasSent: true });
			}
			const never = Object.assign(withCode('EHOSTUNREACH'), { syscall: 'connect' });
			expect(networkError(never)).toMatchObject({ wasSent: false });
		},
	);

	it.each([
		[true, false],
		[false, true],
	])(
		'was certainly not sent only during a handshake (still shaking hands: %s)',
		(secureConnecting, wasSent) => {
			const request = { socket: { secureConnecting } };
			for (const code of ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']) {
				const failed = Object.assign(withCode(code), { isAxiosError: true, request });
				expect(networkError(failed)).toMatchObject({ wasSent });
			}
			// It is checked once both have shaken hands, and before anything is sent.
			const expired = Object.assign(withCode('CERT_HAS_EXPIRED'), { request });
			expect(networkError(expired)).toMatchObject({ wasSent: false });
		},
	);

	it("is told by the connection's own error, which n8n wraps", () => {
		const wrapped = new Error('n8n', {
			cause: Object.assign(new Error('axios', { cause: withCode('ECONNREFUSED') }), {
				isAxiosError: true,
			}),
		});
		expect(networkError(wrapped)).toMatchObject({ code: 'ECONNREFUSED', wasSent: false });
	});

	it('may have been sent if the HTTP client failed without a code', () => {
		const failed = Object.assign(new Error('socket hang up'), { isAxiosError: true });
		expect(networkError(failed)).toMatchObject({ code: 'unknown', wasSent: true });
	});

	it("was not sent if n8n refused to, and keeps n8n's explanation", () => {
		const blocked = Object.assign(new Error('The request was blocked'), {
			name: 'SsrfBlockedIpError',
			description: 'The target 10.0.0.1 is not allowed.',
		});
		const explanation = {
			message: 'The request was blocked',
			description: 'The target 10.0.0.1 is not allowed.',
		};
		const failed = Object.assign(new Error('axios', { cause: blocked }), { isAxiosError: true });
		for (const error of [blocked, failed, new Error('n8n', { cause: failed })]) {
			expect(networkError(error)).toMatchObject({
				wasSent: false,
				isTransient: false,
				explanation,
			});
		}
		expect(networkError(new Error('Domain not allowed'))).toMatchObject({
			wasSent: false,
			explanation: { message: 'Domain not allowed' },
		});
	});
});
