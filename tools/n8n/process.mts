import { readFile, mkdir, stat } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';

import { execa } from 'execa';

import { n8nEnvironment, withoutN8nVariables, type N8nCommand } from './environment.mts';
import { DemoError } from './errors.mts';
import { endGroup, killGroup, signalGroup } from './group.mts';
import type { Installation } from './install.mts';
import { withoutNpmVariables } from './npm.mts';
import { freePort, HOST } from './ports.mts';
import { waitFor } from './waitFor.mts';

export interface StartOptions {
	installation: Installation;
	/** n8n keeps its database, keys and community packages in this folder's `.n8n`. */
	userFolder: string;
	/** n8n's output is appended here. */
	logFile: string;
	/** Defaults to a free port. */
	port?: number;
	/** Overrides the demo's own environment. */
	env?: Record<string, string>;
	command?: N8nCommand;
	/** More arguments for the command, such as `--concurrency=5`. */
	args?: string[];
	/** Cancels the start. */
	signal?: AbortSignal;
}

/** A running n8n. */
export interface N8nProcess {
	baseUrl: string;
	port: number;
	pid: number;
	logFile: string;
	/** Resolves when the process has ended. */
	exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
	/** n8n's output since this start. */
	log(): Promise<string>;
	/** Shuts n8n down, with everything it started. */
	stop(): Promise<void>;
	/** Kills n8n, as a crash would. */
	kill(): Promise<void>;
}

/** Starts n8n, in a process group of its own, and waits until it answers. */
export async function startN8n(options: StartOptions): Promise<N8nProcess> {
	const { installation, userFolder, logFile, signal, command = 'start' } = options;
	signal?.throwIfAborted();
	await mkdir(userFolder, { recursive: true });
	await mkdir(dirname(logFile), { recursive: true });
	const port = options.port ?? (await freePort());
	const brokerPort = await freePort();
	const logStart = await stat(logFile).then(
		({ size }) => size,
		() => 0,
	);
	const output = { file: logFile, append: true };
	const child = execa(installation.node, [installation.n8n, command, ...(options.args ?? [])], {
		cwd: userFolder,
		env: {
			...withoutN8nVariables(withoutNpmVariables()),
			// n8n starts its task runner with the "node" on the PATH.
			PATH: `${dirname(installation.node)}${delimiter}${process.env.PATH}`,
			...n8nEnvironment({ version: installation.version, command, userFolder, port, brokerPort }),
			...options.env,
		},
		extendEnv: false,
		stdin: 'ignore',
		stdout: output,
		stderr: output,
		buffer: false,
		reject: false,
		detached: true,
	});
	const { pid } = child;
	if (pid === undefined) throw await child;

	const exited = child.then(({ exitCode, signal }) => ({
		code: exitCode ?? null,
		signal: signal ?? null,
	}));
	running.add(pid);
	void exited.then(() => running.delete(pid));
	const n8n: N8nProcess = {
		baseUrl: `http://${HOST}:${port}`,
		port,
		pid,
		logFile,
		exited,
		log: async () => (await readFile(logFile)).subarray(logStart).toString(),
		stop: () => endGroup(pid, exited, 20_000),
		kill: () => killGroup(pid, exited),
	};
	try {
		await waitUntilReady(n8n, command, signal);
	} catch (error) {
		await n8n.stop();
		throw error;
	}
	return n8n;
}

/** Killed when this process exits. */
const running = new Set<number>();
process.on('exit', () => {
	for (const pid of running) signalGroup(pid, 'SIGKILL');
});

const START_MS = 120_000;

async function waitUntilReady(n8n: N8nProcess, command: N8nCommand, signal?: AbortSignal) {
	let ended = false;
	void n8n.exited.then(() => (ended = true));
	// n8n gets ready in this order: the process, its database, the REST API.
	const readiness = ['/healthz', '/healthz/readiness'];
	if (command === 'start') readiness.push('/rest/settings');
	const isReady = await waitFor(START_MS, async () => {
		signal?.throwIfAborted();
		if (ended) return false;
		while (readiness.length > 0 && (await answers(n8n.baseUrl + readiness[0]))) readiness.shift();
		return readiness.length === 0 || undefined;
	});
	if (isReady) return;
	const lastLines = (await n8n.log()).trim().split('\n').slice(-5);
	throw new DemoError(
		ended ? 'n8n exited during startup.' : `n8n did not answer within ${START_MS / 1000} seconds.`,
		[...lastLines.map((line) => `  ${line}`), `The whole log is in ${n8n.logFile}`],
	);
}

/** Only JSON counts: while it starts, n8n answers every path with a web page. */
async function answers(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
		const text = await response.text();
		return response.ok && text.startsWith('{');
	} catch {
		return false;
	}
}
