import ts from 'typescript';
import { CandidateAssessment } from '../../nodes/CandidateAssessment/CandidateAssessment.node';
import { homepage } from '../../package.json';
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
	const prose = read(document).replace(CODE, '').toLowerCase();
	const headings = prose.match(/(?<=^#+ ).+$/gm) ?? [];
	return headings.map((each) => each.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

/** What users can choose in *If Already Invited*. */
const CHOICES = new CandidateAssessment().description.properties
	.filter(({ name }) => name === 'alreadyInvited')
	.flatMap(({ options = [] }) => options.map(({ name }) => name));

it('the README names every operation, and docs/inviting.md every choice of If Already Invited', () => {
	const readme = read(README).toLowerCase();
	const rows = OPERATIONS.map(({ resource, name }) => `| ${resource}: **${name.toLowerCase()}** `);
	expect(rows.filter((row) => !readme.includes(row))).toEqual([]);
	expect(CHOICES.length).toBeGreaterThan(0);
	const inviting = read('docs/inviting.md');
	expect(CHOICES.filter((name) => !inviting.includes(`\n| ${name} `))).toEqual([]);
});

it('the README has the commands that run the nodes and their tests, and CI calls them', () => {
	for (const command of ['npm start', 'npm test']) {
		expect(read(README)).toContain(`\n- \`npm install && ${command}\` `);
		expect(read('.ci/run')).toContain(`${command} -- `);
	}
	expect(read('.ci/run')).toMatch(/^check npm install$/m);
});

it('CONTRIBUTING.md names only source files that are there, but for the one of its example', () => {
	const named = read('CONTRIBUTING.md').match(/(?<=`)(?:[\w-]+\/)*[\w.]+\.ts(?=`)/g);
	const names = [...new Set(named)];
	const missing = names.filter((name) =>
		[name, `nodes/CandidateAssessment/${name}`].every((path) => filesLike(path).length === 0),
	);
	expect(names.length).toBeGreaterThan(20);
	expect(missing).toEqual(['actions/job/create.operation.ts']);
});

it.each([
	['docs/README.md', ['docs/*.md']],
	['docs/for-reviewers.md', ['docs/design/*.md', 'nodes/*/memory/lock/README.md']],
])('%s leads to every page of %j', (document, pages) => {
	const linked = linksIn(document).map((target) => pathFrom(document, target.split('#')[0]));
	expect([document, ...linked]).toEqual(expect.arrayContaining(filesLike(pages)));
});

it('a document that code names is there', () => {
	const code = filesLike('{nodes,credentials,mock-service,demo,tools,test}/**/*.{ts,mts}');
	const named = code.flatMap(
		(file) => read(file).match(/\b(?:docs|examples)\/(?:\w[\w-]*\/)*[\w-]+\.md\b/g) ?? [],
	);
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter((name) => filesLike(name).length === 0)).toEqual([]);
});

it.each(DOCUMENTS)('%s links only to what is there', (document) => {
	const broken = linksIn(document).filter((target) => {
		if (/^[a-z]+:/i.test(target)) return false;
		const [path, anchor] = target.split('#');
		const file = path ? pathFrom(document, path) : document;
		// Neither GitHub nor npm's website follows a link out of the repository.
		if (file.startsWith('..') || filesLike(file).length === 0) return true;
		return anchor && !anchorsIn(file).includes(anchor);
	});
	expect(broken).toEqual([]);
});

it('the editor links to headings of the README', () => {
	const sources = filesLike(['nodes/**/*.{ts,json}', 'credentials/*.ts']);
	const [page] = homepage.split('#');
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
	let text = read(file);
	if (file.endsWith('.ts')) text = literalsIn(text).join('\n');
	else if (file.endsWith('.json')) text = text.replaceAll('\\n', '\n');
	else text = text.replace(CODE, '').replace(/\]\([^)]*\)/g, ']');
	return text.replace(/\s+/g, ' ');
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
	expect(wordsIn(file).match(WORDS_OF_THE_CODE)).toBeNull();
});

it('whatever names a choice of If Already Invited names one that the node has', () => {
	const named = READ_BY_USERS.flatMap(
		(file) => wordsIn(file).match(/\bSkip, (?:and|but)(?: as| [A-Z]\w+)+/g) ?? [],
	);
	expect(new Set(named).size).toBe(2);
	expect(CHOICES).toEqual(expect.arrayContaining(named));
});

const NUMBERS = 'no one two three four five six seven eight nine ten'.split(' ');

it('docs/administrators.md counts the endpoints that a token has to allow', () => {
	const [sentence] = /The nodes use \w+ endpoints/.exec(read('docs/administrators.md')) ?? [];
	expect(sentence).toBe(`The nodes use ${NUMBERS[OPERATIONS.length]} endpoints`);
});
