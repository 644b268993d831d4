import { CREDENTIAL } from '../../../demo/workflows/parts.mts';
import type { Credential, N8nClient } from '../../../tools/n8n/client.mts';
import {
	CALLED,
	exampleFile,
	EXAMPLES,
	importExample,
	readExample,
	type ExampleName,
} from '../../support/example.mts';
import { takeForReadme } from '../../support/screenshots.mts';
import { expect, test } from '../fixtures.mts';

const PACKAGE = 'n8n-nodes-candidate-assessment.';
const NOTE = 'n8n-nodes-base.stickyNote';

/** The buttons around the canvas, which would stand in front of a workflow in its picture. */
const BUTTONS = ['canvas-controls', 'execute-workflow-button', 'workflow-chat-button'];

/** The nodes to which a user gives the credential. */
const NODES_WITH_CREDENTIAL: Record<ExampleName, string[]> = {
	'invite-from-a-list': ['Invite Candidates'],
	'result-to-decision': ['When A Result Is Ready', 'Get The Result'],
	'nightly-follow-up': ['Look Up Candidates'],
	'ai-agent-invites': ['Invite A Candidate'],
};

for (const name of EXAMPLES) {
	test(`${name}: imports from its file; n8n fills in credential and address`, async ({
		n8n,
		editor,
		credential,
	}) => {
		const { page } = editor;
		const nodes = await nodesOnCanvas(name);
		// n8n fills in what is there.
		await credentialsFor(name, n8n.client, credential);
		await editor.openNewWorkflow();
		await page.getByTestId('workflow-import-input').setInputFiles(exampleFile(name));
		await expect(editor.nodes).toHaveCount(nodes.length);
		for (const node of nodes) await expect(editor.node(node.name)).toBeVisible();
		await expect.poll(async () => await leftOpen(n8n.client, page.url())).toEqual([]);
		await expect(page.getByTestId('node-issues')).toHaveCount(0);
	});

	test(`${name}: filled in, it has nothing to complain about`, async ({
		n8n,
		editor,
		service,
		credential,
	}) => {
		const { page } = editor;
		const nodes = await nodesOnCanvas(name);
		const { id } = await importExample(n8n.client, name, {
			credentials: await credentialsFor(name, n8n.client, credential),
			parameters:
				name === 'result-to-decision'
					? { 'When A Result Is Ready': { webhookId: service.webhookId } }
					: {},
		});
		await editor.openWorkflow(id);
		await expect(editor.nodes).toHaveCount(nodes.length);
		// Icons come last.
		await page.waitForLoadState('networkidle');
		await expect(page.getByTestId('node-issues')).toHaveCount(0);
		const hidden = BUTTONS.map((button) => `[data-test-id="${button}"]`).join(', ');
		await page.addStyleTag({ content: `${hidden} { visibility: hidden; }` });
		await takeForReadme(page, `example-${name}`, {
			around: [editor.nodes, page.getByTestId('sticky')],
			margin: 64,
		});
	});
}

async function nodesOnCanvas(name: ExampleName) {
	const { nodes } = await readExample(name);
	return nodes.filter(({ type }) => type !== NOTE);
}

/** Stores what credentials the example needs besides ours; gives all, by node. */
async function credentialsFor(name: ExampleName, client: N8nClient, credential: Credential) {
	const ours = NODES_WITH_CREDENTIAL[name].map((node) => [node, credential]);
	if (name !== 'ai-agent-invites') return Object.fromEntries(ours);
	const openAi = await client.createCredential({
		name: 'OpenAI',
		type: 'openAiApi',
		data: { apiKey: 'none', url: '', organizationId: '', header: false },
	});
	return Object.fromEntries([...ours, ['OpenAI Chat Model', openAi]]);
}

/** In what the editor has saved by itself: nodes without their credential or their address. */
async function leftOpen(client: N8nClient, url: string): Promise<string[] | undefined> {
	const [, id] = /\/workflow\/(\w+)/.exec(url) ?? [];
	const { nodes } = await client.getWorkflow(String(id)).catch(() => ({ nodes: undefined }));
	return nodes
		?.filter(
			({ type, credentials, webhookId }) =>
				(type.startsWith(PACKAGE) && !credentials?.[CREDENTIAL]) ||
				(CALLED.test(type) && !webhookId),
		)
		.map(({ name }) => name);
}
