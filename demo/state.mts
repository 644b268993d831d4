import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DemoError } from '../tools/n8n/errors.mts';
import { isRunning } from '../tools/n8n/group.mts';

/** What the demo remembers from one start to the next, beside n8n's database and the service's file. */
export interface DemoState {
	accessToken: string;
	webhookId: string;
	/** What was set up in n8n, as far as that has got. */
	credentialId?: string;
	inviteWorkflowId?: string;
	resultWorkflowId?: string;
	/** The addresses at the last start: where one has changed, the other side must be told. */
	serviceUrl?: string;
	n8nUrl?: string;
}

const FILE = 'state.json';

/** Reads the state of a data folder; a new folder gets a token and a webhook of its own. */
export async function readState(dataFolder: string): Promise<DemoState> {
	try {
		return JSON.parse(await readFile(join(dataFolder, FILE), 'utf8'));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return { accessToken: randomBytes(24).toString('base64url'), webhookId: randomUUID() };
		}
		throw new DemoError(
			`The demo's state in ${join(dataFolder, FILE)} cannot be read.`,
			'To start over:  npm start -- --fresh',
			{ cause: error },
		);
	}
}

/** Writes the state whole or not at all. */
export async function writeState(dataFolder: string, state: DemoState): Promise<void> {
	const file = join(dataFolder, FILE);
	await writeFile(`${file}.new`, JSON.stringify(state, null, '\t'));
	await rename(`${file}.new`, file);
}

/** Two demos on one database would spoil it. Gives what ends the claim to the folder. */
export function claimDataFolder(dataFolder: string): () => void {
	mkdirSync(dataFolder, { recursive: true });
	const lock = join(dataFolder, 'running.pid');
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
	} catch {
		const pid = Number(readFileSync(lock, 'utf8'));
		if (isRunning(pid)) {
			throw new DemoError(`The demo is running already (process ${pid}), with this data.`, [
				'Stop it with Ctrl-C in its terminal, or use it.',
				'For a look beside it:  npm start -- --once',
			]);
		}
		writeFileSync(lock, String(process.pid));
	}
	return () => rmSync(lock, { force: true });
}
