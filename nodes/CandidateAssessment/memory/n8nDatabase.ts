/** What n8n's deduplication helper and its database mean by an error, in every version and on every database. */

/** The row is there, and a node with another mode made it. */
export function isOtherMode(error: Error): boolean {
	return error.constructor.name === 'DeduplicationError';
}

/** True for a workflow that was never saved, or runs from an unsaved editor. */
export function isUnknownWorkflow(error: Error): boolean {
	return /foreign key/i.test(error.message);
}

/** Retries once: the database may have been busy for a moment. */
export async function twice<T>(run: () => Promise<T>): Promise<T> {
	return await run().catch(run);
}

export async function errorOf(promise: Promise<unknown>): Promise<Error | undefined> {
	return await promise.then(() => undefined).catch((error: Error) => error);
}
