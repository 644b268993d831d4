import type { InvitationWithLinks, PartnerService } from '../../../mock-service/service.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
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
async function finishAs(
	service: PartnerService,
	{ invitation_code, ext_reference_id }: InvitationWithLinks,
	answer: object,
	times: number,
) {
	const now = () => invitationOf(service, ext_reference_id);
	service.faults.inject({
		...{ route: 'getCandidate', status: 200, times },
		// Made when it is sent: by then, there is a report.
		body: { toJSON: () => ({ data: { ...now(), ...answer }, meta: null }) },
		when: ({ path }) => path.includes(invitation_code),
	});
	await service.finish(invitation_code);
	return roleFit(now());
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
	const role_fit = await finishAs(service, await inviteAt(service), STILL_OPEN, 3);
	await waitForStatuses(client, id, ['waiting']);
	await finishAs(service, await inviteAt(service), STILL_OPEN, 100);
	const [execution] = await waitForStatuses(client, id, ['success', 'waiting']);
	expect(execution.data.resultData.runData['Get The Result']).toHaveLength(13);
	expect(mails).toEqual([{ to: TEAM.toEmail, text: expect.stringContaining(`fit: ${role_fit}`) }]);
	expect(await applications.all()).toMatchObject([{ status: 'completed', role_fit }]);
});

test(`${EXAMPLE}: whatever a result lacks, its scores are in the row that has its link, or this ID and job, and somebody is asked, also if a person wrote invited again, but not about who has withdrawn`, async ({
	n8n: { client, baseUrl },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id } = await importExample(EXAMPLE, ASKS);
	const noLink = { invitation_link: undefined };
	const cases: Array<[row: object, answer: object]> = [
		[{ role_fit: 80 }, { report_pdf_link: `${service.baseUrl}/not-there-yet.pdf` }],
		[{}, { ...NO_REPORT, first_name: null, last_name: null, email: null, ...noLink }],
		[{}, { status: 'COMPLETED', ext_reference_id: 2, job_id: JOB.toUpperCase(), ...noLink }],
		[{ status: 'withdrawn' }, { ext_reference_id: 'otherwise' }],
	];
	const wanted: object[] = [];
	for (const [index, [row, answer]] of cases.entries()) {
		const made = await inviteAt(service);
		const role_fit = 80 + index;
		// Entered by hand: in capitals, and with a space. The other is for another job.
		const own = { ...PERSON, application_id: `${index}`, job_id: ` ${JOB.toUpperCase()}` };
		const elsewhere = { ...own, job_id: OTHER_JOB, role_fit: null };
		const { invitation_link } = made;
		await applications.add([{ ...own, invitation_link, status: 'invited', ...row }, elsewhere]);
		wanted.push({ ...own, status: 'completed', ...row, role_fit }, elsewhere);
		const ids = { ext_reference_id: own.application_id, job_id: JOB };
		await finishAs(service, made, { ...ids, ...scored(role_fit), ...answer }, 9);
	}
	const asked = ['waiting', 'waiting', 'waiting'] as const;
	const [, ...waiting] = await waitForStatuses(client, id, ['success', ...asked]);
	for (const [index, execution] of waiting.reverse().entries()) {
		const { page } = await waitingForm(execution, baseUrl);
		expect(page).toContain(`role fit: ${80 + index} of 100`);
		expect(page).not.toMatch(/href="(null|undefined)?"/);
	}
	expect(await applications.all()).toMatchObject(wanted);
	expect(mailServer.mails.map(({ to }) => to)).toEqual(asked.map(() => TEAM.toEmail));
});

test(`${EXAMPLE}: a form that nobody answers closes, and its row says so`, async ({
	service,
	applications,
	importExample,
}) => {
	const soon = { 'Wait For The Decision': { resumeAmount: 1, resumeUnit: 'seconds' } };
	await importExample(EXAMPLE, { ...ASKS, parameters: soon });
	await finishOne(service);
	const problem = expect.stringMatching(/^The form has closed without a decision/);
	const closed = { status: 'completed', decision: '', problem };
	// n8n looks once a minute.
	await expect.poll(applications.all, { timeout: 120_000 }).toMatchObject([closed]);
});
