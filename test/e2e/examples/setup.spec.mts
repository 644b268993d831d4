import type { PartnerService } from '../../../mock-service/service.mts';
import type { Workflow } from '../../../tools/n8n/client.mts';
import { withCredential } from '../../../demo/workflows/parts.mts';
import { reply, startChatModel } from '../support/chatModel.mts';
import { JOB, type ExampleName } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import type { MailServer } from '../support/mailServer.mts';
import { fillIn } from '../support/visitor.mts';
import { unpin } from '../support/workflows.mts';
import { followSetup, type SetUp } from '../support/followSetup.mts';
import {
	cv,
	cvFile,
	expect,
	finishOne,
	FOUND_NOTHING,
	jsonOf,
	nodesRun,
	PERSON,
	TEAM,
	test,
	waitForStatuses,
	waitingForm,
	type Row,
} from '../support/exampleFixtures.mts';

// Follows the note Setup, step by step, doing nothing else. Then somebody gets a mail. Google is a stand-in.

const ROW = { ...PERSON, application_id: 'APP-1', job_id: JOB };
const DECISION = 'result-to-decision';
const EXAMPLES = ['invite-from-a-list', 'apply-and-be-invited', 'catch-up', DECISION];

for (const name of EXAMPLES as ExampleName[]) {
	test(`${name}: after what its Setup says, in that order, the mail arrives`, async ({
		n8n: { client, baseUrl },
		service,
		credential,
		applications,
		mailServer,
		importExample,
	}) => {
		const { webhookId } = service;
		const given = { credential, webhookId, table: applications.table };
		const { workflow } = await followSetup(client, name, given, [
			[/\*\*Set Up Once\*\*/, async (setUp) => await applications.setUp(setUp.workflow)],
			[/Add your applicants/, async () => await applications.add([ROW])],
			[
				/Import and publish \*Result to decision\*/,
				async ({ edit }) => {
					const { id } = await importExample(DECISION, { isPublished: true });
					const workflowId = { __rl: true, mode: 'list', value: id };
					await edit((node) =>
						node.name === 'Hand Over The Result'
							? { parameters: { ...node.parameters, workflowId } }
							: undefined,
					);
				},
			],
			[/email account/, async (setUp) => await sendWith(mailServer, setUp)],
			// Nothing to do, or done in `trials`.
			[/[Ss]ample|first real call/, async () => {}],
		]);

		const { nodes } = workflow;
		const start = nodes.find(({ type }) => type.endsWith('.scheduleTrigger'))?.name;
		let to = PERSON.email;
		if (name === DECISION) {
			const { email } = await finishOne(service);
			const [waiting] = await waitForStatuses(client, workflow.id, ['waiting']);
			expect(mailServer.mails.map((mail) => mail.to)).toEqual([TEAM.toEmail]);
			await fillIn(waitingForm(waiting, nodesRun(waiting).at(-1)!, baseUrl), ['Reject']);
			to = String(email);
		} else if (start) {
			// Runs its next morning at once, without the sample data, as the note says.
			await unpin(client, workflow.id);
			if (name === 'catch-up') await applications.add([await openRow(service)]);
			await client.runToEnd(workflow.id, start);
		} else {
			const { webhookId: path } = nodes.find(({ type }) => type.endsWith('.formTrigger'))!;
			await fillIn(`${baseUrl}/form/${path}`, [PERSON.first_name, PERSON.last_name, to]);
		}
		await expect.poll(() => mailServer.mails.at(-1)?.to).toBe(to);
		await client.unpublish(workflow.id);
	});
}

