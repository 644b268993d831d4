import assert from 'node:assert/strict';

import type { Demo } from '../../../demo/demo.mts';
import { ACTION, CREDENTIAL, TRIGGER } from '../../../demo/workflows/parts.mts';
import type { Check } from '../../support/checks.mts';

/** n8n offers it with every node that authenticates as ours does. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

interface NodeType {
	name: string;
	displayName: string;
	webhooks?: Array<{ httpMethod: string }>;
	properties: Array<{ name: string; options?: Array<{ value: string }> }>;
}

/** n8n knows what the package brings, as its editor asks for it. */
export async function checkLoading(check: Check, { client }: Demo): Promise<void> {
	const nodeType = async (name: string) => {
		const nodeInfos = [{ name, version: 1 }];
		const types = await client.request<NodeType[]>('POST', '/rest/node-types', { nodeInfos });
		assert.equal(types.length, 1, `${name} is not known`);
		return types[0];
	};

	await check('the action node is loaded, with its five operations', async () => {
		const { displayName, properties } = await nodeType(ACTION);
		assert.equal(displayName, 'Candidate Assessment');
		const operations = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => options.map(({ value }) => value));
		const ours = operations.filter((operation) => operation !== CUSTOM_API_CALL);
		assert.deepEqual(ours.sort(), ['delete', 'get', 'invite', 'setStatus', 'update']);
	});

	await check('the trigger is loaded, with its webhook', async () => {
		const { displayName, webhooks } = await nodeType(TRIGGER);
		assert.equal(displayName, 'Candidate Assessment Trigger');
		assert.deepEqual(
			webhooks?.map(({ httpMethod }) => httpMethod),
			['POST'],
		);
	});

	await check('the credential type is loaded, and belongs to both nodes', async () => {
		const types = await client.request<Array<{ name: string; supportedNodes: string[] }>>(
			'GET',
			'/types/credentials.json',
		);
		const found = types.find(({ name }) => name === CREDENTIAL);
		assert.ok(found, 'the credential type is not known');
		assert.deepEqual(found.supportedNodes.sort(), [ACTION, TRIGGER].sort());
	});
}
