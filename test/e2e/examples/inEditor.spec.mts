import { CREDENTIAL } from '../../../demo/workflows/parts.mts';
import type { WorkflowNode } from '../../../tools/n8n/client.mts';
import { createModelCredential } from '../support/chatModel.mts';
import {
	exampleFile,
	EXAMPLES,
	HAS_ADDRESS,
	NOTE,
	PACKAGE,
	readExample,
} from '../../support/example.mts';
import { takeForReadme } from '../support/screenshots.mts';
import { expect, test } from '../support/exampleFixtures.mts';

/** The buttons around the canvas, which would cover part of the workflow in its picture. */
const BUTTONS = [
	'[data-test-id="canvas-controls"]',
	'[data-test-id="workflow-chat-button"]',
	// Includes the choice of a trigger, where there are several.
	':has([data-test-id="execute-workflow-button"]):not(:has([data-test-id="canvas-node"]))',
];

/** Fits a whole workflow with legible text. */
const PICTURE = { width: 2000, height: 1200 };

test.beforeEach(async ({ editor: { page } }) => await page.setViewportSize(PICTURE));
test.afterEach(async ({ editor: { page } }) => {
	await page.setViewportSize({ width: 1400, height: 900 });
});

for (const name of EXAMPLES) {
	test(`${name}: imports from its file; only what its notes ask for is left to do`, async ({
		n8n: { client },
		editor,
		// n8n fills in a credential that exists.
		credential: _,
	}) => {
		const { page } = editor;
		const { nodes } = await readExample(name);
		const onCanvas = nodes.filter(({ type }) => type !== NOTE);
		if (nodes.some(({ type }) => type.endsWith('.lmChatOpenAi')))
			await createModelCredential(client);
		await editor.openNewWorkflow();
		await page.getByTestId('workflow-import-input').setInputFiles(exampleFile(name));
		await expect(editor.nodes).toHaveCount(onCanvas.length);
		for (const node of onCanvas) await expect(editor.node(node.name)).toBeVisible();
		/** Nodes without credential or address in the workflow that the editor saved on its own. */
		const incomplete = async () => {
			const [, id] = /\/workflow\/(\w+)/.exec(page.url()) ?? [];
			const saved = await client.getWorkflow(String(id)).catch(() => undefined);
			return saved?.nodes.filter(
				({ type, credentials, webhookId }) =>
					(type.startsWith(PACKAGE) && !credentials?.[CREDENTIAL]) ||
					(HAS_ADDRESS.test(type) && !webhookId),
			);
		};
		await expect.poll(incomplete).toEqual([]);
		// Empty: the job, the webhook, the link, the workflow that takes results, or the sheet.
		const isLeft = ({ parameters, disabled }: WorkflowNode) =>
			!disabled &&
			/"(jobId|webhookId|mode":"(list|link)","value)":""/.test(JSON.stringify(parameters));
		await expect(page.getByTestId('node-issues')).toHaveCount(nodes.filter(isLeft).length);

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
