import { expect, test } from '../fixtures.mts';

const INVITATION = ['jobId', 'extReferenceId'];
const PERSON = ['email', 'firstName', 'lastName'];

/** The fields of each operation, in the order in which they show. */
const OPERATIONS: Array<[resource: string, operation: string, fields: string[]]> = [
	['Candidate', 'Invite', [...INVITATION, 'isAnonymousCandidate', ...PERSON, 'alreadyInvited']],
	['Candidate', 'Get', ['invitationCode', 'simplify', 'downloadReport']],
	['Webhook', 'Update', ['webhookId', 'name', 'url', 'events', 'secret']],
	['Webhook', 'Set Status', ['webhookId', 'status']],
	['Webhook', 'Delete', ['webhookId']],
];

for (const [resource, operation, fields] of OPERATIONS) {
	test(`${resource} · ${operation} shows its own fields, no others`, async ({ editor }) => {
		const panel = await editor.addNode('Invite candidate');
		await panel.choose('resource', resource);
		await panel.choose('operation', operation);
		await expect.poll(async () => await panel.shownFields()).toEqual(fields);
	});
}

test('Webhook · Delete warns that it is for good', async ({ editor }) => {
	const panel = await editor.addNode('Delete webhook');
	await expect(panel.notices.getByText("can't be restored")).toBeVisible();
});

test('an anonymous candidate needs no name and no email', async ({ editor }) => {
	// n8n marks what is missing when the panel is opened again.
	await (await editor.addNode('Invite candidate')).close();
	const panel = await editor.openNode('Invite candidate');
	const markedFields = async () => await panel.markedFields();
	await expect.poll(markedFields).toEqual([...INVITATION, ...PERSON]);
	await panel.toggle('isAnonymousCandidate');
	await expect.poll(markedFields).toEqual(INVITATION);
	await expect
		.poll(async () => await panel.shownFields())
		.toEqual([...INVITATION, 'isAnonymousCandidate', ...PERSON, 'alreadyInvited']);
});
