import process from 'node:process';

/** The seed of generated values, the same in every run: tests fail because of changes, not by chance. */
export const SEED = Number(process.env.SEED ?? 1);

/** How many generated histories a property runs through; HISTORIES asks for more. */
export const histories = (count: number) => Number(process.env.HISTORIES ?? count);

/** Lets everything run that doesn't wait for a timer. */
export async function nextTurn(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}

/** True while Stryker runs the tests. */
export const IS_MUTANT = process.env.STRYKER_MUTATOR_WORKER !== undefined;
