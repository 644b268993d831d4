import { inviteAt } from '../../support/invite.mts';
import {
	decide,
	expect,
	invitationOf,
	jsonOf,
	nodesRun,
	openForm,
	roleFit,
	test,
	waitForStatuses,
} from './fixtures.mts';

const EXAMPLE = 'result-to-decision';
const TRIGGER = 'When A Result Is Ready';
const PERSON = { first_name: 'Maya', last_name: 'Okafor', email: 'maya.okafor@example.com' };

test(`${EXAMPLE}: a delivered result is written into its row once, and a human decides`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importAndSetUp,
}) => {
	const { webhookId } = service;
	const { id } = await importAndSetUp(EXAMPLE, { parameters: { [TRIGGER]: { webhookId } } });
	await client.publish(id);
	const { invitation_code, ext_reference_id: reference } = await inviteAt(service, PERSON);
	expect((await service.finish(invitation_code))?.status).toBe(200);
	const [waiting] = await waitForStatuses(client, id, ['waiting']);
	expect(waiting.mode).toBe('webhook');

	const row = (await applications.rows())[reference];
	const invitation = invitationOf(service, reference);
	expect(row).toMatchObject({
		...PERSON,
		status: 'completed',
		role_fit: roleFit(invitation),
		job_id: invitation.job_id,
		report_link: invitation.report_profile_link,
		decision: null,
	});
	const [{ binary }] = waiting.data.resultData.runData['Get The Result'][0].data?.main[0] as Array<{
		binary?: Record<string, { mimeType: string }>;
	}>;
	expect(binary?.report.mimeType).toBe('application/pdf');

	await service.redeliver(service.deliveries[0].id);
	const [again] = await waitForStatuses(client, id, ['success', 'waiting']);
	expect(jsonOf(again, 'Is It New?')).toEqual([]);
	expect(nodesRun(again)).not.toContain('Write The Result');
	expect((await applications.rows())[reference]).toEqual(row);

	await decide(candidate, String(row.decision_form), 'Invite to an interview');
	const [, decided] = await waitForStatuses(client, id, ['success', 'success']);
	expect((await applications.rows())[reference].decision).toBe('Invite to an interview');
	expect(nodesRun(decided)).toContain('Send Interview Invitation');
	expect(nodesRun(decided)).not.toContain('Send Rejection');
});

test(`${EXAMPLE}: can be tried with its sample, and only a human turns somebody down`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importAndSetUp,
}) => {
	const { id } = await importAndSetUp(EXAMPLE);
	await client.run(id, TRIGGER);
	const [waiting] = await waitForStatuses(client, id, ['waiting']);
	expect(service.requests).toEqual([]);
	expect(nodesRun(waiting).at(-1)).toBe('Wait For The Decision');
	const row = (await applications.rows())['APP-2026-0815'];
	expect(row).toMatchObject({ first_name: 'Maya', status: 'completed', role_fit: 85 });
	await openForm(candidate, String(row.decision_form));
	await expect(candidate.getByRole('link', { name: 'Open the report' })).toBeVisible();
	for (const score of ['Role fit: 85', 'Verbal reasoning: 77', 'Logical reasoning: 81']) {
		await expect(candidate.getByText(score)).toBeVisible();
	}
	await decide(candidate, String(row.decision_form), 'Turn down');
	const [decided] = await waitForStatuses(client, id, ['success']);
	expect(nodesRun(decided)).toContain('Send Rejection');
});
