import { appendFile, readFile } from 'node:fs/promises';

import { execa } from 'execa';

import { DemoError } from './errors.mts';

export interface NpmRun {
	/** The folder in which npm works. */
	cwd: string;
	/** Where npm's output goes; named in the error. */
	logFile: string;
	/** Added to the environment. */
	env?: Record<string, string>;
	/** Ends npm. */
	signal?: AbortSignal;
	/** The purpose, for the error: "install n8n". */
	purpose: string;
	/** Advice for a failure, one line each. */
	advice?: string[];
}

/** The environment without the variables of an outer `npm run`, whose folder and settings an inner npm would use. */
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

/** Runs npm, with its output in a log file. Throws a DemoError that holds npm's own errors. */
export async function npm(args: string[], { cwd, logFile, env, signal, purpose, ...rest }: NpmRun) {
	signal?.throwIfAborted();
	await appendFile(logFile, `\n$ npm ${args.join(' ')}\n`);
	const output = { file: logFile, append: true };
	const { failed } = await execa('npm', args, {
		cwd,
		env: { ...withoutNpmVariables(), ...env },
		extendEnv: false,
		stdin: 'ignore',
		stdout: output,
		stderr: output,
		reject: false,
		cancelSignal: signal,
	});
	signal?.throwIfAborted();
	if (!failed) return;

	const log = await readFile(logFile, 'utf8');
	const errors = log
		.slice(log.lastIndexOf('\n$ npm '))
		.matchAll(/^npm error (?!A complete log|Log files|\s*$)(.*)$/gm);
	throw new DemoError(`npm could not ${purpose}.`, [
		...[...errors].slice(0, 6).map(([, text]) => `  ${text}`),
		...(rest.advice ?? []),
		`npm's whole output is in ${logFile}`,
	]);
}
