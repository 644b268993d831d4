import { signalGroup } from '../../../tools/n8n/group.mts';
import { WORKER_CONCURRENCY } from '../support/cluster.mts';
import { expect, test } from '../support/queueFixtures.mts';
import { publishInviting, runAgain } from '../support/inviting.mts';

// Matches a query of n8n's helper, with its values and the answer.
const READS_MEMORY = /SELECT [^]*processed_data[^]*n:node-/;

test('a worker that stands still until others have taken over its lock overwrites nothing', async ({
	cluster,
}) => {
	// If the lock's holder dies, the others wait a minute.
	test.setTimeout(400_000);
	const burst = await publishInviting(cluster, 'still', { count: 100, size: 1 });
	const running = burst.workflow.run(burst.lists);
	const expectInvited = async (count: number) =>
		await expect.poll(() => burst.invited().length, { timeout: 120_000 }).toBeGreaterThan(count);
	await expectInvited(20);
	const [{ pid, database }] = cluster.workers;
	const pass = await database.hold(READS_MEMORY);
	signalGroup(pid, 'SIGSTOP');
	pass();
	// Waits for more invitations than were in progress.
	await expectInvited(burst.invited().length + 4 * WORKER_CONCURRENCY);
	signalGroup(pid, 'SIGCONT');
	await running;
	expect((await runAgain(cluster, burst)).length).toBeLessThanOrEqual(WORKER_CONCURRENCY);
});
