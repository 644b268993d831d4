import { JOB } from '../../support/example.mts';
import { LOS_ANGELES, setTimeZone } from '../../support/timeZones.mts';
import { expect, invitationOf, nodesRun, PERSON, test, type Row } from './fixtures.mts';

const EXAMPLE = 'invite-from-a-list';
const START = 'Every Morning At 8';
const row = (application_id: string, more: Partial<Row> = {}): Row => ({
	...PERSON,
	application_id,
	job_id: JOB,
	...more,
});

test(`${EXAMPLE}: good rows are invited, the bad one says why not, and nobody is invited twice`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
}) => {
	// So that the list takes several rounds.
	const parameters = { 'In Groups Of Fifty': { batchSize: 2 } };
	const workflow = await importExample(EXAMPLE, { parameters, unpin: true });
	const { id } = workflow;
	await setTimeZone(client, workflow, LOS_ANGELES);
	const good = ['APP-1', 'APP-2', 'APP-3'];
	await applications.add([
		row('APP-1'),
		row('APP-2', { status: 'New ' }),
		row('APP-X', { email: '' }),
		row('APP-3', { status: 'notSent' }),
		// It stands twice in the table.
		row('APP-1', { status: 'new' }),
		row('APP-Y', { status: 'withdrawn' }),
		// Two people have one ID.
		row('APP-Z'),
		row('APP-Z', { email: 'ben@people.example' }),
	]);
	const first = await client.runToEnd(id, START);
	expect(first.status).toBe('success');
	expect(service.invitations.map((each) => each.ext_reference_id).sort()).toEqual(good);
	const rows = await applications.all();
	for (const application of good) {
		const { invitation_link, invitation_expired_at } = invitationOf(service, application);
		const closes = new Date(invitation_expired_at);
		// The day as it is there, and the moment.
		const day = new Intl.DateTimeFormat('sv', { timeZone: LOS_ANGELES }).format(closes);
		const invited = rows.find(({ application_id }) => application_id === application);
		expect(invited).toMatchObject({
			status: 'invited',
			invitation_link,
			open_until: expect.stringMatching(new RegExp(`^${day}T`)),
		});
		expect(new Date(invited?.open_until)).toEqual(closes);
		const days = (closes.getTime() - Date.now()) / 86_400_000;
		expect([13, 14]).toContain(Math.floor(days));
	}
	const problems = rows.map(({ status, problem }) => [status, problem || null]);
	expect(problems[2]).toEqual(['invalid', expect.stringMatching(/^Email: required/)]);
	expect(problems[4]).toEqual(['invited', expect.stringMatching(/^Duplicate or invited earlier/)]);
	expect(problems[5]).toEqual(['withdrawn', null]);
	expect(problems.slice(6)).toEqual(
		['ben@people.example', PERSON.email].map((other) => [
			'invalid',
			`This ID is also that of ${other}: give each person their own`,
		]),
	);

	// A correction is enough.
	await applications.correct('APP-X', { email: PERSON.email });
	await client.runToEnd(id, START);
	expect(service.invitations.map((each) => each.ext_reference_id).at(-1)).toBe('APP-X');
	const third = await client.runToEnd(id, START);
	expect(nodesRun(third)).not.toContain('Invite Candidates');
});

test(`${EXAMPLE}: a candidate who may or may not have been invited is kept for a human`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
}) => {
	const { id } = await importExample(EXAMPLE, { unpin: true });
	await applications.add([row('APP-1'), row('APP-2'), row('APP-3')]);
	service.faults.inject({
		route: 'createInvitation',
		status: 500,
		processFirst: true,
		when: ({ body }) => JSON.stringify(body).includes('APP-2'),
	});
	await client.runToEnd(id, START);
	const rows = await applications.rows();
	expect(Object.values(rows).map(({ status }) => status)).toEqual([
		'invited',
		'unknown',
		'invited',
	]);
	expect(rows['APP-2'].problem).toMatch(/confirm whether/);

	// It is not sent again by itself.
	const again = await client.runToEnd(id, START);
	expect(nodesRun(again)).not.toContain('Invite Candidates');
	expect(service.requests).toHaveLength(3);
});
