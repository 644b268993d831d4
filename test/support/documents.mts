import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/*
 * Links in the README are relative: GitHub resolves them, and so does npm's website, against the
 * repository that package.json names. Neither follows a path out of the repository, and npm leaves
 * pictures alone that are written in HTML.
 */

const ROOT = join(import.meta.dirname, '..', '..');
export const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
export const { homepage } = JSON.parse(read('package.json')) as { homepage: string };

export const DOCUMENTS = globSync(['*.md', '.github/**/*.md', 'docs/**/*.md', 'examples/**/*.md'], {
	cwd: ROOT,
});
export const README = 'README.md';

interface Link {
	isImage: boolean;
	target: string;
}

/** Without code, in which brackets mean something else. */
function prose(markdown: string): string {
	return markdown.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

export function linksIn(document: string): Link[] {
	const links = prose(read(document)).matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)[^)]*\)/g);
	return [...links].map(([, mark, target]) => ({ isImage: mark === '!', target }));
}

/** The anchors that GitHub gives to a document's headings. */
export function anchorsIn(document: string): string[] {
	const withoutCode = read(document).replace(/^```[^]*?^```/gm, '');
	return [...withoutCode.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

/** What is wrong with a link, if anything. */
export function problemOf(document: string, target: string): string | undefined {
	const [path, anchor] = target.split('#');
	const file = path ? relative(ROOT, join(ROOT, dirname(document), path)) : document;
	if (file.startsWith('..')) return 'leads out of the repository';
	if (!existsSync(join(ROOT, file))) return 'leads to nothing';
	if (anchor && !anchorsIn(file).includes(anchor)) return 'leads to no heading';
	return undefined;
}

export const isAbsolute = (target: string) => /^[a-z]+:/i.test(target);

/** The files that match, relative to the repository. */
export const filesLike = (patterns: string | string[]) => globSync(patterns, { cwd: ROOT });

/** The path of a link's target, relative to the repository. */
export const targetFrom = (document: string, target: string) => join(dirname(document), target);
