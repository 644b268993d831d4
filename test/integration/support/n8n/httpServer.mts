import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { setUpTrigger } from './setUpTrigger.mts';

export { gzipSync } from 'node:zlib';

/** n8n's HTTP server. Calls a published workflow whose test listens; returns the test's path, and what arrived there. */
export function setUpServer(trigger: ReturnType<typeof setUpTrigger>) {
	let server: Server;
	afterEach(() => server.close().closeAllConnections());

	return async (sent: Buffer, more: object, listenAddress = '127.0.0.1', hostname?: string) => {
		const { n8n, secret } = trigger;
		// The real fetch, unlike in other tests.
		jest.mocked(fetch).mockRestore();
		const workflow = await trigger.publishedWorkflow();
		await trigger.listen(workflow);
		server = createServer(async (request, response) => {
			const { headers, url } = request;
			// n8n decompresses a body as it reads it.
			const isPacked = headers['content-encoding'] === 'gzip';
			const body = await buffer(isPacked ? request.pipe(createGunzip()) : request);
			if (url?.startsWith('/webhook-test/')) {
				response.end('{}');
				server.emit('passedOn', { url, headers, body });
				return;
			}
			const read = Object.assign(request, { rawBody: body, body: body.toString() });
			const called = await n8n.call(n8n.productionUrl(workflow), { request: read });
			response.writeHead(called?.status ?? 404).end();
		});
		await once(server.listen(0, listenAddress), 'listening');
		const arrived = once(server, 'passedOn');
		const { port } = server.address() as AddressInfo;
		const headers = { 'x-secret': `Bearer ${secret}`, ...more };
		const where = { hostname: hostname ?? listenAddress, port, path: '/webhook/any' };
		const call = httpRequest({ ...where, method: 'POST', headers }).end(sent);
		const [response] = (await once(call, 'response')) as [IncomingMessage];
		expect(response.resume().statusCode).toBe(200);
		const [test] = (await arrived) as [{ url: string; headers: object; body: Buffer }];
		return { path: `/webhook-test/${workflow.path}/webhook`, ...test };
	};
}
