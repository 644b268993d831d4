import type { INodeProperties } from 'n8n-workflow';
import ts from 'typescript';
import { CandidateAssessment } from '../../nodes/CandidateAssessment/CandidateAssessment.node';
import { filesLike, pathFrom, read } from '../support/documents.mts';
import { OPERATIONS } from '../support/operations';

const README = 'README.md';
const DOCUMENTS = filesLike(['*.md', '{.github,demo,docs,examples,nodes}/**/*.md']);
const CODE = /^```[^]*?^```/gm;

/** The targets of links and pictures. In code, brackets have another meaning. */
function linksIn(document: string): string[] {
	const prose = read(document)
		.replace(CODE, '')
		.replace(/`[^`\n]*`/g, '');
	return [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)[^)]*\)/g)].map(([, target]) => target);
}

/** The anchors that GitHub assigns to a document's headings. */
function anchorsIn(document: string): string[] {
	const headings = read(document)
		.replace(CODE, '')
		.matchAll(/^#+ (.+)$/gm);
	return [...headings].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

/**
 * Returns the problem with a relative link, if any. GitHub resolves it, and npm's website resolves it against the
 * repository; neither follows it outside.
 */
function problemOf(document: string, target: string): string | undefined {
	const [path, anchor] = target.split('#');
	const file = path ? pathFrom(document, path) : document;
	if (file.startsWith('..')) return 'leads out of the repository';
	if (filesLike(file).length === 0) return 'leads to nothing';
	if (anchor && !anchorsIn(file).includes(anchor)) return 'leads to no heading';
	return undefined;
}

const namesIn = ({ options = [] }: INodeProperties) =>
	(options as INodeProperties[]).map(({ displayName, name }) => displayName ?? name);

it('the README names every operation, and docs/inviting.md every choice of If Already Invited', () => {
	const { properties } = new CandidateAssessment().description;
	const called = (field: string) => properties.filter(({ name }) => name === field);
	const operations = called('operation').flatMap((field) => {
		const [resource] = field.displayOptions!.show!.resource!;
		return namesIn(field).map((name) => `| ${String(resource)}: **${name}** `);
	});
	const readme = read(README).toLowerCase();
	expect(operations.filter((row) => !readme.includes(row.toLowerCase()))).toEqual([]);
	const choices = called('alreadyInvited').flatMap(namesIn);
	expect(choices.length).toBeGreaterThan(0);
	const inviting = read('docs/inviting.md');
	expect(choices.filter((name) => !inviting.includes(`\n| ${name} `))).toEqual([]);
});

it('the README has the commands that run the nodes and their tests, and CI calls them', () => {
	for (const command of ['npm start', 'npm test']) {
		expect(read(README)).toContain(`\n- \`npm install && ${command}\` `);
		expect(read('.ci/run')).toContain(`${command} -- `);
	}
	expect(read('.ci/run')).toMatch(/^check npm install$/m);
});

it('CONTRIBUTING.md names only source files that are there, but for the one of its example', () => {
	const named = read('CONTRIBUTING.md').matchAll(/`((?:[\w-]+\/)*[\w.]+\.ts)`/g);
	const names = [...new Set([...named].map(([, name]) => name))];
	const missing = names.filter((name) =>
		[name, `nodes/CandidateAssessment/${name}`].every((path) => filesLike(path).length === 0),
	);
	expect(names.length).toBeGreaterThan(20);
	expect(missing).toEqual(['actions/job/create.ts']);
});

it('docs/README.md lists every document of its folder', () => {
	const listed = linksIn(`docs/${README}`).map((target) => `docs/${target}`);
	expect([...listed, `docs/${README}`]).toEqual(expect.arrayContaining(filesLike('docs/*.md')));
});

it('docs/for-reviewers.md leads to every page of the design', () => {
	const pages = [
		...filesLike('docs/design/*.md'),
		'nodes/CandidateAssessment/memory/lock/README.md',
	];
	const document = 'docs/for-reviewers.md';
	const linked = linksIn(document).map((target) => pathFrom(document, target.split('#')[0]));
	expect(linked).toEqual(expect.arrayContaining(pages));
});

