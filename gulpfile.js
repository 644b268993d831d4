// Complements `n8n-node build`, which copies too much, and `tsc --watch`, which copies no icons.
const { readdir, rm } = require('node:fs/promises');
const { join } = require('node:path');
const { parseArgs } = require('node:util');
const { dest, src, watch } = require('gulp');

const DIST = join(__dirname, 'dist');
const PUBLISHED = ['credentials', 'icons', 'nodes'];

/** Removes pictures that aren't published: the build copies all of the repository's to dist. */
exports.prune = async function prune() {
	const others = (await readdir(DIST)).filter((name) => !PUBLISHED.includes(name));
	await Promise.all(others.map((name) => rm(join(DIST, name), { recursive: true })));
};

/** Copies the icons to OUT_DIR whenever one changes: `gulp watch --outDir OUT_DIR`. */
exports.watch = function watchIcons() {
	const options = { outDir: { type: 'string', default: DIST } };
	const { outDir } = parseArgs({ options, strict: false }).values;
	// Without this, gulp would read a PNG as text.
	const binary = { encoding: false };
	watch('icons/*', function copyIcons() {
		return src('icons/*', binary).pipe(dest(join(outDir, 'icons')));
	});
};
