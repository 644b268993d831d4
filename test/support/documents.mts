import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
export const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The files that match, relative to the repository. */
export const filesLike = (patterns: string | string[]) => globSync(patterns, { cwd: ROOT });

/** The file that a link in a document leads to. */
export const pathFrom = (document: string, target: string) => join(dirname(document), target);
