import { filesLike } from '../support/documents.mts';

it('The build leaves the compiled sources, their JSON and the icons in dist, and nothing else', () => {
	const sources = filesLike(['{credentials,nodes}/**/*.{ts,json}', 'icons/*']);
	// Skips folders, one of which is called v1.0.0.
	const built = filesLike('dist/**').filter((path) => /\.[a-z]+$/.test(path));
	expect(built.sort()).toEqual(sources.map((path) => `dist/${path.replace(/ts$/, 'js')}`).sort());
});
