import { startedBy, underWayOn, WORKER_CONCURRENCY } from '../support/cluster.mts';
import { publishInviting, referenceIn, repeated } from '../support/inviting.mts';
import { expect, test } from '../support/queueFixtures.mts';

const LISTS = { count: 20, size: 10 };
/** How many invitations of a list the service accepts at once. It delays the rest until the faults are cleared. */
const LET_THROUGH = 3;

// n8n 1.x reruns the executions of a lost worker, unless QUEUE_WORKER_MAX_STALLED_COUNT forbids it.
test('executions of a lost worker that run again invite nobody twice', async ({ cluster }) => {
	test.setTimeout(400_000);
	const { client, service, workers } = cluster;
	const inviting = await publishInviting(cluster, 'stalled', LISTS);
	const { workflow, lists, references, sent, invited } = inviting;
	service.faults.inject({
		...{ route: 'createInvitation', every: 1, delayMs: 600_000 },
		when: ({ body }) => Number(referenceIn(body).split('-').at(-1)) > LET_THROUGH,
	});
	await workflow.send(lists);
	// Both workers are in the middle of their lists, with two requests of each in flight.
	const atOnce = 2 * WORKER_CONCURRENCY;
	await expect
		.poll(() => [invited().length, sent().length])
		.toEqual([atOnce * LET_THROUGH, atOnce * (LET_THROUGH + 2)]);
	await workers[0].kill();
	const lost = (await underWayOn(workers[0])).sort();
	expect(lost).toHaveLength(WORKER_CONCURRENCY);
	service.faults.clear();
	await workflow.ended(LISTS.count);
	const rerun = (await startedBy(workers[1])).filter((id) => lost.includes(id));
	expect(rerun.sort(), 'n8n runs them again').toEqual(lost);
	expect(repeated(sent()), 'candidates sent twice').toEqual([]);

	// Everybody is invited, or in the list of an execution that stopped and names the candidates in doubt.
	const errors = await Promise.all(
		rerun.map(async (id) => (await client.getExecution(id)).data.resultData.error),
	);
	const named = errors.map((error) => `${error?.message}\n${error?.description}`).join('\n');
	for (const reference of references.filter((each) => !invited().includes(each))) {
		const list = reference.replace(/\d+$/, '');
		expect(named).toMatch(new RegExp(`else was sent\\.[^]*Unconfirmed \\(\\d+\\): ${list}`));
		if (sent().includes(reference)) expect(named).toContain(`${reference} (item`);
	}
});
