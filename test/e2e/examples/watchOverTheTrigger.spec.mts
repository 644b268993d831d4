import { request } from '../../support/invite.mts';
import { expect, jsonOf, nodesRun, test } from './fixtures.mts';

const EXAMPLE = 'watch-over-the-trigger';
const START = 'Every Hour';
const WELL = 'All Is Well';

test(`${EXAMPLE}: tells the published trigger from a test, another workflow, and nobody`, async ({
	n8n: { client, baseUrl },
	service,
	importAndSetUp,
	importFile,
}) => {
	const { webhookId } = service;
	const parameters = { 'When A Result Is Ready': { webhookId } };
	const decision = await importAndSetUp('result-to-decision', { parameters });
	await client.publish(decision.id);
	const { url } = service.webhooks[0];
	const [production] = url.split('?');
	const { id } = await importFile(EXAMPLE, {
		unpin: true,
		parameters: trigger(webhookId, production),
	});
	/** The messages to the team. */
	const watch = async () => {
		const execution = await client.runToEnd(id, START);
		expect(execution.status).toBe('success');
		const isWell = nodesRun(execution).includes(WELL);
		return [isWell, jsonOf(execution, 'Send To The Team').map(({ text }) => text)];
	};
	expect(await watch()).toEqual([true, []]);

	const elsewhere = expect.stringContaining('which is not our published trigger');
	const point = async (to: string) => {
		const { events } = service.webhooks[0];
		await request(service, 'PUT', `/webhooks/${webhookId}`, { name: 'Moved', url: to, events });
	};
	await point(url.replace('published', 'test'));
	expect(await watch()).toEqual([false, [elsewhere]]);
	await point(`${baseUrl}/webhook/another/webhook?registration=published`);
	expect(await watch()).toEqual([false, [elsewhere]]);
	await point(url);
	expect(await watch()).toEqual([true, []]);

	await client.unpublish(decision.id);
	await expect.poll(() => service.webhooks[0].status).toBe('inactive');
	const lost = expect.stringContaining('answers 404 instead of 401');
	expect(await watch()).toEqual([false, [elsewhere, lost]]);
	expect(service.webhooks[0].status).toBe('inactive');
});

test(`${EXAMPLE}: says what can't be checked; the call can be switched off`, async ({
	n8n: { client },
	importFile,
}) => {
	const { id } = await importFile(EXAMPLE, {
		unpin: true,
		parameters: trigger('3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c', 'http://127.0.0.1:9/webhook'),
	});
	const messages = async () => {
		const execution = await client.runToEnd(id, START);
		return jsonOf(execution, 'Send To The Team').map(({ text }) => text);
	};
	const noWebhook = expect.stringMatching(
		/^The webhook couldn't be checked: .*webhook with this ID/,
	);
	expect(await messages()).toEqual([noWebhook, expect.stringContaining("couldn't be called")]);
	const workflow = await client.getWorkflow(id);
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Call As A Stranger' ? { ...node, disabled: true } : node,
	);
	await client.request('PATCH', `/rest/workflows/${id}`, { ...workflow, nodes });
	expect(await messages()).toEqual([noWebhook]);
});

/** What a user enters into the first node. */
function trigger(webhook_id: string, production_url: string) {
	const assignments = Object.entries({ webhook_id, production_url }).map(([name, value]) => ({
		id: name,
		name,
		value,
		type: 'string',
	}));
	return { 'Our Trigger': { assignments: { assignments } } };
}
