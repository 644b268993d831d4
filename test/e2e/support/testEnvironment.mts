import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { N8nClient, type Owner } from '../../../tools/n8n/client.mts';
import { installN8n, type Installation } from '../../../tools/n8n/install.mts';
import { installPackage, packPackage } from '../../../tools/n8n/package.mts';
import { startN8n } from '../../../tools/n8n/process.mts';

export const OWNER: Owner = {
	email: 'owner@example.com',
	password: 'Only-For-Tests-1',
	firstName: 'Test',
	lastName: 'Owner',
};

/** Everything that end-to-end tests keep. */
const DATA = join(import.meta.dirname, '..', '..', '..', '.data');

/** The ingredients of every n8n: n8n itself, the packed package, and its own folder. */
export interface TestEnvironment {
	installation: Installation;
	tarball: string;
	/** Empty at first and removed at the end. Includes the logs. */
	folder: string;
}

/** Installs that version of n8n and packs the package, unless both are there already. */
export async function prepare(version: string) {
	const installation = await installN8n(version);
	const tarball = await packPackage({ folder: join(DATA, 'package') });
	return { installation, tarball };
}

/** Provides an environment for that version of n8n, and removes its folder afterwards. */
export async function withTestEnvironment<T>(
	version: string,
	use: (environment: TestEnvironment) => Promise<T>,
): Promise<T> {
	const prepared = await prepare(version);
	const folder = await mkdtemp(join(tmpdir(), 'candidate-assessment-'));
	try {
		return await use({ ...prepared, folder });
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

export type TestN8n = Awaited<ReturnType<typeof startTestN8n>>;

/** Starts a real n8n with the package in it, with new data, on a free port. It can be killed and restarted. */
export async function startTestN8n({ installation, tarball, folder }: TestEnvironment) {
	const userFolder = join(folder, 'n8n');
	await mkdir(userFolder);
	await installPackage({ tarball, userFolder });
	const logFile = join(folder, 'n8n.log');
	const start = async (port?: number, env?: Record<string, string>) => {
		const process = await startN8n({ installation, userFolder, logFile, port, env });
		return { process, client: await N8nClient.connect(process.baseUrl, OWNER) };
	};
	let running = await start();
	const { baseUrl, port } = running.process;
	return {
		baseUrl,
		/** A restart replaces process and client. */
		get process() {
			return running.process;
		},
		get client() {
			return running.client;
		},
		kill: async () => await running.process.kill(),
		/** Restarts n8n with the same data and port, and overrides of its environment. */
		restart: async (env?: Record<string, string>) => {
			await running.process.stop();
			running = await start(port, env);
		},
	};
}
