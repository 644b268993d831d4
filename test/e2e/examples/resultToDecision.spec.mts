import type { ExecutionStatus } from '../../../tools/n8n/client.mts';
import type { PartnerService } from '../../../mock-service/service.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import {
	expect,
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
const ASKS = { mails: ['Ask For A Decision'], parameters: SECONDS, isPublished: true };

const NO_REPORT = { report_pdf_link: null, report_profile_link: null };
const STILL_OPEN = { status: 'invited', scores: [], additional_scores: [], ...NO_REPORT };
const scored = (score_value: number) => ({
	scores: [{ score_type: 'role_fit', score_value, score_format: 100 }],
});

/** Finishes a candidate, whose result has other fields the first `times` that somebody looks. */
async function finishAs(service: PartnerService, answer: object, times: number, onLook = () => {}) {
	const { invitation_code, ext_reference_id } = await inviteAt(service);
	const now = () => invitationOf(service, ext_reference_id);
	service.faults.inject({
		...{ route: 'getCandidate', status: 200, times },
		// Made when it is sent: by then, there is a report.
		body: { toJSON: () => (onLook(), { data: { ...now(), ...answer }, meta: null }) },
		when: ({ path }) => path.includes(invitation_code),
	});
	await service.finish(invitation_code);
	return now();
}

test(`${EXAMPLE}: a delivered result is written into its row once, and a human decides; if it is scored anew, the row gets it, and somebody hears of it, once`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importExample,
	mailServer,
}) => {
	// Once published, the sample data must not show.
	const { id } = await importExample(EXAMPLE, ASKS);
	const invitation = await finishOne(service);
	const [waiting] = await waitForStatuses(client, id, ['waiting']);
	const [row] = await applications.all();
	const { ext_reference_id, job_id, report_profile_link } = invitation;
	expect(row).toMatchObject({
		...{ ...PERSON, application_id: ext_reference_id, job_id, status: 'completed' },
		...{ role_fit: roleFit(invitation), report_link: report_profile_link, decision: null },
	});
	const [{ binary }] = waiting.data.resultData.runData['Get The Report'][0].data?.main[0] as Array<{
		binary?: Record<string, { mimeType: string }>;
	}>;
	expect(binary?.report.mimeType).toBe('application/pdf');

	const redeliver = async (...statuses: ExecutionStatus[]) => {
		await service.redeliver(service.deliveries[0].id);
		return (await waitForStatuses(client, id, statuses))[0];
	};
	expect(nodesRun(await redeliver('success', 'waiting'))).not.toContain('Write The Result');

	const decision = 'Invite to an interview';
	await candidate.goto(String(row.decision_form), { waitUntil: 'domcontentloaded' });
	await candidate.getByLabel('Decision').selectOption(decision);
	await candidate.getByRole('button', { name: 'Submit' }).click();
	await expect(candidate.getByText('Your decision is noted in the table')).toBeVisible();
	const [, decided] = await waitForStatuses(client, id, ['success', 'success']);
	expect((await applications.all())[0].decision).toBe(decision);
	expect(nodesRun(decided)).toContain('Send Interview Invitation');
	expect(nodesRun(decided)).not.toContain('Send Rejection');

	await applications.correct(ext_reference_id, { status: 'Completed ' });
	const body = { data: { ...invitation, ...scored(12) }, meta: null };
	service.faults.inject({ route: 'getCandidate', status: 200, times: 3, body });
	await redeliver('waiting', 'success', 'success');
	await redeliver('success', 'waiting', 'success', 'success');
	const rows = await applications.all();
	expect(rows).toMatchObject([{ status: 'completed', role_fit: 12, decision }]);
	const before = `Role fit before: ${roleFit(invitation)} of 100. Decision before: ${decision}.`;
	expect(mailServer.mails.map(({ text }) => text)).toEqual([
		expect.not.stringContaining('Scored anew'),
		expect.stringContaining(`Scored anew. ${before}`),
	]);
});

