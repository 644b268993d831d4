import { program } from './program.mts';

const { run, stop } = program();
afterEach(stop);

describe('npm run mock-service', () => {
	it('npm run mock-service prints everything you need to connect, and commands that work', async () => {
		const webhookId = '00000000-0000-4000-8000-000000000000';
		const args = ['--port', '0', '--token', 'the-token', '--webhook-id', webhookId];
		const { output } = await run(args, 'Ctrl+C');
		const value = (label: string) => new RegExp(`${label} +(\\S+)`).exec(output)?.[1] ?? '';
		expect(value('Access token')).toBe('the-token');
		expect(value('Webhook ID')).toBe(webhookId);
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

	it.each([
		[['--port', 'x'], '--port must be a number'],
		[['--webhook-id', '12'], '--webhook-id must be a UUID'],
		[['--unknown'], 'Usage: npm run mock-service'],
	])('npm run mock-service explains what is wrong with %j', async (args, message) => {
		const { output, code } = await run(args, '\0');
		expect(output).toContain(message);
		expect(code).toBe(1);
	});
});
