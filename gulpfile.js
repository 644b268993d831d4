const { dest, parallel, src } = require('gulp');
const { rm } = require('node:fs/promises');

/** What TypeScript does not compile: the icons and the nodes' JSON files. */
const icons = () => src('icons/**/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const nodeFiles = () => src('nodes/**/*.json').pipe(dest('dist/nodes'));

exports.clean = () => rm('dist', { recursive: true, force: true });
exports.assets = parallel(icons, nodeFiles);
