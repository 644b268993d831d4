import type { Locator } from '@playwright/test';

import { CREDENTIAL } from '../../../demo/workflows/parts.mts';
import type { N8nClient, WorkflowNode } from '../../../tools/n8n/client.mts';
import { createModelCredential } from '../support/chatModel.mts';
import {
	exampleFile,
	EXAMPLES,
	type ExampleName,
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

for (const name of EXAMPLES) {
	test(`${name}: imports from its file; only what its notes ask for is left to do`, async ({
		n8n,
		editor,
		// n8n fills in a credential that exists.
		credential: _,
	}) => {
		const { page } = editor;
		const { nodes } = await readExample(name);
		const onCanvas = nodes.filter(({ type }) => type !== NOTE);
		if (nodes.some(({ type }) => type.endsWith('.lmChatOpenAi')))
			await createModelCredential(n8n.client);
		await page.setViewportSize(PICTURE);
		await editor.openNewWorkflow();
		await page.getByTestId('workflow-import-input').setInputFiles(exampleFile(name));
		await expect(editor.nodes).toHaveCount(onCanvas.length);
		for (const node of onCanvas) await expect(editor.node(node.name)).toBeVisible();
		await expect.poll(async () => await leftOpen(n8n.client, page.url())).toEqual([]);
		// Empty: the job, the webhook, the link, the workflow that takes results, or the sheet.
		const isLeft = ({ parameters, disabled }: WorkflowNode) =>
			!disabled &&
			/"(jobId|webhookId|mode":"(list|link)","value)":""/.test(JSON.stringify(parameters));
		await expect(page.getByTestId('node-issues')).toHaveCount(nodes.filter(isLeft).length);

		for (const note of await page.getByTestId('sticky').all()) {
			const [room, text] = [await lowerEdge(note), await lowerEdge(note.locator('p, li').last())];
			expect(room - text, 'what a note leaves free below its text').toBeGreaterThan(5);
		}

		// Icons come last.
		await page.waitForLoadState('networkidle');
		await page.addStyleTag({ content: `${BUTTONS.join(', ')} { visibility: hidden; }` });
		const around = [editor.nodes, page.getByTestId('sticky')];
		await takeForReadme(page, `example-${name}`, { around, margin: 104 });
		await page.setViewportSize({ width: 1400, height: 900 });
	});
}

for (const name of EXAMPLES) {
	test(`${name}: once it is set up, n8n says of nothing in it that it is deprecated`, async ({
		editor,
		importExample,
	}) => {
		const { page } = editor;
		const { nodes } = await readExample(name);
		const mails = nodes.filter(({ type }) => type.endsWith('.emailSend'));
		const handsOver = nodes.some((node) => node.name === 'Hand Over The Result');
		const decision = handsOver && (await importExample('result-to-decision'));
		const { id } = await importExample(name, {
			mails: mails.map((node) => node.name),
			...(decision && { handsOverTo: decision.id }),
		});
		await page.setViewportSize(PICTURE);
		await editor.openWorkflow(id);
		for (const node of await firstOfTheirKind(name)) {
			await editor.node(node.name).dblclick();
			const { panel } = await editor.openedPanel();
			await panel.getByTestId('node-parameters').first().waitFor();
			await expect(panel.getByText(/deprecated/i), node.name).toHaveCount(0);
			await page.keyboard.press('Escape');
			await panel.waitFor({ state: 'hidden' });
		}
		await page.setViewportSize({ width: 1400, height: 900 });
	});
}

/** The nodes of an example whose notices differ from those in earlier examples. */
async function firstOfTheirKind(name: ExampleName): Promise<WorkflowNode[]> {
	const seen = new Set<string>();
	for (const each of EXAMPLES) {
		const { nodes } = await readExample(each);
		const found = nodes.filter(({ type, typeVersion, parameters }) => {
			const { resource, operation, mode, resume, options } = parameters;
			const settings = [resource, operation, mode, resume, Object.keys(options ?? {})];
			const kind = JSON.stringify([type, typeVersion, settings]);
			const isFirst = type !== NOTE && !seen.has(kind);
			seen.add(kind);
			return isFirst;
		});
		if (each === name) return found;
	}
	return [];
}

/** Nodes without credential or address in the workflow that the editor saved on its own. */
async function leftOpen(client: N8nClient, url: string): Promise<string[] | undefined> {
	const [, id] = /\/workflow\/(\w+)/.exec(url) ?? [];
	const { nodes } = await client.getWorkflow(String(id)).catch(() => ({ nodes: undefined }));
	return nodes
		?.filter(
			({ type, credentials, webhookId }) =>
				(type.startsWith(PACKAGE) && !credentials?.[CREDENTIAL]) ||
				(HAS_ADDRESS.test(type) && !webhookId),
		)
		.map(({ name }) => name);
}

async function lowerEdge(element: Locator): Promise<number> {
	const { y, height } = (await element.boundingBox())!;
	return y + height;
}
