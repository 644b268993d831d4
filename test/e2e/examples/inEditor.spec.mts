import type { WorkflowNode } from '../../../tools/n8n/client.mts';
import { exampleFile, EXAMPLES, NOTE, readExample } from '../../support/example.mts';
import { createCredential } from '../../support/credentials.mts';
import { createModelCredential } from '../support/chatModel.mts';
import { expect, test } from '../support/exampleFixtures.mts';
import { takeForReadme } from '../support/screenshots.mts';

/** Parameters that say what a node does. */
const NEEDED = ['columns', 'filters', 'filtersUI', 'conditions', 'rules', 'assignments', 'message'];

/** The buttons around the canvas, which would cover part of the workflow in its picture. */
const BUTTONS = [
	'[data-test-id="canvas-controls"]',
	'[data-test-id="workflow-chat-button"]',
	// Includes the choice of a trigger, where there are several.
	':has([data-test-id="execute-workflow-button"]):not(:has([data-test-id="canvas-node"]))',
];

/** Whether something is empty: the job, the webhook, the link, the workflow that takes results, or the sheet. */
const isLeft = ({ parameters, disabled }: WorkflowNode) =>
	!disabled && /"(jobId|webhookId|mode":"(list|link)","value)":""/.test(JSON.stringify(parameters));

// The editor fills in a credential that existed when its page was loaded.
test.beforeAll(async ({ n8n: { client, baseUrl }, editor }) => {
	await createCredential(client, {
		baseUrl: 'https://assessment.example.com',
		accessToken: 'none',
	});
	await createModelCredential(client);
	await editor.page.goto(baseUrl);
});

for (const name of EXAMPLES) {
	test(`${name} imports from its file`, async ({ n8n: { client }, editor }) => {
		const { page } = editor;
		const { nodes } = await readExample(name);
		// Fits a whole workflow with legible text.
		await page.setViewportSize({ width: 2000, height: 1200 });
		await editor.openNewWorkflow();
		await page.getByTestId('workflow-import-input').setInputFiles(exampleFile(name));
		await expect(editor.nodes).toHaveCount(nodes.filter(({ type }) => type !== NOTE).length);
		// Once the editor has saved the workflow, only what the notes ask for is left to do.
		await expect(page.getByTestId('node-issues')).toHaveCount(nodes.filter(isLeft).length);

		// The editor, which saves on its own, drops what depends on a field that is still empty.
		const id = editor.workflowId;
		const dropped = async () => {
			const saved = await client.getWorkflow(id).catch(() => undefined);
			if (!saved) return ['nothing is saved yet'];
			return nodes.flatMap(({ name: node, parameters }) => {
				const kept = saved.nodes.find((each) => each.name === node)?.parameters ?? {};
				const needed = Object.keys(parameters).filter((key) => NEEDED.includes(key));
				return needed.filter((key) => !(key in kept)).map((key) => `${node}: ${key}`);
			});
		};
		await expect.poll(dropped).toEqual([]);

		for (const note of await page.getByTestId('sticky').all()) {
			const boxes = [await note.boundingBox(), await note.locator('p, li').last().boundingBox()];
			const [edge, textEdge] = boxes.map((box) => box!.y + box!.height);
			expect(edge! - textEdge!, 'what a note leaves free below its text').toBeGreaterThan(5);
		}

		// Icons come last.
		await page.waitForLoadState('networkidle');
		await page.addStyleTag({ content: `${BUTTONS.join(', ')} { visibility: hidden; }` });
		const around = [editor.nodes, page.getByTestId('sticky')];
		await takeForReadme(page, `example-${name}`, { around, margin: 104 });
	});
}
