import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DemoError } from '../tools/n8n/errors.mts';

/** State that the demo keeps between starts, besides n8n's database and the service's file. */
export interface DemoState {
	/** Password of n8n's owner. */
	password: string;
	accessToken: string;
	webhookId: string;
	/** IDs in n8n, as far as setup has come. */
	credentialId?: string;
	firstResultId?: string;
	resultWorkflowId?: string;
	/** Addresses at the last start. If one has changed, the other side must be told. */
	serviceUrl?: string;
	n8nUrl?: string;
}

const FILE = 'state.json';

/** Older demos all had this password, so an old folder keeps it. */
const FORMER_PASSWORD = 'Candidate-Demo-1';

/** Reads the state of a data folder; a new folder gets secrets and a webhook of its own. */
export async function readState(dataFolder: string): Promise<DemoState> {
	try {
		const state = JSON.parse(await readFile(join(dataFolder, FILE), 'utf8'));
		return { password: FORMER_PASSWORD, ...state };
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			const accessToken = randomBytes(24).toString('base64url');
			// n8n asks for a digit and a capital letter.
			const password = `${randomBytes(12).toString('base64url')}-A1`;
			return { password, accessToken, webhookId: randomUUID() };
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
	await writeFile(`${file}.new`, JSON.stringify(state, null, '\t'), { mode: 0o600 });
	await rename(`${file}.new`, file);
}
