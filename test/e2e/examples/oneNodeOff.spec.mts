import { reply, startChatModel } from '../support/chatModel.mts';
import type { MailServer } from '../support/mailServer.mts';
import type { ApplicationsTable } from '../support/applicationsTable.mts';
import { inviteAt, PERSON } from '../../support/invite.mts';
import { fillIn } from '../support/visitor.mts';
import { baseNode, RESULT_READY, START, workflowOf } from '../support/workflows.mts';
import { change, nodesOf, TITLE, tryInEachWay, type World } from '../support/eachWay.mts';
import {
	cv,
	cvFile,
	expect,
	FOUND_NOTHING,
	invitationOf,
	jsonOf,
	nodesRun,
	roleFit,
	SECONDS,
	TEAM,
	test,
	waitingForm,
	type Imported,
	type Row,
} from '../support/exampleFixtures.mts';

for (const name of ['invite-from-a-list', 'catch-up'] as const) {
	test(`${name}: ${TITLE}`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer,
	}) => {
		test.setTimeout(600_000);
		const looksUp = name !== 'invite-from-a-list';
		const { id: handsOverTo } = await client.createWorkflow(TAKES_RESULTS);
		const workflow = await importExample(name, {
			mails: ['Send The Link', ...(looksUp ? ['Send The Reminder'] : [])],
			...(looksUp && { handsOverTo }),
			unpin: true,
		});
		const world = tableWorld(applications, mailServer);
		const run = async () => {
			await client.runToEnd(workflow.id, startOf(workflow));
			return [];
		};
		expect(await tryInEachWay({ client, service, world, workflow, name, run })).toEqual({});
		for (const { id } of await client.allExecutions(handsOverTo)) {
			const [{ status }] = jsonOf(await client.waitForExecution(id), START);
			expect(status).toBe('completed');
		}
	});
}

for (const name of ['apply-and-be-invited', 'cv-to-invitation'] as const) {
	test(`${name}: ${TITLE}; and no page has a link that leads nowhere`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer,
	}) => {
		test.setTimeout(600_000);
		const isCv = name === 'cv-to-invitation';
		const model = await startChatModel(client, Array(60).fill(reply(FOUND_NOTHING)));
		const workflow = await importExample(name, {
			mails: [isCv ? 'Send To Recruiting' : 'Send The Link'],
			...(isCv && { credentials: { 'OpenAI Chat Model': model.credential } }),
			...(isCv && { parameters: { 'Send To Recruiting': TEAM } }),
			unpin: true,
		});
		const world = isCv
			? { begin: async () => {}, rows: async () => [], mails: [], hasAll: false }
			: tableWorld(applications, mailServer);
		const form = workflow.form.replace('/form/', '/form-test/');
		const pdf = cvFile(await cv());
		const run = async ([{ first_name, last_name, email }]: readonly Row[]) => {
			await client.listen(workflow.id, 'Application Form');
			const page = await fillIn(form, [first_name, last_name, email, ...(isCv ? [pdf] : [])]);
			const own = service.invitations.find((each) => each.email === email);
			const leads = own && page.includes(own.invitation_link);
			return page.includes('Start your assessment') && !leads ? ['the page links to nowhere'] : [];
		};
		const trial = { client, service, world, workflow, name, run, isForm: true };
		const found = await tryInEachWay(trial);
		await model.close();
		expect(found).toEqual({});
	});
}

/** The schedule of an example. */
const startOf = ({ nodes }: Imported) =>
	nodes.find(({ type }) => type.endsWith('.scheduleTrigger'))!.name;

function tableWorld(applications: ApplicationsTable, { mails }: MailServer): World {
	const begin = async (rows: readonly Row[]) => {
		if ((await applications.all()).length > 0) await applications.clear();
		await applications.add(rows.map(({ link_for: _, ...row }) => row as Row));
	};
	return { begin, rows: applications.all, mails, hasAll: true };
}

/** A workflow that takes results. */
const TAKES_RESULTS = workflowOf(
	'Takes results',
	baseNode(START, 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
);

const DECISION = 'result-to-decision';

test(`${DECISION}: with any one node deactivated, no row says what is not so, and no candidate has a mail that nobody decided`, async ({
	n8n: { client, baseUrl },
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	test.setTimeout(600_000);
	const [ask, ...others] = ['Ask For A Decision', 'Send Interview Invitation', 'Send Rejection'];
	const parameters = { [ask]: TEAM, ...SECONDS };
	const workflow = await importExample(DECISION, {
		mails: [ask, ...others],
		parameters,
		unpin: true,
	});
	const { invitation_code, ext_reference_id, job_id } = await inviteAt(service);
	await service.finish(invitation_code);
	const { invitation_link, ...invitation } = invitationOf(service, ext_reference_id);
	const event = {
		event: RESULT_READY,
		invitation_code,
		ext_reference_id,
		job_id,
		status: 'completed',
	};
	const trigger = 'When A Result Is Ready';
	const pinData = { [trigger]: [{ json: event }] };
	// The address has been corrected since.
	const before = {
		...PERSON,
		application_id: ext_reference_id,
		job_id,
		email: 'maya@people.example',
	};
	const result = { status: 'completed', role_fit: roleFit(invitation as never) };
	const found: Record<string, unknown> = {};
	for (const way of [...(await nodesOf(DECISION)), undefined]) {
		if ((await applications.all()).length > 0) await applications.clear();
		await applications.add([{ ...before, status: 'invited', invitation_link }]);
		mails.length = 0;
		await change(client, workflow, way, { pinData });
		const id = await client.run(workflow.id, trigger);
		let page = '';
		await expect
			.poll(async () => (await client.getExecution(id)).status, { timeout: 60_000 })
			.not.toMatch(/running|new/);
		const waiting = await client.getExecution(id);
		if (waiting.status === 'waiting') {
			const form = waitingForm(waiting, nodesRun(waiting).at(-1)!, baseUrl);
			page = await (await fetch(form)).text();
			await fillIn(form, ['Reject']);
			await client.waitForExecution(id);
		}
		const [row, ...added] = await applications.all();
		const toCandidate = mails.filter(({ to }) => to !== TEAM.toEmail);
		const isSo =
			Object.entries(before).every(([key, value]) => row[key] === value) &&
			(row.status === 'invited' ||
				(row.status === 'completed' && row.role_fit === result.role_fit)) &&
			(!row.decision || (row.decision === 'Reject' && page !== '')) &&
			toCandidate.every(
				({ to, text }) => page && to === before.email && text.includes('decided not to move'),
			);
		if (!isSo || added.length > 0) found[String(way)] = { row, added, toCandidate };
		if (way) continue;
		expect(row).toMatchObject({ ...result, decision: 'Reject' });
		expect(mails.map(({ to }) => to)).toEqual([TEAM.toEmail, before.email]);
		expect(mails[0].text).toContain(`Role fit: ${result.role_fit} of 100`);
		for (const words of [
			job_id,
			`${result.role_fit} of 100`,
			'Your decision is noted in the table',
		])
			expect(page).toContain(words);
	}
	expect(found).toEqual({});
});
