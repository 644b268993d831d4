import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/*
 * Links in the README are relative: GitHub resolves them, and so does npm's website, against the
 * repository that package.json names. Neither follows a path out of the repository, and npm leaves
 * pictures alone that are written in HTML.
 */

const ROOT = join(__dirname, '..', '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { repository, homepage } = JSON.parse(read('package.json')) as {
	repository: { url: string };
	homepage: string;
};

const DOCUMENTS = globSync(['*.md', '.github/**/*.md', 'docs/**/*.md', 'examples/**/*.md'], {
	cwd: ROOT,
});
const README = 'README.md';
const MAX_IMAGE_BYTES = 2 * 2 ** 20;

interface Link {
	isImage: boolean;
	target: string;
}

/** Without code, in which brackets mean something else. */
function prose(markdown: string): string {
	return markdown.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

function linksIn(document: string): Link[] {
	const found = prose(read(document)).matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)[^)]*\)/g);
	return [...found].map(([, mark, target]) => ({ isImage: mark === '!', target }));
}

/** The anchors that GitHub gives to a document's headings. */
function anchorsIn(document: string): string[] {
	const withoutCode = read(document).replace(/^```[^]*?^```/gm, '');
	return [...withoutCode.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

/** What is wrong with a link, if anything. */
function problemOf(document: string, target: string): string | undefined {
	const [path, anchor] = target.split('#');
	const file = path ? relative(ROOT, join(ROOT, dirname(document), path)) : document;
	if (file.startsWith('..')) return 'leads out of the repository';
	if (!existsSync(join(ROOT, file))) return 'leads to nothing';
	if (anchor && !anchorsIn(file).includes(anchor)) return 'leads to no heading';
	return undefined;
}

const isAbsolute = (target: string) => /^[a-z]+:/i.test(target);

describe('The documents', () => {
	it.each(DOCUMENTS)('%s links only to what is there', (document) => {
		const broken = linksIn(document)
			.filter(({ target }) => !isAbsolute(target))
			.map(({ target }) => [target, problemOf(document, target)])
			.filter(([, problem]) => problem);
		expect(broken).toEqual([]);
	});

	it('name a repository at GitHub, against which npm resolves the links of the README', () => {
		expect(repository.url).toMatch(/^git\+https:\/\/github\.com\/[\w-]+\/[\w.-]+\.git$/);
		expect(read(README)).toContain(`git clone ${repository.url.replace('git+', '')}`);
	});

	it('show pictures in Markdown, and none that takes long to load', () => {
		expect(prose(read(README))).not.toMatch(/<img/i);
		const images = linksIn(README).filter(({ isImage }) => isImage);
		expect(images.length).toBeGreaterThan(0);
		for (const { target } of images) {
			expect([target, statSync(join(ROOT, target)).size < MAX_IMAGE_BYTES]).toEqual([target, true]);
		}
	});

	it('hold every picture that is kept for them', () => {
		const shown = DOCUMENTS.flatMap((document) =>
			linksIn(document).map(({ target }) => join(dirname(document), target)),
		);
		for (const image of globSync('docs/images/*', { cwd: ROOT })) expect(shown).toContain(image);
	});

	it('are where the editor links to', () => {
		const sources = globSync(['nodes/**/*.{ts,json}', 'credentials/*.ts'], { cwd: ROOT });
		const [page] = homepage.split('#');
		const links = sources.flatMap(
			(file) => read(file).match(/https:\/\/github\.com[^'"\s]*/g) ?? [],
		);
		expect(links.length).toBeGreaterThan(0);
		for (const link of links) {
			const [address, anchor] = link.split('#');
			expect(address).toBe(page);
			expect(['readme', ...anchorsIn(README)]).toContain(anchor);
		}
	});
});
