import { CandidateAssessment } from '../../nodes/CandidateAssessment/CandidateAssessment.node';
import { DOCUMENTS } from '../../nodes/CandidateAssessment/errors/toNodeError';
import { homepage } from '../../package.json';
import { filesLike, pathFrom, read } from '../support/documents.mts';
import { OPERATIONS } from '../support/operations';

const README = 'README.md';
const PAGES = filesLike(['*.md', '{.github,demo,docs,examples,nodes}/**/*.md']);
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

it('CONTRIBUTING.md names only source files that are there, but for the one of its example', () => {
	const named = read('CONTRIBUTING.md').match(/(?<=`)(?:[\w-]+\/)*[\w.]+\.ts(?=`)/g);
	const names = [...new Set(named)];
	const missing = names.filter((name) =>
		[name, `nodes/CandidateAssessment/${name}`].every((path) => filesLike(path).length === 0),
	);
	expect(names.length).toBeGreaterThan(20);
	expect(missing).toEqual(['actions/job/create.operation.ts']);
});

it.each(PAGES)('%s links only to what is there', (document) => {
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

it('the editor links to headings of the README and of the documents', () => {
	const sources = filesLike(['nodes/**/*.{ts,json}', 'credentials/*.ts']);
	const [page] = homepage.split('#');
	const links = sources.flatMap((file) => read(file).match(/https:\/\/github\.com[^'"\s]*/g) ?? []);
	expect(links.splice(links.indexOf(DOCUMENTS), 1)).toEqual([`${page}/blob/main/docs/`]);
	const anchors = sources.flatMap(
		(file) => read(file).match(/(?<=\$\{DOCUMENTS\})[\w.#-]+\w/g) ?? [],
	);
	expect(anchors.length).toBeGreaterThan(0);
	for (const [file, anchor] of anchors.map((each) => each.split('#')))
		expect(anchorsIn(`docs/${file}`)).toContain(anchor);
	expect(links.length).toBeGreaterThan(0);
	for (const link of links) {
		const [address, anchor] = link.split('#');
		expect(address).toBe(page);
		expect(['readme', ...anchorsIn(README)]).toContain(anchor);
	}
});

/** Names and messages of n8n's, of three words or more. */
const OF_N8N = [
	...['Always Output Data', 'When Executed by Another Workflow', 'Conflicting Trigger Path'],
	...['Continue (using error output)', 'Import from file', 'is not registered'],
	...['Unrecognized node type', 'Loop Over Items'],
];

/** What stands in italics, and names in which each word has a capital letter. */
const QUOTED =
	/(?<!\*)\*((?:[^\s*|[\]]+ ){2,}[^\s*|[\]]+)\*(?!\*)|\*\*((?:[A-Z][\w'-]* ){2,}[A-Z][\w'-]*)\*\*/g;

it('a name or message that documents quote is one of the nodes or the examples, or of n8n', () => {
	const files = ['{nodes,credentials}/**/*.ts', 'examples/*.json'];
	const shown = filesLike(files).map(read).concat(OF_N8N).join();
	const documents = filesLike(['README.md', 'SECURITY.md', '{demo,docs}/*.md']);
	const quoted = documents.flatMap((document) => {
		const prose = read(document)
			.replace(CODE, '')
			.replace(/`[^`]*`/g, '')
			.replace(/\s+/g, ' ');
		return [...prose.matchAll(QUOTED)].map(([, message, name]) => message ?? name);
	});
	expect(quoted.length).toBeGreaterThan(10);
	const isShown = (part: string) => shown.includes(part.trim());
	expect(quoted.filter((text) => !text.split('…').every(isShown))).toEqual([]);
});
