import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemProgram } from './programs.mts';

/** What happens to a connection, down to the bytes. */
type Behavior = (socket: Socket, service: BrokenService) => void;

/** A service that breaks connections as a test says, and counts the invitations that it has read. */
export class BrokenService {
	behavior: Behavior = healthy;
	invited = 0;
	connections = 0;
	respond: (response: ServerResponse) => void = created;
	readonly http = createHttpServer((request, response) => {
		request.resume().once('end', () => {
			this.invited++;
			this.respond(response);
		});
	});
	readonly #server: Server = createServer({ pauseOnConnect: true }, (socket) => {
		this.connections++;
		socket.on('error', () => {});
		this.behavior(socket, this);
	});
	#https?: HttpsServer;

	async start(port = 0): Promise<void> {
		this.#server.listen(port, '127.0.0.1');
		await once(this.#server, 'listening');
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	async stop(): Promise<void> {
		this.http.closeAllConnections();
		this.#server.close();
	}

	/** With an untrusted certificate. */
	get https(): HttpsServer {
		this.#https ??= createHttpsServer(selfSigned(), (request, response) =>
			this.http.emit('request', request, response),
		);
		return this.#https;
	}
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

/** Speaks TLS. */
export const untrusted: Behavior = (socket, { https }) => {
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

function selfSigned() {
	const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
	const [key, cert] = ['key.pem', 'certificate.pem'].map((name) => join(folder, name));
	const openssl = systemProgram('OpenSSL', ['openssl'], 'OPENSSL_PATH');
	const options = '-x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1'.split(' ');
	execFileSync(openssl, ['req', ...options, '-keyout', key, '-out', cert], { stdio: 'ignore' });
	try {
		return { key: readFileSync(key), cert: readFileSync(cert) };
	} finally {
		rmSync(folder, { recursive: true });
	}
}
