import type { Page } from '@playwright/test';

import { read } from '../../support/documents.mts';
import { exampleFile, JOB } from '../../support/example.mts';
import type { NodePanel } from '../support/nodePanel.mts';
import { animateForReadme, takeForReadme, takeScreenshot } from '../support/screenshots.mts';
import { expect, test as base } from '../support/fixtures.mts';
import { CANDIDATE, finish } from '../support/candidate.mts';

// Follows the documents' two walkthroughs in a new n8n.

/** A section of a document. Its reader looks for the words in bold in n8n. */
function guideOf(document: string, heading: string) {
	const sections = read(document).split(/^## /m);
	const section = sections.find((part) => part.startsWith(`${heading}\n`)) ?? '';
	const steps = section.replace(/^[^]*?(?=^1\. )/m, '').replace(/\s+/g, ' ');
	const names = [...steps.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name);
	const unused = new Set(names);
	return {
		/** Fails if the section doesn't contain that name. */
		name(name: string): string {
			expect(names, 'named in the section').toContain(name);
			unused.delete(name);
			return name;
		},
		expectAllUsed() {
			expect([...unused], 'names in the section that were not looked for').toEqual([]);
		},
	};
}

// With a worker option of its own, this file gets its own worker, and so its own n8n.
const test = base.extend<{}, { isFirstDay: boolean }>({
	isFirstDay: [true, { scope: 'worker', auto: true }],
});

test('the README leads from an empty n8n to the scores, and docs/trigger.md to the first event', async ({
	n8n,
	editor,
	candidate,
	service,
}) => {
	const { page } = editor;
	const frames: string[] = [];
	const takeFrame = async (of: Page, name: string) => {
		frames.push(`first-day-${frames.length + 1}-${name}`);
		await takeScreenshot(of, frames.at(-1)!);
	};
	const finishLatest = async () => await finish(candidate, service.invitations.at(-1)!);
	let guide = guideOf('README.md', 'First result in five minutes');
	const execute = async ({ panel }: NodePanel) => {
		const buttons = panel.getByRole('button', { name: guide.name('Execute step') });
		await buttons.first().click();
	};
	/** Expects fields to have the document's names for them. */
	const expectFields = async (panel: NodePanel['panel'], ...labels: string[]) => {
		for (const label of labels) {
			const shown = new RegExp(`^\\s*${guide.name(label)}[\\s*]*$`);
			await expect(panel.getByText(shown)).toBeVisible();
		}
	};
	const publish = async () => {
		const button = page.getByRole('button', { name: guide.name('Publish'), exact: true });
		await button.click();
		await page.getByRole('dialog').locator(button).click();
	};

	const inviting = await test.step('First result', async () => {
		await editor.openNewWorkflow();
		await page.getByTestId('workflow-menu').click();
		await page.getByText(guide.name('Import'), { exact: true }).hover();
		const chooser = page.waitForEvent('filechooser');
		await page.getByText(guide.name('From file')).click();
		await (await chooser).setFiles(exampleFile('first-result'));
		await expect(editor.node(guide.name('Invite Yourself'))).toBeVisible();
		await takeFrame(page, 'imported');

		const invite = await editor.openNode('Invite Yourself');
		const connect = guide.name('Connect to Candidate Assessment');
		await invite.panel.getByRole('button', { name: connect }).click();
		const dialog = page.getByTestId('editCredential-modal');
		await expectFields(dialog, 'Base URL', 'Access Token');
		for (const name of ['baseUrl', 'accessToken'] as const) {
			const field = dialog.getByTestId(`parameter-input-${name}`);
			await field.locator('input').fill(service[name]);
		}
		await takeFrame(page, 'credential');
		await dialog.getByRole('button', { name: guide.name('Save') }).click();
		await expect(dialog).toBeHidden();
		await expectFields(invite.panel, 'Job ID', 'Email', 'First Name', 'Last Name');
		const { email, firstName, lastName } = CANDIDATE;
		await invite.fill({ jobId: JOB, email, firstName, lastName });
		await execute(invite);
		const { invitation_link } = await invite.values();
		expect(invitation_link).toBe(service.invitations[0].invitation_link);
		await takeFrame(page, 'invited');
		await invite.close();

		await candidate.goto(invitation_link);
		await takeFrame(candidate, 'assessment');
		await finishLatest();
		await takeFrame(candidate, 'finished');

		// After a reload, n8n has forgotten the output.
		await page.reload();
		const get = await editor.openNode(guide.name('Get Scores'));
		await expectFields(get.panel, 'Invitation');
		await get.fillBy('By Link', invitation_link);
		await execute(get);
		const [{ score_type, score_value }] = service.invitations[0].scores;
		expect(await get.values()).toMatchObject({
			status: 'completed',
			[score_type]: String(score_value),
		});
		expect(service.invitations).toHaveLength(1);
		await takeFrame(page, 'scores');
		const parameters = get.panel.getByTestId('node-parameters').filter({ visible: true });
		await takeForReadme(page, 'scores', { around: [parameters, get.output], height: 620 });
		await get.close();
		return editor.workflowId;
	});
	guide.expectAllUsed();

	guide = guideOf('docs/trigger.md', 'Your first event');
	await test.step('Your first event', async () => {
		const creator = page.getByTestId('node-creator');
		const search = async (words: string) => {
			await page.getByTestId('node-creator-search-bar').fill(words);
			await creator.getByText(guide.name('Candidate Assessment'), { exact: true }).click();
		};
		const choose = async (action: string) => {
			await creator.getByText(guide.name(action), { exact: true }).click();
			return await editor.openedPanel();
		};
		await editor.openNewWorkflow();
		await page.getByTestId('canvas-add-button').click();
		await search('result');
		await expect(creator.getByText(new RegExp(`^${guide.name('Triggers')}`))).toBeVisible();
		const trigger = await choose('On candidate result ready');
		await expectFields(trigger.panel, 'Webhook ID');
		await trigger.fill({ webhookId: service.webhookId });
		await trigger.close();
		await publish();
		await page.getByRole('button', { name: 'Got it' }).click();
		await expect.poll(() => service.webhooks[0].status).toBe('active');

		/** As in the first walkthrough, but without the editor, which takes long to load. */
		const inviteAndFinish = async (count: number) => {
			await n8n.client.runToEnd(inviting, 'Start');
			expect(service.invitations).toHaveLength(count);
			await finishLatest();
		};
		['Invite Yourself', 'Execute step'].forEach(guide.name);
		await inviteAndFinish(2);
		await page.getByRole('radio', { name: guide.name('Executions') }).click();
		const executions = page.getByTestId('current-executions-list');
		await expect(executions.getByText('Succeeded')).toBeVisible();
		await expect(editor.succeededNodes).toHaveCount(1);
		await takeFrame(page, 'execution');

		await page.getByRole('radio', { name: guide.name('Editor') }).click();
		await page.getByTestId('canvas-handle-plus').last().click();
		await search('candidate');
		const get = await choose('Get candidate');
		await expect(get.panel.getByText(guide.name('Invitation'), { exact: true })).toBeVisible();
		await get.chooseMode(guide.name('By Code'));
		await get.enterExpression('invitationCode', '{{ $json.invitation_code }}');
		guide.name('Expression');
		await get.close();
		await publish();
		await inviteAndFinish(3);
		await page.getByRole('radio', { name: 'Executions' }).click();
		await expect(executions.getByText('Succeeded')).toHaveCount(2);
		await executions.getByText('Succeeded').first().click();
		await expect(editor.succeededNodes).toHaveCount(2);
	});
	guide.expectAllUsed();
	await animateForReadme('loop', frames);
});
