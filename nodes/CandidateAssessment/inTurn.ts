const turns = new Map<string, Promise<unknown>>();

/** Runs one after the other what has the same key. One that failed does not keep the next from running. */
export async function inTurn<T>(key: string, run: () => Promise<T>): Promise<T> {
	const mine = Promise.resolve(turns.get(key)).then(run, run);
	turns.set(key, mine);
	try {
		return await mine;
	} finally {
		if (turns.get(key) === mine) turns.delete(key);
	}
}
