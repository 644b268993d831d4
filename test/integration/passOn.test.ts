import { setUpTrigger } from './n8n/setUpTrigger.mts';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import type { IHttpRequestMethods } from 'n8n-workflow';
import { selfSigned } from '../support/selfSigned.mts';

/** What production passes on to a test, over a connection to n8n's own HTTP server. */

const trigger = setUpTrigger();
let server: Server;
afterEach(() => server.close());

const pem = selfSigned();
const plain = (listener: RequestListener) => createServer(listener);
const tls = (listener: RequestListener) => createTlsServer({ key: pem, cert: pem }, listener);

/** A published workflow whose test listens, n8n's server at this address, and what the test receives there. */
async function listening(createHttpServer = plain, listenAddress = '127.0.0.1') {
	jest.mocked(fetch).mockRestore();
	const workflow = await trigger.publishedWorkflow();
	await trigger.listen(workflow);
	const received: Array<{ url?: string; headers: object; body: Buffer }> = [];
	server = createHttpServer(async (request, response) => {
		const { headers, url } = request;
		// n8n unpacks a body as it reads it.
		const isPacked = headers['content-encoding'] === 'gzip';
		const body = await buffer(isPacked ? request.pipe(createGunzip()) : request);
		if (url?.startsWith('/webhook-test/')) {
			received.push({ url, headers, body });
			response.end('{}');
			return;
		}
		const read = Object.assign(request, { rawBody: body, body: body.toString() });
		const answer = trigger.n8n.call(trigger.n8n.productionUrl(workflow), { request: read });
		response.writeHead((await answer)?.status ?? 404).end();
	}).listen(0, listenAddress);
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { received, port, path: `/webhook-test/${workflow.path}/webhook` };
}

async function post(url: string, body: Buffer, headers: Record<string, string> = {}) {
	// As a service does that trusts the certificate.
	const agent = { rejectUnauthorized: false };
	const { request } = await import(url.startsWith('https') ? 'node:https' : 'node:http');
	const method: IHttpRequestMethods = 'POST';
	const secret = { 'X-Secret': `Bearer ${trigger.secret}` };
	const sent = request(url, { method, ...agent, headers: { ...secret, ...headers } }).end(body);
	const [response] = await once(sent, 'response');
	response.resume();
	return (response as { statusCode: number }).statusCode;
}

const eventually = async (condition: () => boolean) => {
	while (!condition()) await new Promise(setImmediate);
};

it.each([
	['IPv4', plain, '127.0.0.1', '127.0.0.1'],
	['IPv6', plain, '::1', '[::1]'],
	['IPv4 within IPv6', plain, '::', '127.0.0.1'],
	['TLS with a certificate for another name', tls, '127.0.0.1', '127.0.0.1'],
])('a call is passed on where it came in: %s', async (_what, create, address, host) => {
	const { received, port, path } = await listening(create, address);
	const scheme = create === tls ? 'https' : 'http';
	const body = Buffer.from('{"name":"Jörg"}', 'latin1');
	const headers = {
		'Content-Type': 'application/vnd.api+json; charset=iso-8859-1',
		'X-Delivery': '42',
	};
	expect(await post(`${scheme}://${host}:${port}/webhook/any`, body, headers)).toBe(200);
	await eventually(() => received.length > 0);
	const passedOn = {
		'x-secret': `Bearer ${trigger.secret}`,
		'content-type': headers['Content-Type'],
		'x-delivery': '42',
	};
	expect(received).toEqual([{ url: path, body, headers: expect.objectContaining(passedOn) }]);
});

it.each([
	['a megabyte', Buffer.alloc(1024 * 1024, 'x'), {}],
	['nothing', Buffer.alloc(0), {}],
	['a form', Buffer.from('a=1&b=%20'), { 'Content-Type': 'application/x-www-form-urlencoded' }],
	['bytes', Buffer.from([0, 255, 128, 13, 10]), { 'Content-Type': 'application/octet-stream' }],
	['a packed body', gzipSync('{"a":1}'), { 'Content-Encoding': 'gzip' }],
	['a body in chunks', Buffer.from('{"a":1}'), { 'Transfer-Encoding': 'chunked' }],
	['a body that waits to be asked for', Buffer.from('{"a":1}'), { Expect: '100-continue' }],
])('what is passed on is the body, byte for byte: %s', async (what, sent, headers) => {
	const { received, port } = await listening();
	expect(await post(`http://127.0.0.1:${port}/webhook/any`, sent, headers)).toBe(200);
	await eventually(() => received.length > 0);
	const expected = what === 'a packed body' ? Buffer.from('{"a":1}') : sent;
	expect(received[0].body.equals(expected)).toBe(true);
	expect(received[0].headers).not.toHaveProperty('content-encoding');
});
