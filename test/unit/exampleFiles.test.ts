import type { WorkflowDefinition, WorkflowNode } from '../../tools/n8n/client.mts';
import { read } from '../support/documents.mts';
import { EXAMPLES, NOTE, PACKAGE, TABLE } from '../support/example.mts';

const ACCOUNT = /\.(emailSend|gmail|slack|googleSheets)$/;
const examples = EXAMPLES.map((name): [string, WorkflowDefinition] => [
	name,
	JSON.parse(read(`examples/${name}.json`)),
]);

const namesOf = (nodes: Array<{ name: string }>) => nodes.map(({ name }) => name);
const textsIn = (value: unknown): string[] =>
	typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);
const expressionsIn = (nodes: WorkflowNode[]) =>
	textsIn(nodes.map(({ parameters }) => parameters)).filter((text) => text.startsWith('='));

it('all examples together have at most 10,000 characters of expressions, and no Code node', () => {
	const nodes = examples.flatMap(([, example]) => example.nodes);
	expect(nodes.filter(({ type }) => /\.code(Tool)?$/.test(type))).toEqual([]);
	expect(expressionsIn(nodes).join('').length).toBeLessThanOrEqual(10_000);
});

describe.each(examples)('%s', (name, { name: title, nodes, connections, pinData = {} }) => {
	const ofType = (type: RegExp) => nodes.filter((node) => type.test(node.type));
	const notes = ofType(/stickyNote$/);

	it('has at most 18 nodes, no sample data, and no expression that spreads an object', () => {
		expect(nodes.length - notes.length).toBeLessThanOrEqual(18);
		expect(pinData).toEqual({});
		// n8n 2.33 fails there.
		expect(expressionsIn(nodes).filter((text) => /\.\.\.\$/.test(text))).toEqual([]);
	});

	it('holds no secret, no address of anybody, and the table that all share', () => {
		expect(namesOf(nodes.filter(({ credentials }) => credentials))).toEqual([]);
		// Nobody can own these (RFC 2606).
		const addresses = found(nodes, /[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/g);
		const hosts = found(nodes, /https?:\/\/([\w-]+(?:\.[\w-]+)+)/g);
		expect(addresses.filter((host) => !/\.example$/.test(host))).toEqual([]);
		expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
		expect(found(nodes, /(bearer |token|(?<!without a )password|api.?key)/gi)).toEqual([]);
		for (const { type, parameters } of nodes) {
			const table = parameters.dataTableId as { value: string } | undefined;
			expect(table?.value ?? parameters.tableName ?? TABLE).toBe(TABLE);
			if (type.endsWith('.emailSend'))
				expect([parameters.fromEmail, parameters.toEmail]).toEqual([
					'',
					expect.stringMatching(/^$|^=\{\{ .*\bemail \}\}$/),
				]);
		}
	});

	it('has one name everywhere, and two notes of at most 120 words that name what is deactivated', () => {
		expect(title.toLowerCase().replaceAll(' ', '-')).toBe(name);
		expect(read('examples/README.md')).toContain(`\n## ${title}\n`);
		expect(namesOf(notes)).toEqual(['Overview', 'Setup']);
		const [overview, setup] = notes.map(({ parameters }) => String(parameters.content));
		for (const note of [overview!, setup!])
			expect(note.split(/\s+/).length).toBeLessThanOrEqual(120);
		expect(overview).toMatch(new RegExp(`^## ${title}\n[^]*\n1\\. [^]*Self-hosted n8n only:`));
		expect(setup).toMatch(/^### Setup\n/);
		for (const node of ofType(new RegExp(`^${PACKAGE}`)))
			expect(setup).toContain(`**${node.name}**`);
		expect(namesOf(ofType(ACCOUNT).filter(({ disabled }) => !disabled))).toEqual([]);
		if (ofType(ACCOUNT).length > 0) expect(setup).toContain('deactivated');
		const isStarted = ofType(/schedule|form|AssessmentTrigger$/i).length > 0;
		expect(/\bPublish\b[^]*After any change, publish again/.test(setup!)).toBe(isStarted);
	});

	it('names only nodes that it has in its notes and wires, and has a wire to each', () => {
		const names = namesOf(nodes.filter(({ type }) => type !== NOTE));
		const wired = Object.entries(connections).flatMap(([from, types]) =>
			Object.values(types).flatMap((outputs) =>
				outputs.flatMap((targets) => (targets ?? []).flatMap(({ node }) => [from, node])),
			),
		);
		const apart = name === 'first-result' ? ['Get Scores'] : [];
		expect([...new Set([...wired, ...apart])].sort()).toEqual([...names].sort());
		const referenced = found(expressionsIn(nodes), /\$\('([^']+)'\)/g);
		expect(names).toEqual(expect.arrayContaining(referenced));
	});

	it('writes a row by its own ID or its link, without On Error, and keeps what n8n deprecates away', () => {
		for (const { type, parameters, onError } of nodes) {
			if (type.endsWith('.executeWorkflow')) expect(parameters.mode).toBe('once');
			if (parameters.operation === 'invite' && name !== 'first-result')
				expect(parameters.additionalFields).toMatchObject({ deadlineDays: 14 });
			if (!/dataTable$/.test(type) || !/^(update|insert)$/.test(String(parameters.operation)))
				continue;
			expect(onError).toBe(undefined);
			const { conditions = [] } = (parameters.filters ?? {}) as {
				conditions?: Array<{ keyName: string }>;
			};
			const keys = conditions.map(({ keyName }) => keyName).join();
			expect(keys).toMatch(/^(|id|id,status|id,invitation_link)$/);
		}
	});
});

/** The first group of each match in the texts of a value. */
function found(value: unknown, pattern: RegExp): string[] {
	return textsIn(value).flatMap((text) => [...text.matchAll(pattern)].map(([, match]) => match!));
}
