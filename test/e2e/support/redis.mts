import { on } from 'node:events';
import { join } from 'node:path';

import { execa } from 'execa';

import { freePort, HOST } from '../../../tools/n8n/ports.mts';
import { systemProgram } from './programs.mts';

export type Redis = Awaited<ReturnType<typeof startRedis>>;

/** Starts an empty Redis on a free port, for this machine only, that keeps nothing on disk. */
export async function startRedis(folder: string) {
	const program = systemProgram('Redis', ['redis-server'], 'REDIS_SERVER_PATH');
	const logFile = join(folder, 'redis.log');
	const port = await freePort();
	const settings = { port, bind: HOST, dir: folder, save: '', appendonly: 'no' };
	const args = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]);
	const stdout = ['pipe' as const, { file: logFile }];
	const server = execa(program, args, { stdin: 'ignore', stdout, stderr: 'ignore', reject: false });
	const stop = async () => {
		server.kill('SIGTERM');
		await server;
	};
	for await (const [text] of on(server.stdout!, 'data', { close: ['end'] })) {
		if (String(text).includes('Ready to accept connections')) return { host: HOST, port, stop };
	}
	throw new Error(`Redis did not start: its log is in ${logFile}`);
}
