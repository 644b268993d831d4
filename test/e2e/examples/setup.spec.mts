import { withCredential } from '../../../demo/workflows/parts.mts';
import type { ExecutionStatus, WorkflowNode } from '../../../tools/n8n/client.mts';
import { EXAMPLES, JOB, ONLY_2X, readExample, type ExampleName } from '../../support/example.mts';
import { inviteAt, request } from '../../support/invite.mts';
import { reply, startChatModel } from '../support/chatModel.mts';
import { followSetup, type SetUp, type Step } from '../support/followSetup.mts';
import { fillIn } from '../support/visitor.mts';
import { unpin } from '../support/workflows.mts';
import {
	calls,
	cv,
	EMAIL,
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

type Entries = Array<string | File>;

/** The use of an example. */
interface Used {
	start: string;
	/** A node that a trial reaches. */
	reaches: string;
	/** The entries in its form, in a trial and in real use. */
	fields?: [trial: Entries, real: Entries];
	/** Words on the page of a trial. */
	shows?: string[];
	/** The recipients of its mails in real use, if not the applicant alone. */
	mailed?: string[];
}

const NAMES = Object.values(PERSON);
const CSV = `application_id,first_name,last_name,email\nNEW,${NAMES.join()}`;
const LIST = new File([CSV], 'list.csv', { type: 'text/csv' });
const NO_PDF = new File(['Word'], 'cv.pdf', { type: 'application/pdf' });
const TESTED = ['This form is being tested'];

const USED: Partial<Record<ExampleName, Used>> = {
	'invite-from-a-list': { start: 'Every Morning At 8', reaches: 'Note When It Was Sent' },
	'catch-up': { start: 'Every Night At 3', reaches: 'Note The Mail' },
	'monitor-the-trigger': { start: 'Every Hour', reaches: 'Is It Lost?', mailed: [] },
	'apply-and-be-invited': {
		...{ start: 'Application Form', reaches: 'Say What To Correct' },
		...{ fields: [NAMES, NAMES], shows: TESTED, mailed: [] },
	},
	'cv-to-invitation': {
		...{ start: 'Application Form', reaches: 'Invite The Applicant' },
		fields: [
			[...NAMES, await cv()],
			[...NAMES, NO_PDF],
		],
		...{ shows: TESTED, mailed: [PERSON.email, TEAM.toEmail] },
	},
	'import-a-spreadsheet': {
		...{ start: 'Upload A List', reaches: 'Say What Was Found' },
		fields: [
			[LIST, JOB, 'Only check the list'],
			[LIST, JOB, 'Add everybody, and invite them'],
		],
		shows: ['Rows read: 1. added: 1,'],
	},
	'result-to-decision': {
		...{ start: 'When A Result Is Ready', reaches: 'Write What Became Of It' },
		shows: ['Open the report', 'role fit: 85', 'reasoning verbal: 77', 'reasoning logical: 81'],
		mailed: [TEAM.toEmail, PERSON.email],
	},
};

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

for (const [name, used] of Object.entries(USED) as Array<[ExampleName, Used]>) {
	const { start, reaches, fields, shows = [], mailed = [PERSON.email] } = used;
	test(`${name}: after what its Setup says, in that order, the mail arrives; a trial sends nothing, and leaves the table as it was`, async ({
		n8n: { client, baseUrl },
		service,
		credential,
		applications,
		mailServer,
		importExample,
	}) => {
		const { webhookId } = service;
		const found = reply('```json\n{"skills":[],"work_experiences":[]}\n```');
		const model = await startChatModel(client, [found]);
		const { nodes } = await readExample(name);
		const hasTable = nodes.some(({ parameters }) => 'dataTableId' in parameters);
		const rows = async () => (hasTable ? await applications.all() : []);

		const publish = async (example: ExampleName) =>
			(await importExample(example, { mails: true, isPublished: true })).id;
		const enter = async ({ edit }: SetUp, node: string, entered: object, more = {}) =>
			await edit(({ name: each, parameters }) =>
				each === node ? { parameters: { ...parameters, ...entered }, ...more } : undefined,
			);
		/** Enters what *Monitor the trigger* watches. */
		const watch = async (setUp: SetUp, webhook_id: string, production_url: string) => {
			const assignments = Object.entries({ webhook_id, production_url }).map(([each, value]) => {
				return { id: each, name: each, value, type: 'string' };
			});
			await enter(setUp, 'Our Trigger', { assignments: { assignments } });
		};
		const fillInAt = async (path: string, entries: Entries, { workflow }: SetUp) => {
			const form = workflow.nodes.find((node) => node.name === start);
			return await fillIn(`${baseUrl}/${path}/${form?.webhookId}`, entries);
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
			await (fields ? client.listen(id, start) : client.run(id, start));
			const page = fields
				? await fillInAt('form-test', fields[0], setUp)
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
				async (setUp) => {
					const credentials = withCredential(model.credential);
					await enter(setUp, 'OpenAI Chat Model', {}, { credentials });
				},
			],
			[
				/Set up and publish \*Invite from a list\*/,
				async (setUp) =>
					await enter(setUp, 'Invite Now', calls(await publish('invite-from-a-list'))),
			],
			[/[Ss]ample|Only check the list/, trial],
			[
				/Add your applicants/,
				async () => await applications.add([{ ...PERSON, application_id: 'APP-1', job_id: JOB }]),
			],
			[
				/Import and publish \*Result to decision\*/,
				async (setUp) =>
					await enter(setUp, 'Hand Over The Result', calls(await publish('result-to-decision'))),
			],
			[
				/email account/,
				async ({ edit }) =>
					await edit((node) => (EMAIL.test(node.type) ? sendsWith(mailServer, node) : undefined)),
			],
			[
				/enter the webhook's ID/,
				async (setUp) => {
					watched = await publish('result-to-decision');
					await watch(setUp, webhookId, '');
					await unpin(client, setUp.workflow.id);
					const [{ url }] = jsonOf(await run(setUp), 'Switch On And Look');
					expect(new URL(url).origin).toBe(baseUrl);
					await watch(setUp, webhookId, url);
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
			await client.unpublish(watched);
			await expect.poll(() => service.webhooks[0].status).toBe('inactive');
			expect(await heard()).toEqual(lost);
			const [{ status, events }] = service.webhooks;
			expect(status).toBe('inactive');
			const moved = { name: 'Moved', url: `${baseUrl}/webhook/another`, events };
			await request(service, 'PUT', `/webhooks/${webhookId}`, moved);
			expect(await heard()).toEqual(lost);
			expect(service.webhooks[0].status).toBe('active');

			await watch(setUp, JOB, 'http://127.0.0.1:9/webhook');
			expect(await heard()).toEqual([
				expect.stringMatching(/^The webhook couldn't be checked: .*webhook with this ID/),
				expect.stringContaining("couldn't be called"),
			]);
		} else if (name === 'result-to-decision') {
			await finishOne(service);
			await decide(setUp, 'success');
		} else if (fields) {
			await fillInAt('form', fields[1], setUp);
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
