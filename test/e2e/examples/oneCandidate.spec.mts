import { expect, decide, jsonOf, nodesRun, test } from './fixtures.mts';

const EXAMPLE = 'one-candidate';
const START = 'Invitation Form';
const SECONDS = { 'Wait A Day': { resume: 'timeInterval', amount: 1, unit: 'seconds' } };

test(`${EXAMPLE}: from the form over one reminder to the decision`, async ({
	n8n: { client },
	service,
	candidate,
	importFile,
}) => {
	const { id } = await importFile(EXAMPLE, { parameters: SECONDS });
	const execution = await client.run(id, START);
	const now = async () => await client.getExecution(execution);
	await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBeGreaterThan(5);
	await service.finish(service.invitations[0].invitation_code);
	await expect.poll(async () => (await now()).status).toBe('waiting');

	const waiting = await now();
	expect(nodesRun(waiting)).toContain('Wait For The Decision');
	expect(jsonOf(waiting, 'Send The Reminder')).toHaveLength(1);
	const [{ text }] = jsonOf(waiting, 'Write The Question');
	await decide(candidate, String(text).split('Please decide: ')[1], 'Turn down');
	const ended = await client.waitForExecution(execution);
	expect(jsonOf(ended, 'Note The Decision')).toEqual([
		{ application_id: 'APP-2026-0815', decision: 'Turn down' },
	]);
	expect(service.invitations).toHaveLength(1);
});

test(`${EXAMPLE}: ends when the invitation has expired`, async ({
	n8n: { client },
	importFile,
}) => {
	const soon = { deadline: '={{ $now.plus({ seconds: 4 }) }}' };
	const parameters = { ...SECONDS, 'Invite The Candidate': { additionalFields: soon } };
	const { id } = await importFile(EXAMPLE, { parameters });
	const ended = await client.runToEnd(id, START);
	expect(nodesRun(ended).at(-1)).toBe('Expired');
});
