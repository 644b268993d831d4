/** What n8n's deduplication helper and its database mean by an error, in every version and on every database. */

/** The row is there, and a node with another mode made it. */
export function isOtherMode(error: Error): boolean {
	return error.constructor.name === 'DeduplicationError';
}

/** True for a workflow that was never saved, or runs from an unsaved editor. */
export function isUnknownWorkflow(error: Error): boolean {
	return /foreign key/i.test(error.message);
}

/**
 * What to do about a full column, if it's full: on MySQL and MariaDB (n8n 1.x only), it holds 65,535 bytes. A longer
 * value is refused, or cut off where the database isn't strict: then n8n can't read it again, in a larger column either.
 */
export function adviceOnFullColumn({ message }: Error): string | undefined {
	if (/data too long/i.test(message)) return `${COLUMN_FULL}, or to move n8n to PostgreSQL.`;
	const isCutOff = /JSON at position|end of JSON|in JSON/.test(message);
	return isCutOff ? `${COLUMN_FULL}. ${RECORD_CUT_OFF}` : undefined;
}

const COLUMN_FULL =
	'The column is full: on MySQL and MariaDB it holds some 2,400 applications. Ask your n8n administrator to run "ALTER TABLE processed_data MODIFY value MEDIUMTEXT NOT NULL"';

const RECORD_CUT_OFF =
	"This database has cut off the record, so it can't be read any more. Use a new Invite node, and leave out everyone this one has invited: the first error of this kind lists them, later ones don't.";

/** Retries once: the database may have been busy for a moment. */
export async function twice<T>(run: () => Promise<T>): Promise<T> {
	return await run().catch(run);
}

export async function errorOf(promise: Promise<unknown>): Promise<Error | undefined> {
	return await promise.then(() => undefined).catch((error: Error) => error);
}
