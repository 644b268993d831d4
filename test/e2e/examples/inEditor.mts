import assert from 'node:assert/strict';

import { OWNER, type Demo } from '../../../demo/demo.mts';
import { CREDENTIAL } from '../../../demo/workflows/parts.mts';
import { openPage, withChromium } from '../../support/chromium.mts';
import { Editor } from '../../support/editor.mts';
import { CALLED, exampleFile, EXAMPLES, readExample } from '../../support/example.mts';
import { eventually } from '../../support/eventually.mts';
import { takeForReadme } from '../../support/screenshots.mts';
import type { Ground } from '../examples.mts';

const PACKAGE = 'n8n-nodes-candidate-assessment.';
const NOTE = 'n8n-nodes-base.stickyNote';

/** The buttons around the canvas, which would stand in front of a workflow in its picture. */
const BUTTONS = ['canvas-controls', 'execute-workflow-button', 'workflow-chat-button'];

/** Importing each file in the editor, and a picture of what it becomes when it is filled in. */
export async function checkInEditor({ demo, imported, check }: Ground): Promise<void> {
	await withChromium(async (chromium) => {
		const page = await openPage(chromium);
		const editor = new Editor(page, demo.n8n.baseUrl);
		await editor.logIn(OWNER);
		const names = async () => await editor.nodes.allInnerTexts();

		for (const name of EXAMPLES) {
			const { nodes } = await readExample(name);
			const onCanvas = nodes.filter(({ type }) => type !== NOTE);

			await check(
				`${name}: imports from its file; n8n fills in credential and address`,
				async () => {
					await editor.openNewWorkflow();
					await page.getByTestId('workflow-import-input').setInputFiles(exampleFile(name));
					await eventually(async () => (await names()).length, onCanvas.length);
					for (const node of onCanvas) await editor.node(node.name).waitFor();
					await eventually(async () => await leftOpen(demo, page.url()), []);
					assert.equal(await page.getByTestId('node-issues').count(), 0, 'a node has issues');
				},
			);

			await check(`${name}: filled in, it has nothing to complain about`, async () => {
				const id = imported.get(name);
				assert.ok(id, 'it was not imported');
				await editor.openWorkflow(id);
				await eventually(async () => (await names()).length, onCanvas.length);
				// Icons come last.
				await page.waitForLoadState('networkidle');
				assert.equal(await page.getByTestId('node-issues').count(), 0, 'a node has issues');
				const hidden = BUTTONS.map((button) => `[data-test-id="${button}"]`).join(', ');
				await page.addStyleTag({ content: `${hidden} { visibility: hidden; }` });
				await takeForReadme(page, `example-${name}`, {
					around: [editor.nodes, page.getByTestId('sticky')],
					margin: 64,
				});
			});
		}
	});
}

/** In what the editor has saved by itself: nodes without their credential or their address. */
async function leftOpen({ client }: Demo, url: string): Promise<string[] | undefined> {
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
