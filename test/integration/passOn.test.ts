import { setUpTrigger } from './support/n8n/setUpTrigger.mts';
import { HttpServer, packed } from './support/n8n/httpServer.mts';

/** Calls that production passes on to a test, over a connection to n8n's own HTTP server. */

const trigger = setUpTrigger();
let server: HttpServer;
afterEach(() => server.stop());

/** Publishes a workflow whose test listens, and starts n8n's server at this address. Returns the test's path. */
async function listening(listenAddress = '127.0.0.1'): Promise<string> {
	// The real fetch, unlike in other tests.
	jest.mocked(fetch).mockRestore();
	const workflow = await trigger.publishedWorkflow();
	await trigger.listen(workflow);
	server = new HttpServer(trigger.n8n, workflow);
	await server.start(listenAddress);
	return `/webhook-test/${workflow.path}/webhook`;
}

it.each([
	['IPv4', '127.0.0.1', '127.0.0.1'],
	['IPv6', '::1', '::1'],
	['IPv4 within IPv6', '::', '127.0.0.1'],
])('a call is passed on where it came in, with its headers: %s', async (_what, address, host) => {
	const url = await listening(address);
	const body = Buffer.from('{"name":"Jörg"}', 'latin1');
	const headers = {
		'x-secret': `Bearer ${trigger.secret}`,
		'content-type': 'application/vnd.api+json; charset=iso-8859-1',
		'x-delivery': '42',
	};
	expect(await server.post(host, body, headers)).toBe(200);
	await server.first();
	expect(server.received).toEqual([{ url, body, headers: expect.objectContaining(headers) }]);
});

it.each([
	['a megabyte', Buffer.alloc(1024 * 1024, 'x'), {}],
	['nothing', Buffer.alloc(0), {}],
	['a form', Buffer.from('a=1&b=%20'), { 'Content-Type': 'application/x-www-form-urlencoded' }],
	['bytes', Buffer.from([0, 255, 128, 13, 10]), { 'Content-Type': 'application/octet-stream' }],
	['a body in chunks', Buffer.from('{"a":1}'), { 'Transfer-Encoding': 'chunked' }],
	['a body that waits to be asked for', Buffer.from('{"a":1}'), { Expect: '100-continue' }],
])('what is passed on is the body, byte for byte: %s', async (_what, sent, headers) => {
	await listening();
	const status = await server.post('127.0.0.1', sent, { 'X-S': trigger.secret, ...headers });
	expect(status).toBe(200);
	expect((await server.first()).body.equals(sent)).toBe(true);
});

it('a packed body is passed on as n8n has unpacked it', async () => {
	await listening();
	const headers = { 'X-S': trigger.secret, 'Content-Encoding': 'gzip' };
	expect(await server.post('127.0.0.1', packed('{"a":1}'), headers)).toBe(200);
	const { body, headers: passedOn } = await server.first();
	expect(String(body)).toBe('{"a":1}');
	expect(passedOn).not.toHaveProperty('content-encoding');
});
