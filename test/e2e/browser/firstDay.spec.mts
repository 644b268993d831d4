import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { CredentialDialog } from '../../support/credentialDialog.mts';
import type { NodePanel } from '../../support/nodePanel.mts';
import { animateForReadme, takeScreenshot } from '../../support/screenshots.mts';
import { expect, test as base } from '../fixtures.mts';
import { CANDIDATE, finish } from './candidate.mts';

// "First result in five minutes", done as the README says, in an n8n in which nobody has done anything.

const README = join(import.meta.dirname, '..', '..', '..', 'README.md');

/** The words in bold: what the reader looks for in n8n. */
class Guide {
	readonly #names: Set<string>;
	readonly #unused: Set<string>;

	private constructor(text: string) {
		this.#names = new Set(
			[...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name.replace(/\s+/g, ' ')),
		);
		this.#unused = new Set(this.#names);
	}

	static async read(heading: string): Promise<Guide> {
		const readme = await readFile(README, 'utf8');
		const section = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
		if (!section) throw new Error(`The README has no section "${heading}"`);
		return new Guide(section);
	}

	/** Fails where the README does not have that name. */
	name(name: string): string {
		expect([...this.#names], 'named in the README').toContain(name);
		this.#unused.delete(name);
		return name;
	}

	get unused(): string[] {
		return [...this.#unused];
	}
}

// An option of the worker gives this file a worker, and so an n8n, of its own.
const test = base.extend<{ guide: Guide }, { isFirstDay: boolean }>({
	isFirstDay: [true, { scope: 'worker', auto: true }],
	guide: async ({}, use) => await use(await Guide.read('First result in five minutes')),
});

test('the README leads from an empty n8n to the scores', async ({
	editor,
	candidate,
	service,
	guide,
}) => {
	const { page } = editor;
	const creator = page.getByTestId('node-creator');
	const frames: string[] = [];
	const takeFrame = async (of: Page, name: string) => {
		frames.push(`first-day-${frames.length + 1}-${name}`);
		await takeScreenshot(of, frames.at(-1)!);
	};
	const addFirst = async (words: string) => {
		await editor.openNewWorkflow();
		await expect(page.getByText(guide.name('Add first step…'))).toBeVisible();
		await page.getByTestId('canvas-add-button').click();
		await search(words);
	};
	const search = async (words: string) => {
		await page.getByTestId('node-creator-search-bar').fill(words);
		await creator.getByText(guide.name('Candidate Assessment'), { exact: true }).click();
	};
	const choose = async (action: string) => {
		await creator.getByText(guide.name(action), { exact: true }).click();
		return await editor.openedPanel();
	};
	const execute = async ({ panel }: NodePanel) =>
		await panel
			.getByRole('button', { name: guide.name('Execute step') })
			.first()
			.click();
	/** Makes sure that a field is called what the README calls it. */
	const named = async (
		within: Locator,
		fields: Record<string, { name: string; value: string }>,
	) => {
		for (const label of Object.keys(fields)) {
			await expect(within.getByText(new RegExp(`^\\s*${guide.name(label)}[\\s*]*$`))).toBeVisible();
		}
		return Object.fromEntries(Object.values(fields).map(({ name, value }) => [name, value]));
	};

	const finishLatest = async () => {
		const [invitation] = service.invitations.filter(({ status }) => status !== 'completed');
		await candidate.goto(invitation.invitation_link);
		const isFirst = service.invitations.length === 1;
		if (isFirst) await takeFrame(candidate, 'assessment');
		await finish(candidate, invitation);
		if (isFirst) await takeFrame(candidate, 'finished');
	};

	await test.step('the mock service shows what is needed', async () => {
		await candidate.goto(service.baseUrl);
		await expect(candidate.getByRole('heading', { name: guide.name('Connect') })).toBeVisible();
		for (const shown of [service.baseUrl, service.accessToken, service.webhookId]) {
			await expect(candidate.getByText(shown, { exact: true }).first()).toBeVisible();
		}
		await expect(candidate.getByText(/job id$/i)).toBeVisible();
	});

	const inviting = await test.step('Invite a candidate', async () => {
		await addFirst('invite');
		await creator.getByText(guide.name('Actions')).click();
		await takeFrame(page, 'node-panel');
		const panel = await choose('Invite candidate');

		const connect = guide.name('Connect to Candidate Assessment');
		await panel.panel.getByRole('button', { name: connect }).click();
		const dialog = await CredentialDialog.opened(page);
		const connection = await named(dialog.dialog, {
			'Base URL': { name: 'baseUrl', value: service.baseUrl },
			'Access Token': { name: 'accessToken', value: service.accessToken },
		});
		await dialog.fill(connection);
		await takeFrame(page, 'credential');
		await dialog.dialog.getByRole('button', { name: guide.name('Save') }).click();
		await expect(dialog.dialog).toBeHidden();

		const { jobId, extReferenceId, email, firstName, lastName } = CANDIDATE;
		const person = await named(panel.panel, {
			'Job ID': { name: 'jobId', value: jobId },
			'External Reference ID': { name: 'extReferenceId', value: extReferenceId },
			Email: { name: 'email', value: email },
			'First Name': { name: 'firstName', value: firstName },
			'Last Name': { name: 'lastName', value: lastName },
		});
		await panel.fill(person);
		await execute(panel);
		await panel.output.getByRole('radio', { name: guide.name('Schema') }).click();
		const { invitation_link } = await panel.values();
		expect(invitation_link).toBe(service.invitations[0].invitation_link);
		await takeFrame(page, 'invited');
		await panel.close();
		return page.url();
	});

	await test.step('Get the scores', async () => {
		await expect(editor.node(guide.name('Invite candidate'))).toBeVisible();
		await expect(page.getByText(guide.name('Invited'), { exact: true }).first()).toBeVisible();
		// The other one is after Already Invited.
		await page.getByTestId('canvas-handle-plus').first().click();
		await search('candidate');
		const panel = await choose('Get candidate');
		await expect(panel.panel.getByText(guide.name('Invitation'), { exact: true })).toBeVisible();
		await panel.drag('invitation_link', 'invitationCode');
		await finishLatest();
		await execute(panel);
		const [{ value, type }] = service.invitations[0].scores.map((score) => ({
			value: String(score.score_value),
			type: score.score_type,
		}));
		expect(await panel.values()).toMatchObject({ status: 'completed', [type]: value });
		await takeFrame(page, 'scores');
	});

	await test.step('Start a workflow with each result', async () => {
		await addFirst('result');
		await expect(creator.getByText(new RegExp(`^${guide.name('Triggers')}`))).toBeVisible();
		const trigger = await choose('On candidate result ready');
		const webhook = { name: 'webhookId', value: service.webhookId };
		await trigger.fill(await named(trigger.panel, { 'Webhook ID': webhook }));
		await takeScreenshot(page, 'first-day-trigger');
		await trigger.close();
		const publish = page.getByRole('button', { name: guide.name('Publish'), exact: true });
		await publish.click();
		await page.getByRole('dialog').locator(publish).click();
		await expect.poll(() => service.webhooks[0].status).toBe('active');
		const waiting = page.url();

		const inviteAgain = async (suffix: string) => {
			await page.goto(inviting);
			const invite = await editor.openNode(guide.name('Invite candidate'));
			const another = { name: 'extReferenceId', value: `${CANDIDATE.extReferenceId}-${suffix}` };
			await invite.fill(await named(invite.panel, { 'External Reference ID': another }));
			await execute(invite);
			await expect.poll(() => service.invitations.at(-1)?.ext_reference_id).toBe(another.value);
		};
		await inviteAgain('B');
		await finishLatest();

		await page.goto(waiting);
		await page.getByRole('radio', { name: guide.name('Executions') }).click();
		const executions = page.getByTestId('current-executions-list');
		await expect(executions.getByText('Succeeded')).toBeVisible();
		await expect(editor.succeededNodes).toHaveCount(1);
		await takeFrame(page, 'execution');

		await inviteAgain('C');
		const invitation = service.invitations.at(-1)!;
		await page.goto(waiting);
		await page.getByRole('radio', { name: guide.name('Editor') }).click();
		const listening = await editor.openNode('Candidate Assessment Trigger');
		await execute(listening);
		await listening.panel.getByTestId('trigger-listening').waitFor();
		await finish(candidate, invitation);
		expect(await listening.values()).toMatchObject({
			invitation_code: invitation.invitation_code,
		});
		await listening.close();
		await page.getByTestId('canvas-handle-plus').last().click();
		await search('candidate');
		const get = await choose('Get candidate');
		await get.chooseMode(guide.name('By Code'));
		await get.drag('invitation_code', 'invitationCode');
		await execute(get);
		expect(await get.values()).toMatchObject({ status: 'completed' });
	});

	expect(guide.unused, 'names in the README that were not looked for').toEqual([]);
	await animateForReadme('loop', frames);
});
