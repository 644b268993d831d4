import {
	decide,
	expect,
	finishLate,
	finishOne,
	nodesRun,
	PERSON,
	roleFit,
	SECONDS,
	TEAM,
	test,
	waitForStatuses,
} from './fixtures.mts';

const EXAMPLE = 'result-to-decision';

test(`${EXAMPLE}: a delivered result is written into its row once, and a human decides`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importExample,
}) => {
	// As published, nothing of the sample.
	const { id } = await importExample(EXAMPLE, { isPublished: true });
	const invitation = await finishOne(service);
	const reference = invitation.ext_reference_id;
	const [waiting] = await waitForStatuses(client, id, ['waiting']);
	const row = (await applications.rows())[reference];
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
	expect(nodesRun(again)).not.toContain('Write The Result');

	await decide(candidate, String(row.decision_form), 'Invite to an interview');
	const [, decided] = await waitForStatuses(client, id, ['success', 'success']);
	expect((await applications.rows())[reference].decision).toBe('Invite to an interview');
	expect(nodesRun(decided)).toContain('Send Interview Invitation');
	expect(nodesRun(decided)).not.toContain('Send Rejection');
});

test(`${EXAMPLE}: a call that comes before its result waits for it; nobody is asked for a decision until then`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const parameters = { 'Ask For A Decision': TEAM, ...SECONDS };
	const how = { mails: ['Ask For A Decision'], parameters, isPublished: true };
	const { id } = await importExample(EXAMPLE, how);
	const told = () => mailServer.mails.length;
	const looked: number[] = [];
	const invitation = await finishLate(service, () => looked.push(told()));
	await waitForStatuses(client, id, ['waiting']);
	expect(looked).toEqual([0, 0, 0]);
	expect(mailServer.mails).toEqual([
		{ to: TEAM.toEmail, text: expect.stringContaining(`fit: ${roleFit(invitation)}`) },
	]);
	expect((await applications.rows())[invitation.ext_reference_id]).toMatchObject({
		status: 'completed',
		role_fit: roleFit(invitation),
	});
});

test(`${EXAMPLE}: a result that never comes is told to nobody`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
}) => {
	const { id } = await importExample(EXAMPLE, { parameters: SECONDS, isPublished: true });
	await finishLate(service, () => {}, 100);
	const [execution] = await waitForStatuses(client, id, ['success']);
	expect(execution.data.resultData.runData['Get The Result']).toHaveLength(13);
	expect(nodesRun(execution)).not.toContain('Is It New?');
	expect(await applications.all()).toEqual([]);
});
