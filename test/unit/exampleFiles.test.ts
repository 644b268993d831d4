import type { WorkflowDefinition, WorkflowNode } from '../../tools/n8n/client.mts';
import { read } from '../support/documents.mts';
import { EXAMPLES, NOTE, PACKAGE, TABLE } from '../support/example.mts';

const ACCOUNT = /\.(emailSend|gmail|slack|googleSheets)$/;
const examples = EXAMPLES.map((name): [string, WorkflowDefinition] => [
	name,
	JSON.parse(read(`examples/${name}.json`)),
]);

/** The first group of each match in the texts of a value. */
const found = (value: unknown, pattern: RegExp) =>
	textsIn(value).flatMap((text) => [...text.matchAll(pattern)].map(([, match]) => match!));
const namesOf = (nodes: Array<{ name: string }>) => nodes.map(({ name }) => name);
const textsIn = (value: unknown): string[] =>
	typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);
const expressionsIn = (nodes: WorkflowNode[]) =>
	textsIn(nodes.map(({ parameters }) => parameters)).filter((text) => text.startsWith('='));

it('all together have at most 10,000 characters of expressions, and one table', () => {
	const nodes = examples.flatMap(([, example]) => example.nodes);
	expect(expressionsIn(nodes).join('').length).toBeLessThanOrEqual(10_000);
	const creates = nodes.filter(({ name }) => name === 'Create The Table');
	expect(new Set(creates.map(({ parameters }) => JSON.stringify(parameters))).size).toBe(1);
	const tables = nodes.map(({ parameters }) => [parameters.dataTableId, parameters.tableName]);
	expect(new Set(textsIn(tables))).toEqual(new Set(['name', TABLE]));
});

describe.each(examples)('%s', (name, { name: title, nodes, connections, pinData = {} }) => {
	const ofType = (type: RegExp) => nodes.filter((node) => type.test(node.type));
	const [notes, accounts] = [ofType(/stickyNote$/), ofType(ACCOUNT)];

	it('has at most 18 nodes, no code or sample data, and no expression that spreads an object', () => {
		expect(nodes.length - notes.length).toBeLessThanOrEqual(18);
		expect([ofType(/\.code(Tool)?$/), pinData]).toEqual([[], {}]);
		// n8n 2.33 fails there.
		expect(expressionsIn(nodes).filter((text) => /\.\.\.\$/.test(text))).toEqual([]);
	});

	it('holds no secret and no address, and emails only the address in a row', () => {
		expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
		const secret = /(bearer |token|(?<!without a )password|api.?key|\w@\w|https?:\/\/\w)/gi;
		expect(found(nodes, secret)).toEqual([]);
		for (const { parameters } of ofType(/emailSend$/)) {
			const to = expect.stringMatching(/^$|^=\{\{ .*\bemail \}\}$/);
			expect([parameters.fromEmail, parameters.toEmail]).toEqual(['', to]);
		}
	});

	it('has one name everywhere, and two notes of at most 120 words that name what is to set up', () => {
		expect(title.toLowerCase().replaceAll(' ', '-')).toBe(name);
		expect(read('examples/README.md')).toContain(`\n## ${title}\n`);
		expect(namesOf(notes)).toEqual(['Overview', 'Setup']);
		const [overview, setup] = notes.map(({ parameters }) => String(parameters.content));
		for (const note of [overview!, setup!])
			expect(note.split(/\s+/).length).toBeLessThanOrEqual(120);
		expect(overview).toMatch(new RegExp(`^## ${title}\n[^]*\n1\\. [^]*Self-hosted n8n only:`));
		const ours = namesOf(ofType(new RegExp(`^${PACKAGE}`))).map((node) => `**${node}**`);
		for (const word of ['### Setup\n', ...ours, ...(accounts.length > 0 ? ['deactivated'] : [])])
			expect(setup).toContain(word);
		expect(accounts.filter(({ disabled }) => !disabled)).toEqual([]);
	});

	it('has a wire to each node, and names only nodes that it has', () => {
		const names = namesOf(nodes.filter(({ type }) => type !== NOTE));
		const targets = Object.values(connections).flatMap((types) => Object.values(types).flat(2));
		const wired = [...Object.keys(connections), ...targets.flatMap((each) => each?.node ?? [])];
		const apart = name === 'first-result' ? ['Get Scores'] : [];
		expect([...new Set([...wired, ...apart])].sort()).toEqual([...names].sort());
		const referenced = found(expressionsIn(nodes), /\$\('([^']+)'\)/g);
		expect(names).toEqual(expect.arrayContaining(referenced));
	});

	it('writes a row by its own ID or its link, without On Error', () => {
		for (const { type, parameters, onError } of nodes) {
			if (!/dataTable$/.test(type) || !/update|insert/.test(String(parameters.operation))) continue;
			expect(onError).toBe(undefined);
			const keys = found(JSON.stringify(parameters), /"keyName":"(\w+)"/g).join();
			expect(keys).toMatch(/^(|id(,status)*|id,invitation_link)$/);
		}
	});
});
