import { ACTION, CREDENTIAL, TRIGGER } from '../../../demo/workflows/parts.mts';
import type { N8nClient } from '../../../tools/n8n/client.mts';
import { expect, test } from '../fixtures.mts';

/** n8n offers it with every node that authenticates as ours does. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

interface NodeType {
	name: string;
	displayName: string;
	webhooks?: Array<{ httpMethod: string }>;
	properties: Array<{ name: string; options?: Array<{ value: string }> }>;
}

/** What n8n knows of a node type, as its editor asks for it. */
async function nodeType(client: N8nClient, name: string): Promise<NodeType> {
	const nodeInfos = [{ name, version: 1 }];
	const types = await client.request<NodeType[]>('POST', '/rest/node-types', { nodeInfos });
	expect(types, `${name} is known`).toHaveLength(1);
	return types[0];
}

test('the action node is loaded, with its five operations', async ({ n8n }) => {
	const { displayName, properties } = await nodeType(n8n.client, ACTION);
	expect(displayName).toBe('Candidate Assessment');
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options.map(({ value }) => value));
	const ours = operations.filter((operation) => operation !== CUSTOM_API_CALL);
	expect(ours.sort()).toEqual(['delete', 'get', 'invite', 'setStatus', 'update']);
});

test('the trigger is loaded, with its webhook', async ({ n8n }) => {
	const { displayName, webhooks } = await nodeType(n8n.client, TRIGGER);
	expect(displayName).toBe('Candidate Assessment Trigger');
	expect(webhooks?.map(({ httpMethod }) => httpMethod)).toEqual(['POST']);
});

test('the credential type is loaded, and belongs to both nodes', async ({ n8n }) => {
	const types = await n8n.client.request<Array<{ name: string; supportedNodes: string[] }>>(
		'GET',
		'/types/credentials.json',
	);
	const found = types.find(({ name }) => name === CREDENTIAL);
	expect(found?.supportedNodes.sort()).toEqual([ACTION, TRIGGER].sort());
});
