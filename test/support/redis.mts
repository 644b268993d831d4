import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { freePort, HOST } from '../../tools/n8n/ports.mts';
import { systemProgram } from './programs.mts';

export type Redis = Awaited<ReturnType<typeof startRedis>>;

/** Starts an empty Redis on a free port, for this machine only, that keeps nothing on disk. */
export async function startRedis(folder: string) {
	const program = systemProgram('Redis', ['redis-server'], 'REDIS_SERVER_PATH');
	const logFile = join(folder, 'redis.log');
	const port = await freePort();
	const settings = { port, bind: HOST, dir: folder, save: '', appendonly: 'no' };
	const server = execa(
		program,
		Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]),
		{ stdin: 'ignore', stdout: ['pipe', { file: logFile }], stderr: 'ignore', reject: false },
	);
	const isReady = new Promise<boolean>((resolve) => {
		server.stdout.on('data', (text) => {
			if (String(text).includes('Ready to accept connections')) resolve(true);
		});
		void server.then(() => resolve(false));
	});
	const stop = async () => {
		server.kill('SIGTERM');
		await server;
	};
	if (await isReady) return { host: HOST, port, stop };
	const lastWords = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-3).join(' | ');
	throw new Error(`Redis did not start: ${lastWords}`);
}
