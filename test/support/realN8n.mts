import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startDemo, type Demo } from '../../demo/n8n/demo.mts';
import { installN8n, type Installation } from '../../demo/n8n/install.mts';
import { packPackage } from '../../demo/n8n/package.mts';

const DATA = join(import.meta.dirname, '..', '..', '.data');

/** What every real n8n needs: n8n itself, our tarball, and a folder that is removed afterwards. */
export interface Ground {
	installation: Installation;
	tarball: string;
	/** Empty at first. Where something fails, its logs and pictures stay in `.data/failures/<name>`. */
	folder: string;
}

/** Lends the ground for an n8n of that line, and clears it away whatever happens. */
export async function onGround<T>(
	name: string,
	line: string,
	use: (ground: Ground) => Promise<T>,
): Promise<T> {
	const installation = await installN8n(line);
	const tarball = await packPackage({ folder: join(DATA, 'package') });
	const folder = await mkdtemp(join(tmpdir(), 'candidate-assessment-'));
	try {
		return await use({ installation, tarball, folder });
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
	use: (demo: Demo) => Promise<T>,
): Promise<T> {
	return await onGround(name, line, async ({ installation, tarball, folder }) => {
		const demo = await startDemo({ installation, tarball, dataFolder: folder });
		try {
			return await use(demo);
		} finally {
			await demo.stop();
		}
	});
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
