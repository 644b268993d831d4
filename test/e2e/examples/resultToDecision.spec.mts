import type { PartnerService } from '../../../mock-service/service.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import {
	decide,
	expect,
	finishLate,
	finishOne,
	invitationOf,
	nodesRun,
	PERSON,
	roleFit,
	SECONDS,
	TEAM,
	test,
	waitForStatuses,
	waitingForm,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'result-to-decision';

test(`${EXAMPLE}: a delivered result is written into its row once, and a human decides`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importExample,
}) => {
	// Once published, the sample data must not show.
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
	const [{ binary }] = waiting.data.resultData.runData['Get The Report'][0].data?.main[0] as Array<{
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
	expect(nodesRun(execution)).not.toContain('The Result');
	expect(await applications.all()).toEqual([]);
});

/** Finishes a candidate whose result the service returns with other fields. */
async function tellAs(service: PartnerService, answer: object, times = 2) {
	const invitation = await finishOne(service);
	service.faults.inject({
		...{ route: 'getCandidate', status: 200, times, body: { data: { ...invitation, ...answer } } },
		when: ({ path }) => path.includes(invitation.invitation_code),
	});
	return invitation;
}

const NO_REPORT = { report_pdf_link: null, report_profile_link: null };
const scored = (score_value: unknown) => ({
	scores: [{ score_type: 'role_fit', score_value, score_format: 100 }],
});

test(`${EXAMPLE}: whatever a result lacks, its scores are in the row with this ID and job, and somebody is asked once`, async ({
	n8n: { client, baseUrl },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const parameters = { 'Ask For A Decision': TEAM, ...SECONDS };
	const how = { mails: ['Ask For A Decision'], parameters };
	await applications.importAs(
		{
			...{ application_id: 'number', first_name: 'string', last_name: 'string', email: 'string' },
			...{ job_id: 'string', status: 'string', invitation_link: 'string', problem: 'string' },
			...{ role_fit: 'number', report_link: 'string', completed_at: 'string' },
			...{ decision_form: 'string', decision: 'string' },
		},
		[],
	);
	const { id } = await importExample(EXAMPLE, { ...how, isPublished: true });
	const answers: object[] = [
		{ report_pdf_link: `${service.baseUrl}/not-there-yet.pdf` },
		NO_REPORT,
		{ status: 'COMPLETED' },
		{ first_name: null, last_name: null, email: null, invitation_link: undefined },
		{ ext_reference_id: 4715 },
		{ job_id: JOB.toUpperCase() },
	];
	for (const [index, answer] of answers.entries()) {
		const application_id = 4711 + index;
		await applications.add([
			// Entered by hand: in capitals, or with a space.
			{ ...PERSON, application_id, job_id: ` ${JOB.toUpperCase()}`, status: 'Invited' } as never,
			{ ...PERSON, application_id, job_id: OTHER_JOB, status: 'invited' } as never,
		]);
		const own = { ext_reference_id: `${application_id}`, job_id: JOB, ...scored(80 + index) };
		await tellAs(service, { ...own, ...answer }, 9);
		const [execution] = await waitForStatuses(client, id, Array(index + 1).fill('waiting'));
		const form = waitingForm(execution, 'Wait For The Decision', baseUrl);
		const page = await (await fetch(form)).text();
		expect(page).toContain(`Role fit: ${80 + index} of 100`);
		expect(page).not.toMatch(/href="(null|undefined)?"/);
	}
	const rows = await applications.all();
	expect(rows).toHaveLength(2 * answers.length);
	for (const [index, row] of rows.entries()) {
		const isOther = index % 2 === 1;
		const role_fit = isOther ? null : 80 + index / 2;
		const status = isOther ? 'invited' : 'completed';
		expect(row).toMatchObject({
			...PERSON,
			application_id: 4711 + Math.floor(index / 2),
			status,
			role_fit,
		});
	}
	expect(mailServer.mails.map(({ to }) => to)).toEqual(answers.map(() => TEAM.toEmail));
});

test(`${EXAMPLE}: a result that is scored anew gets into its row, and somebody hears of it, once`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const parameters = { 'Ask For A Decision': TEAM };
	const how = { mails: ['Ask For A Decision'], parameters, isPublished: true };
	const { id } = await importExample(EXAMPLE, how);
	const invitation = await finishOne(service);
	await waitForStatuses(client, id, ['waiting']);
	await applications.correct(invitation.ext_reference_id, {
		decision: 'Reject',
		status: 'Completed ',
	});
	const body = { data: { ...invitation, ...scored(12) }, meta: null };
	service.faults.inject({ route: 'getCandidate', status: 200, times: 3, body });
	await service.redeliver(service.deliveries[0].id);
	await waitForStatuses(client, id, ['waiting', 'waiting']);
	await service.redeliver(service.deliveries[0].id);
	await waitForStatuses(client, id, ['success', 'waiting', 'waiting']);
	const [row, ...others] = await applications.all();
	expect([row, others]).toMatchObject([
		{ status: 'completed', role_fit: 12, decision: 'Reject' },
		[],
	]);
	const [first, second, ...more] = mailServer.mails.map(({ text }) => text);
	expect(first).not.toContain('Scored anew');
	expect(second).toContain(
		`Scored anew. Role fit before: ${roleFit(invitation)} of 100. Decision before: Reject.`,
	);
	expect(more).toEqual([]);
});

test(`${EXAMPLE}: a form that nobody answers closes, and its row says so; after one that was deleted, invited in the row has Catch up ask again`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
}) => {
	test.setTimeout(600_000);
	const parameters = { 'Wait For The Decision': { resumeAmount: 1, resumeUnit: 'seconds' } };
	const { id } = await importExample(EXAMPLE, { parameters, isPublished: true });
	const { ext_reference_id: reference } = await finishOne(service);
	const list = async () => (await client.allExecutions(id)).map(({ status }) => status);
	await expect.poll(list, { timeout: 120_000 }).toEqual(['success']);
	const row = async () => (await applications.rows())[reference];
	expect(await row()).toMatchObject({
		...{ status: 'completed', decision: null },
		problem: expect.stringMatching(/^Nobody decided in the form, which is closed now/),
	});
	await client.unpublish(id);

	const { id: open } = await importExample(EXAMPLE, { isPublished: true });
	const { id: catchUp } = await importExample('catch-up', { handsOverTo: open, unpin: true });
	const again = async () => {
		await applications.correct(reference, {
			status: 'invited',
			invitation_link: invitationOf(service, reference).invitation_link,
		});
		expect((await client.runToEnd(catchUp, 'Every Night At 3')).status).toBe('success');
		return await waitForStatuses(client, open, ['waiting']);
	};
	const [first] = await again();
	await client.request('POST', '/rest/executions/delete', { ids: [first.id] });
	await again();
	expect(await row()).toMatchObject({ status: 'completed', problem: '' });
});
