import { resultReady } from '../../../demo/workflows/result-ready.mts';
import { itemsOf, type WorkflowDefinition } from '../../../tools/n8n/client.mts';
import { workflowOf } from '../../support/workflows.mts';
import { underWayOn, WORKER_CONCURRENCY, workOf } from '../../support/cluster.mts';
import { createCredential } from '../../support/credentials.mts';
import { inviteAt } from '../../support/invite.mts';
import {
	BATCH_INVITE,
	BATCH_SIZE,
	BATCH_START,
	batchesOf,
	batchWorkflow,
	invited,
	LET_THROUGH,
	repeated,
	startBatch,
	startHeldBatches,
} from './batches.mts';
import { expect, test } from './fixtures.mts';

/** As many as both workers run at once; the others still wait when one worker is lost. */
const AT_ONCE = 2 * WORKER_CONCURRENCY;
const BATCHES = 2 * AT_ONCE;
const DELIVERIES = 10;

/** Started when an execution of another workflow fails. n8n 2.x requires that it is published. */
const ERROR_TRIGGER = 'Something Failed';
const ERROR_WORKFLOW = workflowOf('Something failed', {
	...{ name: ERROR_TRIGGER, type: 'n8n-nodes-base.errorTrigger', typeVersion: 1, parameters: {} },
});

const PERSON = { first_name: 'Maya', last_name: 'Okafor', email: 'maya.okafor@example.com' };

test(`a worker killed in the middle of ${BATCHES * BATCH_SIZE} invitations: nobody is invited twice, each lost execution is reported, the other worker goes on`, async ({
	cluster,
}) => {
	test.setTimeout(400_000);
	const { client, service, workers, startWorker } = cluster;
	const [victim] = workers;
	const credential = await createCredential(client, service);
	const createAndPublish = async (workflow: WorkflowDefinition) => {
		const { id } = await client.createWorkflow(workflow);
		await client.publish(id);
		return id;
	};
	const resultId = await createAndPublish(resultReady(credential, service.createWebhook()));
	const errorWorkflow = await createAndPublish(ERROR_WORKFLOW);
	const batch = batchWorkflow(credential);
	const batchId = await createAndPublish({
		...batch,
		settings: { ...batch.settings, errorWorkflow },
	});

	const batches = batchesOf(BATCHES);
	await startHeldBatches(cluster, batches.slice(0, AT_ONCE));
	// These wait for a worker.
	for (const each of batches.slice(AT_ONCE)) await startBatch(cluster, each);
	await victim.kill();
	const lost = (await underWayOn(victim)).sort();
	expect(lost).toHaveLength(WORKER_CONCURRENCY);
	service.faults.clear();

	for (let delivery = 0; delivery < DELIVERIES; delivery++) {
		const { invitation_code } = await inviteAt(service, PERSON);
		expect((await service.finish(invitation_code))?.status).toBe(200);
	}
	const results = await client.waitForExecutions(resultId, DELIVERIES);
	expect(results.map(({ status }) => status)).toEqual(Array(DELIVERIES).fill('success'));

	await client.waitForExecutions(batchId, BATCHES, 150_000);
	const failed: string[] = [];
	/** The candidates of executions that succeeded. */
	const whole: string[] = [];
	for (const { id } of await client.allExecutions(batchId)) {
		const execution = await client.waitForExecution(id);
		if (execution.status === 'success') {
			const [{ json }] = itemsOf(execution, BATCH_START);
			const output = itemsOf(execution, BATCH_INVITE).map((item) => item.json.ext_reference_id);
			expect(output).toEqual(json.body.candidates.map(({ ref }: { ref: string }) => ref));
			whole.push(...output);
		} else {
			failed.push(id);
			const { message } = execution.data.resultData.error ?? {};
			expect(message).toMatch(/failed to be processed too many times/);
		}
	}
	expect(failed.sort()).toEqual(lost);
	const started = (await Promise.all(workers.map(workOf))).flatMap((work) => work.started);
	expect(repeated(started), 'executions that workers started again').toEqual([]);
	const all = invited(cluster);
	expect(repeated(all), 'candidates invited twice').toEqual([]);
	expect(all, 'candidates of successful executions').toEqual(expect.arrayContaining(whole));
	expect(whole).toHaveLength((BATCHES - lost.length) * BATCH_SIZE);
	// The lost ones stopped in the middle: what they had sent stays, the rest was never sent.
	expect(all.length - whole.length).toBeGreaterThanOrEqual(lost.length * LET_THROUGH);
	expect(all.length - whole.length).toBeLessThan(lost.length * BATCH_SIZE);

	const reported = async () => {
		const ids: string[] = [];
		for (const { id } of await client.allExecutions(errorWorkflow)) {
			const [item] = itemsOf(await client.getExecution(id), ERROR_TRIGGER);
			if (item) ids.push(item.json.execution.id);
		}
		return ids.sort();
	};
	await expect.poll(reported, { message: 'to the error workflow' }).toEqual(lost);
	workers[0] = await startWorker();
});
