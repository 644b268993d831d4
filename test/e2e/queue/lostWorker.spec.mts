import { itemsOf } from '../../../tools/n8n/client.mts';
import { baseNode, workflowOf } from '../../support/workflows.mts';
import { startedBy } from '../../support/cluster.mts';
import { expect, test } from './fixtures.mts';
import { LET_THROUGH, LISTS, loseWorker, publishInviting, repeated } from './inviting.mts';

/** Started when an execution of another workflow fails. n8n 2.x requires that it is published. */
const ERROR_TRIGGER = 'Something Failed';
const ERROR_WORKFLOW = workflowOf('Something failed', baseNode(ERROR_TRIGGER, 'errorTrigger', 1));

test('a worker killed in the middle of its lists: nobody is invited twice, each lost execution is reported, the other worker goes on', async ({
	cluster,
}) => {
	test.setTimeout(400_000);
	const { client, workers, startWorker } = cluster;
	const { id: errorWorkflow } = await client.createWorkflow(ERROR_WORKFLOW);
	await client.publish(errorWorkflow);
	const settings = { errorWorkflow };
	const inviting = await publishInviting(cluster, 'lost', LISTS, { settings });
	const { workflow, sent, invited } = inviting;
	const lost = await loseWorker(cluster, inviting);
	await workflow.ended(LISTS.count);

	expect((await workflow.failed()).sort()).toEqual(lost);
	expect(repeated(await startedBy(...workers)), 'executions that workers started again').toEqual(
		[],
	);
	expect(repeated(sent()), 'candidates sent twice').toEqual([]);
	// The lost ones stopped in the middle: what they had sent stays, the rest was never sent.
	const ofOthers = (LISTS.count - lost.length) * LISTS.size;
	expect(invited().length).toBeGreaterThanOrEqual(ofOthers + lost.length * LET_THROUGH);
	expect(invited().length).toBeLessThan(LISTS.count * LISTS.size);

	const reported = async () => {
		const errors = await client.allExecutions(errorWorkflow);
		const executions = await Promise.all(errors.map(({ id }) => client.getExecution(id)));
		return executions.flatMap((each) =>
			itemsOf(each, ERROR_TRIGGER).map(({ json }) => json.execution.id),
		);
	};
	await expect.poll(async () => (await reported()).sort()).toEqual(lost);
	workers[0] = await startWorker();
});
