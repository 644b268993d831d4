import process from 'node:process';

/** How many generated histories a property runs through; HISTORIES asks for more. */
export const histories = (count: number) => Number(process.env.HISTORIES ?? count);

/** Lets everything run that does not wait for time to pass. */
export async function nextTurn(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}
