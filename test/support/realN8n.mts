import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startDemo, type Demo } from '../../demo/n8n/demo.mts';
import { installN8n } from '../../demo/n8n/install.mts';
import { packPackage } from '../../demo/n8n/package.mts';

/** The package in a real n8n of that line beside a stand-in service, on free ports and with new data. */
export async function withRealN8n<T>(line: string, use: (demo: Demo) => Promise<T>): Promise<T> {
	const folder = await mkdtemp(join(tmpdir(), 'candidate-assessment-'));
	try {
		const installation = await installN8n(line);
		const tarball = await packPackage({ folder: join(folder, 'package') });
		const demo = await startDemo({ installation, tarball, dataFolder: join(folder, 'data') });
		try {
			return await use(demo);
		} finally {
			await demo.stop();
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
