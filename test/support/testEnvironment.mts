import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { N8nClient, type Owner } from '../../tools/n8n/client.mts';
import { installN8n, type Installation } from '../../tools/n8n/install.mts';
import { installPackage, packPackage } from '../../tools/n8n/package.mts';
import { startN8n, type N8nProcess } from '../../tools/n8n/process.mts';

export const OWNER: Owner = {
	email: 'owner@example.com',
	password: 'Only-For-Tests-1',
	firstName: 'Test',
	lastName: 'Owner',
};

/** All that end-to-end tests leave behind. */
const DATA = join(import.meta.dirname, '..', '..', '.data');

/** What every n8n is started from: n8n itself, the packed package, and a folder of its own. */
export interface TestEnvironment {
	installation: Installation;
	tarball: string;
	/** Empty at first and removed at the end. The logs are here, too. */
	folder: string;
}

/** Installs that version of n8n and packs the package, unless both are there already. */
export async function prepare(version: string) {
	const installation = await installN8n(version);
	const tarball = await packPackage({ folder: join(DATA, 'package') });
	return { installation, tarball };
}

/** Provides what it takes to start that version of n8n, and removes its folder afterwards. */
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

/** A real n8n with the package in it, which can be stopped, killed and restarted. */
export class TestN8n {
	/** A restart replaces it, and the client. */
	process: N8nProcess;
	client: N8nClient;
	readonly #installation: Installation;
	readonly #userFolder: string;

	private constructor(
		installation: Installation,
		userFolder: string,
		process: N8nProcess,
		client: N8nClient,
	) {
		this.#installation = installation;
		this.#userFolder = userFolder;
		this.process = process;
		this.client = client;
	}

	/** Starts n8n with new data, on a free port. */
	static async start({ installation, tarball, folder }: TestEnvironment): Promise<TestN8n> {
		const userFolder = join(folder, 'n8n');
		await mkdir(userFolder);
		await installPackage({ tarball, userFolder });
		const logFile = join(folder, 'n8n.log');
		const process = await startN8n({ installation, userFolder, logFile });
		const client = await N8nClient.connect(process.baseUrl, OWNER);
		return new TestN8n(installation, userFolder, process, client);
	}

	get baseUrl(): string {
		return this.process.baseUrl;
	}

	async stop(): Promise<void> {
		await this.process.stop();
	}

	async kill(): Promise<void> {
		await this.process.kill();
	}

	/**
	 * Restarts n8n, which must have ended, with the same data and port.
	 * @param env overrides its environment
	 */
	async restart(env?: Record<string, string>): Promise<void> {
		const { port, logFile } = this.process;
		const [installation, userFolder] = [this.#installation, this.#userFolder];
		this.process = await startN8n({ installation, userFolder, port, logFile, env });
		this.client = await N8nClient.connect(this.baseUrl, OWNER);
	}
}
