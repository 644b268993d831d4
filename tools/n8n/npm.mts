import { appendFile, readFile } from 'node:fs/promises';

import { execa } from 'execa';

import { DemoError } from './errors.mts';
import { endGroup } from './group.mts';

export interface NpmRun {
	/** The folder in which npm works. */
	cwd: string;
	/** Where npm's output goes; named in the error. */
	logFile: string;
	/** Added to the environment. */
	env?: Record<string, string>;
	/** Ends npm and whatever it started. */
	signal?: AbortSignal;
	/** What is being done, for the error: "install n8n". */
	purpose: string;
}

/**
 * The environment without what an outer `npm run` put into it: an inner npm would take the outer
 * one's folder and settings for its own.
 */
export function withoutNpmVariables(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
	const ofOuterRun = /^(npm_(package|lifecycle|command|node_execpath|execpath)|INIT_CWD$)/i;
	const ofOuterProject = /^npm_config_(loglevel|local_prefix|global_prefix|prefix|node_gyp|yes)$/i;
	return Object.fromEntries(
		Object.entries(env).filter(
			(entry): entry is [string, string] =>
				entry[1] !== undefined && !ofOuterRun.test(entry[0]) && !ofOuterProject.test(entry[0]),
		),
	);
}

/** Runs npm with its output in a log file, and turns its failures into messages that help. */
export async function npm(args: string[], { cwd, logFile, env, signal, purpose }: NpmRun) {
	signal?.throwIfAborted();
	await appendFile(logFile, `\n$ npm ${args.join(' ')}\n`);
	const output = { file: logFile, append: true };
	const child = execa('npm', args, {
		cwd,
		env: { ...withoutNpmVariables(), ...env },
		extendEnv: false,
		stdin: 'ignore',
		stdout: output,
		stderr: output,
		reject: false,
		// A group of its own, so that npm's own children (compilers, other npms) end with it.
		detached: true,
	});
	const abort = () => child.pid !== undefined && void endGroup(child.pid, child, 2_000);
	signal?.addEventListener('abort', abort, { once: true });
	const result = await child.finally(() => signal?.removeEventListener('abort', abort));
	signal?.throwIfAborted();
	if (!result.failed) return;

	if (result.code === 'ENOENT') {
		throw new DemoError(
			`npm was not found, so it was not possible to ${purpose}.`,
			'Install Node.js with npm, and see that "npm --version" works in this terminal.',
		);
	}
	throw npmFailure(await readFile(logFile, 'utf8'), logFile, purpose, result.exitCode);
}

/** What npm's log says went wrong. */
function npmFailure(log: string, logFile: string, purpose: string, exitCode?: number): DemoError {
	const last = log.slice(log.lastIndexOf('\n$ npm '));
	const whole = `npm's whole output is in ${logFile}`;
	if (/ENOSPC|no space left on device/i.test(last)) {
		return new DemoError(`The disk filled up while trying to ${purpose}.`, [
			'Make room, then start again: what was half done has been removed.',
			whole,
		]);
	}
	const unreachable = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH)\b/;
	const network = /npm error (code|errno|network).*/.exec(last)?.[0] ?? '';
	if (unreachable.test(network)) {
		return new DemoError(
			`The npm registry could not be reached (${unreachable.exec(network)?.[0]}), so it was not possible to ${purpose}.`,
			['Check the network and "npm ping", then start again.', whole],
		);
	}
	return new DemoError(`npm could not ${purpose} (it exited with ${exitCode ?? 'a signal'}).`, [
		...[...last.matchAll(/^npm error (?!A complete log|Log files|\s*$)(.*)$/gm)]
			.slice(0, 6)
			.map((match) => `  ${match[1]}`),
		whole,
	]);
}
