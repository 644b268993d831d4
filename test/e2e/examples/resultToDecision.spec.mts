import type { PartnerService } from '../../../mock-service/service.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import { editNodes } from '../support/workflows.mts';
import {
	expect,
	finishOne,
	invitationOf,
	PERSON,
	roleFit,
	SECONDS,
	TEAM,
	test,
	waitForStatuses,
	waitingForm,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'result-to-decision';
const ASKS = { mails: ['Ask For A Decision'], parameters: SECONDS, isPublished: true };

const NO_REPORT = { report_pdf_link: null, report_profile_link: null };
const STILL_OPEN = { status: 'invited', scores: [], additional_scores: [], ...NO_REPORT };
const scored = (score_value: number) => ({
	scores: [{ score_type: 'role_fit', score_value, score_format: 100 }],
});

/** Finishes a candidate, whose result has other fields the first `times` that somebody looks. */
async function finishAs(service: PartnerService, answer: object, times: number) {
	const { invitation_code, ext_reference_id } = await inviteAt(service);
	const now = () => invitationOf(service, ext_reference_id);
	service.faults.inject({
		...{ route: 'getCandidate', status: 200, times },
		// Made when it is sent: by then, there is a report.
		body: { toJSON: () => ({ data: { ...now(), ...answer }, meta: null }) },
		when: ({ path }) => path.includes(invitation_code),
	});
	await service.finish(invitation_code);
	return now();
}

test(`${EXAMPLE}: a delivered result is written into its row, and a human decides; if it is scored anew, somebody is asked again, once, and only the newest form counts`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importExample,
	mailServer,
}) => {
	const { mails } = mailServer;
	// Once published, the sample data must not show.
	const { id } = await importExample(EXAMPLE, { ...ASKS, mails: true });
	const invitation = await finishOne(service);
	const [older] = await waitForStatuses(client, id, ['waiting']);
	const { ext_reference_id: application_id, job_id, report_profile_link } = invitation;
	const own = { ...PERSON, application_id, job_id, report_link: report_profile_link };
	const first = { ...own, status: 'completed', role_fit: roleFit(invitation), decision: null };
	expect(await applications.all()).toMatchObject([first]);

	await applications.correct(application_id, { status: 'Completed ', problem: 'not emailed' });
	const body = { data: { ...invitation, ...scored(12) }, meta: null };
	service.faults.inject({ route: 'getCandidate', status: 200, times: 3, body });
	const redeliver = async () => await service.redeliver(service.deliveries[0].id);
	await redeliver();
	await waitForStatuses(client, id, ['waiting', 'waiting']);
	await redeliver();
	await waitForStatuses(client, id, ['success', 'waiting', 'waiting']);
	const anew = { ...own, status: 'completed', role_fit: 12, problem: '', decision: null };
	expect(await applications.all()).toMatchObject([anew]);
	const before = `Role fit before: ${roleFit(invitation)} of 100.`;
	const asked = [
		{ to: TEAM.toEmail, text: expect.not.stringContaining('Scored anew') },
		{ to: TEAM.toEmail, text: expect.stringContaining(`Scored anew. ${before}`) },
	];

	const decision = 'Invite to an interview';
	await (await waitingForm(older, baseUrl)).answer(decision);
	await client.waitForExecution(older.id);
	const rows = await applications.all();
	const notNoted = `The decision in an older form was not noted: ${decision}`;
	expect(rows).toMatchObject([{ ...anew, problem: notNoted }]);
	expect(mails).toEqual(asked);

	mailServer.isDown = true;
	await candidate.goto(rows[0].decision_form, { waitUntil: 'domcontentloaded' });
	await candidate.getByLabel('Decision').selectOption(decision);
	await candidate.getByRole('button', { name: 'Submit' }).click();
	await expect(candidate.getByText('Your decision goes into the row')).toBeVisible();
	// The mail server is down: the row says so, and a retry sends the mail.
	const [, failed] = await waitForStatuses(client, id, ['success', 'error', 'success']);
	const problem = expect.stringContaining('The decision was not emailed');
	expect(await applications.all()).toMatchObject([{ ...anew, decision, problem }]);
	mailServer.isDown = false;
	await client.request('POST', `/rest/executions/${failed.id}/retry`, { loadWorkflow: true });
	await waitForStatuses(client, id, ['success', 'success', 'error', 'success']);
	expect(await applications.all()).toMatchObject([{ ...anew, decision }]);
	const text = expect.stringContaining("We'd like to invite you to an interview");
	expect(mails).toEqual([...asked, { to: PERSON.email, text }]);
});

