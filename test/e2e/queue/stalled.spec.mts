import { startedBy } from '../../support/cluster.mts';
import { LISTS, loseWorker, publishInviting, repeated } from './inviting.mts';
import { expect, test } from './fixtures.mts';

// n8n 1.x reruns the executions of a lost worker, unless QUEUE_WORKER_MAX_STALLED_COUNT forbids it.
test('executions of a lost worker that run again invite nobody twice', async ({ cluster }) => {
	test.setTimeout(400_000);
	const inviting = await publishInviting(cluster, 'stalled', LISTS);
	const { workflow, references, sent, invited } = inviting;
	const lost = await loseWorker(cluster, inviting);
	await workflow.ended(LISTS.count);
	const rerun = (await startedBy(cluster.workers[1])).filter((id) => lost.includes(id));
	expect(rerun.sort(), 'n8n runs them again').toEqual(lost);
	expect(repeated(sent()), 'candidates sent twice').toEqual([]);

	// Everybody is invited, or in the list of an execution that sent nothing again, and names those in doubt.
	const errors = await Promise.all(
		rerun.map(async (id) => (await cluster.client.getExecution(id)).data.resultData.error),
	);
	const named = errors.map((error) => `${error?.message}\n${error?.description}`).join('\n');
	for (const reference of references.filter((each) => !invited().includes(each))) {
		const list = reference.replace(/\d+$/, '');
		expect(named).toMatch(new RegExp(`Nothing was sent\\.[^]*Unconfirmed \\(\\d+\\): ${list}`));
		if (sent().includes(reference)) expect(named).toContain(`${reference} (item`);
	}
});
