import type { N8nClient } from '../../../tools/n8n/client.mts';
import { withCredential } from '../../../demo/workflows/parts.mts';
import { reply, startChatModel } from '../support/chatModel.mts';
import { EXAMPLES, JOB, ONLY_2X, readExample, type ExampleName } from '../../support/example.mts';
import { inviteAt, request } from '../../support/invite.mts';
import { fillIn } from '../support/visitor.mts';
import { editNode, unpin } from '../support/workflows.mts';
import { followSetup, type SetUp, type Step } from '../support/followSetup.mts';
import {
	cv,
	expect,
	finishOne,
	FOUND_NOTHING,
	jsonOf,
	NO_PDF,
	nodesRun,
	nodeTypes,
	PERSON,
	sendsWith,
	TEAM,
	test,
	waitForStatuses,
	waitingForm,
} from '../support/exampleFixtures.mts';

// Follows the note Setup, step by step, doing nothing else, with a trial before and after the table is in use.

type Use = 'first trial' | 'second trial' | 'real';

/** The use of an example. */
interface Used {
	name: ExampleName;
	start: string;
	/** A node that a trial reaches. */
	reaches: string;
	/** The entries in its form. */
	fields?: (use: Use) => Array<string | File>;
	/** Words on the page of a trial. */
	shows?: string[];
	/** The recipients of its mails in real use. */
	mailed?: string[];
}

const [DECISION, MONITOR, CV] = ['result-to-decision', 'monitor-the-trigger', 'cv-to-invitation'];
const NAMES = Object.values(PERSON);
const LIST = `application_id,first_name,last_name,email\nNEW,${NAMES.join()}`;
const PDF = await cv();

const USED: Used[] = [
	{ name: 'invite-from-a-list', start: 'Every Morning At 8', reaches: 'Note When It Was Sent' },
	{ name: 'catch-up', start: 'Every Night At 3', reaches: 'Note When It Was Sent' },
	{ name: 'monitor-the-trigger', start: 'Every Hour', mailed: [], reaches: 'Is It Lost?' },
	{
		...{ name: 'apply-and-be-invited', start: 'Application Form', reaches: 'Show The Link' },
		...{ fields: () => NAMES, shows: ['Thank you, Maya'] },
	},
	{
		...{ name: 'cv-to-invitation', start: 'Application Form', reaches: 'Invite The Applicant' },
		fields: (use) => [...NAMES, use === 'first trial' ? PDF : NO_PDF],
		...{ shows: ['Start your assessment'], mailed: [PERSON.email, TEAM.toEmail] },
	},
	{
		...{ name: 'invite-from-a-spreadsheet', start: 'Upload A List', reaches: 'Give The List Back' },
		fields: (use) => [
			...[new File([LIST], 'list.csv', { type: 'text/csv' }), JOB],
			use === 'real' ? 'Invite everybody in it' : 'Only check the list',
		],
		shows: ['Ready to be invited: 1.'],
	},
	{
		...{ name: 'result-to-decision', start: 'When A Result Is Ready', reaches: 'Send Rejection' },
		shows: ['Open the report', 'Role fit: 85', 'Verbal reasoning: 77', 'Logical reasoning: 81'],
		mailed: [TEAM.toEmail, PERSON.email],
	},
];

/** Somebody to invite, to send a link to, and to remind. */
const IN_USE = [{}, { status: 'invited' }, { status: 'invited', link_sent_at: '2026-11-02' }].map(
	(more, index) => ({
		...{ ...PERSON, application_id: `APP-${index}`, job_id: JOB, ...more },
		invitation_link: 'status' in more ? 'https://assessment.example.com/i/1' : '',
		open_until: new Date(Date.now() + 24 * 3_600_000).toISOString(),
	}),
);

