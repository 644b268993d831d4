import { WORKER_CONCURRENCY, workOf } from '../../support/cluster.mts';
import { createCredential } from '../../support/credentials.mts';
import {
	batchesOf,
	batchWorkflow,
	holdBatches,
	invited,
	LET_THROUGH,
	repeated,
	startBatch,
} from '../queue/batches.mts';
import { expect, test } from '../queue/fixtures.mts';

/** As many as both workers run at once. */
const BATCHES = 2 * WORKER_CONCURRENCY;

// n8n 1.x reruns the executions of a lost worker, unless QUEUE_WORKER_MAX_STALLED_COUNT forbids it.
test('executions of a lost worker that run again invite nobody twice', async ({ cluster }) => {
	const { client, service, workers } = cluster;
	const credential = await createCredential(client, service);
	const { id } = await client.createWorkflow(batchWorkflow(credential));
	await client.publish(id);
	holdBatches(service);
	const batches = batchesOf(BATCHES);
	// One after the other: two workers that record in the same instant can forget one.
	for (const [index, batch] of batches.entries()) {
		await startBatch(cluster, batch);
		// What is held has been claimed.
		const isHeld = ({ body }: { body?: unknown }) =>
			(body as { ext_reference_id: string }).ext_reference_id === batch[LET_THROUGH + 1];
		await expect.poll(() => service.requests.some(isHeld)).toBe(true);
		expect(invited(cluster)).toHaveLength((index + 1) * LET_THROUGH);
	}

	const [victim, survivor] = workers;
	await victim.kill();
	const { started } = await workOf(victim);
	expect(started.length).toBeGreaterThan(0);
	service.faults.clear();

	await client.waitForExecutions(id, BATCHES, 150_000);
	const rerun = (await workOf(survivor)).started.filter((executionId) =>
		started.includes(executionId),
	);
	expect(rerun.sort(), 'n8n runs them again').toEqual(started.toSorted());

	expect(repeated(invited(cluster)), 'candidates invited twice').toEqual([]);
	const sent = service.requests.map(
		({ body }) => (body as { ext_reference_id: string }).ext_reference_id,
	);
	expect(repeated(sent), 'candidates sent twice').toEqual([]);
	// Everybody is invited, or named by the execution that ran again.
	const errors = await Promise.all(
		rerun.map(async (rerunId) => (await client.getExecution(rerunId)).data.resultData.error),
	);
	const named = errors.map((error) => error?.description).join('\n');
	const missing = batches.flat().filter((reference) => !invited(cluster).includes(reference));
	for (const reference of missing) expect(named).toContain(`${reference} (item`);
});
