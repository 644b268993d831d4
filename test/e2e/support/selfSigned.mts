import { execFileSync } from 'node:child_process';

import { systemProgram } from './programs.mts';

/** A key and its untrusted certificate. */
export function selfSigned(): string {
	const openssl = systemProgram('OpenSSL', ['openssl'], 'OPENSSL_PATH');
	const options =
		'-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=127.0.0.1';
	return execFileSync(openssl, ['req', ...options.split(' '), '-keyout', '-'], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
}