for (const { name, start, reaches, fields, shows = [], mailed = [PERSON.email] } of USED) {
	test(`${name}: after what its Setup says, in that order, the mail arrives; a trial sends nothing, and leaves the table as it was, empty or in use`, async ({
		n8n: { client, baseUrl },
		service,
		credential,
		applications,
		mailServer,
		importExample,
	}) => {
		const { webhookId } = service;
		const model = await startChatModel(client, Array(3).fill(reply(FOUND_NOTHING)));
		const { pinData = {}, nodes } = await readExample(name);
		const hasTable = nodes.some((node) => node.name === 'Set Up Once');
		const rows = async () => (hasTable ? await applications.all() : []);
		const publishDecision = async () =>
			(await importExample('result-to-decision', { isPublished: true })).id;

		const fillInAt = async (path: string, { workflow }: SetUp, use: Use) => {
			const form = workflow.nodes.find((node) => node.name === start);
			return await fillIn(`${baseUrl}/${path}/${form?.webhookId}`, fields!(use));
		};
		const run = async ({ workflow }: SetUp) => {
			const execution = await client.runToEnd(workflow.id, start);
			expect(execution.status).toBe('success');
			return execution;
		};
		/** Waits for the form of the last run, decides in it, and returns the page. */
		const decide = async ({ workflow }: SetUp, before: number) => {
			const statuses = ['waiting', ...Array(before).fill('success')];
			const [waiting] = await waitForStatuses(client, workflow.id, statuses);
			const form = waitingForm(waiting, nodesRun(waiting).at(-1)!, baseUrl);
			const page = await (await fetch(form)).text();
			const body = new FormData();
			body.set('field-0', 'Reject');
			// An ending page lets the rest of the workflow run.
			await fetch(form, { method: 'POST', ...(name === DECISION && { body }) });
			return page;
		};
		const trial = async (setUp: SetUp) => {
			const { id } = setUp.workflow;
			for (const [index, use] of (['first trial', 'second trial'] as const).entries()) {
				if (hasTable && index === 1) await applications.add(IN_USE);
				const before = await rows();
				const isListening = fields && !(start in pinData);
				await client[isListening ? 'listen' : 'run'](id, start);
				const page = isListening
					? await fillInAt('form-test', setUp, use)
					: shows.length > 0 && (await decide(setUp, index));
				for (const words of shows) expect(page).toContain(words);
				const [{ id: executionId }] = await client.waitForExecutions(id, index + 1);
				const execution = await client.getExecution(executionId);
				const { error } = execution.data.resultData;
				expect([execution.status, error?.message]).toEqual(['success', undefined]);
				expect(nodesRun(execution)).toContain(reaches);
				expect(await rows()).toEqual(before);
			}
			expect([service.requests, mailServer.mails]).toEqual([[], []]);
			expect(model.requests).toHaveLength(name === CV ? 1 : 0);
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
			[/[Ss]ample|Only check the list/, trial],
			[
				/Add your applicants/,
				async () => await applications.add([{ ...PERSON, application_id: 'APP-1', job_id: JOB }]),
			],
			[
				/Import and publish \*Result to decision\*/,
				async ({ workflow: { id } }) => {
					const node = nodes.find((each) => each.name === 'Hand Over The Result')!;
					const workflowId = { __rl: true, mode: 'list', value: await publishDecision() };
					const parameters = { ...node.parameters, workflowId };
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
			[/\*\*Send To The Team\*\*|first real call|Name the columns/, async () => {}],
		];
		const given = { credential, webhookId, table: applications.table };
		const setUp = await followSetup(client, name, given, steps);

		const { id } = setUp.workflow;
		if (name === MONITOR) {
			const ALL_IS_WELL = 'All is well';
			/** The messages that the team gets in an hour. */
			const heard = async () => {
				const execution = await run(setUp);
				const said = jsonOf(execution, 'Send To The Team').map(({ text }) => text);
				const isWell = jsonOf(execution, 'Does It Point Here?').length > 0;
				return isWell ? [...said, ALL_IS_WELL] : said;
			};
			const point = async (url: string) => {
				const { events } = service.webhooks[0];
				await request(service, 'PUT', `/webhooks/${webhookId}`, { name: 'Moved', url, events });
			};
			const { url: production } = service.webhooks[0];
			const elsewhere = expect.stringContaining('which is not our published trigger');
			expect(await heard()).toEqual([ALL_IS_WELL]);
			await point(`${baseUrl}/webhook/another/webhook`);
			expect(await heard()).toEqual([elsewhere]);
			await point(production);
			expect(await heard()).toEqual([ALL_IS_WELL]);

			await client.unpublish(watched);
			await expect.poll(() => service.webhooks[0].status).toBe('inactive');
			const lost = expect.stringContaining('answers 404 instead of 401');
			expect(await heard()).toEqual([elsewhere, lost]);
			expect(service.webhooks[0].status).toBe('inactive');

			await watch(client, id, JOB, 'http://127.0.0.1:9/webhook');
			const words = /^The webhook couldn't be checked: .*webhook with this ID/;
			const noWebhook = expect.stringMatching(words);
			const notCalled = expect.stringContaining("couldn't be called");
			expect(await heard()).toEqual([noWebhook, notCalled]);
			await editNode(client, id, 'Call Without The Secret', { disabled: true });
			expect(await heard()).toEqual([noWebhook]);
		} else if (name === DECISION) {
			await finishOne(service);
			await decide(setUp, 2);
		} else if (fields) {
			const page = await fillInAt('form', setUp, 'real');
			if (name === CV) expect(page).toContain(service.invitations[0].invitation_link);
		} else {
			// Runs its next morning at once, without the sample data, as the note says.
			await unpin(client, id);
			if (name === 'catch-up') {
				const { ext_reference_id: application_id, invitation_link } = await inviteAt(service, JOB);
				const invited = { ...IN_USE[0]!, application_id, invitation_link, status: 'invited' };
				await applications.add([invited]);
			}
			await run(setUp);
		}
		await expect.poll(() => mailServer.mails.map(({ to }) => to)).toEqual(mailed);
		await client.unpublish(id);
		await model.close();
	});
}

test('this n8n has every node of the examples for it, in its version, and has deprecated none', async ({
	n8n: { client },
}) => {
	const available = await nodeTypes(client, (type) => !('hidden' in type && type.hidden));
	for (const name of EXAMPLES) {
		if (client.isVersion1 && ONLY_2X.includes(name)) continue;
		const { nodes } = await readExample(name);
		const used = nodes.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
		expect(available, name).toEqual(expect.arrayContaining(used));
	}
});

/** Enters what *Monitor the trigger* watches. */
async function watch(client: N8nClient, id: string, webhook_id: string, production_url: string) {
	const entries = Object.entries({ webhook_id, production_url });
	const assignments = entries.map(([name, value]) => ({ id: name, name, value, type: 'string' }));
	await editNode(client, id, 'Our Trigger', { parameters: { assignments: { assignments } } });
}
