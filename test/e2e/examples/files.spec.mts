import { EXAMPLES, NOTE, ONLY_2X, readExample, TABLE } from '../../support/example.mts';
import { expect, test } from './fixtures.mts';

/** Nodes in which a user would have to write a program. */
const PROGRAMS = /\.(code|codeTool|toolCode|function|functionItem|executeCommand|aiTransform)$/i;

const EMAIL = /\.(emailSend|gmail)$/;
const ACCOUNT = /\.(emailSend|slack|gmail|googleSheets)$/;

/** Expressions may hold what dragging a field gives, the current time, and n8n's own helpers. */
const PLAIN = [
	/^\$json(\.\w+|\['[\w ]+'\])+$/,
	/^\$\('[^']+'\)\.(item|first\(\)|last\(\))\.json(\.\w+|\['[\w ]+'\])+$/,
	/^\$json\.\w+\.toLowerCase\(\)$/,
	/^\$\('[^']+'\)\.(item|first\(\))\.json(\.\w+\.toLowerCase\(\))?$/,
	/^\$execution\.(id|resumeFormUrl)$/,
	/^\$(now|runIndex|itemIndex \+ 2)$/,
	/^\$tool\.parameters\.\w+$/,
	/^\$fromAI\('\w+', '[^']+', 'string'\)$/,
	/^\$json\.\w+\.toDateTime\(\)\.diffToNow\('days'\)$/,
	/^\$now\.minus\(\{ days: 7 \}\)$/,
	/^\$if\(\$json\.row > \$json\.min_row, .*\)$/,
	/^\$if\(\$json\.data\.split\('\\n'\)\[0\]\.includes\(';'\), ';', ','\)$/,
	/^\$\('([^']+)'\)\.isExecuted \? \$\('\1'\)\.all\(\)\.length : 0$/,
	/^\['\w+'(, '\w+')*\]\.difference\(\$json\.keys\(\)\)(\.join\(', '\))?$/,
	/^(\$json|\$\('[^']+'\)\.(item|first\(\))\.json)\.\w+\.toDateTime\(\)\.format\('[\w -]+'\)$/,
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

	test(`${name}: holds no secret, and no address of anybody`, async () => {
		const { nodes, pinData } = await readExample(name);
		expect(nodes.filter(({ credentials }) => credentials).map((node) => node.name)).toEqual([]);
		const texts = textsIn([nodes, pinData]);
		const found = (pattern: RegExp) =>
			texts.flatMap((text) => [...text.matchAll(pattern)].map(([, match]) => match));
		// Nobody can have these (RFC 2606).
		const mailHosts = found(/[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/g);
		expect(mailHosts.filter((host) => !host.endsWith('.example'))).toEqual([]);
		const hosts = found(/https?:\/\/([\w-]+(?:\.[\w-]+)+)/g);
		expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
		expect(found(/(bearer |token|secret|password|api.?key)/gi)).toEqual([]);
		for (const { type, parameters } of nodes.filter((node) => EMAIL.test(node.type))) {
			expect([type, parameters.fromEmail ?? '']).toEqual([type, '']);
			expect(parameters.toEmail ?? parameters.sendTo).toMatch(/^$|^=\{\{ .*\.email \}\}$/);
		}
	});

	test(`${name}: two notes above the nodes explain it, and name every node that is switched off`, async () => {
		const { name: title, nodes, pinData = {} } = await readExample(name);
		const notes = nodes.filter(({ type }) => type === NOTE);
		expect(notes.map((note) => note.name)).toEqual(['Overview', 'Setup']);
		const [overview, setup] = notes.map(({ parameters }) => String(parameters.content));
		expect(overview).toMatch(new RegExp(`^## ${title}\n[^]*\n### How it works\n`));
		expect(setup).toMatch(/^### Setup\n[^]*\*\*Self-hosted n8n only:\*\*/);
		if (ONLY_2X.includes(name)) expect(setup).toContain('n8n 2.x');
		expect(wordsIn(overview + setup)).toBeLessThanOrEqual(300);
		const onCanvas = nodes.filter(({ type }) => type !== NOTE);
		const top = Math.min(...onCanvas.map(({ position: [, y] }) => y));
		for (const { position, parameters } of notes)
			expect(position[1] + Number(parameters.height)).toBeLessThan(top);
		const accounts = onCanvas.filter(({ type }) => ACCOUNT.test(type));
		const active = accounts.filter((node) => !node.disabled && !(node.name in pinData));
		expect(active.map((node) => node.name)).toEqual([]);
		if (accounts.length > 0) expect(setup).toContain('switched off');
		// Where candidates are invited, the link reaches them only if somebody sends it.
		if (accounts.some((node) => /^(Send|Email) The Link$/.test(node.name)))
			expect(setup).toMatch(/\bservice\b.* emails the link/);
	});

	test(`${name}: nothing in it is deprecated`, async () => {
		const { nodes } = await readExample(name);
		const each = nodes.filter(({ type }) => type.endsWith('.executeWorkflow'));
		for (const { parameters } of each) expect(parameters.mode).toBeUndefined();
	});

	test(`${name}: nodes are in Title Case, and the table is the same`, async () => {
		const { nodes } = await readExample(name);
		for (const node of nodes) {
			for (const word of node.name.split(/[ -]/)) expect(word).toMatch(/^[\dA-Z]/);
			const table = node.parameters.dataTableId as { value: string } | undefined;
			expect(table?.value ?? node.parameters.tableName ?? TABLE, node.name).toBe(TABLE);
		}
	});
}

const wordsIn = (text: string) => text.split(/\s+/).length;

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(textsIn);
}
