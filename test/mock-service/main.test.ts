import { call } from '../support/invite.mts';
import { startProgram } from './support/program.mts';
import { candidatesPath } from './support/service';

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

	const [invitation, fault] = [...output.matchAll(/-d '(.+)'/g)].map(([, body]) =>
		JSON.parse(body),
	);
	expect(invitation.job_id).toBe(value('Sample Job ID'));
	const service = { baseUrl: value('Base URL'), accessToken: 'the-token' };
	const statusOf = async (path: string, body: object) =>
		(await call(service, 'POST', path, body)).status;
	expect(await statusOf(candidatesPath, invitation)).toBe(200);
	expect(await statusOf('/faults', fault)).toBe(200);
	expect(await statusOf(candidatesPath, invitation)).toBe(429);
});
