import { EXAMPLES, NOTE, ONLY_2X, readExample, TABLE } from '../../support/example.mts';
import { expect, test } from './fixtures.mts';

/** Nodes in which a user would have to write a program. */
const PROGRAMS = /\.(code|codeTool|toolCode|function|functionItem|executeCommand|aiTransform)$/i;

/** Expressions may hold what dragging a field gives, the current time, and n8n's own helpers. */
const PLAIN = [
	/^\$json(\.\w+|\['[\w ]+'\])+$/,
	/^\$\('[^']+'\)\.(item|first\(\)|last\(\))\.json(\.\w+|\['[\w ]+'\])+$/,
	/^\$execution\.(id|resumeFormUrl)$/,
	/^\$(now|runIndex|itemIndex \+ 2)$/,
	/^\$tool\.parameters\.\w+$/,
	/^\$fromAI\('\w+', '[^']+', 'string'\)$/,
	/^\$json\.\w+\.toDateTime\(\)\.diffToNow\('days'\)$/,
	/^\$now\.minus\(\{ days: 7 \}\)$/,
	/^\$if\(\$json\.\w+, '[^']*', '[^']*'\)$/,
	/^\['\w+'(, '\w+')*\]\.difference\(\$json\.keys\(\)\)(\.join\(', '\))?$/,
	/^\$\('[^']+'\)\.(item|first\(\))\.json\.\w+\.toDateTime\(\)\.format\('[\w ]+'\)$/,
];

for (const name of EXAMPLES) {
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

	test(`${name}: holds no secret and no real person`, async () => {
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

	test(`${name}: one yellow note explains it, and the white ones are short`, async () => {
		const { name: title, nodes } = await readExample(name);
		const notes = nodes.filter(({ type }) => type === NOTE).map(({ parameters }) => parameters);
		const [overview, ...more] = notes.filter(({ color }) => color === undefined);
		expect(more).toEqual([]);
		const content = String(overview.content);
		const parts = [`## ${title}\n`, '### How it works\n', '### Setup\n', 'Self-hosted n8n only'];
		for (const part of parts) expect(content).toContain(part);
		if (ONLY_2X.includes(name)) expect(content).toContain('n8n 2.x');
		expect(wordsIn(content)).toBeGreaterThanOrEqual(100);
		expect(wordsIn(content)).toBeLessThanOrEqual(300);
		const sections = notes.filter(({ color }) => color === 7);
		expect(sections).toHaveLength(notes.length - 1);
		for (const note of sections) expect(wordsIn(String(note.content))).toBeLessThan(50);
	});

	test(`${name}: nodes are in Title Case, and the table is the same`, async () => {
		const { nodes } = await readExample(name);
		for (const node of nodes) {
			for (const word of node.name.split(/[ -]/)) expect(word).toMatch(/^[\dA-Z]/);
			const table = node.parameters.dataTableId as { value: string } | undefined;
			expect(table?.value ?? node.parameters.tableName ?? TABLE, node.name).toBe(TABLE);
		}
	});

	test(`${name}: what needs an account is switched off, and a note says so`, async () => {
		const { nodes, pinData = {} } = await readExample(name);
		const accounts = nodes.filter(({ type }) =>
			/\.(emailSend|slack|gmail|googleSheets)$/.test(type),
		);
		const active = accounts.filter((node) => !node.disabled && !(node.name in pinData));
		expect(active.map((node) => node.name)).toEqual([]);
		const notes = nodes.filter(({ type }) => type === NOTE);
		const switchedOff = notes.filter(({ parameters }) =>
			String(parameters.content).startsWith('### Switched off'),
		);
		expect(switchedOff).toHaveLength(Math.min(accounts.length, 1));
	});
}

const wordsIn = (text: string) => text.split(/\s+/).length;

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(textsIn);
}