test('cv-to-invitation: after what its Setup says, an applicant gets a link, and recruiting the mail about a CV that nobody can read', async ({
	n8n: { client, baseUrl },
	service,
	credential,
	mailServer,
}) => {
	const model = await startChatModel(client, Array(3).fill(reply(FOUND_NOTHING)));
	const { webhookId } = service;
	const fill = async (workflow: Workflow, path: string, file: Buffer) => {
		const { webhookId: id } = workflow.nodes.find(({ name }) => name === 'Application Form')!;
		const { first_name, last_name, email } = PERSON;
		return await fillIn(`${baseUrl}/${path}/${id}`, [first_name, last_name, email, cvFile(file)]);
	};
	const name = 'cv-to-invitation';
	const { workflow } = await followSetup(client, name, { credential, webhookId }, [
		[
			/\*\*OpenAI Chat Model\*\*/,
			async ({ edit }) =>
				await edit((node) =>
					node.name === 'OpenAI Chat Model'
						? { credentials: withCredential(model.credential) }
						: undefined,
				),
		],
		[
			/nobody is invited/,
			async ({ workflow: tried }) => {
				await client.listen(tried.id, 'Application Form');
				await fill(tried, 'form-test', await cv());
				expect(model.requests).toHaveLength(1);
				expect(service.invitations).toEqual([]);
			},
		],
		[/email account/, async (setUp) => await sendWith(mailServer, setUp)],
	]);

	const page = await fill(workflow, 'form', Buffer.from('Word'));
	expect(page).toContain(service.invitations[0].invitation_link);
	const told = [PERSON.email, TEAM.toEmail];
	await expect.poll(() => mailServer.mails.map(({ to }) => to)).toEqual(told);
	await client.unpublish(workflow.id);
	await model.close();
});

test('monitor-the-trigger: after what its Setup says, the team hears that a trigger is off, and of nothing before', async ({
	n8n: { client, baseUrl },
	service,
	credential,
	importExample,
}) => {
	const { webhookId } = service;
	const ours: Record<string, string> = {};
	let watched = '';
	const noteOurs = async ({ edit }: SetUp) =>
		await edit(({ name, parameters }) => {
			if (name !== 'Our Trigger') return undefined;
			const { assignments } = parameters.assignments as { assignments: Array<{ name: string }> };
			const entered = assignments.map((each) => ({ ...each, value: ours[each.name] ?? '' }));
			return { parameters: { ...parameters, assignments: { assignments: entered } } };
		});
	const { workflow } = await followSetup(client, 'monitor-the-trigger', { credential, webhookId }, [
		[
			/Sample answers are pinned/,
			async ({ workflow: { id } }) => {
				expect((await client.runToEnd(id, 'Every Hour')).status).toBe('success');
				expect(service.requests).toEqual([]);
			},
		],
		[
			/\*\*Unpin\*\* in its output/,
			async (setUp) => {
				watched = (await importExample(DECISION, { isPublished: true })).id;
				ours.webhook_id = webhookId;
				await noteOurs(setUp);
				const { id } = setUp.workflow;
				await unpin(client, id);
				const execution = await client.runToEnd(id, 'Every Hour');
				const [{ url }] = jsonOf(execution, 'Switch On And Look');
				expect(new URL(url).origin).toBe(baseUrl);
				ours.production_url = url;
				await noteOurs(setUp);
			},
		],
		// Slack's node stays deactivated, and outputs the message.
		[/\*\*Send To The Team\*\*/, async () => {}],
	]);

	const heard = async () => {
		const execution = await client.runToEnd(workflow.id, 'Every Hour');
		return jsonOf(execution, 'Send To The Team').map(({ text }) => text);
	};
	expect(await heard()).toEqual([]);
	await client.unpublish(watched);
	await expect.poll(() => service.webhooks[0].status).toBe('inactive');
	expect((await heard()).join()).toContain('answers 404 instead of 401');
	await client.unpublish(workflow.id);
});

/** Activates the email nodes, and has them send with this server. */
async function sendWith(mailServer: MailServer, { client, workflow, edit }: SetUp): Promise<void> {
	const mails = workflow.nodes.filter(({ type }) => type.endsWith('.emailSend'));
	const names = mails.map((node) => node.name);
	const { credentials, parameters } = await mailServer.sends(client, names);
	await edit((node) =>
		node.name in parameters
			? {
					disabled: false,
					credentials: { smtp: credentials[node.name] },
					parameters: {
						...node.parameters,
						...parameters[node.name],
						...(node.parameters.toEmail === '' && TEAM),
					},
				}
			: undefined,
	);
}

/** The row of somebody who was invited and has no mail yet. */
async function openRow(service: PartnerService): Promise<Row> {
	const { ext_reference_id, job_id, invitation_link } = await inviteAt(service);
	const open_until = new Date(Date.now() + 10 * 86_400_000).toISOString();
	const row = { ...PERSON, application_id: ext_reference_id, job_id, status: 'invited' };
	return { ...row, invitation_link, open_until };
}
