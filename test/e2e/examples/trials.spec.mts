import type { N8nClient } from '../../../tools/n8n/client.mts';
import { JOB, NOTE, readExample } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import { reply, startChatModel } from '../support/chatModel.mts';
import { fillIn } from '../support/visitor.mts';
import { RESULT_READY } from '../support/workflows.mts';
import {
	cv,
	expect,
	invitationOf,
	PERSON,
	roleFit,
	runUntilItRests,
	SECONDS,
	TEAM,
	test,
	waitingForm,
	type Imported,
	type Row,
} from '../support/exampleFixtures.mts';

// To try an example without sending, users add Check Only, deactivate a node, which then passes on its input, or
// unpin only some of the purple nodes. Left out: *First result*, *Import a spreadsheet*, *A Google Sheet*, *AI agent
// invites*, *Monitor the trigger*.

const STARTS = {
	'invite-from-a-list': 'Every Morning At 8',
	'catch-up': 'Every Night At 3',
	'apply-and-be-invited': 'Application Form',
	'cv-to-invitation': 'Application Form',
	'result-to-decision': 'When A Result Is Ready',
};
const DECISION = 'result-to-decision';
const CHECK_ONLY = 'Check Only';
const WEEKS = new Date(Date.now() + 10 * 86_400_000).toISOString();

/** What each example is imported with. Nothing takes the results of *Catch up*, which keeps no mail from anybody. */
const usedAs = (name: keyof typeof STARTS) =>
	({ mails: true, unpin: true, ...(name === 'catch-up' && { handsOverTo: 'gone' }) }) as const;

/** The nodes that can be deactivated: all that run after a start, except for *Set Up Once*. */
const nodesOf = ({ nodes }: Imported) =>
	nodes
		.filter(({ type }) => type !== NOTE && !/Trigger$/i.test(type))
		.map(({ name }) => name)
		.filter((name) => name !== 'Create The Table');

/** Saves an example as it was imported, but for one way to try it, and with this sample data. */
async function save(client: N8nClient, { id, nodes }: Imported, way = '', pinData = {}) {
	const changed = nodes.map((node) => {
		if (node.name === way) return { ...node, disabled: true };
		if (way !== CHECK_ONLY || node.parameters.operation !== 'invite') return node;
		return { ...node, parameters: { ...node.parameters, options: { checkOnly: true } } };
	});
	await client.request('PATCH', `/rest/workflows/${id}`, { nodes: changed, pinData });
}

const ACT = ['invite-from-a-list', 'catch-up', 'apply-and-be-invited', 'cv-to-invitation'] as const;

for (const name of ACT) {
	const isForm = STARTS[name] === 'Application Form';
	const isCv = name === 'cv-to-invitation';
	test(`${name}: tried with Check Only, or with any one node deactivated, nobody is mailed without a link, no row says what is not so, and the next run invites everybody${isForm ? '; and no page has a link that leads nowhere' : ''}`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer: { mails },
	}) => {
		test.setTimeout(600_000);
		const model = await startChatModel(client, Array(60).fill(reply('{}')));
		const how = isCv ? { ...usedAs(name), mails: [], model } : usedAs(name);
		const workflow = await importExample(name, how);
		const cvs = isCv ? [await cv()] : [];

		// One has no mail yet, one a result, and one a result that was missed.
		const others: Row[] = [];
		for (const [index, status] of ['invited', 'completed', 'invited'].entries()) {
			const made = await inviteAt(service, JOB);
			const { ext_reference_id: application_id, invitation_link } = made;
			if (index > 0) await service.finish(made.invitation_code);
			const own = { ...PERSON, application_id, job_id: JOB, status, invitation_link };
			others.push({ ...own, open_until: WEEKS, link_sent_at: index > 0 ? '2026-11-02' : '' });
		}
		if (name === 'catch-up') others[0]!.problem = 'on vacation';

		/** Runs it, or fills in its form. */
		const run = async ([{ first_name, last_name, email }]: Row[], way: string) => {
			if (!isForm) return void (await client.runToEnd(workflow.id, STARTS[name]));
			await client.listen(workflow.id, STARTS[name]);
			const form = workflow.form.replace('/form/', '/form-test/');
			const page = await fillIn(form, [first_name, last_name, email, ...cvs]);
			const link = service.invitations.find((each) => each.email === email)?.invitation_link;
			if (page.includes('Start your assessment')) expect(page, way).toContain(link ?? 'a link');
		};
		/** Mails must contain their candidate's link, and rows must be true. */
		const expectTruth = async (people: Row[], way: string) => {
			for (const { to, text } of mails) {
				const isOwn = service.invitations.some(
					(each) => each.email === to && text.includes(each.invitation_link),
				);
				expect([to, text, isOwn], way).toEqual([to, text, true]);
			}
			for (const row of await applications.all()) {
				const { application_id: id, invitation_link: link } = row;
				const before = people.find(({ application_id }) => application_id === id)!;
				const { status, problem, invitation_link, link_sent_at, ...own } = before;
				expect(row, way).toMatchObject(own);
				const invitation = service.invitations.find((each) => each.ext_reference_id === id);
				if (row.status) expect(['invited', invitation?.status], way).toContain(row.status);
				if (row.status || link) expect(invitation, way).toBeDefined();
				if (link) expect(link, way).toBe(invitation?.invitation_link);
				if (mails.some(({ to, text }) => to === row.email && text.includes(link))) continue;
				if (row.link_sent_at) expect(row.link_sent_at, way).toBe(link_sent_at);
				if (problem) expect(row.problem, way).toBe(problem);
			}
		};

		// n8n's code for deactivated nodes is the same in both.
		const ways = [CHECK_ONLY, ...(client.isVersion1 ? [] : nodesOf(workflow))];
		for (const [index, way] of ways.entries()) {
			const news = (isForm ? ['a'] : ['a', 'b', 'c']).map((letter): Row => {
				const email = `${letter}-${index}@people.example`;
				return { ...PERSON, application_id: email, email, job_id: JOB };
			});
			await applications.begin(isForm ? others : [...news, ...others]);
			mails.length = 0;
			for (const [saved, words] of [
				[way, way],
				['', `after ${way}`],
			]) {
				await save(client, workflow, saved);
				await run(news, words);
				await expectTruth([...news, ...others], words);
			}
			for (const { application_id: id } of name === 'catch-up' ? [] : news) {
				const invited = service.invitations.filter((each) => each.ext_reference_id === id);
				expect(invited, way).toHaveLength(1);
				// One has no table. Without the other's row, the run fails, and the link is on the page.
				if (isCv || way === 'Make The Row') continue;
				const row = (await applications.all()).find((each) => each.application_id === id);
				expect(row?.status, way).toBe('invited');
			}
		}
		await model.close();
	});
}

