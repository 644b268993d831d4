import { spawn, type ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';

const MAIN = join(__dirname, '..', '..', 'mock-service', 'main.mts');
const WEBHOOK_ID = '00000000-0000-4000-8000-000000000000';

let program: ChildProcess | undefined;
afterAll(() => program?.kill('SIGKILL'));

it('npm run mock-service prints everything you need to connect, and commands that work', async () => {
	const options = ['--port', '0', '--token', 'the-token', '--webhook-id', WEBHOOK_ID];
	program = spawn(process.execPath, [MAIN, ...options]);
	let output = '';
	for await (const [part] of on(program.stdout!, 'data', { close: ['end'] })) {
		if ((output += String(part)).includes('Ctrl+C')) break;
	}
	const value = (label: string) => new RegExp(`${label} +(\\S+)`).exec(output)?.[1] ?? '';
	expect(value('Access token')).toBe('the-token');
	expect(value('Webhook ID')).toBe(WEBHOOK_ID);
	for (const page of ['Overview', 'OpenAPI']) {
		expect((await fetch(value(page))).status).toBe(200);
	}

	const [invitation, fault] = [...output.matchAll(/-d '(.+)'/g)].map(([, body]) => body);
	expect(JSON.parse(invitation).job_id).toBe(value('Sample Job ID'));
	const post = async (path: string, body: string) =>
		await fetch(value('Base URL') + path, {
			method: 'POST',
			headers: {
				authorization: 'Bearer the-token',
				accept: 'application/json',
				'content-type': 'application/json',
			},
			body,
		});
	const candidates = '/partner/v1.0/standard/candidates';
	expect((await post(candidates, invitation)).status).toBe(200);
	expect((await post('/faults', fault)).status).toBe(200);
	expect((await post(candidates, invitation)).status).toBe(429);
});
