import { execFileSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';

import { RawService } from '../../support/rawService.mts';
import { systemProgram } from './programs.mts';

/** Handles a connection, down to the bytes. */
type Behavior = (socket: Socket, service: BrokenService) => void;

/** A service for invitations that breaks connections as a test says, and counts them. */
export class BrokenService extends RawService {
	behavior: Behavior = healthy;
	connections = 0;
	override respond: (response: ServerResponse) => void = created;
	protected override readonly server: Server = createServer({ pauseOnConnect: true }, (socket) => {
		this.connections++;
		socket.on('error', () => {});
		this.behavior(socket, this);
	});
}

function created(response: ServerResponse): void {
	const data = { candidate_id: 'C-1', invitation_link: 'https://a.example/1', status: 'invited' };
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ data, meta: null }));
}

/** Answers every invitation as the specification says. */
export const healthy: Behavior = (socket, { http }) => {
	http.emit('connection', socket);
	socket.resume();
};

/** Reads the request, then does something other than respond. */
export const afterReading =
	(respond: (response: ServerResponse) => void): Behavior =>
	(socket, service) => {
		service.respond = (response) => {
			service.respond = created;
			respond(response);
		};
		healthy(socket, service);
	};

/** Speaks TLS, with an untrusted certificate. */
export const untrusted: Behavior = (socket, { http }) => {
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

/** Does something as soon as the first bytes have arrived. */
export const onFirstBytes =
	(act: (socket: Socket) => void): Behavior =>
	(socket) => {
		socket.once('data', () => act(socket));
		socket.resume();
	};
