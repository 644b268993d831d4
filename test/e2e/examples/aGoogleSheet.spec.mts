import { readExample } from '../../support/example.mts';
import { Google } from '../support/google.mts';
import { expect, invitationOf, rowOf, roleFit, test } from '../support/exampleFixtures.mts';

const EXAMPLE = 'a-google-sheet' as const;
const HOUR = 'Every Hour';
const NIGHT = 'Every Night At 3';

const GOOGLES = (await readExample(EXAMPLE)).nodes
	.filter(({ type }) => /\.(googleSheets|gmail)$/.test(type))
	.map(({ name }) => name);

const google = new Google();

test.beforeAll(async ({ n8n }) => {
	await google.start();
	await n8n.restart(google.environment);
});
test.afterAll(() => google.close());

test('each row gets its own link and result, once, however the sheet is sorted; a mistake is told; a quiet hour costs two requests; a word of a person stays', async ({
	n8n: { client },
	service,
	importExample,
}) => {
	const account = await google.connects(client, GOOGLES);
	const { run, executions, id } = await importExample(EXAMPLE, account);
	google.begin([
		...['A', 'B', 'C', 'D', '0815'].map((each) => rowOf(each)),
		{ application_id: '' },
		rowOf('wrong', { email: 'nobody' }),
		rowOf('A', { email: 'second@people.example' }),
		rowOf('H', { status: 'hired' }),
	]);
	google.meanwhile = () => 401;
	await run(HOUR, /\S/);
	const requests: Record<string, number> = { true: 0, false: 0 };
	google.meanwhile = (isWrite) => {
		if (!isWrite) google.rows.reverse();
		// The first of each is one too many, or fails.
		return (requests[String(isWrite)]! += 1) === 1 ? (isWrite ? 429 : 500) : 0;
	};
	await run(HOUR);
	google.meanwhile = () => {};
	const link = (each: string) => ({ invitation_link: invitationOf(service, each).invitation_link });
	const invited = ['A', 'B', 'C', 'D', '0815'].map((each) => [
		each,
		{ status: 'invited', ...link(each) },
	]);
	const rest = {
		wrong: { status: 'invalid', problem: expect.stringMatching('^Email') },
		H: { status: 'hired' },
	};
	const first = google.rows
		.filter(({ application_id }) => application_id === 'A')
		.map(({ status }) => status);
	expect(first.sort()).toEqual(['invited', undefined]);
	google.rows = google.rows.filter(
		({ application_id, status }) => application_id !== 'A' || status,
	);
	expect(google.byId()).toMatchObject({ ...Object.fromEntries(invited), ...rest });
	expect(google.mails).toHaveLength(5);
	for (const { email, invitation_link } of service.invitations) {
		const own = google.mails.filter(
			(mail) => mail.includes(email!) && mail.includes(invitation_link),
		);
		expect([email, own.length]).toEqual([email, 1]);
	}

	google.requests = 0;
	await run(HOUR);
	expect(google.requests).toBe(2);

	google.byId().B!.status = 'withdrawn';
	google.byId().wrong!.email = 'right@people.example';
	google.byId().wrong!.status = '';
	const before = (await client.allExecutions(id)).length;
	for (const each of ['A', 'B']) await service.finish(invitationOf(service, each).invitation_code);
	await executions(before + 2);
	// An answer without a link.
	const fault = { route: 'getCandidate', processFirst: true, status: 200 } as const;
	const noLink = {
		toJSON: () => ({ data: { ...invitationOf(service, 'A'), invitation_link: null }, meta: null }),
	};
	service.faults.inject({ ...fault, body: noLink });
	await service.redeliver(service.deliveries[0]!.id);
	await executions(before + 3);
	await client.unpublish(id);
	await service.finish(invitationOf(service, 'C').invitation_code);
	await run(NIGHT);
	await run(HOUR);
	const score = (each: string, status: string) => [
		each,
		{ status, ...link(each), role_fit: String(roleFit(invitationOf(service, each))) },
	];
	const scored = Object.fromEntries([
		score('A', 'completed'),
		score('B', 'withdrawn'),
		score('C', 'completed'),
	]);
	expect(google.byId()).toMatchObject({
		...scored,
		D: { status: 'invited' },
		wrong: { status: 'invited', ...link('wrong') },
	});
	expect(google.byId().D!.role_fit).toBe(undefined);
	expect(service.invitations).toHaveLength(6);
});
