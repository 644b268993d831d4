import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
export const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The files that match, relative to the repository. */
export const filesLike = (patterns: string | string[]) => globSync(patterns, { cwd: ROOT });

/** The target file of a link in a document. */
export const pathFrom = (document: string, target: string) => join(dirname(document), target);
