import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';

import { execa } from 'execa';

import type { WorkflowDefinition } from '../../../tools/n8n/client.mts';
import { n8nEnvironment, withoutN8nVariables } from '../../../tools/n8n/environment.mts';
import { withoutNpmVariables } from '../../../tools/n8n/npm.mts';
import { freePort } from '../../../tools/n8n/ports.mts';
import type { TestEnvironment } from './testEnvironment.mts';

/** Imports workflows as an administrator does, with `n8n import:workflow`. Each needs an ID. */
export async function importWorkflows(
	{ installation, folder }: TestEnvironment,
	workflows: Array<WorkflowDefinition & { id: string }>,
): Promise<void> {
	const { node, n8n, version } = installation;
	const file = join(folder, 'workflows.json');
	await writeFile(
		file,
		JSON.stringify(workflows.map((workflow) => ({ active: false, ...workflow }))),
	);
	const [port, brokerPort] = [await freePort(), await freePort()];
	const userFolder = join(folder, 'n8n');
	await execa(node, [n8n, 'import:workflow', `--input=${file}`], {
		env: {
			...withoutN8nVariables(withoutNpmVariables()),
			PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
			...n8nEnvironment({ version, command: 'start', userFolder, port, brokerPort }),
		},
		extendEnv: false,
	});
}
