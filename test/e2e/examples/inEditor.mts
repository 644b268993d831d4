import assert from 'node:assert/strict';

import { OWNER, type Demo } from '../../../demo/n8n/demo.mts';
import { openPage, withChromium } from '../../support/chromium.mts';
import { Editor } from '../../support/editor.mts';
import { CALLED, exampleFile, EXAMPLES, readExample } from '../../support/example.mts';
import { eventually } from '../../support/eventually.mts';
import { takeForReadme } from '../../support/screenshots.mts';
import type { Ground } from '../examples.mts';

const NOTE = 'n8n-nodes-base.stickyNote';

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

			await check(`${name}: imports from its file into the editor`, async () => {
				await editor.openNewWorkflow();
				await page.getByTestId('workflow-import-input').setInputFiles(exampleFile(name));
				await eventually(async () => (await names()).length, onCanvas.length);
				for (const node of onCanvas) await editor.node(node.name).waitFor();
				await eventually(async () => await unaddressed(demo, page.url()), []);
			});

			await check(`${name}: filled in, it has nothing to complain about`, async () => {
				const id = imported.get(name);
				assert.ok(id, 'it was not imported');
				await editor.openWorkflow(id);
				await eventually(async () => (await names()).length, onCanvas.length);
				assert.equal(await page.getByTestId('node-issues').count(), 0, 'a node has issues');
				await takeForReadme(page, `example-${name}`, {
					around: [editor.nodes, page.getByTestId('sticky')],
					margin: 48,
				});
			});
		}
	});
}

/** Of a workflow that the editor saves by itself: the nodes that nobody could call. */
async function unaddressed({ client }: Demo, url: string): Promise<string[] | undefined> {
	const [, id] = /\/workflow\/(\w+)/.exec(url) ?? [];
	const { nodes } = await client.getWorkflow(String(id)).catch(() => ({ nodes: undefined }));
	return nodes
		?.filter(({ type, webhookId }) => CALLED.test(type) && !webhookId)
		.map(({ name }) => name);
}
