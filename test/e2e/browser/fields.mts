import assert from 'node:assert/strict';

import { eventually } from '../../support/eventually.mts';
import type { NodePanel } from '../../support/nodePanel.mts';
import type { Stage } from '../browser.mts';

const INVITATION = ['jobId', 'extReferenceId'];
const PERSON = ['email', 'firstName', 'lastName'];

/** The fields of each operation, in the order in which they show. */
const OPERATIONS: Array<[resource: string, operation: string, fields: string[]]> = [
	['Candidate', 'Invite', [...INVITATION, 'isAnonymousCandidate', ...PERSON]],
	['Candidate', 'Get', ['invitationCode', 'simplify', 'downloadReport']],
	['Webhook', 'Update', ['webhookId', 'name', 'url', 'events', 'secret']],
	['Webhook', 'Set Status', ['webhookId', 'status']],
	['Webhook', 'Delete', ['webhookId']],
];

/** Which fields show when, and which n8n says are missing. */
export async function checkFields({ editor, check }: Stage): Promise<void> {
	let panel: NodePanel | undefined;
	for (const [resource, operation, fields] of OPERATIONS) {
		await check(`${resource} · ${operation} shows its own fields, no others`, async () => {
			panel ??= await editor.addNode('Invite candidate');
			await panel.choose('resource', resource);
			await panel.choose('operation', operation);
			await eventually(async () => await panel?.shownFields(), fields);
		});
	}

	await check('Webhook · Delete warns that it is for good', async () => {
		panel ??= await editor.addNode('Delete a webhook');
		await panel.notices.getByText('cannot be brought back').waitFor();
	});

	await check('Invite offers its additional fields and options', async () => {
		const inviting = await editor.addNode('Invite candidate');
		assert.deepEqual(await inviting.offered('Add Field'), [
			'Deadline',
			'Skills',
			'Skills (JSON)',
			'Work Experiences',
			'Work Experiences (JSON)',
		]);
		assert.deepEqual(await inviting.offered('Add Option'), [
			'Concurrency',
			'Max Retries',
			'Timeout (Ms)',
		]);
	});

	await check('an anonymous candidate needs no name and no email', async () => {
		// n8n marks what is missing when the panel is opened again.
		await (await editor.addNode('Invite candidate')).close();
		const inviting = await editor.openNode('Invite candidate');
		await eventually(async () => await inviting.markedFields(), [...INVITATION, ...PERSON]);
		await inviting.toggle('isAnonymousCandidate');
		await eventually(async () => await inviting.markedFields(), INVITATION);
		await eventually(
			async () => await inviting.shownFields(),
			[...INVITATION, 'isAnonymousCandidate', ...PERSON],
		);
	});
}
