import assert from 'node:assert/strict';

import type { NodePanel } from '../../support/nodePanel.mts';
import { takeScreenshot } from '../../support/screenshots.mts';
import type { Stage } from '../browser.mts';
import { CANDIDATE } from './loop.mts';

/** What went wrong stands where the user looks: in the output of the node. */
export async function checkErrors({ demo, editor, check }: Stage): Promise<void> {
	const credential = 'Candidate Assessment demo';
	let inviting: NodePanel | undefined;
	const invite = async (wrong: Partial<typeof CANDIDATE>) => {
		inviting ??= await editor.addNode('Invite candidate');
		await inviting.chooseCredential(credential);
		await inviting.fill({ ...CANDIDATE, ...wrong });
		await inviting.execute();
		return inviting;
	};

	await check('a Job ID that is no UUID is named in the output', async () => {
		const requests = demo.service.requests.length;
		const panel = await invite({ jobId: 'Sales Manager' });
		await panel.errorMessage.getByText('is not a job ID').waitFor();
		await panel.output.getByText('Nothing was sent.').waitFor();
		await takeScreenshot(editor.page, 'error');
		assert.equal(demo.service.requests.length, requests, 'something was sent all the same');
	});

	await check('an External Reference ID that is too long is named, with its length', async () => {
		const panel = await invite({ extReferenceId: 'x'.repeat(51) });
		await panel.errorMessage
			.getByText('External Reference ID: 51 characters given, at most 50 are allowed')
			.waitFor();
	});

	await check('an invitation that does not exist is named as that', async () => {
		const panel = await editor.addNode('Get candidate');
		await panel.chooseCredential(credential);
		await panel.fillBy('By Code', 'no-such-code');
		await panel.execute();
		await panel.errorMessage.getByText('There is no candidate for this invitation').waitFor();
	});
}
