import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { killGroup, signalGroup } from '../../tools/n8n/group.mts';

export interface ServerOptions {
	program: string;
	args: string[];
	/** Whom it runs as, where not as whoever runs the tests. */
	user?: { uid: number; gid: number };
	cwd: string;
	logFile: string;
	/** What ends it at once, without leaving anything behind. */
	endWith: NodeJS.Signals;
	isReady: () => Promise<boolean>;
}

/** A server that a test started for itself. */
export interface Server {
	stop(): Promise<void>;
}

const START_MS = 30_000;
const END_MS = 10_000;

/** Starts a server program, in a process group of its own, and waits until it answers. */
export async function startServer(options: ServerOptions): Promise<Server> {
	const { program, args, user, cwd, logFile, endWith, isReady } = options;
	const log = openSync(logFile, 'a');
	const stdio: ['ignore', number, number] = ['ignore', log, log];
	const child = spawn(program, args, { cwd, stdio, detached: true, ...user });
	closeSync(log);
	let ended = false;
	const exited = new Promise<void>((resolve) => {
		child.once('exit', resolve);
		child.once('error', () => resolve());
	}).then(() => void (ended = true));
	const { pid } = child;
	if (pid === undefined) throw new Error(`${program} cannot be started`);

	running.set(pid, endWith);
	void exited.then(() => running.delete(pid));
	const stop = async () => {
		if (!ended) child.kill(endWith);
		await Promise.race([exited, sleep(END_MS, undefined, { ref: false })]);
		await killGroup(pid, exited);
	};
	try {
		for (const deadline = Date.now() + START_MS; !(await isReady()); await sleep(50)) {
			if (!ended && Date.now() < deadline) continue;
			const lastWords = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-3).join(' | ');
			throw new Error(`${program} did not start: ${lastWords}`);
		}
	} catch (error) {
		await stop();
		throw error;
	}
	return { stop };
}

/** Nothing that was started here outlives the tests, however they end (but for SIGKILL). */
const running = new Map<number, NodeJS.Signals>();
process.on('exit', () => {
	for (const [pid, endWith] of running) signalGroup(pid, endWith);
});
