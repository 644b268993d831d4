import { existsSync, readdirSync, rmSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { execa } from 'execa';

import { freePort, HOST } from '../../tools/n8n/ports.mts';
import { debianPrograms, type Wanted } from './debian.mts';
import { startServer, type Server } from './server.mts';

/** An empty database of the tests' own. */
export interface Postgres extends Server {
	host: string;
	port: number;
	user: string;
	database: string;
}

const USER = 'n8n';
const DATABASE = 'postgres';

/** Debian puts what runs a server under its version, and not on PATH. */
const VERSIONS = '/usr/lib/postgresql';

function program(name: string): Wanted {
	const folders = () =>
		(existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
			.sort((one, other) => Number(other) - Number(one))
			.map((version) => join(VERSIONS, version, 'bin'));
	return { program: name, package: 'postgresql', folders };
}

/**
 * A PostgreSQL beside the system's own: its data in a folder that goes with it, a free port, this
 * machine only, no socket file. PostgreSQL does not run as root, so for root it runs as `postgres`.
 */
export async function startPostgres(logFile: string): Promise<Postgres> {
	const [initdb, postgres, isReady] = await debianPrograms(
		...['initdb', 'postgres', 'pg_isready'].map(program),
	);
	const folder = await mkdtemp(join(tmpdir(), 'candidate-assessment-postgres-'));
	const forget = () => removeNow(folder);
	process.once('exit', forget);
	const remove = async () => {
		await rm(folder, { recursive: true, force: true });
		process.off('exit', forget);
	};
	try {
		const user = process.getuid?.() === 0 ? await userOf('postgres') : undefined;
		if (user) await chown(folder, user.uid, user.gid);
		const making = ['--username', USER, '--auth', 'trust', '--no-sync', '--no-instructions'];
		await execa(initdb, ['--pgdata', folder, '--encoding', 'UTF8', '--locale', 'C', ...making], {
			cwd: folder,
			...user,
		});
		const port = await freePort();
		const settings = {
			port,
			listen_addresses: HOST,
			unix_socket_directories: '',
			// What is in it is thrown away: it need not survive a loss of power.
			fsync: 'off',
		};
		const server = await startServer({
			program: postgres,
			args: [
				'-D',
				folder,
				...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
			],
			user,
			cwd: folder,
			logFile,
			endWith: 'SIGQUIT',
			isReady: async () => {
				const answer = await execa(isReady, ['-h', HOST, '-p', String(port)], { reject: false });
				return answer.exitCode === 0;
			},
		});
		const stop = async () => {
			await server.stop();
			await remove();
		};
		return { host: HOST, port, user: USER, database: DATABASE, stop };
	} catch (error) {
		await remove();
		throw error;
	}
}

async function userOf(name: string): Promise<{ uid: number; gid: number }> {
	const id = async (flag: string) => Number((await execa('id', [flag, name])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}

/** For the end of the process, where nothing can be awaited, and the server removes files itself. */
function removeNow(folder: string): void {
	for (let attempt = 0; attempt < 20 && existsSync(folder); attempt++) {
		try {
			rmSync(folder, { recursive: true, force: true });
		} catch {
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
		}
	}
}
