import { itemsOf, type Item } from '../../../tools/n8n/client.mts';
import { JOB } from '../../support/example.mts';
import {
	ACTION_NODE,
	actionNode,
	anonymousInvitation,
	itemsWorkflow,
	RESULT_READY,
	runAction,
	START,
} from '../support/workflows.mts';
import { expect, test as base } from '../support/fixtures.mts';

/** Runs the action node in a real execution that must succeed. Returns its one item. */
type RunOperation = (parameters: Record<string, unknown>) => Promise<Item['json']>;

const test = base.extend<{ run: RunOperation }>({
	run: async ({ n8n, service, credential }, use) =>
		await use(async (parameters) => {
			service.clearRequests();
			const execution = await runAction(n8n.client, credential, parameters);
			const { status, data } = execution;
			expect(status, data.resultData.error?.message).toBe('success');
			const items = itemsOf(execution, ACTION_NODE);
			expect(items).toHaveLength(1);
			return items[0].json;
		}),
});

test('Invite and Get work, by code and by link', async ({ run, service }) => {
	const invited = await run({
		resource: 'candidate',
		operation: 'invite',
		jobId: JOB,
		extReferenceId: 'APP-1',
		email: 'nathan@example.com',
		firstName: 'Nathan',
		lastName: 'Smith',
		additionalFields: { skillsJson: '={{ [{ "name": "SQL", "proficiency": "novice" }] }}' },
	});
	expect(service.requests.map(({ body }) => body)).toEqual([
		{
			job_id: JOB,
			ext_reference_id: 'APP-1',
			is_anonymous_candidate: false,
			email: 'nathan@example.com',
			first_name: 'Nathan',
			last_name: 'Smith',
			skills: [{ name: 'SQL', proficiency: 'novice' }],
		},
	]);
	const [{ invitation_code: code, invitation_link: link }] = service.invitations;
	expect(invited).toMatchObject({ invitation_link: link, status: 'invited' });
	await service.finish(code);
	const [{ scores, additional_scores }] = service.invitations;
	const get = async (mode: string, value: string, simplify: boolean) => {
		const invitationCode = { __rl: true, mode, value };
		return await run({ resource: 'candidate', operation: 'get', invitationCode, simplify });
	};
	const [{ score_type, score_value }] = scores;
	expect((await get('code', code, true)).scores).toMatchObject({ [score_type]: score_value });
	expect(await get('link', link, false)).toMatchObject({ scores, additional_scores });
});

test('a list that was invited before succeeds though a connection leads from a node that is gone, and an old link stays with nobody', async ({
	n8n: { client },
	service,
	credential,
}) => {
	const node = actionNode(credential, anonymousInvitation(), { onError: 'continueRegularOutput' });
	const rows = '[{ ref: "APP-3", invitation_link: "old" }, { ref: "", invitation_link: "old" }]';
	const workflow = itemsWorkflow('Gone', rows, node);
	// n8n 2.x refuses to save it over its API.
	if (client.isVersion1)
		workflow.connections.Gone = { main: [[{ node: ACTION_NODE, type: 'main', index: 0 }]] };
	const { id } = await client.createWorkflow(workflow);
	const first = await client.runToEnd(id, START);
	expect(itemsOf(first, ACTION_NODE).map(({ json }) => json.invitation_link)).toEqual([
		service.invitations[0]!.invitation_link,
		null,
	]);
	const again = await client.runToEnd(id, START);
	expect(again.status, again.data.resultData.error?.message).toBe('success');
	expect(itemsOf(again, ACTION_NODE, 1)).toHaveLength(1);
});

test('Update, Set Status and Delete work', async ({ run, service }) => {
	const webhook = { resource: 'webhook', webhookId: service.webhookId };
	const desired = { name: 'Results', url: 'https://hr.example.com/hook', events: [RESULT_READY] };
	expect(await run({ ...webhook, operation: 'update', ...desired })).toMatchObject(desired);
	await run({ ...webhook, operation: 'setStatus', status: 'active' });
	expect(service.webhooks[0]).toMatchObject({ ...desired, status: 'active' });
	await run({ ...webhook, operation: 'delete' });
	expect(service.webhooks[0].is_deleted).toBe(true);
});
