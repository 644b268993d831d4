import { EXAMPLES, ONLY_2X, readExample } from '../../support/example.mts';
import { expect, test } from '../support/exampleFixtures.mts';

interface NodeType {
	name: string;
	version: number | number[];
}

test('this n8n has every node of the examples for it, in its version', async ({
	n8n: { client },
}) => {
	const types = await client.request<NodeType[]>('GET', '/types/nodes.json');
	const available = types.flatMap(({ name, version }) =>
		[version].flat().map((number) => `${name} ${number}`),
	);
	for (const name of EXAMPLES) {
		if (client.isVersion1 && ONLY_2X.includes(name)) continue;
		const { nodes } = await readExample(name);
		const used = nodes.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
		expect(available, name).toEqual(expect.arrayContaining(used));
	}
});
