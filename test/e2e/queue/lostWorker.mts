import assert from 'node:assert/strict';

import { itemsOf, type Credential } from '../../../tools/n8n/client.mts';
import type { N8nProcess } from '../../../tools/n8n/process.mts';
import {
	BATCH_INVITE,
	BATCH_PATH,
	BATCH_START,
	batchWorkflow,
	errorWorkflow,
	ERROR_TRIGGER,
} from '../../support/batchWorkflow.mts';
import type { Check } from '../../support/checks.mts';
import { WORKER_CONCURRENCY, workOf, type Cluster } from '../../support/cluster.mts';
import { eventually } from '../../support/eventually.mts';

/** More executions than both workers run at once, so that some still wait when one worker is lost. */
const BATCHES = 20;
const BATCH_SIZE = 10;
const DELIVERIES = 10;

/** How long the service takes for each invitation: a batch is to be under way for some seconds. */
const DELAY_MS = 700;
/** So many invitations when the worker is lost: about a third of those that are under way. */
const KILL_AT = 35;

/** 200 invitations spread over executions, and a worker killed in the middle of them. */
export async function checkLostWorker(
	check: Check,
	{ client, service, webhook, workers }: Cluster,
	credential: Credential,
	resultWorkflowId: string,
): Promise<void> {
	const [victim, survivor] = workers;
	const { id: errorId } = await client.createWorkflow(errorWorkflow);
	await client.publish(errorId);
	const { id: batchId } = await client.createWorkflow(
		batchWorkflow(credential, { errorWorkflow: errorId }),
	);
	await client.publish(batchId);

	const batches = Array.from({ length: BATCHES }, (_, batch) =>
		Array.from({ length: BATCH_SIZE }, (_, index) => `batch-${batch + 1}-${index + 1}`),
	);
	/** The candidates of these batches whom the service has invited, as often as it has. */
	const invited = () =>
		service.invitations
			.map((one) => one.ext_reference_id)
			.filter((reference) => reference.startsWith('batch-'));
	/** The executions that were under way on the worker that was lost. */
	let lost: string[] = [];

	await check(
		`a worker is killed in the middle of ${BATCHES * BATCH_SIZE} invitations`,
		async () => {
			service.faults.inject({ route: 'createInvitation', every: 1, delayMs: DELAY_MS });
			await Promise.all(batches.map((batch) => start(`${webhook.baseUrl}/webhook`, batch)));
			// It is busy to the full, so that it has no execution of which it has not told yet.
			const isInTheMiddle = async () =>
				invited().length >= KILL_AT && (await underWayOn(victim)).length === WORKER_CONCURRENCY;
			await eventually(isInTheMiddle, true, 60_000);
			await victim.kill();
			lost = await underWayOn(victim);
			assert.ok(lost.length > 0, 'nothing was under way on it');
		},
	);

	await check('deliveries are verified and run on, all by the other worker', async () => {
		const earlier = await client.countExecutions({ workflowId: resultWorkflowId });
		const open = service.invitations.filter(({ status }) => status === 'invited');
		for (const { invitation_code } of open.slice(0, DELIVERIES)) {
			assert.equal((await service.finish(invitation_code))?.status, 200);
		}
		const all = await client.waitForExecutions(resultWorkflowId, earlier + DELIVERIES);
		const { started } = await workOf(survivor);
		for (const { id, status } of all.slice(0, DELIVERIES)) {
			assert.equal(status, 'success', `execution ${id}`);
			assert.ok(started.includes(id), `execution ${id} was not run by the other worker`);
		}
	});

	await check('n8n reports what it was at as failed, and all else succeeds', async () => {
		const executions = await client.waitForExecutions(batchId, BATCHES, 180_000);
		const failed = executions.filter(({ status }) => status !== 'success');
		assert.deepEqual(failed.map(({ id }) => id).sort(), [...lost].sort());
		for (const { id } of failed) {
			const { status, data } = await client.getExecution(id);
			assert.equal(status, 'error');
			assert.match(data.resultData.error?.message ?? '', /failed to be processed too many times/);
		}
	});

	await check('no execution runs a second time, and nobody is invited twice', async () => {
		const ran = [...(await workOf(victim)).started, ...(await workOf(survivor)).started];
		assert.deepEqual(repeated(ran), [], 'executions that workers started again');
		assert.deepEqual(repeated(invited()), [], 'candidates invited again');
	});

	await check('each candidate is invited once, or belongs to a failed execution', async () => {
		const whole: string[] = [];
		for (const { id, status } of await client.allExecutions(batchId)) {
			if (status !== 'success') continue;
			const execution = await client.getExecution(id);
			const [{ json }] = itemsOf(execution, BATCH_START);
			const output = itemsOf(execution, BATCH_INVITE).map((item) => item.json.ext_reference_id);
			assert.deepEqual(
				output,
				json.body.candidates.map((candidate: { ref: string }) => candidate.ref),
			);
			whole.push(...output);
		}
		assert.deepEqual(repeated(whole), [], 'candidates of two executions');
		assert.equal(whole.length, (BATCHES - lost.length) * BATCH_SIZE);

		const once = new Set(invited());
		assert.deepEqual(
			whole.filter((reference) => !once.has(reference)),
			[],
			'candidates of successful executions whom the service does not know',
		);
		const known = new Set(batches.flat());
		assert.ok([...once].every((reference) => known.has(reference)));
		// The lost ones stopped in the middle: what they had sent stays, the rest was never sent.
		const ofLost = once.size - whole.length;
		assert.ok(ofLost > 0 && ofLost < lost.length * BATCH_SIZE, `${ofLost} of those were invited`);
	});

	await check('the error workflow hears of each failed execution', async () => {
		const reported = async () => {
			const told: string[] = [];
			for (const { id } of await client.allExecutions(errorId)) {
				const [item] = itemsOf(await client.getExecution(id), ERROR_TRIGGER);
				if (item) told.push(item.json.execution.id);
			}
			return told.sort();
		};
		await eventually(reported, [...lost].sort());
	});
	service.faults.clear();
}

/** Starts one execution with these candidates, from outside. */
async function start(address: string, batch: string[]): Promise<void> {
	const response = await fetch(`${address}/${BATCH_PATH}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ candidates: batch.map((ref) => ({ ref })) }),
		signal: AbortSignal.timeout(60_000),
	});
	await response.text();
	assert.equal(response.status, 200, 'a batch was not taken');
}

/** What a worker has started and not finished. */
async function underWayOn(worker: N8nProcess): Promise<string[]> {
	const { started, finished } = await workOf(worker);
	return started.filter((id) => !finished.includes(id));
}

function repeated(all: string[]): string[] {
	return all.filter((one, index) => all.indexOf(one) !== index);
}