it('a document that code names is there', () => {
	const code = filesLike('{nodes,credentials,mock-service,demo,tools,test}/**/*.{ts,mts}');
	const named = code.flatMap((file) =>
		[...read(file).matchAll(/\b(?:docs|examples)\/(?:\w[\w-]*\/)*[\w-]+\.md\b/g)].map(
			([name]) => name,
		),
	);
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter((name) => filesLike(name).length === 0)).toEqual([]);
});

it.each(DOCUMENTS)('%s links only to what is there', (document) => {
	const broken = linksIn(document)
		.filter((target) => !/^[a-z]+:/i.test(target))
		.map((target) => [target, problemOf(document, target)])
		.filter(([, problem]) => problem);
	expect(broken).toEqual([]);
});

it('the editor links to headings of the README', () => {
	const sources = filesLike(['nodes/**/*.{ts,json}', 'credentials/*.ts']);
	const [page] = (JSON.parse(read('package.json')) as { homepage: string }).homepage.split('#');
	const links = sources.flatMap((file) => read(file).match(/https:\/\/github\.com[^'"\s]*/g) ?? []);
	expect(links.length).toBeGreaterThan(0);
	for (const link of links) {
		const [address, anchor] = link.split('#');
		expect(address).toBe(page);
		expect(['readme', ...anchorsIn(README)]).toContain(anchor);
	}
});

/** The files that users read. */
const READ_BY_USERS = filesLike([
	...['README.md', 'SECURITY.md', 'demo/*.md', 'docs/*.md', 'examples/*.{md,json}'],
	'{nodes,credentials}/**/*.ts',
]);

/** Words that only the code uses; users read "unconfirmed" and the like. CONTRIBUTING lists them. */
const WORDS_OF_THE_CODE =
	/\b(in doubt|settl(e|es|ed|ing)|borrow(s|ed|ing)?|receivers?|remembers? nobody|leaves? at)\b/gi;

/** The sentences in a file: a document's prose, code's literals, or a whole workflow. */
function wordsIn(file: string): string {
	const text = read(file);
	if (file.endsWith('.ts')) return literalsIn(text).join('\n');
	if (file.endsWith('.json')) return text.replaceAll('\\n', '\n');
	return file.endsWith('.md') ? text.replace(CODE, '').replace(/\]\([^)]*\)/g, ']') : text;
}

function literalsIn(code: string): string[] {
	const literals: string[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
			literals.push(node.getText());
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('', code, ts.ScriptTarget.Latest, true));
	return literals;
}

it.each(READ_BY_USERS)('%s has no word that only the code has', (file) => {
	expect(wordsIn(file).replace(/\s+/g, ' ').match(WORDS_OF_THE_CODE)).toBeNull();
});

it('whatever names a choice of If Already Invited names one that the node has', () => {
	const { properties } = new CandidateAssessment().description;
	const choices = properties.filter(({ name }) => name === 'alreadyInvited').flatMap(namesIn);
	const named = READ_BY_USERS.flatMap((file) => [
		...wordsIn(file)
			.replace(/\s+/g, ' ')
			.matchAll(/\bSkip, (?:and|but)(?: as| [A-Z]\w+)+/g),
	]).map(([name]) => name);
	expect(new Set(named).size).toBe(2);
	expect(choices).toEqual(expect.arrayContaining(named));
});

const NUMBERS = [
	'no',
	'one',
	'two',
	'three',
	'four',
	'five',
	'six',
	'seven',
	'eight',
	'nine',
	'ten',
];

it('docs/administrators.md counts the endpoints that a token has to allow', () => {
	const [sentence] = /The nodes use \w+ endpoints/.exec(read('docs/administrators.md')) ?? [];
	expect(sentence).toBe(`The nodes use ${NUMBERS[OPERATIONS.length]} endpoints`);
});
