import { JOB } from '../../support/example.mts';
import { isoDayIn, LOS_ANGELES } from '../../support/timeZones.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	nodesRun,
	PERSON,
	test,
	type Row,
} from './fixtures.mts';

const EXAMPLE = 'invite-from-a-list';
const START = 'Every Morning At 8';
const row = (application_id: string, more: Partial<Row> = {}): Row => ({
	...PERSON,
	application_id,
	job_id: JOB,
	...more,
});

test(`${EXAMPLE}: each row says what became of it, nobody is invited twice, and who may have been is kept for a human`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
}) => {
	// So that the list takes several rounds.
	const parameters = { 'In Groups Of Fifty': { batchSize: 2 } };
	const { id } = await importExample(EXAMPLE, { parameters, unpin: true, ...IN_LOS_ANGELES });
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
		row('APP-U'),
	]);
	service.faults.inject({
		...{ route: 'createInvitation', status: 500, processFirst: true },
		when: ({ body }) => JSON.stringify(body).includes('APP-U'),
	});
	const first = await client.runToEnd(id, START);
	expect(first.status).toBe('success');
	const invited = () => service.invitations.map((each) => each.ext_reference_id);
	expect(invited().sort()).toEqual([...good, 'APP-U']);
	const rows = await applications.all();
	for (const application of good) {
		const { invitation_link, invitation_expired_at } = invitationOf(service, application);
		const closes = new Date(invitation_expired_at);
		// The day as it is there, and the moment.
		const day = isoDayIn(LOS_ANGELES, closes);
		const own = rows.find(({ application_id }) => application_id === application);
		expect(own).toMatchObject({
			status: 'invited',
			invitation_link,
			open_until: expect.stringMatching(new RegExp(`^${day}T`)),
		});
		expect(new Date(own?.open_until)).toEqual(closes);
		const days = (closes.getTime() - Date.now()) / 86_400_000;
		expect([13, 14]).toContain(Math.floor(days));
	}
	const problems = rows.map(({ status, problem }) => [status, problem || null]);
	expect(problems[2]).toEqual(['invalid', expect.stringMatching(/^Email: required/)]);
	expect(problems[4]).toEqual(['invited', expect.stringMatching(/^Duplicate or invited earlier/)]);
	expect(problems[5]).toEqual(['withdrawn', null]);
	expect(problems.pop()).toEqual(['unknown', expect.stringMatching(/confirm whether/)]);
	expect(problems.slice(6)).toEqual(
		['ben@people.example', PERSON.email].map((other) => [
			'invalid',
			`This ID is also that of ${other}: give each person their own`,
		]),
	);

	// A correction is enough.
	await applications.correct('APP-X', { email: PERSON.email });
	await client.runToEnd(id, START);
	expect(invited().slice(4)).toEqual(['APP-X']);
	const third = await client.runToEnd(id, START);
	expect(nodesRun(third)).not.toContain('Invite Candidates');
});
