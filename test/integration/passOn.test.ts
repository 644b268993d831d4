import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import { setUpTrigger } from './support/n8n/setUpTrigger.mts';

/** Calls that production passes on to a test, over a connection to n8n's own HTTP server. */

const trigger = setUpTrigger();
let server: Server;
afterEach(() => server.close().closeAllConnections());

/** n8n's HTTP server. Calls a published workflow whose test listens; returns the test's path, and what arrived there. */
async function passedOn(
	sent: Buffer,
	more: object,
	listenAddress = '127.0.0.1',
	hostname?: string,
) {
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
}

it.each([
	['IPv4', '127.0.0.1', '127.0.0.1'],
	['IPv6', '::1', '::1'],
	['IPv4 within IPv6', '::', '127.0.0.1'],
])('a call is passed on where it came in, with its headers: %s', async (_what, ...where) => {
	const type = 'application/vnd.api+json; charset=iso-8859-1';
	const sent = { 'content-type': type, 'x-delivery': '42' };
	const { path, url, headers } = await passedOn(Buffer.from('{}'), sent, ...where);
	expect(url).toBe(path);
	expect(headers).toMatchObject({ ...sent, 'x-secret': `Bearer ${trigger.secret}` });
});

it.each([
	['a megabyte', Buffer.alloc(1024 * 1024, 'x'), {}],
	['nothing', Buffer.alloc(0), {}],
	['a form', Buffer.from('a=1&b=%20'), { 'Content-Type': 'application/x-www-form-urlencoded' }],
	['bytes', Buffer.from([0, 255, 128, 13, 10]), { 'Content-Type': 'application/octet-stream' }],
	['a body in chunks', Buffer.from('{"a":1}'), { 'Transfer-Encoding': 'chunked' }],
	['a body that waits to be asked for', Buffer.from('{"a":1}'), { Expect: '100-continue' }],
])('what is passed on is the body, byte for byte: %s', async (_what, sent, headers) => {
	expect((await passedOn(sent, headers)).body.equals(sent)).toBe(true);
});

it('a packed body is passed on as n8n has unpacked it', async () => {
	const sent = { 'Content-Encoding': 'gzip' };
	const { body, headers } = await passedOn(gzipSync('{"a":1}'), sent);
	expect(String(body)).toBe('{"a":1}');
	expect(headers).not.toHaveProperty('content-encoding');
});
