import { JOB } from '../../support/example.mts';
import {
	expect,
	finishLate,
	finishOne,
	jsonOf,
	roleFit,
	SECONDS,
	test,
	waitForStatuses,
} from './fixtures.mts';

const EXAMPLE = 'results-by-job';

test(`${EXAMPLE}: each result goes to the output of its job, also if the job has no rule`, async ({
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
			expect.stringMatching(/Maya Okafor has completed the assessment. Role fit: \d+/),
		]);
	}
});

test(`${EXAMPLE}: a call that comes before its result waits for it`, async ({
	n8n: { client },
	service,
	importExample,
}) => {
	const { id } = await importExample(EXAMPLE, { parameters: SECONDS });
	await client.publish(id);
	const invitation = await finishLate(service, () => {}, 3, JOB);
	const [execution] = await waitForStatuses(client, id, ['success']);
	expect(jsonOf(execution, 'Write To Customer Support').map(({ text }) => text)).toEqual([
		expect.stringContaining(`Role fit: ${roleFit(invitation)}. Report: http`),
	]);
});
