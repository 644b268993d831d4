import { itemsOf, type Credential } from '../../../tools/n8n/client.mts';
import { ACTION, TRIGGER } from '../../../demo/workflows/parts.mts';
import {
	actionBuilderHint,
	propertyHints,
	toolBuilderHint,
	triggerBuilderHint,
} from '../../../nodes/CandidateAssessment/builderHints.ts';
import { inviteAt } from '../../support/invite.mts';
import { SEARCH_PHRASES } from '../../support/searchPhrases.mts';
import { expect, test } from './fixtures.mts';

// What an assistant builds that knows of our nodes only what n8n tells it.

test('the phrases of recruiters find both nodes', async ({ assistant }) => {
	for (const phrase of SEARCH_PHRASES) {
		const found = (await assistant.search(phrase)).match(/^- \S+/gm);
		expect.soft(found, phrase).toEqual(expect.arrayContaining([`- ${ACTION}`, `- ${TRIGGER}`]));
	}
});

test('a search and the types tell all that would go wrong otherwise', async ({ assistant }) => {
	const found = await assistant.search('candidate assessment');
	for (const { searchHint } of [actionBuilderHint, toolBuilderHint, triggerBuilderHint]) {
		expect(found).toContain(`@builderHint ${searchHint}\n`);
	}
	const types = (await assistant.typesOf(ACTION)) + (await assistant.typesOf(TRIGGER));
	const times = (hint: string) => types.split(`@builderHint ${hint}\n`).length - 1;
	const { id, list, ...hints } = propertyHints;
	expect(times(id), 'one job ID, and four webhook IDs').toBe(5);
	const lists = [list('skill', 'skillsJson'), list('workExperience', 'workExperiencesJson')];
	for (const hint of [...Object.values(hints), ...lists]) expect(times(hint), hint).toBe(1);
	expect(types).toMatch(/@maxItems 15\n[^]+@maxItems 10\n/);
});

/** The example of that title in a node's types, with a credential of n8n's. */
function patternIn(types: string, title: string, { id, name }: Credential): string {
	const code = types.replace(/^ *\* ?/gm, '');
	const [, pattern] =
		new RegExp(`<pattern title="${title}.*>\\n([^]+?)</pattern>`).exec(code) ?? [];
	if (!pattern) throw new Error(`There is no pattern "${title}" in ${types}`);
	return pattern.replaceAll("'Candidate Assessment API'", `'${name}', '${id}'`);
}

const JOB_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

/** The code of a node. */
const node = (name: string, type: string, parameters = '{}', more = '', version = 1) =>
	`const ${name} = node({ type: '${type}', version: ${version}, config: { name: '${name}', parameters: ${parameters}, ${more} }, output: [{}] });\n`;

/** A start by hand, and a list of applications; a number stands for one, 0 for one without an email. */
function listOf(applications: number[]): string {
	const items = applications.map((number) => ({
		...{ application_id: `APP-${number}`, first_name: 'Maya', last_name: 'Okafor' },
		email: number > 0 ? `maya${number}@example.com` : '',
	}));
	const jsCode = `return ${JSON.stringify(items.map((json) => ({ json })))};`;
	return (
		"const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'start' } });\n" +
		node('readList', 'n8n-nodes-base.code', JSON.stringify({ jsCode }), '', 2)
	);
}

test('a list built after the example leads each candidate to the right output, twice', async ({
	assistant,
	n8n: { client },
	service,
	credential,
}) => {
	const types = await assistant.typesOf(ACTION);
	const invite = patternIn(types, 'Invite a list', credential);
	const [byLink] = /invitationCode: .+mode: 'link'.+/.exec(patternIn(types, 'Get', credential))!;
	const credentials = /credentials: .+/.exec(invite)?.[0];
	const get = `{ resource: 'candidate', operation: 'get', ${byLink} }`;
	const id = await assistant.create(
		listOf([1, 2, 1, 0]) +
			node('storeLink', ACTION, get, credentials) +
			node('handleAlreadyInvited', 'n8n-nodes-base.noOp') +
			node('handleFailed', 'n8n-nodes-base.noOp') +
			invite.replace(/placeholder\('.+?'\)/, `'${JOB_ID}'`),
	);
	const run = async () => {
		const execution = await client.waitForExecution(await assistant.run(id));
		expect(execution.status).toBe('success');
		const at = (name: string) => itemsOf(execution, name).map(({ json }) => json);
		return { known: at('handleAlreadyInvited'), failed: at('handleFailed'), got: at('storeLink') };
	};
	const first = await run();
	const references = (items: Array<Record<string, unknown>>, key = 'application_id') =>
		items.map((item) => item[key]);
	expect(references(first.got, 'ext_reference_id')).toEqual(['APP-1', 'APP-2']);
	expect(references(first.known)).toEqual(['APP-1']);
	expect(first.failed).toMatchObject([{ application_id: 'APP-0', outcome: 'invalid' }]);
	const again = await run();
	expect(again.got).toEqual([]);
	expect(references(again.known)).toEqual(['APP-1', 'APP-2', 'APP-1']);
	expect(references(again.failed)).toEqual(['APP-0']);
	expect(service.invitations).toHaveLength(2);
});

test('a result workflow built after the example is published and gets the scores', async ({
	assistant,
	n8n: { client },
	service,
	credential,
}) => {
	const get = patternIn(await assistant.typesOf(ACTION), 'Get a result', credential);
	const [credentials] = /credentials: .+/.exec(get)!;
	const parameters = `parameters: { webhookId: '${service.webhookId}' }, ${credentials}`;
	const workflowId = await assistant.create(
		`const ready = trigger({ type: '${TRIGGER}', version: 1.1, config: { name: 'ready', ${parameters} } });\n` +
			`${get} export default workflow('id', 'Results').add(ready).to(getResult);`,
	);
	await assistant.call('publish_workflow', { workflowId });
	await expect.poll(() => service.webhooks[0].status).toBe('active');
	const { invitation_code } = await inviteAt(service);
	await service.finish(invitation_code);
	const [{ id }] = await client.waitForExecutions(workflowId, 1);
	const [{ json }] = itemsOf(await client.getExecution(id), 'Get Result');
	expect(json).toMatchObject({ status: 'completed', last_name: 'Okafor' });
	expect(json.scores.role_fit).toBeGreaterThan(0);
	await client.unpublish(workflowId);
});