test(`${EXAMPLE}: a call that comes before its result waits for it; nobody is asked until then, or if it never comes`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	const { id } = await importExample(EXAMPLE, ASKS);
	const looked: number[] = [];
	const invitation = await finishAs(service, STILL_OPEN, 3, () => looked.push(mails.length));
	await waitForStatuses(client, id, ['waiting']);
	expect(looked.slice(0, 3)).toEqual([0, 0, 0]);
	const role_fit = roleFit(invitation);

	await finishAs(service, STILL_OPEN, 100);
	const [execution] = await waitForStatuses(client, id, ['success', 'waiting']);
	expect(execution.data.resultData.runData['Get The Result']).toHaveLength(13);
	expect(nodesRun(execution)).not.toContain('The Result');
	expect(mails).toEqual([{ to: TEAM.toEmail, text: expect.stringContaining(`fit: ${role_fit}`) }]);
	const application_id = invitation.ext_reference_id;
	const rows = await applications.all();
	expect(rows).toMatchObject([{ application_id, status: 'completed', role_fit }]);
});

test(`${EXAMPLE}: whatever a result lacks, its scores are in the row with this ID and job, and somebody is asked once`, async ({
	n8n: { client, baseUrl },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const texts = [
		...['first_name', 'last_name', 'email', 'job_id', 'status', 'invitation_link', 'problem'],
		...['report_link', 'completed_at', 'decision_form', 'decision'],
	];
	const types = Object.fromEntries(texts.map((column) => [column, 'string']));
	await applications.importAs({ application_id: 'number', role_fit: 'number', ...types }, []);
	const { id } = await importExample(EXAMPLE, ASKS);
	const answers: object[] = [
		{ report_pdf_link: `${service.baseUrl}/not-there-yet.pdf` },
		NO_REPORT,
		{ status: 'COMPLETED' },
		{ first_name: null, last_name: null, email: null, invitation_link: undefined },
		{ ext_reference_id: 4715 },
		{ job_id: JOB.toUpperCase() },
	];
	const wanted = [];
	for (const [index, answer] of answers.entries()) {
		const own = { ...PERSON, application_id: 4711 + index };
		const role_fit = 80 + index;
		await applications.add([
			// Entered by hand: in capitals, or with a space.
			{ ...own, job_id: ` ${JOB.toUpperCase()}`, status: 'Invited' } as never,
			{ ...own, job_id: OTHER_JOB, status: 'invited' } as never,
		]);
		wanted.push(
			{ ...own, status: 'completed', role_fit },
			{ ...own, status: 'invited', role_fit: null },
		);
		const ids = { ext_reference_id: `${own.application_id}`, job_id: JOB };
		await finishAs(service, { ...ids, ...scored(role_fit), ...answer }, 9);
		const [execution] = await waitForStatuses(client, id, Array(index + 1).fill('waiting'));
		const form = waitingForm(execution, 'Wait For The Decision', baseUrl);
		const page = await (await fetch(form)).text();
		expect(page).toContain(`Role fit: ${role_fit} of 100`);
		expect(page).not.toMatch(/href="(null|undefined)?"/);
	}
	expect(await applications.all()).toMatchObject(wanted);
	expect(mailServer.mails.map(({ to }) => to)).toEqual(answers.map(() => TEAM.toEmail));
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
	const { ext_reference_id, invitation_link } = await finishOne(service);
	const list = async () => (await client.allExecutions(id)).map(({ status }) => status);
	await expect.poll(list, { timeout: 120_000 }).toEqual(['success']);
	const problem = expect.stringMatching(/^Nobody decided in the form, which is closed now/);
	const closed = { status: 'completed', decision: null, problem };
	expect(await applications.all()).toMatchObject([closed]);
	await client.unpublish(id);

	const { id: open } = await importExample(EXAMPLE, { isPublished: true });
	const { id: catchUp } = await importExample('catch-up', { handsOverTo: open, unpin: true });
	for (const _ of [1, 2]) {
		await applications.correct(ext_reference_id, { status: 'invited', invitation_link });
		expect((await client.runToEnd(catchUp, 'Every Night At 3')).status).toBe('success');
		const [{ id: asking }] = await waitForStatuses(client, open, ['waiting']);
		await client.request('POST', '/rest/executions/delete', { ids: [asking] });
	}
	expect(await applications.all()).toMatchObject([{ status: 'completed', problem: '' }]);
});