test(`${EXAMPLE}: a call that comes before its result waits for it; nobody is asked until then, or if it never comes`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	const { id } = await importExample(EXAMPLE, ASKS);
	const role_fit = roleFit(await finishAs(service, STILL_OPEN, 3));
	await waitForStatuses(client, id, ['waiting']);

	await finishAs(service, STILL_OPEN, 100);
	const [execution] = await waitForStatuses(client, id, ['success', 'waiting']);
	expect(execution.data.resultData.runData['Get The Result']).toHaveLength(13);
	expect(mails).toEqual([{ to: TEAM.toEmail, text: expect.stringContaining(`fit: ${role_fit}`) }]);
	expect(await applications.all()).toMatchObject([{ status: 'completed', role_fit }]);
});

test(`${EXAMPLE}: whatever a result lacks, its scores are in the row with this ID and job, and somebody is asked once`, async ({
	n8n: { client, baseUrl },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id } = await importExample(EXAMPLE, ASKS);
	const answers: object[] = [
		{ report_pdf_link: `${service.baseUrl}/not-there-yet.pdf` },
		{ ...NO_REPORT, first_name: null, last_name: null, email: null, invitation_link: undefined },
		{ status: 'COMPLETED', ext_reference_id: 2, job_id: JOB.toUpperCase() },
	];
	const wanted = [];
	for (const [index, answer] of answers.entries()) {
		const own = { ...PERSON, application_id: `${index}`, status: 'invited' };
		const role_fit = 80 + index;
		// The first is entered by hand: in capitals, and with a space. The other is for another job.
		const job_id = ` ${JOB.toUpperCase()}`;
		await applications.add([
			{ ...own, job_id },
			{ ...own, job_id: OTHER_JOB },
		]);
		wanted.push({ ...own, status: 'completed', role_fit }, { ...own, role_fit: null });
		const ids = { ext_reference_id: own.application_id, job_id: JOB };
		await finishAs(service, { ...ids, ...scored(role_fit), ...answer }, 9);
		const [execution] = await waitForStatuses(client, id, Array(index + 1).fill('waiting'));
		const { page } = await waitingForm(execution, baseUrl);
		expect(page).toContain(`role fit: ${role_fit} of 100`);
		expect(page).not.toMatch(/href="(null|undefined)?"/);
	}
	expect(await applications.all()).toMatchObject(wanted);
	expect(mailServer.mails.map(({ to }) => to)).toEqual(answers.map(() => TEAM.toEmail));

	// The row that has the link gets the result, whatever the ID looks like; nobody is asked about who has withdrawn.
	const { invitation_code, invitation_link, ext_reference_id } = await inviteAt(service, JOB);
	const row = { ...PERSON, application_id: ` ${ext_reference_id}`, status: 'withdrawn' };
	await applications.add([{ ...row, job_id: JOB, invitation_link }]);
	await service.finish(invitation_code);
	await waitForStatuses(client, id, ['success', ...answers.map(() => 'waiting' as const)]);
	const role_fit = roleFit(invitationOf(service, ext_reference_id));
	expect(await applications.all()).toMatchObject([...wanted, { ...row, role_fit }]);
	expect(mailServer.mails).toHaveLength(answers.length);
});

test(`${EXAMPLE}: if its form is gone, invited in the row has Catch up ask again; a form that nobody answers closes, and its row says so`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	const { id: handsOverTo } = await importExample(EXAMPLE, ASKS);
	const { id: catchUp } = await importExample('catch-up', { handsOverTo, unpin: true });
	const { ext_reference_id } = await finishOne(service);
	/** Waits until somebody is asked, and deletes the execution. Then does what the overview says. */
	const askAgain = async () => {
		const [{ id }] = await waitForStatuses(client, handsOverTo, ['waiting']);
		await client.request('POST', '/rest/executions/delete', { ids: [id] });
		await applications.correct(ext_reference_id, { status: 'invited' });
		expect((await client.runToEnd(catchUp, 'Every Night At 3')).status).toBe('success');
	};
	await askAgain();
	await waitForStatuses(client, handsOverTo, ['waiting']);
	expect(mails).toHaveLength(2);

	const soon = { resumeAmount: 1, resumeUnit: 'seconds' };
	await editNodes(client, handsOverTo, ({ name, parameters }) =>
		name === 'Wait For The Decision' ? { parameters: { ...parameters, ...soon } } : undefined,
	);
	await client.publish(handsOverTo);
	await askAgain();
	const problem = expect.stringMatching(/^The form has closed without a decision/);
	const closed = { status: 'completed', decision: '', problem };
	// n8n looks once a minute.
	await expect.poll(applications.all, { timeout: 120_000 }).toMatchObject([closed]);
});
