import { reply, startChatModel } from '../support/chatModel.mts';
import { inviteAt, PERSON } from '../../support/invite.mts';
import { fillIn } from '../support/visitor.mts';
import { baseNode, RESULT_READY, START, workflowOf } from '../support/workflows.mts';
import { change, nodesOf, TITLE, tryInEachWay } from '../support/eachWay.mts';
import {
	cv,
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
	type Row,
} from '../support/exampleFixtures.mts';

const STARTS = {
	'invite-from-a-list': 'Every Morning At 8',
	'catch-up': 'Every Night At 3',
	'apply-and-be-invited': 'Application Form',
	'cv-to-invitation': 'Application Form',
};

/** A workflow that takes results. */
const TAKES_RESULTS = workflowOf(
	'Takes results',
	baseNode(START, 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
);

for (const name of Object.keys(STARTS) as Array<keyof typeof STARTS>) {
	const isForm = STARTS[name].endsWith('Form');
	test(`${name}: ${TITLE}${isForm ? '; and no page has a link that leads nowhere' : ''}`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer,
	}) => {
		test.setTimeout(600_000);
		const isCv = name === 'cv-to-invitation';
		const model = await startChatModel(client, Array(60).fill(reply(FOUND_NOTHING)));
		const handsOverTo = (await client.createWorkflow(TAKES_RESULTS)).id;
		const workflow = await importExample(name, {
			...{ mails: isCv ? ['Send To Recruiting'] : true, unpin: true },
			...(isCv && { model }),
			...(name === 'catch-up' && { handsOverTo }),
		});
		const world = {
			begin: async (rows: readonly Row[]) => {
				if ((await applications.all()).length > 0) await applications.clear();
				await applications.add(rows.map(({ link_for: _, ...row }) => row as Row));
			},
			...{ rows: applications.all, mails: mailServer.mails, hasAll: true },
		};
		const noTable = { begin: async () => {}, rows: async () => [], mails: [], hasAll: false };
		const pdf = await cv();
		const run = async ([{ first_name, last_name, email }]: readonly Row[]) => {
			if (!isForm) {
				await client.runToEnd(workflow.id, STARTS[name]);
				return [];
			}
			await client.listen(workflow.id, STARTS[name]);
			const form = workflow.form.replace('/form/', '/form-test/');
			const page = await fillIn(form, [first_name, last_name, email, ...(isCv ? [pdf] : [])]);
			const own = service.invitations.find((each) => each.email === email);
			const leads = own && page.includes(own.invitation_link);
			return page.includes('Start your assessment') && !leads ? ['the page links to nowhere'] : [];
		};
		const trial = { client, service, world: isCv ? noTable : world, workflow, name, run, isForm };
		expect(await tryInEachWay(trial)).toEqual({});
		for (const { id } of await client.allExecutions(handsOverTo)) {
			const [{ status }] = jsonOf(await client.waitForExecution(id), START);
			expect(status).toBe('completed');
		}
		await model.close();
	});
}

const DECISION = 'result-to-decision';

test(`${DECISION}: with any one node deactivated, no row says what is not so, and no candidate has a mail that nobody decided`, async ({
	n8n: { client, baseUrl },
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	test.setTimeout(600_000);
	const how = { mails: true, parameters: SECONDS, unpin: true } as const;
	const workflow = await importExample(DECISION, how);
	const { invitation_code, ext_reference_id, job_id } = await inviteAt(service);
	await service.finish(invitation_code);
	const { invitation_link, ...invitation } = invitationOf(service, ext_reference_id);
	const status = 'completed';
	const json = { event: RESULT_READY, invitation_code, ext_reference_id, job_id, status };
	const trigger = 'When A Result Is Ready';
	// The address has been corrected since.
	const email = 'maya@people.example';
	const before = { ...PERSON, application_id: ext_reference_id, job_id, email };
	const role_fit = roleFit(invitation as never);
	const found: Record<string, unknown> = {};
	for (const way of [...(await nodesOf(DECISION)), undefined]) {
		if ((await applications.all()).length > 0) await applications.clear();
		await applications.add([{ ...before, status: 'invited', invitation_link }]);
		mails.length = 0;
		await change(client, workflow, way, { pinData: { [trigger]: [{ json }] } });
		const id = await client.run(workflow.id, trigger);
		let page = '';
		const now = async () => await client.getExecution(id);
		await expect
			.poll(async () => (await now()).status, { timeout: 60_000 })
			.not.toMatch(/running|new/);
		const waiting = await now();
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
			(row.status === 'invited' || (row.status === status && row.role_fit === role_fit)) &&
			(!row.decision || (row.decision === 'Reject' && page !== '')) &&
			toCandidate.every(
				({ to, text }) => page && to === email && text.includes('decided not to move'),
			);
		if (!isSo || added.length > 0) found[String(way)] = { row, added, toCandidate };
		if (way) continue;
		expect(row).toMatchObject({ status, role_fit, decision: 'Reject' });
		expect(mails.map(({ to }) => to)).toEqual([TEAM.toEmail, email]);
		expect(mails[0].text).toContain(`Role fit: ${role_fit} of 100`);
		for (const words of [job_id, `${role_fit} of 100`, 'Your decision is noted in the table'])
			expect(page).toContain(words);
	}
	expect(found).toEqual({});
});
