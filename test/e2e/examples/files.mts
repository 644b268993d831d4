import assert from 'node:assert/strict';

import { EXAMPLES, readExample } from '../../support/example.mts';
import type { Ground } from '../examples.mts';

interface NodeType {
	name: string;
	version: number | number[];
}

/** The files themselves: n8n knows everything in them, and nothing in them is anybody's own. */
export async function checkFiles({ demo, check }: Ground): Promise<void> {
	const types = await demo.client.request<NodeType[]>('GET', '/types/nodes.json');
	const known = new Set(
		types.flatMap(({ name, version }) => [version].flat().map((one) => `${name} ${one}`)),
	);
	for (const name of EXAMPLES) {
		await check(`${name}: n8n knows every node, in its version`, async () => {
			const { nodes } = await readExample(name);
			const used = nodes.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
			assert.deepEqual(
				used.filter((one) => !known.has(one)),
				[],
			);
		});
		await check(`${name}: holds no credential, and no note is long`, async () => {
			const { nodes } = await readExample(name);
			for (const node of nodes) {
				assert.ok(!node.credentials, `${node.name} names a credential`);
				const [, text = ''] = String(node.parameters.content ?? '').split('\n\n');
				const sentences = text.match(/[.?!](?= |$)/g) ?? [];
				assert.ok(sentences.length <= 3, `${node.name} has ${sentences.length} sentences`);
			}
		});
	}
}
