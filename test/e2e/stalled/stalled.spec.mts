import { BATCH_PATH, batchWorkflow } from '../../support/workflows.mts';
import { WORKER_CONCURRENCY, workOf } from '../../support/cluster.mts';
import { createCredential } from '../../support/credentials.mts';
import { expect, test } from '../queue/fixtures.mts';

/** As many as both workers run at once. */
const BATCHES = 2 * WORKER_CONCURRENCY;
const BATCH_SIZE = 10;
/** The service holds every invitation of a batch but the first ones, until the worker is lost. */
const LET_THROUGH = 3;
const HOLD_MS = 600_000;
const REFERENCE = /^batch-(\d+)-(\d+)$/;

// n8n 1.x runs again what a lost worker was at, unless QUEUE_WORKER_MAX_STALLED_COUNT forbids it.
test('executions of a lost worker that run again invite nobody twice', async ({ cluster }) => {
	const { client, service, webhook, workers } = cluster;
	const credential = await createCredential(client, service);
	const { id } = await client.createWorkflow(batchWorkflow(credential));
	await client.publish(id);
	service.faults.inject({
		route: 'createInvitation',
		every: 1,
		delayMs: HOLD_MS,
		when: ({ body }) => {
			const { ext_reference_id: reference } = body as { ext_reference_id: string };
			return Number(REFERENCE.exec(reference)?.[2] ?? 0) > LET_THROUGH;
		},
	});
	const batches = Array.from({ length: BATCHES }, (_, batch) =>
		Array.from({ length: BATCH_SIZE }, (_, index) => `batch-${batch + 1}-${index + 1}`),
	);
	const invited = () => service.invitations.map(({ ext_reference_id }) => ext_reference_id);
	// One after the other: two workers that record in the same instant can forget one.
	for (const [index, batch] of batches.entries()) {
		const { status } = await fetch(`${webhook.baseUrl}/webhook/${BATCH_PATH}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ candidates: batch.map((ref) => ({ ref })) }),
		});
		expect(status).toBe(200);
		// What is held has been claimed.
		const isHeld = ({ body }: { body?: unknown }) =>
			(body as { ext_reference_id: string }).ext_reference_id === batch[LET_THROUGH + 1];
		await expect.poll(() => service.requests.some(isHeld)).toBe(true);
		expect(invited()).toHaveLength((index + 1) * LET_THROUGH);
	}

	const [victim, survivor] = workers;
	await victim.kill();
	const { started } = await workOf(victim);
	expect(started.length).toBeGreaterThan(0);
	service.faults.clear();

	await client.waitForExecutions(id, BATCHES, 150_000);
	const rerun = (await workOf(survivor)).started.filter((one) => started.includes(one));
	expect(rerun.sort(), 'n8n runs them again').toEqual(started.toSorted());

	expect(repeated(invited()), 'candidates invited twice').toEqual([]);
	const sent = service.requests.map(
		({ body }) => (body as { ext_reference_id: string }).ext_reference_id,
	);
	expect(repeated(sent), 'candidates sent twice').toEqual([]);
	// Everybody is invited, or named by the execution that ran again.
	const errors = await Promise.all(
		rerun.map(async (one) => (await client.getExecution(one)).data.resultData.error),
	);
	const named = errors.map((error) => error?.description).join('\n');
	const missing = batches.flat().filter((reference) => !invited().includes(reference));
	for (const reference of missing) expect(named).toContain(`${reference} (item`);
});

function repeated(all: string[]): string[] {
	return all.filter((one, index) => all.indexOf(one) !== index);
}
