import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import type { SimulatedN8n, SimulatedWorkflow } from './SimulatedN8n.mts';

interface Received {
	url?: string;
	headers: object;
	body: Buffer;
}

/** n8n's HTTP server. It takes production's calls, and what production passes on to a test. */
export class HttpServer {
	/** Requests to a test's address. */
	readonly received: Received[] = [];
	private readonly server: Server;

	constructor(n8n: SimulatedN8n, workflow: SimulatedWorkflow) {
		const answer: RequestListener = async (request, response) => {
			const { headers, url } = request;
			// n8n decompresses a body as it reads it.
			const isPacked = headers['content-encoding'] === 'gzip';
			const body = await buffer(isPacked ? request.pipe(createGunzip()) : request);
			if (url?.startsWith('/webhook-test/')) {
				this.received.push({ url, headers, body });
				response.end('{}');
				return;
			}
			const read = Object.assign(request, { rawBody: body, body: body.toString() });
			const called = await n8n.call(n8n.productionUrl(workflow), { request: read });
			response.writeHead(called?.status ?? 404).end();
		};
		this.server = createServer(answer);
	}

	async start(listenAddress: string): Promise<void> {
		this.server.listen(0, listenAddress);
		await once(this.server, 'listening');
	}

	stop(): void {
		this.server.close();
	}

	/** Sends a call as a service does. Returns the status. */
	async post(hostname: string, body: Buffer, headers: Record<string, string>): Promise<number> {
		const { port } = this.server.address() as AddressInfo;
		const options = { hostname, port, method: 'POST', path: '/webhook/any', headers };
		const sent = httpRequest(options).end(body);
		const [response] = await once(sent, 'response');
		response.resume();
		return (response as { statusCode: number }).statusCode;
	}

	/** Returns the first call that is passed on. */
	async first(): Promise<Received> {
		while (this.received.length === 0) await new Promise(setImmediate);
		return this.received[0];
	}
}

export const packed = (text: string) => gzipSync(text);
