import { JOB } from '../../support/example.mts';
import { expect, finishOne, jsonOf, test, waitForStatuses } from './fixtures.mts';

const EXAMPLE = 'results-by-job';

test(`${EXAMPLE}: each result leaves at the output of its job, also if the job has no rule`, async ({
	n8n: { client },
	service,
	importExample,
}) => {
	const { id } = await importExample(EXAMPLE);
	await client.publish(id);
	for (const [index, job] of [JOB, undefined].entries()) {
		await finishOne(service, job);
		const [execution] = await waitForStatuses(client, id, Array(index + 1).fill('success'));
		const team = job ? 'Customer Support' : 'Recruiting';
		expect(jsonOf(execution, `Write To ${team}`).map(({ text }) => text)).toEqual([
			expect.stringMatching(/Maya Okafor has completed the assessment with a role fit of \d+/),
		]);
	}
});
