import type { ExecutionStatus, N8nClient, WorkflowNode } from '../../../tools/n8n/client.mts';
import { withCredential } from '../../../demo/workflows/parts.mts';
import { reply, startChatModel } from '../support/chatModel.mts';
import { EXAMPLES, JOB, ONLY_2X, readExample, type ExampleName } from '../../support/example.mts';
import { inviteAt, request } from '../../support/invite.mts';
import { fillIn } from '../support/visitor.mts';
import { editNode, unpin } from '../support/workflows.mts';
import { followSetup, type SetUp, type Step } from '../support/followSetup.mts';
import {
	calls,
	cv,
	expect,
	finishOne,
	jsonOf,
	nodesRun,
	PERSON,
	sendsWith,
	TEAM,
	test,
	waitForStatuses,
	waitingForm,
} from '../support/exampleFixtures.mts';

// Follows the note Setup, step by step, doing nothing else, with a trial while the table is in use.

/** The use of an example. */
interface Used {
	name: ExampleName;
	start: string;
	/** A node that a trial reaches. */
	reaches: string;
	/** The entries in its form. */
	fields?: (isTrial: boolean) => Array<string | File>;
	/** Words on the page of a trial. */
	shows?: string[];
	/** The recipients of its mails in real use. */
	mailed?: string[];
}

const NAMES = Object.values(PERSON);
const LIST = `application_id,first_name,last_name,email\nNEW,${NAMES.join()}`;
const PDF = await cv();
const NO_PDF = new File(['Word'], 'cv.pdf', { type: 'application/pdf' });
const FOUND_NOTHING = reply('```json\n{"skills":[],"work_experiences":[]}\n```');

const USED: Used[] = [
	{ name: 'invite-from-a-list', start: 'Every Morning At 8', reaches: 'Note When It Was Sent' },
	{ name: 'catch-up', start: 'Every Night At 3', reaches: 'Note The Mail' },
	{ name: 'monitor-the-trigger', start: 'Every Hour', mailed: [], reaches: 'Is It Lost?' },
	{
		...{ name: 'apply-and-be-invited', start: 'Application Form', reaches: 'Say What To Correct' },
		...{ fields: () => NAMES, shows: ['This form is being tested'], mailed: [] },
	},
	{
		...{ name: 'cv-to-invitation', start: 'Application Form', reaches: 'Invite The Applicant' },
		fields: (isTrial) => [...NAMES, isTrial ? PDF : NO_PDF],
		...{ shows: ['This form is being tested'], mailed: [PERSON.email, TEAM.toEmail] },
	},
	{
		...{ name: 'import-a-spreadsheet', start: 'Upload A List', reaches: 'Say What Was Found' },
		fields: (isTrial) => [
			...[new File([LIST], 'list.csv', { type: 'text/csv' }), JOB],
			isTrial ? 'Only check the list' : 'Add everybody, and invite them',
		],
		shows: ['Rows read: 1. added: 1,'],
	},
	{
		...{
			name: 'result-to-decision',
			start: 'When A Result Is Ready',
			reaches: 'Write What Became Of It',
		},
		shows: ['Open the report', 'role fit: 85', 'reasoning verbal: 77', 'reasoning logical: 81'],
		mailed: [TEAM.toEmail, PERSON.email],
	},
];

/** Somebody to invite, to send a link to, and to remind. */
const LINKED = { status: 'invited', invitation_link: 'https://assessment.example.com/i/1' };
const IN_USE = [{}, LINKED, { ...LINKED, link_sent_at: '2026-11-02' }].map((more, index) => {
	const open_until = new Date(Date.now() + 24 * 3_600_000).toISOString();
	return { ...PERSON, application_id: `APP-${index}`, job_id: JOB, open_until, ...more };
});

