import { EXAMPLES, readExample } from '../../support/example.mts';
import { expect, test } from '../fixtures.mts';

interface NodeType {
	name: string;
	version: number | number[];
}

for (const name of EXAMPLES) {
	test(`${name}: n8n knows every node, in its version`, async ({ n8n }) => {
		const types = await n8n.client.request<NodeType[]>('GET', '/types/nodes.json');
		const known = new Set(
			types.flatMap(({ name, version }) => [version].flat().map((one) => `${name} ${one}`)),
		);
		const { nodes } = await readExample(name);
		const used = nodes.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
		expect(used.filter((one) => !known.has(one))).toEqual([]);
	});

	test(`${name}: holds no credential, and no note is long`, async () => {
		const { nodes } = await readExample(name);
		for (const node of nodes) {
			expect(node.credentials, `credentials of ${node.name}`).toBeUndefined();
			const [, text = ''] = String(node.parameters.content ?? '').split('\n\n');
			const sentences = text.match(/[.?!](?= |$)/g) ?? [];
			expect(sentences.length, `sentences of ${node.name}`).toBeLessThanOrEqual(3);
		}
	});
}
