import { underWayOn, WORKER_CONCURRENCY, workOf } from '../../support/cluster.mts';
import { createCredential } from '../../support/credentials.mts';
import { batchesOf, batchWorkflow, invited, repeated, sent, startHeldBatches } from './batches.mts';
import { expect, test } from './fixtures.mts';

/** As many as both workers run at once. */
const BATCHES = 2 * WORKER_CONCURRENCY;

// n8n 1.x reruns the executions of a lost worker, unless QUEUE_WORKER_MAX_STALLED_COUNT forbids it.
test('executions of a lost worker that run again invite nobody twice', async ({ cluster }) => {
	const { client, service, workers } = cluster;
	const credential = await createCredential(client, service);
	const { id } = await client.createWorkflow(batchWorkflow(credential));
	await client.publish(id);
	const batches = batchesOf(BATCHES);
	await startHeldBatches(cluster, batches);

	const [victim, survivor] = workers;
	await victim.kill();
	const lost = await underWayOn(victim);
	expect(lost.length).toBeGreaterThan(0);
	service.faults.clear();

	await client.waitForExecutions(id, BATCHES, 150_000);
	const rerun = (await workOf(survivor)).started.filter((each) => lost.includes(each));
	expect(rerun.sort(), 'n8n runs them again').toEqual(lost.sort());

	expect(repeated(invited(cluster)), 'candidates invited twice').toEqual([]);
	expect(repeated(sent(cluster)), 'candidates sent twice').toEqual([]);
	// Everybody is invited, or in the list of an execution that sent nothing again, and names those in doubt.
	const errors = await Promise.all(
		rerun.map(async (rerunId) => (await client.getExecution(rerunId)).data.resultData.error),
	);
	const named = errors.map((error) => error?.description).join('\n');
	const missing = batches.flat().filter((reference) => !invited(cluster).includes(reference));
	for (const reference of missing) {
		const batch = reference.replace(/\d+$/, '');
		expect(named).toMatch(new RegExp(`Nothing was sent\\.\\s+Unknown \\(\\d+\\): ${batch}`));
		if (sent(cluster).includes(reference)) expect(named).toContain(`${reference} (item`);
	}
});
