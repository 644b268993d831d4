import { inviteAt, PERSON } from '../../support/invite.mts';
import { change, nodesOf, TITLE, tryInEachWay } from '../support/eachWay.mts';
import { reply, startChatModel } from '../support/chatModel.mts';
import { fillIn } from '../support/visitor.mts';
import { RESULT_READY } from '../support/workflows.mts';
import {
	cv,
	expect,
	invitationOf,
	roleFit,
	runUntilItRests,
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

for (const name of Object.keys(STARTS) as Array<keyof typeof STARTS>) {
	const isForm = STARTS[name].endsWith('Form');
	test(`${name}: ${TITLE}${isForm ? '; and no page has a link that leads nowhere' : ''}`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer: { mails },
	}) => {
		test.setTimeout(600_000);
		const isCv = name === 'cv-to-invitation';
		const model = await startChatModel(client, Array(60).fill(reply('{}')));
		// Nothing takes its results, which keeps no mail from anybody.
		const more = { ...(isCv && { model }), ...(name === 'catch-up' && { handsOverTo: 'gone' }) };
		const workflow = await importExample(name, { mails: isCv ? [] : true, unpin: true, ...more });
		const table = {
			begin: applications.begin,
			rows: applications.all,
		};
		const noTable = { begin: async () => {}, rows: async () => [] };
		const world = { ...(isCv ? noTable : table), mails };
		const cvs = isCv ? [await cv()] : [];
		const run = async ([{ first_name, last_name, email }]: readonly Row[]) => {
			if (!isForm) {
				await client.runToEnd(workflow.id, STARTS[name]);
				return [];
			}
			await client.listen(workflow.id, STARTS[name]);
			const form = workflow.form.replace('/form/', '/form-test/');
			const page = await fillIn(form, [first_name, last_name, email, ...cvs]);
			const own = service.invitations.find((each) => each.email === email);
			const leads = own && page.includes(own.invitation_link);
			return page.includes('Start your assessment') && !leads ? ['the page links to nowhere'] : [];
		};
		const found = await tryInEachWay({ client, service, world, workflow, name, run, isForm });
		expect(found).toEqual({});
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
	const trigger = 'When A Result Is Ready';
	const { invitation_code, ext_reference_id, job_id, invitation_link } = await inviteAt(service);
	await service.finish(invitation_code);
	const role_fit = roleFit(invitationOf(service, ext_reference_id));
	const status = 'completed';
	const json = { event: RESULT_READY, invitation_code, ext_reference_id, job_id, status };
	// The address has been corrected since.
	const email = 'maya@people.example';
	const before = { ...PERSON, application_id: ext_reference_id, job_id, email };
	const rejection = { to: email, text: expect.stringContaining('decided not to move') };
	for (const way of [...(await nodesOf(DECISION)), 'nothing']) {
		await applications.begin([{ ...before, status: 'invited', invitation_link }]);
		mails.length = 0;
		await change(client, workflow, way, { pinData: { [trigger]: [{ json }] } });
		const execution = await runUntilItRests(client, workflow.id, trigger);
		const isAsked = execution.status === 'waiting';
		if (isAsked) {
			await (await waitingForm(execution, baseUrl)).answer('Reject');
			await client.waitForExecution(execution.id);
		}
		const [row, ...added] = await applications.all();
		const toCandidate = mails.filter(({ to }) => to !== TEAM.toEmail);
		expect([row, added], way).toMatchObject([before, []]);
		if (row.status !== 'invited') expect(row, way).toMatchObject({ status, role_fit });
		if (row.decision) expect([row.decision, isAsked], way).toEqual(['Reject', true]);
		expect(toCandidate, way).toEqual(toCandidate.map(() => isAsked && rejection));
		if (way === 'nothing') expect([row.decision, toCandidate.length]).toEqual(['Reject', 1]);
	}
});
