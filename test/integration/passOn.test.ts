import { setUpTrigger } from './support/n8n/setUpTrigger.mts';
import { gzipSync, setUpServer } from './support/n8n/httpServer.mts';

/** Calls that production passes on to a test, over a connection to n8n's own HTTP server. */

const trigger = setUpTrigger();
const passedOn = setUpServer(trigger);

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
