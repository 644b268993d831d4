import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { deduplicator, loadPackage } from './NodeTestHarness';
import { invitation, setUp } from './setup';

const setup = setUp();
const TOOL = { type: 'n8n-nodes-candidate-assessment.candidateAssessmentTool' };

describe.each(['that was never saved', 'that n8n does not know'])(
	'A tool in a workflow %s',
	(which) => {
		beforeEach(() => {
			deduplicator.failure = new Error('SQLITE_CONSTRAINT: FOREIGN KEY constraint failed');
		});

		const run = async (more = {}, settings = {}) => {
			const isUnsaved = which === 'that was never saved';
			const harness = isUnsaved ? setup.createNodeTestHarness({}, 'UTC', '') : setup.harness;
			return await harness.run(invitation(more), [{}], { ...TOOL, ...settings });
		};

		it('invites nobody, and tells its model in the message what to do instead', async () => {
			const { error } = await run();
			expect(error?.message).toMatch(
				/^Nobody was invited, .* Don't try again\. Ask the user .*workflow/,
			);
			expect(setup.service.requests).toEqual([]);
		});

		it('says the same in an error item', async () => {
			const { json } = await run({}, { onError: 'continueRegularOutput' });
			const words = expect.stringMatching(/^Nobody was invited, .*Ask the user/);
			expect(json).toEqual([{ error: words, outcome: 'notSent' }]);
			expect(setup.service.requests).toEqual([]);
		});

		it("invites with 'Invite Again'", async () => {
			const { json } = await run({ alreadyInvited: 'inviteAgain' });
			expect(json).toEqual([expect.objectContaining({ status: 'invited' })]);
		});
	},
);

it('a tool that looks something up needs no memory', async () => {
	const harness = setup.createNodeTestHarness({}, 'UTC', '');
	const webhook = { resource: 'webhook', operation: 'setStatus', status: 'active' };
	const { webhookId } = setup.service;
	const { json } = await harness.run({ ...webhook, webhookId }, [{}], TOOL);
	expect(json[0].status).toBe('active');
});

it.each([
	['candidate', 'getAll', 'no operation of "candidate" called "getAll". Use one of: get, invite.'],
	['job', 'create', 'no resource called "job". Use one of: candidate, webhook.'],
])('%s: %s is an error that names what there is', async (resource, operation, words) => {
	const { error } = await setup.harness.run({ resource, operation });
	expect(error?.message).toBe(`There is ${words}`);
});

it('a tool offers no option for several items', async () => {
	const { description } = NodeHelpers.getVersionedNodeType(
		(await loadPackage()).getNode('candidateAssessment').type,
	);
	const options = description.properties.at(-1)?.options as INodeProperties[];
	const offered = (name: string) =>
		options
			.filter((option) => NodeHelpers.displayParameter({}, option, null, { ...description, name }))
			.map((option) => option.name);
	const ofNode = offered('candidateAssessment');
	const notInTools = ofNode.filter((name) => !offered('candidateAssessmentTool').includes(name));
	expect(notInTools).toEqual(['concurrency', 'includeOtherFields']);
});