test('n8n has each node of each example, in its version', async ({ n8n: { client } }) => {
	const path = '/types/nodes.json';
	const types = await client.request<Array<{ name: string; version: number | number[] }>>(
		'GET',
		path,
	);
	const isThere = ({ type, typeVersion }: WorkflowNode) =>
		types.some(({ name, version }) => name === type && [version].flat().includes(typeVersion));
	for (const name of EXAMPLES.filter((each) => !client.isVersion1 || !ONLY_2X.includes(each))) {
		const missing = (await readExample(name)).nodes.filter((node) => !isThere(node));
		expect([name, missing.map(({ type, typeVersion }) => [type, typeVersion])]).toEqual([name, []]);
	}
});

for (const { name, start, reaches, fields, shows = [], mailed = [PERSON.email] } of USED) {
	test(`${name}: after what its Setup says, in that order, the mail arrives; a trial sends nothing, and leaves the table as it was`, async ({
		n8n: { client, baseUrl },
		service,
		credential,
		applications,
		mailServer,
		importExample,
	}) => {
		const { webhookId } = service;
		const model = await startChatModel(client, [FOUND_NOTHING]);
		const { pinData = {}, nodes } = await readExample(name);
		const hasTable = nodes.some(({ parameters }) => 'dataTableId' in parameters);
		const rows = async () => (hasTable ? await applications.all() : []);
		const publishDecision = async () =>
			(await importExample('result-to-decision', { isPublished: true })).id;

		const fillInAt = async (path: string, { workflow }: SetUp) => {
			const form = workflow.nodes.find((node) => node.name === start);
			const isTrial = path === 'form-test';
			return await fillIn(`${baseUrl}/${path}/${form?.webhookId}`, fields!(isTrial));
		};
		const run = async ({ workflow }: SetUp) => {
			const execution = await client.runToEnd(workflow.id, start);
			expect(execution.status).toBe('success');
			return execution;
		};
		/** Waits for the form of the last run, decides in it, and returns the page. */
		const decide = async ({ workflow }: SetUp, ...earlier: ExecutionStatus[]) => {
			const [waiting] = await waitForStatuses(client, workflow.id, ['waiting', ...earlier]);
			const { page, answer } = await waitingForm(waiting, baseUrl);
			await answer('Reject');
			return page;
		};
		const trial = async (setUp: SetUp) => {
			const { id } = setUp.workflow;
			if (hasTable) await applications.add(IN_USE);
			const before = await rows();
			const requests = [...service.requests];
			const isListening = fields && !(start in pinData);
			await client[isListening ? 'listen' : 'run'](id, start);
			const page = isListening
				? await fillInAt('form-test', setUp)
				: shows.length > 0 && (await decide(setUp));
			for (const words of shows) expect(page).toContain(words);
			const [ended] = await client.waitForExecutions(id, 1);
			const execution = await client.getExecution(ended.id);
			expect([execution.status, execution.data.resultData.error]).toEqual(['success', undefined]);
			expect(nodesRun(execution)).toContain(reaches);
			expect([service.requests, mailServer.mails]).toEqual([requests, []]);
			expect(await rows()).toEqual(before);
			if (hasTable) await applications.clear();
		};

		let watched = '';
		const steps: Step[] = [
			[/\*\*Set Up Once\*\*/, async ({ workflow }) => await applications.setUp(workflow)],
			[
				/\*\*OpenAI Chat Model\*\*/,
				async ({ workflow: { id } }) => {
					const credentials = withCredential(model.credential);
					await editNode(client, id, 'OpenAI Chat Model', { credentials });
				},
			],
			[
				/Set up and publish \*Invite from a list\*/,
				async ({ edit }) => {
					const list = await importExample('invite-from-a-list', {
						mails: true,
						isPublished: true,
					});
					await edit(({ name: node, parameters }) =>
						node === 'Invite Now'
							? { parameters: { ...parameters, ...calls(list.id) } }
							: undefined,
					);
				},
			],
			[/[Ss]ample|Only check the list/, trial],
			[
				/Add your applicants/,
				async () => await applications.add([{ ...PERSON, application_id: 'APP-1', job_id: JOB }]),
			],
			[
				/Import and publish \*Result to decision\*/,
				async ({ workflow: { id } }) => {
					const node = nodes.find((each) => each.name === 'Hand Over The Result')!;
					const parameters = { ...node.parameters, ...calls(await publishDecision()) };
					await editNode(client, id, node.name, { parameters });
				},
			],
			[
				/email account/,
				async ({ workflow, edit }) => {
					const emails = workflow.nodes.filter(({ type }) => type.endsWith('.emailSend'));
					const sends = await sendsWith(mailServer, client, emails);
					await edit(({ name: node, parameters }) => {
						const smtp = sends.credentials[node];
						const entered = { ...parameters, ...sends.parameters[node] };
						return smtp && { disabled: false, credentials: { smtp }, parameters: entered };
					});
				},
			],
			[
				/enter the webhook's ID/,
				async (setUp) => {
					watched = await publishDecision();
					const { id } = setUp.workflow;
					await watch(client, id, webhookId, '');
					await unpin(client, id);
					const [{ url }] = jsonOf(await run(setUp), 'Switch On And Look');
					expect(new URL(url).origin).toBe(baseUrl);
					await watch(client, id, webhookId, url);
				},
			],
			// Slack's node stays deactivated, and outputs the message. The others need nothing done.
			[/\*\*Send To The Team\*\*|first real call|Name the columns|page shows/, async () => {}],
		];
		const given = { credential, webhookId, table: applications.table };
		const setUp = await followSetup(client, name, given, steps);

		const { id } = setUp.workflow;
		if (name === 'monitor-the-trigger') {
			/** The messages that the team gets in an hour. */
			const heard = async () =>
				jsonOf(await run(setUp), 'Send To The Team').map(({ text }) => text);
			expect(await heard()).toEqual([]);

			const lost = [
				expect.stringContaining('which is not our published trigger'),
				expect.stringContaining('answers 404 instead of 401'),
			];
			const webhook = () => service.webhooks[0];
			await client.unpublish(watched);
			await expect.poll(() => webhook().status).toBe('inactive');
			expect(await heard()).toEqual(lost);
			expect(webhook().status).toBe('inactive');
			const moved = { name: 'Moved', url: `${baseUrl}/webhook/another`, events: webhook().events };
			await request(service, 'PUT', `/webhooks/${webhookId}`, moved);
			expect(await heard()).toEqual(lost);
			expect(webhook().status).toBe('active');

			await watch(client, id, JOB, 'http://127.0.0.1:9/webhook');
			const words = /^The webhook couldn't be checked: .*webhook with this ID/;
			const noWebhook = expect.stringMatching(words);
			const notCalled = expect.stringContaining("couldn't be called");
			expect(await heard()).toEqual([noWebhook, notCalled]);
		} else if (name === 'result-to-decision') {
			await finishOne(service);
			await decide(setUp, 'success');
		} else if (fields) {
			await fillInAt('form', setUp);
		} else {
			// Runs its next morning at once, without the sample data, as the note says.
			await unpin(client, id);
			if (name === 'catch-up') {
				const { ext_reference_id: application_id, invitation_link } = await inviteAt(service, JOB);
				await applications.add([{ ...IN_USE[1], application_id, invitation_link }]);
			}
			await run(setUp);
		}
		await expect.poll(() => mailServer.mails.map(({ to }) => to)).toEqual(mailed);
		await client.unpublish(id);
		await model.close();
	});
}

/** Enters what *Monitor the trigger* watches. */
async function watch(client: N8nClient, id: string, webhook_id: string, production_url: string) {
	const entries = Object.entries({ webhook_id, production_url });
	const assignments = entries.map(([name, value]) => ({ id: name, name, value, type: 'string' }));
	await editNode(client, id, 'Our Trigger', { parameters: { assignments: { assignments } } });
}
