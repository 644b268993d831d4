import type { N8nClient } from '../../../tools/n8n/client.mts';
import { JOB } from '../../support/example.mts';
import { request } from '../../support/invite.mts';
import { editNode } from '../support/workflows.mts';
import { expect, jsonOf, test } from '../support/exampleFixtures.mts';

const EXAMPLE = 'monitor-the-trigger';
const ALL_IS_WELL = 'All is well';

test(`${EXAMPLE}: tells the published trigger from another workflow, and nobody`, async ({
	n8n: { client, baseUrl },
	service,
	importExample,
}) => {
	const decision = await importExample('result-to-decision', { isPublished: true });
	const { webhookId } = service;
	const { url: production } = service.webhooks[0];
	const { id } = await importExample(EXAMPLE, watching(webhookId, production));
	const messages = async () => await messagesOf(client, id);
	expect(await messages()).toEqual([ALL_IS_WELL]);

	const elsewhere = expect.stringContaining('which is not our published trigger');
	const point = async (to: string) => {
		const { events } = service.webhooks[0];
		await request(service, 'PUT', `/webhooks/${webhookId}`, { name: 'Moved', url: to, events });
	};
	await point(`${baseUrl}/webhook/another/webhook`);
	expect(await messages()).toEqual([elsewhere]);
	await point(production);
	expect(await messages()).toEqual([ALL_IS_WELL]);

	await client.unpublish(decision.id);
	await expect.poll(() => service.webhooks[0].status).toBe('inactive');
	const lost = expect.stringContaining('answers 404 instead of 401');
	expect(await messages()).toEqual([elsewhere, lost]);
	expect(service.webhooks[0].status).toBe('inactive');
});

test(`${EXAMPLE}: says what can't be checked; the call can be deactivated`, async ({
	n8n: { client },
	importExample,
}) => {
	const { id } = await importExample(EXAMPLE, watching(JOB, 'http://127.0.0.1:9/webhook'));
	const messages = async () => await messagesOf(client, id);
	const noWebhook = expect.stringMatching(
		/^The webhook couldn't be checked: .*webhook with this ID/,
	);
	expect(await messages()).toEqual([noWebhook, expect.stringContaining("couldn't be called")]);
	await editNode(client, id, 'Call Without The Secret', { disabled: true });
	expect(await messages()).toEqual([noWebhook]);
});

/** The messages that the team gets in an hour. */
async function messagesOf(client: N8nClient, id: string): Promise<unknown[]> {
	const execution = await client.runToEnd(id, 'Every Hour');
	expect(execution.status).toBe('success');
	const sent = jsonOf(execution, 'Send To The Team').map(({ text }) => text);
	return jsonOf(execution, 'Does It Point Here?').length > 0 ? [...sent, ALL_IS_WELL] : sent;
}

/** A user's entries in the first node. */
function watching(webhook_id: string, production_url: string) {
	const assignments = Object.entries({ webhook_id, production_url }).map(([name, value]) => ({
		id: name,
		name,
		value,
		type: 'string',
	}));
	return { unpin: true, parameters: { 'Our Trigger': { assignments: { assignments } } } };
}
