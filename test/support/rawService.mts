import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that responds exactly as a test says, down to the bytes, and counts. */
export class RawService {
	requests = 0;
	respond: (response: ServerResponse, path: string) => void = () => {};
	readonly #server: Server = createServer((request, response) => {
		this.requests++;
		request.resume().once('end', () => this.respond(response, request.url ?? ''));
	});

	async start(): Promise<void> {
		this.#server.listen(0, '127.0.0.1');
		await once(this.#server, 'listening');
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}
}

/** Sends a blank now and then, until the connection ends. */
export function drip(response: ServerResponse): void {
	const timer = setInterval(() => response.write(' '), 100);
	response.once('close', () => clearInterval(timer));
}
