import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees at once whatever nothing refers to. */
export function collectGarbage(): void {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
}
