import { resultReady } from '../../../demo/workflows/result-ready.mts';
import { itemsOf } from '../../../tools/n8n/client.mts';
import type { N8nProcess } from '../../../tools/n8n/process.mts';
import { workflowOf } from '../../support/workflows.mts';
import { WORKER_CONCURRENCY, workOf } from '../../support/cluster.mts';
import { createCredential } from '../../support/credentials.mts';
import { inviteAt } from '../../support/invite.mts';
import {
	BATCH_INVITE,
	BATCH_SIZE,
	BATCH_START,
	batchesOf,
	batchWorkflow,
	holdBatches,
	invited,
	LET_THROUGH,
	repeated,
	startBatch,
} from './batches.mts';
import { expect, test } from './fixtures.mts';

/** More executions than both workers run at once, so that some still wait when one worker is lost. */
const BATCHES = 20;
const DELIVERIES = 10;

/** Started when an execution of another workflow fails. n8n 2.x requires that it is published. */
const ERROR_TRIGGER = 'Something Failed';
const ERROR_WORKFLOW = workflowOf('Something failed', {
	...{ name: ERROR_TRIGGER, type: 'n8n-nodes-base.errorTrigger', typeVersion: 1, parameters: {} },
});

const PERSON = { first_name: 'Maya', last_name: 'Okafor', email: 'maya.okafor@example.com' };

// 200 invitations spread over executions, and a worker killed in the middle of them.
test.describe.serial('a worker lost', () => {
	let resultId: string;
	let errorId: string;
	let batchId: string;
	/** The executions that were under way on the worker that was lost. */
	let lost: string[];

	const batches = batchesOf(BATCHES);

	test.beforeAll(async ({ cluster: { client, service } }) => {
		const credential = await createCredential(client, service);
		const webhookId = service.createWebhook();
		({ id: resultId } = await client.createWorkflow(resultReady(credential, webhookId)));
		await client.publish(resultId);
		({ id: errorId } = await client.createWorkflow(ERROR_WORKFLOW));
		await client.publish(errorId);
		const batch = batchWorkflow(credential);
		({ id: batchId } = await client.createWorkflow({
			...batch,
			settings: { ...batch.settings, errorWorkflow: errorId },
		}));
		await client.publish(batchId);
	});
	test.afterAll(({ cluster: { service } }) => service.faults.clear());

	test(`a worker is killed in the middle of ${BATCHES * BATCH_SIZE} invitations`, async ({
		cluster,
	}) => {
		const { service, workers } = cluster;
		const [victim, survivor] = workers;
		holdBatches(service);
		await Promise.all(batches.map(async (batch) => await startBatch(cluster, batch)));
		// Both workers are busy to the full, and every execution waits for the service.
		await expect
			.poll(async () => [
				(await underWayOn(victim)).length,
				(await underWayOn(survivor)).length,
				invited(cluster).length,
			])
			.toEqual([WORKER_CONCURRENCY, WORKER_CONCURRENCY, 2 * WORKER_CONCURRENCY * LET_THROUGH]);
		await victim.kill();
		lost = await underWayOn(victim);
		expect(lost).toHaveLength(WORKER_CONCURRENCY);
		service.faults.clear();
	});

	test('the other worker runs the workflow for each delivery', async ({ cluster }) => {
		const { client, service, workers } = cluster;
		for (let delivery = 0; delivery < DELIVERIES; delivery++) {
			const { invitation_code } = await inviteAt(service, PERSON);
			expect((await service.finish(invitation_code))?.status).toBe(200);
		}
		const all = await client.waitForExecutions(resultId, DELIVERIES);
		const { started } = await workOf(workers[1]);
		for (const { id, status } of all) {
			expect(status, `execution ${id}`).toBe('success');
			expect(started).toContain(id);
		}
	});

	test('n8n reports the lost executions as failed, and all others succeed', async ({ cluster }) => {
		const { client } = cluster;
		const executions = await client.waitForExecutions(batchId, BATCHES, 150_000);
		const failed = executions.filter(({ status }) => status !== 'success');
		expect(failed.map(({ id }) => id).sort()).toEqual([...lost].sort());
		for (const { id } of failed) {
			const { status, data } = await client.getExecution(id);
			expect(status).toBe('error');
			expect(data.resultData.error?.message).toMatch(/failed to be processed too many times/);
		}
	});

	test('no execution runs a second time, and nobody is invited twice', async ({ cluster }) => {
		const work = await Promise.all(cluster.workers.map(workOf));
		const started = work.flatMap((worker) => worker.started);
		expect(repeated(started), 'executions that workers started again').toEqual([]);
		expect(repeated(invited(cluster)), 'candidates invited again').toEqual([]);
	});

	test('each candidate is invited once, or belongs to a failed execution', async ({ cluster }) => {
		const { client } = cluster;
		const whole: string[] = [];
		for (const { id, status } of await client.allExecutions(batchId)) {
			if (status !== 'success') continue;
			const execution = await client.waitForExecution(id);
			const [{ json }] = itemsOf(execution, BATCH_START);
			const output = itemsOf(execution, BATCH_INVITE).map((item) => item.json.ext_reference_id);
			expect(output).toEqual(
				json.body.candidates.map((candidate: { ref: string }) => candidate.ref),
			);
			whole.push(...output);
		}
		expect(repeated(whole), 'candidates of two executions').toEqual([]);
		expect(whole).toHaveLength((BATCHES - lost.length) * BATCH_SIZE);

		const once = new Set(invited(cluster));
		expect(
			whole.filter((reference) => !once.has(reference)),
			'candidates of successful executions without an invitation',
		).toEqual([]);
		const all = new Set(batches.flat());
		expect([...once].filter((reference) => !all.has(reference))).toEqual([]);
		// The lost ones stopped in the middle: what they had sent stays, the rest was never sent.
		const ofLost = once.size - whole.length;
		expect(ofLost).toBeGreaterThanOrEqual(lost.length * LET_THROUGH);
		expect(ofLost).toBeLessThan(lost.length * BATCH_SIZE);
	});

	test('the error workflow hears of each failed execution', async ({ cluster: { client } }) => {
		const reported = async () => {
			const ids: string[] = [];
			for (const { id } of await client.allExecutions(errorId)) {
				const [item] = itemsOf(await client.getExecution(id), ERROR_TRIGGER);
				if (item) ids.push(item.json.execution.id);
			}
			return ids.sort();
		};
		await expect.poll(reported).toEqual([...lost].sort());
	});
});

/** What a worker has started and not finished. */
async function underWayOn(worker: N8nProcess): Promise<string[]> {
	const { started, finished } = await workOf(worker);
	return started.filter((id) => !finished.includes(id));
}
