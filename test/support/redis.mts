import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import { execa } from 'execa';

import { freePort, HOST } from '../../tools/n8n/ports.mts';
import { waitFor } from '../../tools/n8n/waitFor.mts';
import { systemProgram } from './programs.mts';

/** An empty Redis of the tests' own. */
export interface Redis {
	host: string;
	port: number;
	stop(): Promise<void>;
}

const START_MS = 30_000;

/** Starts a Redis on a free port, for this machine only, that keeps nothing on disk. */
export async function startRedis(folder: string): Promise<Redis> {
	const program = systemProgram('Redis', ['redis-server'], 'REDIS_SERVER_PATH');
	const logFile = join(folder, 'redis.log');
	const port = await freePort();
	const settings = { port, bind: HOST, dir: folder, save: '', appendonly: 'no' };
	const server = execa(
		program,
		Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]),
		{ stdin: 'ignore', all: true, stdout: { file: logFile }, stderr: 'ignore', reject: false },
	);
	let ended = false;
	void server.then(() => (ended = true));
	const stop = async () => {
		server.kill('SIGTERM');
		await server;
	};
	const isReady = await waitFor(START_MS, async () => ended || (await answersPing(port)));
	if (isReady && !ended) return { host: HOST, port, stop };
	await stop();
	const lastWords = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-3).join(' | ');
	throw new Error(`Redis did not start: ${lastWords}`);
}

async function answersPing(port: number): Promise<true | undefined> {
	const socket = connect(port, HOST);
	socket.setTimeout(1_000, () => socket.destroy(new Error('no answer')));
	try {
		socket.write('PING\r\n');
		const [answer] = await once(socket, 'data');
		return String(answer).startsWith('+PONG') || undefined;
	} catch {
		return undefined;
	} finally {
		socket.destroy();
	}
}
