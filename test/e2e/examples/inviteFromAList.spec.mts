import { expect, invitationOf, jsonOf, nodesRun, test } from './fixtures.mts';

const EXAMPLE = 'invite-from-a-list';
const START = 'Every Morning At 8';
const GOOD = ['APP-2026-0815', 'APP-2026-0816', 'APP-2026-0818'];
const WITHOUT_EMAIL = 'APP-2026-0817';

test(`${EXAMPLE}: good rows are invited, the bad one says why not, and nobody is invited twice`, async ({
	n8n: { client },
	service,
	applications,
	importAndSetUp,
}) => {
	// So that the list takes several rounds.
	const parameters = { 'In Groups Of Fifty': { batchSize: 2 } };
	const { id } = await importAndSetUp(EXAMPLE, { parameters });
	// It stands twice in the table.
	const { first_name, last_name, email } = (await applications.rows())[GOOD[0]];
	await applications.add([
		{ application_id: GOOD[0], first_name, last_name, email, status: 'new' },
	]);
	const first = await client.runToEnd(id, START);
	expect(first.status).toBe('success');
	expect(nodesRun(first)).toContain('Everyone Has An Outcome');
	expect(nodesRun(first)).not.toContain('Write To The Team');
	expect(jsonOf(first, 'Write That It Was Sent Before').length).toBeGreaterThan(0);
	expect(service.invitations.map((each) => each.ext_reference_id).sort()).toEqual(GOOD);
	const rows = await applications.rows();
	for (const application of GOOD) {
		const { invitation_link, invitation_expired_at: open_until } = invitationOf(
			service,
			application,
		);
		expect(rows[application]).toMatchObject({ status: 'invited', invitation_link, open_until });
	}
	expect(rows[WITHOUT_EMAIL]).toMatchObject({ status: 'invalid', invitation_link: null });
	expect(rows[WITHOUT_EMAIL].problem).toMatch(/^Email: required/);

	const second = await client.runToEnd(id, START);
	expect(nodesRun(second)).not.toContain('Invite Candidates');
});

test(`${EXAMPLE}: a candidate who may or may not have been invited is kept for a human`, async ({
	n8n: { client },
	service,
	applications,
	importAndSetUp,
}) => {
	const { id } = await importAndSetUp(EXAMPLE);
	service.faults.inject({
		...{ route: 'createInvitation', status: 500, processFirst: true },
		when: ({ body }) => JSON.stringify(body).includes('APP-2026-0816'),
	});
	const execution = await client.runToEnd(id, START);
	const { 'APP-2026-0816': unknown, ...others } = await applications.rows();
	expect(unknown.status).toBe('unknown');
	const statuses = Object.values(others).map(({ status }) => status);
	expect(statuses.sort()).toEqual(['invalid', 'invited', 'invited']);
	expect(jsonOf(execution, 'Write To The Team').map(({ text }) => text)).toEqual([
		`Please check whether Jonas Lindqvist (APP-2026-0816) was invited: ${unknown.problem}`,
	]);

	// It is not sent again by itself.
	await client.runToEnd(id, START);
	expect(service.invitations.map((each) => each.ext_reference_id).sort()).toEqual(GOOD);
});
