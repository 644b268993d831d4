const lastTasks = new Map<string, Promise<unknown>>();

/** Runs tasks with the same key one after the other. A failure doesn't block the queue. */
export async function inSequence<T>(key: string, run: () => Promise<T>): Promise<T> {
	const mine = Promise.resolve(lastTasks.get(key)).then(run, run);
	lastTasks.set(key, mine);
	try {
		return await mine;
	} finally {
		if (lastTasks.get(key) === mine) lastTasks.delete(key);
	}
}
