import { startProgram } from './support/program.mts';

let program: Awaited<ReturnType<typeof startProgram>> | undefined;
afterAll(() => program?.kill());

it('npm run mock-service prints everything you need to connect, and commands that work', async () => {
	const webhookId = '00000000-0000-4000-8000-000000000000';
	const args = ['--port', '0', '--token', 'the-token', '--webhook-id', webhookId];
	program = await startProgram(args, 'Ctrl+C');
	const { output } = program;
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
