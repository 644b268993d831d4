import { invitation, setUp, TOOL } from './support/setup';

const setup = setUp();

describe.each(['never saved', 'unknown to n8n'])('A tool in a workflow that is %s', (which) => {
	const run = async (parameters = invitation()) =>
		await setup.withoutMemory(which).run(parameters, [{}], TOOL);

	it('invites nobody, and tells its model what to do instead', async () => {
		const { json } = await run();
		const words = /^Nobody was invited, .* Don't try again\. Ask the user .*workflow/;
		expect(json).toEqual([{ error: expect.stringMatching(words), outcome: 'notSent' }]);
		expect(setup.service.requests).toEqual([]);
	});

	it("invites with 'Invite Again'", async () => {
		const { json } = await run(invitation({ alreadyInvited: 'inviteAgain' }));
		expect(json).toEqual([expect.objectContaining({ status: 'invited' })]);
	});

	it('does all else, for which Check Only means nothing', async () => {
		const { webhookId } = setup.service;
		const webhook = { webhookId, status: 'active', options: { checkOnly: true } };
		const { json } = await run({ resource: 'webhook', operation: 'setStatus', ...webhook });
		expect(json[0].status).toBe('active');
	});
});

it("a tool's expressions see the item that n8n shows them, the agent's, and not what its model passed", async () => {
	const parameters = invitation({
		firstName: '={{ $json.name }}',
		lastName: '={{ $json.name + "" }}',
	});
	await setup.harness.execute(parameters, [{ name: 'Ada' }], { passed: { name: 'Eve' } });
	expect(setup.sent()).toMatchObject([{ first_name: 'Ada', last_name: 'Ada' }]);
});

it('with Check Only a tool answers its model that the candidate is ready, and that nothing was sent', async () => {
	const { json } = await setup.harness.run(
		invitation({ options: { checkOnly: true } }),
		[{}],
		TOOL,
	);
	expect(json).toEqual([{ outcome: 'ready', message: 'Nothing was sent.' }]);
	expect(setup.service.requests).toEqual([]);
});

it('a tool that fails answers its model with the error, its advice and its outcome', async () => {
	const harness = setup.createNodeTestHarness({ baseUrl: 'http://127.0.0.1:1' });
	const { json } = await harness.run(invitation({ options: { maxRetries: 0 } }), [{}], TOOL);
	const words = /^Couldn't connect to the service\. Check .* \(ECONNREFUSED\)$/;
	expect(json).toEqual([{ error: expect.stringMatching(words), outcome: 'notSent' }]);
	const broken = { resource: 'candidate', operation: 'getAll' };
	const { json: answer } = await setup.harness.run(broken, [{}], TOOL);
	expect(answer).toEqual([{ error: expect.stringContaining('Use one of'), outcome: 'notSent' }]);
});

it.each([
	['candidate', 'getAll', 'no operation of "candidate" called "getAll". Use one of: get, invite.'],
	['applicant', 'create', 'no resource called "applicant". Use one of: candidate, webhook'],
])('%s: %s is an error that names what there is', async (resource, operation, words) => {
	const { error } = await setup.harness.run({ resource, operation });
	expect(error?.message).toContain(`There is ${words}`);
});
