/**
 * `npm start`: a real n8n with this package in it, and a mock assessment service for it to talk to.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs, styleText } from 'node:util';

import { OWNER_EMAIL, startDemo, type Demo, type DemoOptions } from './demo.mts';
import { DemoError, messageOf } from '../tools/n8n/errors.mts';
import { installN8n } from '../tools/n8n/install.mts';
import { runSmokeTest } from './smokeTest.mts';
import { packPackage, watchPackage } from '../tools/n8n/package.mts';
import { freePort, requirePort } from '../tools/n8n/ports.mts';
import { elapsed, tick } from '../tools/n8n/terminal.mts';

const N8N_VERSION = '2.x';
const DATA = join(import.meta.dirname, '..', '.data');
const DEMO_DATA = join(DATA, 'demo');
/** In this folder, n8n's copy of the package follows the sources. */
const DEV_DATA = join(DATA, 'dev');

/** How long --once may take, an installation of n8n included. */
const ONCE_LIMIT_MS = 30 * 60_000;

const USAGE = `npm start                   n8n with this package, and a mock assessment service; Ctrl-C stops both
npm start -- --fresh        the same, with new data
npm start -- --once         runs the whole demo unattended, beside a running one too, then exits
npm run dev                 like npm start, with the nodes rebuilt and reloaded as their sources change
  --port <number>           n8n's port (5678)
  --service-port <number>   the mock assessment service's port (4010)`;

type Arguments = ReturnType<typeof readArguments>;

function readArguments() {
	try {
		const { values } = parseArgs({
			options: {
				fresh: { type: 'boolean' },
				once: { type: 'boolean' },
				dev: { type: 'boolean' },
				help: { type: 'boolean' },
				port: { type: 'string', default: '5678' },
				'service-port': { type: 'string', default: '4010' },
			},
		});
		return { ...values, port: Number(values.port), servicePort: Number(values['service-port']) };
	} catch (error) {
		throw new DemoError(messageOf(error), USAGE.split('\n'));
	}
}

/** Aborts when the user wants to stop. A second Ctrl-C, after a while, does not wait for n8n. */
function stopSignal(): AbortSignal {
	const stop = new AbortController();
	let first = 0;
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => {
			first ||= Date.now();
			// The terminal and npm both send us the same Ctrl-C.
			if (Date.now() - first > 1_500) process.exit(130);
			stop.abort(new Interrupted());
		});
	}
	return stop.signal;
}

/** The user has asked to stop. */
class Interrupted extends Error {}

type Places = Omit<DemoOptions, 'installation' | 'tarball'> & { signal: AbortSignal };

/** Installs n8n where needed, packs the package and starts everything. */
async function bringUp(options: Places): Promise<Demo> {
	const { signal } = options;
	const installation = await installN8n(N8N_VERSION, signal);
	console.log('  Packing the package, and starting n8n and the mock assessment service …');
	const tarball = await packPackage({ folder: join(DATA, 'package'), signal });
	const demo = await startDemo({ ...options, installation, tarball });
	console.log(`${tick} n8n ${demo.client.version} and the mock assessment service are up`);
	return demo;
}

/** Keeps everything up until the user stops it. */
async function stayUp({ fresh, dev, port, servicePort }: Arguments, signal: AbortSignal) {
	const dataFolder = dev ? DEV_DATA : DEMO_DATA;
	// Fails before anything is installed or removed.
	await requirePort(port, 'n8n', '--port');
	await requirePort(servicePort, 'the mock assessment service', '--service-port');
	if (fresh) await rm(dataFolder, { recursive: true, force: true });

	const demo = await bringUp({
		dataFolder,
		port,
		servicePort,
		signal,
		...(dev && { env: { N8N_DEV_RELOAD: 'true' } }),
	});
	printWhereToLook(demo, dataFolder, dev ? 'npm run dev' : 'npm start');
	if (dev) void watchPackage(join(dataFolder, 'n8n'), signal);
	const ended = await Promise.race([demo.n8n.exited, aborted(signal)]);
	if (!ended) console.log('\nStopping n8n and the mock assessment service …');
	await demo.stop();
	if (!ended) return console.log(`${tick} Stopped`);
	throw new DemoError(`n8n stopped unexpectedly (${ended.signal ?? `exit code ${ended.code}`}).`, [
		`Its log is in ${demo.n8n.logFile}`,
	]);
}

function aborted(signal: AbortSignal): Promise<undefined> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve(undefined);
		signal.addEventListener('abort', () => resolve(undefined), { once: true });
	});
}

function printWhereToLook({ service, n8n, state }: Demo, dataFolder: string, command: string) {
	const strong = (text: string) => styleText('bold', text);
	const link = (text: string) => styleText('cyan', text);
	const workflow = (id: string) => link(`${n8n.baseUrl}/workflow/${id}`);
	console.log(`
  Your first result        ${workflow(state.firstResultId)}
    sign in with           ${strong(OWNER_EMAIL)}  and  ${strong(state.password)}

  1. In Invite Yourself, enter your email and name, and select Execute step.
  2. Open the invitation_link from the output in another window, and select Finish Assessment.
  3. In Get Scores, paste the link, and select Execute step.

  When you finish, the service also starts the workflow "Result ready". Its Executions show it:
                           ${workflow(state.resultWorkflowId)}/executions
  Mock assessment service  ${link(service.baseUrl)}
    for your own workflows, its page has a job ID and more webhook IDs

  Everything is kept in ${relative(process.cwd(), dataFolder)}; to start over:  ${command} -- --fresh
  Ctrl-C stops both.
`);
}

/** Runs the whole demo once, on its own ports and in its own folder. */
async function smokeTest(stop: AbortSignal) {
	const started = Date.now();
	const signal = AbortSignal.any([stop, AbortSignal.timeout(ONCE_LIMIT_MS)]);
	const dataFolder = await mkdtemp(join(tmpdir(), 'candidate-assessment-'));
	let demo: Demo | undefined;
	let passed = false;
	try {
		demo = await bringUp({ dataFolder, port: await freePort(), servicePort: 0, signal });
		await Promise.race([runSmokeTest(demo), aborted(signal).then(() => signal.throwIfAborted())]);
		passed = true;
	} finally {
		await demo?.stop();
		if (passed || stop.aborted) await rm(dataFolder, { recursive: true, force: true });
		else console.error(`  The logs and the data of this run are in ${dataFolder}`);
	}
	console.log(`${tick} Everything worked, in ${elapsed(started)}`);
}

async function main() {
	const options = readArguments();
	const isPort = (port: number) => Number.isInteger(port) && port > 0 && port < 65_536;
	if (options.help || ![options.port, options.servicePort].every(isPort)) return console.log(USAGE);
	const stop = stopSignal();
	await (options.once ? smokeTest(stop) : stayUp(options, stop));
}

try {
	await main();
} catch (error) {
	if (error instanceof Interrupted) {
		console.log('\nStopped before it was done.');
		process.exitCode = 130;
	} else {
		console.error(`\n${styleText('red', messageOf(error), { stream: process.stderr })}`);
		if (error instanceof DemoError) for (const line of error.advice) console.error(`  ${line}`);
		else if (process.env.DEBUG) console.error(error);
		process.exitCode = 1;
	}
}
// Don't wait for open connections and timers.
process.exit();
