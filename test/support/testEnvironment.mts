import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { N8nClient } from '../../tools/n8n/client.mts';
import { OWNER, startDemo, type Demo } from '../../demo/demo.mts';
import { installN8n, type Installation } from '../../tools/n8n/install.mts';
import { packPackage } from '../../tools/n8n/package.mts';
import { startN8n } from '../../tools/n8n/process.mts';
import type { Checks } from './checks.mts';

const DATA = join(import.meta.dirname, '..', '..', '.data');

/** What every real n8n needs: n8n itself, our tarball, and a folder that is removed afterwards. */
export interface Ground {
	installation: Installation;
	tarball: string;
	/** Empty at first. Where something fails, its logs and pictures stay in `.data/failures/<name>`. */
	folder: string;
}

/**
 * Lends the ground for an n8n of that line, and clears it away whatever happens.
 * @param checks keeps the evidence also where one of these fails meanwhile
 */
export async function onGround<T>(
	name: string,
	line: string,
	use: (ground: Ground) => Promise<T>,
	checks?: Checks,
): Promise<T> {
	const failedBefore = checks?.failed;
	const installation = await installN8n(line);
	const tarball = await packPackage({ folder: join(DATA, 'package') });
	const folder = await mkdtemp(join(tmpdir(), 'candidate-assessment-'));
	try {
		const result = await use({ installation, tarball, folder });
		if (checks?.failed !== failedBefore) await keepEvidence(name, folder);
		return result;
	} catch (error) {
		await keepEvidence(name, folder);
		throw error;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** The package in a real n8n of that line beside a stand-in service, on free ports and with new data. */
export async function withRealN8n<T>(
	name: string,
	line: string,
	use: (demo: Demo, ground: Ground) => Promise<T>,
	checks?: Checks,
): Promise<T> {
	const run = async (ground: Ground) => {
		const { installation, tarball, folder } = ground;
		const demo = await startDemo({ installation, tarball, dataFolder: folder });
		try {
			return await use(demo, ground);
		} finally {
			// It may be another than the demo's own by now.
			await demo.n8n.stop();
			await demo.stop();
		}
	};
	return await onGround(name, line, run, checks);
}

/** Starts n8n again, once it has ended, on the data and the port that it had. */
export async function startAgain(demo: Demo, { installation }: Ground): Promise<void> {
	const { port, logFile } = demo.n8n;
	const userFolder = join(dirname(logFile), 'n8n');
	demo.n8n = await startN8n({ installation, userFolder, port, logFile });
	demo.client = await N8nClient.connect(demo.n8n.baseUrl, OWNER);
}

/** Keeps logs and pictures, for people and for CI to look at. */
export async function keepEvidence(name: string, folder: string): Promise<string> {
	const kept = join(DATA, 'failures', name);
	await rm(kept, { recursive: true, force: true });
	await cp(folder, kept, {
		recursive: true,
		filter: (path) => path === folder || /\.(log|png)$/.test(path),
	});
	return kept;
}
