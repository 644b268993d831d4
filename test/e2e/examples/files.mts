import { EXAMPLES, NOTE, readExample, TABLE } from '../../support/example.mts';
import { expect, test } from './fixtures.mts';

interface NodeType {
	name: string;
	version: number | number[];
}

/** Nodes in which a user would have to write a program. */
const PROGRAMS = /\.(code|codeTool|toolCode|function|functionItem|executeCommand|aiTransform)$/i;

/**
 * What may stand in an expression: what dragging a field gives, the current time, and n8n's own helpers
 * for dates and for what a model fills in.
 */
const PLAIN = [
	/^\$json(\.\w+|\['[\w ]+'\])+$/,
	/^\$\('[^']+'\)\.(item|first\(\)|last\(\))\.json\.\w+$/,
	/^\$execution\.(id|resumeFormUrl)$/,
	/^\$(now|runIndex|itemIndex \+ 2)$/,
	/^\$tool\.parameters\.\w+$/,
	/^\$fromAI\('\w+', '[^']+', 'string'\)$/,
	/^\$json\.\w+\.toDateTime\(\)\.diffToNow\('days'\)$/,
	/^\$\('[^']+'\)\.(item|first\(\))\.json\.\w+\.toDateTime\(\)\.format\('[\w ]+'\)$/,
];

export function testFiles(): void {
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

		test(`${name}: nothing in it is a program`, async () => {
			const { nodes } = await readExample(name);
			expect(nodes.filter(({ type }) => PROGRAMS.test(type)).map((node) => node.name)).toEqual([]);
			const expressions = nodes
				.flatMap(({ parameters }) => textsIn(parameters))
				.filter((text) => text.startsWith('='))
				.flatMap((text) => [...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, inner]) => inner.trim()));
			expect(
				expressions.filter((expression) => !PLAIN.some((plain) => plain.test(expression))),
			).toEqual([]);
		});

		test(`${name}: holds no secret, and nobody who exists`, async () => {
			const { nodes, pinData } = await readExample(name);
			expect(nodes.filter(({ credentials }) => credentials).map((node) => node.name)).toEqual([]);
			const texts = textsIn([nodes, pinData]);
			const hosts = texts.flatMap((text) =>
				[...text.matchAll(/(?:https?:\/\/|@)([\w-]+(?:\.[\w-]+)+)/g)].map(([, host]) => host),
			);
			// Reserved for examples (RFC 2606).
			expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
			expect(texts.filter((text) => /bearer |token|secret|password|api.?key/i.test(text))).toEqual(
				[],
			);
		});

		test(`${name}: notes are short, nodes are in Title Case, and the table is the same`, async () => {
			const { nodes } = await readExample(name);
			for (const node of nodes) {
				if (node.type === NOTE) {
					const words = String(node.parameters.content).split(/\s+/).length;
					expect(words, `words of ${node.name}`).toBeLessThanOrEqual(75);
				}
				for (const word of node.name.split(/[ -]/)) expect(word).toMatch(/^[\dA-Z]/);
				const table = node.parameters.dataTableId as { value: string } | undefined;
				expect(table?.value ?? node.parameters.tableName ?? TABLE, node.name).toBe(TABLE);
			}
		});

		test(`${name}: what needs an account is switched off, and a note says so`, async () => {
			const { nodes } = await readExample(name);
			const accounts = nodes.filter(({ type }) => /\.(emailSend|slack)$/.test(type));
			expect(accounts.filter(({ disabled }) => !disabled).map((node) => node.name)).toEqual([]);
			const notes = nodes.filter(({ type }) => type === NOTE);
			const switchedOff = notes.filter(({ parameters }) =>
				String(parameters.content).startsWith('### Switched off'),
			);
			expect(switchedOff).toHaveLength(Math.min(accounts.length, 1));
		});
	}
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(textsIn);
}
