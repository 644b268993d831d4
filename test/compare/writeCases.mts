import { writeFileSync } from 'node:fs';
import process from 'node:process';
import type { Case } from './observe.ts';

/** Writes the file that compare.mts reads. */
export function writeCases(cases: readonly Case[]): void {
	writeFileSync(String(process.env.COMPARE), JSON.stringify(cases));
}