test(`${DECISION}: with any one node deactivated, no row says what is not so, and no candidate has a mail that nobody decided`, async ({
	n8n: { client, baseUrl },
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	test.setTimeout(600_000);
	const workflow = await importExample(DECISION, { ...usedAs(DECISION), parameters: SECONDS });
	const { invitation_code, ext_reference_id, job_id, invitation_link } = await inviteAt(service);
	await service.finish(invitation_code);
	const role_fit = roleFit(invitationOf(service, ext_reference_id));
	const status = 'completed';
	const json = { event: RESULT_READY, invitation_code, ext_reference_id, job_id, status };
	// The address has been corrected since.
	const email = 'maya@people.example';
	const before = { ...PERSON, application_id: ext_reference_id, job_id, email };
	const rejection = { to: email, text: expect.stringContaining('decided not to move') };
	for (const way of [...nodesOf(workflow), 'nothing']) {
		await applications.begin([{ ...before, status: 'invited', invitation_link }]);
		mails.length = 0;
		await save(client, workflow, way, { [STARTS[DECISION]]: [{ json }] });
		const execution = await runUntilItRests(client, workflow.id, STARTS[DECISION]);
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

/** The node that reads people's rows, which the samples are mixed with. */
const READS = /^(Read The Table|Find Open Applications|Find The Row)$/;

for (const name of ['invite-from-a-list', 'catch-up', DECISION] as const)
	test(`${name}: whichever node still has its sample data, no person gets anything of a sample, no sample anything of a person, and the run that mixes them says what to unpin`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer: { mails },
	}) => {
		const { pinData = {} } = await readExample(name);
		const workflow = await importExample(name, usedAs(name));
		const made = [await inviteAt(service, JOB), await inviteAt(service, JOB)];
		const isInvited = name !== 'invite-from-a-list';
		const people = made.map(({ ext_reference_id, invitation_link }, index): Row => {
			const own = { application_id: ext_reference_id, email: `${index}@people.example` };
			const link = isInvited && { status: 'invited', invitation_link };
			return { ...PERSON, job_id: JOB, ...own, ...link };
		});
		const [{ invitation_code, ext_reference_id }] = made;
		if (isInvited) await service.finish(invitation_code);
		const call = { event: RESULT_READY, invitation_code, ext_reference_id, job_id: JOB };
		const start = name === DECISION ? { [STARTS[name]]: [{ json: call }] } : {};
		const pinned = Object.keys(pinData).filter((node) => node !== STARTS[name]);
		// With a third node, two at once could be left, too.
		expect(pinned).toHaveLength(2);
		for (const still of pinned) {
			await applications.begin(people);
			mails.length = 0;
			await save(client, workflow, '', { [still]: pinData[still], ...start });
			const { status, data } = await runUntilItRests(client, workflow.id, STARTS[name]);
			const rows = await applications.all();
			const ids = people.map(({ application_id }) => ({ application_id }));
			expect(rows, still).toMatchObject(ids);
			for (const { invitation_link, report_link, problem } of rows) {
				const written = [invitation_link, report_link, problem].join();
				expect(written, still).not.toContain('assessment.example.com');
			}
			for (const { to, text } of mails) {
				const isPersons = people.some(({ email }) => email === to);
				const hasPersons = made.some(({ invitation_link }) => text.includes(invitation_link));
				// The company hears of people, too.
				if (isPersons) expect([hasPersons, text], still).toEqual([true, text]);
				if (isPersons || hasPersons) expect(text).not.toContain('assessment.example.com');
			}
			// A sample has no job, so the service never hears of it.
			expect(service.invitations).toHaveLength(people.length);
			if (READS.test(still)) continue;
			const words = expect.stringMatching(/unpin/i);
			expect([status, data.resultData.error?.message], still).toEqual(['error', words]);
		}
	});
