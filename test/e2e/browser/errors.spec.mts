import type { NodePanel } from '../../support/nodePanel.mts';
import { takeScreenshot } from '../../support/screenshots.mts';
import { expect, test as base } from '../fixtures.mts';
import { CANDIDATE } from './candidate.mts';

// What went wrong stands where the user looks: in the output of the node.

const test = base.extend<{
	/** Invites our candidate, with something wrong. */
	invite: (wrong: Partial<typeof CANDIDATE>) => Promise<NodePanel>;
}>({
	invite: async ({ editor, credential }, use) =>
		await use(async (wrong) => {
			const panel = await editor.addNode('Invite candidate');
			await panel.chooseCredential(credential.name);
			await panel.fill({ ...CANDIDATE, ...wrong });
			await panel.execute();
			return panel;
		}),
});

test('a Job ID that is no UUID is named in the output', async ({ invite, service, editor }) => {
	const panel = await invite({ jobId: 'Sales Manager' });
	await expect(panel.errorMessage.getByText('is not a job ID')).toBeVisible();
	await expect(panel.output.getByText('Nothing was sent.')).toBeVisible();
	await takeScreenshot(editor.page, 'error');
	expect(service.requests).toHaveLength(0);
});

test('an External Reference ID that is too long is named, with its length', async ({ invite }) => {
	const panel = await invite({ extReferenceId: 'x'.repeat(51) });
	await expect(
		panel.errorMessage.getByText(
			'External Reference ID: 51 characters given, at most 50 are allowed',
		),
	).toBeVisible();
});

test('an invitation that does not exist is named as that', async ({ editor, credential }) => {
	const panel = await editor.addNode('Get candidate');
	await panel.chooseCredential(credential.name);
	await panel.fillBy('By Code', 'no-such-code');
	await panel.execute();
	await expect(
		panel.errorMessage.getByText('No candidate with this invitation exists'),
	).toBeVisible();
});
