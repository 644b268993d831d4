import { execFileSync } from 'node:child_process';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';

import { RawService } from '../../support/rawService.mts';
import { systemProgram } from './programs.mts';

/** A service that handles connections and responds as a test says, down to the bytes, and counts both. */
export class BrokenService extends RawService {
	connections = 0;
	behavior = (socket: Socket, { http }: RawService): void => {
		http.emit('connection', socket);
		socket.resume();
	};
	protected override readonly server: Server = createServer({ pauseOnConnect: true }, (socket) => {
		this.connections++;
		socket.on('error', () => {});
		this.behavior(socket, this);
	});
}

/** Speaks TLS, with an untrusted certificate. */
export const untrusted: BrokenService['behavior'] = (socket, { http }) => {
	const openssl = systemProgram('OpenSSL', ['openssl'], 'OPENSSL_PATH');
	const options =
		'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=127.0.0.1 -keyout -';
	const pem = execFileSync(openssl, options.split(' '), { encoding: 'utf8', stdio: 'pipe' });
	const https = createHttpsServer({ key: pem, cert: pem }, (request, response) =>
		http.emit('request', request, response),
	);
	https.emit('connection', socket);
	socket.resume();
};
