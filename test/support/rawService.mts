import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** A service that responds exactly as a test says, down to the bytes, and counts requests. */
export class RawService {
	requests = 0;
	respond: (response: ServerResponse, path: string) => void = () => {};
	readonly http = createServer((request, response) => {
		this.requests++;
		request.resume().once('end', () => this.respond(response, request.url ?? ''));
	});
	/** Accepts the connections. */
	protected readonly server: Server = this.http;

	async start(port = 0): Promise<void> {
		this.server.listen(port, '127.0.0.1');
		await once(this.server, 'listening');
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	async stop(): Promise<void> {
		this.http.closeAllConnections();
		this.server.close();
	}
}

/** Resolves once the connection has ended. */
export const ended = async (response: ServerResponse) => await once(response, 'close');

/** Sends a space every 100 ms until the connection ends. */
export function drip(response: ServerResponse): void {
	const timer = setInterval(() => response.write(' '), 100);
	response.once('close', () => clearInterval(timer));
}
