import {
	anchorsIn,
	DOCUMENTS,
	filesLike,
	homepage,
	isAbsolute,
	linksIn,
	MAX_IMAGE_BYTES,
	problemOf,
	prose,
	read,
	README,
	repository,
	sizeOf,
	targetFrom,
} from '../support/documents.mts';

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
			expect([target, sizeOf(target) < MAX_IMAGE_BYTES]).toEqual([target, true]);
		}
	});

	it('hold every picture that is kept for them', () => {
		const shown = DOCUMENTS.flatMap((document) =>
			linksIn(document).map(({ target }) => targetFrom(document, target)),
		);
		for (const image of filesLike('docs/images/*')) expect(shown).toContain(image);
	});

	it('are where the editor links to', () => {
		const sources = filesLike(['nodes/**/*.{ts,json}', 'credentials/*.ts']);
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
