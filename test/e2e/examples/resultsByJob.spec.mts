import { inviteAt } from '../../support/invite.mts';
import { JOB } from '../../support/example.mts';
import { expect, jsonOf, test } from './fixtures.mts';

const EXAMPLE = 'results-by-job';

test(`${EXAMPLE}: each result leaves at the output of its job, also if the job has no rule`, async ({
	n8n: { client },
	service,
	importFile,
}) => {
	const { webhookId } = service;
	const trigger = { 'When A Result Is Ready': { webhookId } };
	const { id } = await importFile(EXAMPLE, { parameters: trigger });
	await client.publish(id);
	for (const [index, job] of [JOB, undefined].entries()) {
		const person = { first_name: 'Maya', last_name: 'Okafor', email: 'maya@example.com' };
		const { invitation_code } = await inviteAt(service, person, job);
		await service.finish(invitation_code);
		const [{ id: latest }] = await client.waitForExecutions(id, index + 1);
		const execution = await client.waitForExecution(latest);
		const team = job ? 'Customer Support' : 'Recruiting';
		expect(jsonOf(execution, `Write To ${team}`).map(({ text }) => text)).toEqual([
			expect.stringMatching(/Maya Okafor has completed the assessment with a role fit of \d+/),
		]);
	}
});
