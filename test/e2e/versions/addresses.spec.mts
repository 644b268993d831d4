/** Whether n8n answers at the address that the trigger registers: its own registration decides. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import * as fc from 'fast-check';

import type { Credential, N8nClient } from '../../../tools/n8n/client.mts';
import { withoutN8nVariables } from '../../../tools/n8n/environment.mts';
import { withoutNpmVariables } from '../../../tools/n8n/npm.mts';
import { TRIGGER, withCredential } from '../../../demo/workflows/parts.mts';
import { call, derivedSecret } from '../../support/calls.mts';
import { SEED } from '../../support/histories.mts';
import type { TestEnvironment } from '../support/testEnvironment.mts';
import { RESULT_READY, workflowOf } from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';

const REFUSAL = /wouldn't find the node/;
const NAMES = 40;

/** Characters that URLs, n8n, or both treat specially. */
const treacherous = fc.constantFrom(
	...[' ', '.', '..', '/', '\\', '%', '%20', '%2F', '?', '#', ':', '&', '+', "'", '"', '<', '~'],
	...['ü', 'É', 'ß', 'İ', '李', '🙂', '‮', '{{ 1 }}', 'A', 'result', 'Result-Ready', '_', '(1)'],
);
const nodeName = fc
	.oneof(
		fc.array(treacherous, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
		fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
		fc.stringMatching(/^[\w.~!*'()-]{1,20}$/),
	)
	.filter((name) => name.trim() !== '');

/** A workflow with the trigger, without the `webhookId` that n8n's editor would add. */
function imported(name: string, webhookId: string, credential: Credential) {
	const workflow = workflowOf(name, {
		name,
		id: randomUUID(),
		type: TRIGGER,
		typeVersion: 1.1,
		parameters: { webhookId, events: [RESULT_READY] },
		credentials: withCredential(credential),
	});
	return { ...workflow, id: randomUUID().replaceAll('-', '').slice(0, 16), active: false };
}

/** Imports workflows as an administrator does. */
async function importWorkflows({ installation, folder }: TestEnvironment, workflows: object[]) {
	const file = join(folder, 'workflows.json');
	await writeFile(file, JSON.stringify(workflows));
	const env = withoutN8nVariables(withoutNpmVariables());
	await execa(installation.node, [installation.n8n, 'import:workflow', `--input=${file}`], {
		env: { ...env, N8N_USER_FOLDER: join(folder, 'n8n'), N8N_DIAGNOSTICS_ENABLED: 'false' },
		extendEnv: false,
	});
}

/**
 * The editor's message if a test is refused. Publishing would be refused for the same reason, but 2.x retries it for
 * 84 seconds. A test that isn't refused is stopped.
 */
async function refusalOf(client: N8nClient, id: string, name: string): Promise<string | undefined> {
	return await client.listen(id, name).then(
		async () => void (await client.stopListening(id)),
		(error: Error) => error.message,
	);
}

test('whatever its node is called, a published trigger receives, or is refused and leaves the webhook alone', async ({
	environment,
	n8n: { client },
	service,
	credential,
}) => {
	test.setTimeout(600_000);
	const names = fc.sample(nodeName, { numRuns: NAMES, seed: SEED });
	const triggers = names.map((name) => {
		const webhookId = service.createWebhook();
		return { name, webhookId, workflow: imported(name, webhookId, credential) };
	});
	await importWorkflows(
		environment,
		triggers.map(({ workflow }) => workflow),
	);
	const outcomes = await Promise.all(
		triggers.map(async ({ name, webhookId, workflow: { id } }) => {
			const stored = service.webhooks.find((each) => each.id === webhookId)!;
			const before = { ...stored };
			const refusal = await refusalOf(client, id, name);
			if (refusal) {
				expect(refusal, name).toMatch(REFUSAL);
				expect(refusal, name).toContain(`"${name}"`);
				expect(stored, name).toEqual(before);
				return 'refused';
			}
			await client.publish(id, { timeoutMs: 120_000 });
			const secret = derivedSecret(service.accessToken, webhookId);
			expect(await call(stored.url, { secret, body: { a: 1 } }), name).toBe(200);
			await client.waitForExecutions(id, 1);
			return 'receives';
		}),
	);
	for (const outcome of ['refused', 'receives']) {
		expect(outcomes.filter((one) => one === outcome).length, outcome).toBeGreaterThan(5);
	}
});
