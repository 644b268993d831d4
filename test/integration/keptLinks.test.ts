import type { IDataObject } from 'n8n-workflow';
import type { Run } from './support/NodeTestHarness';
import { invitation, invitations, setUp } from './support/setup';

/** No link is lost with an error. `histories` tests that each comes out once, whatever happens in between. */
const setup = setUp();

const linksIn = ({ json }: Pick<Run, 'json'>) =>
	json.map(({ ext_reference_id, invitation_link }) => [ext_reference_id, invitation_link]);

/** Each reference with its own link, as the service issued it. */
const linksOfService = (references: string[]) =>
	references.map((reference) => {
		const sent = invitationsNow().find((each) => each.ext_reference_id === reference);
		return [reference, sent?.invitation_link];
	});

/** This test's invitations. */
const invitationsNow = () => setup.service.invitations.slice(countBefore);
let countBefore = 0;

const referencesIn = (items: IDataObject[]) => items.map(({ ref }) => String(ref));

beforeEach(() => {
	countBefore = setup.service.invitations.length;
});

it('after a row that the service refuses, the next run of the list outputs everybody', async () => {
	const list = invitations(12, { options: { concurrency: 4 } });
	setup.fault({ status: 422 }, 6);
	const failed = await setup.harness.run(...list);
	expect(failed.error?.message).toMatch(/^APP-6 \(item 6\): The service rejected the data/);
	expect(failed.error?.description).toContain('Correct this item or leave it out');
	const invited = setup.references().filter((reference) => reference !== 'APP-6');
	const everybody = referencesIn(list[1]);
	setup.service.clearRequests();

	const second = await setup.harness.run(...list);
	expect(second.error).toBeUndefined();
	expect(setup.references()).toEqual(everybody.filter((each) => !invited.includes(each)));
	expect(linksIn(second)).toEqual(linksOfService(everybody));
	expect(second.outputs).toHaveLength(1);
	expect(second.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
		everybody.map((_each, item) => ({ item })),
	);
	const third = await setup.harness.run(...list);
	expect(third.outputs.map(({ length }) => length)).toEqual([0, 12]);
});

it('a link of one service is output for no other, even with the same credential', async () => {
	const list = invitations(2, { options: { concurrency: 1 } });
	setup.fault({ status: 422 }, 2);
	await setup.harness.run(...list);
	const elsewhere = setup.createNodeTestHarness({ baseUrl: `${setup.service.baseUrl}/` });
	const moved = setup.createNodeTestHarness({
		baseUrl: setup.service.baseUrl.replace('127.0.0.1', 'localhost'),
	});
	expect((await moved.run(...list)).outputs[0]).not.toContainEqual(
		expect.objectContaining({ pairedItem: { item: 0 } }),
	);
	expect(linksIn(await elsewhere.run(...list))).toContainEqual(linksOfService(['APP-1'])[0]);
});

it('after a stop while a later node runs, the next run outputs who was invited, once', async () => {
	const stop = new AbortController();
	await setup.harness.execute(...invitations(3), { signal: stop.signal });
	const meanwhile = await setup.harness.run(invitation({ extReferenceId: 'APP-1' }));
	expect(meanwhile.json).toEqual([]);
	stop.abort();
	expect(linksIn(await setup.harness.run(...invitations(3)))).toEqual(
		linksOfService(['APP-1', 'APP-2', 'APP-3']),
	);
	expect((await setup.harness.run(...invitations(3))).json).toEqual([]);
});

/** Invites the first of two candidates in a run that fails at the second. */
async function failAfterOne(): Promise<void> {
	setup.fault({ status: 422 }, 2);
	await setup.harness.run(...invitations(2, { options: { concurrency: 1 } }));
	setup.service.clearRequests();
}

it('Check Only leaves it for the next run', async () => {
	await failAfterOne();
	const list = invitations(2, { options: { checkOnly: true } });
	expect((await setup.harness.run(...list)).outputs.map(({ length }) => length)).toEqual([0, 1]);
	expect(linksIn(await setup.harness.run(...invitations(2)))).toEqual(
		linksOfService(['APP-1', 'APP-2']),
	);
});

it('Invite Again sends it anew, and that link is the one that comes out', async () => {
	await failAfterOne();
	const again = await setup.harness.run(...invitations(1, { alreadyInvited: 'inviteAgain' }));
	expect(setup.references()).toEqual(['APP-1']);
	const { invitation_link: newest } = invitationsNow().at(-1) ?? {};
	expect(linksIn(again)).toEqual([['APP-1', newest]]);
	expect((await setup.harness.run(...invitations(1))).json).toEqual([]);
});

it('what is sent again in every run is not promised for the next one', async () => {
	setup.fault({ status: 422 }, 2);
	const again = { alreadyInvited: 'inviteAgain', options: { concurrency: 1 } };
	const { error } = await setup.harness.run(...invitations(2, again));
	expect(error?.description).toContain('Succeeded (1)');
	expect(error?.description).not.toContain("isn't sent again");
});

it('a link belongs to its node', async () => {
	await failAfterOne();
	await setup.harness.run(...invitations(2), {}, ['Another']);
	expect(setup.references()).toEqual(['APP-1', 'APP-2']);
});

it('Invite Again leaves the link for the next run if nobody knows whether it was sent anew', async () => {
	await failAfterOne();
	setup.fault({ reset: 'before' }, 1);
	const again = await setup.harness.run(...invitations(1, { alreadyInvited: 'inviteAgain' }));
	expect(again.error?.message).toMatch(/^Couldn't confirm/);
	expect(linksIn(await setup.harness.run(...invitations(1)))).toEqual(linksOfService(['APP-1']));
	const { error } = await setup.harness.run(...invitations(1));
	expect(error?.message).toMatch(/^Couldn't confirm/);
});

it('a link of a run with one credential is no link for a run with another', async () => {
	await failAfterOne();
	const [parameters, items] = invitations(1);
	const other = setup.createNodeTestHarness({}, undefined, 'production');
	const { outputs } = await other.run(parameters, items);
	expect(outputs.map((output) => output.map(({ json }) => json))).toEqual([[], items]);
	expect(setup.references()).toEqual([]);
	expect(linksIn(await setup.harness.run(parameters, items))).toEqual(linksOfService(['APP-1']));
});

describe('an answer far larger than an invitation', () => {
	const data = { invitation_link: `https://a.example/${'x'.repeat(20_000)}` };
	const answerAtLength = () => setup.fault({ body: { data }, status: 200 }, 1);

	it('is not kept', async () => {
		answerAtLength();
		await failAfterOne();
		const { outputs } = await setup.harness.run(...invitations(1));
		expect(outputs.map(({ length }) => length)).toEqual([0, 1]);
	});

	it('leaves no older link that could come out', async () => {
		await failAfterOne();
		answerAtLength();
		const again = await setup.harness.run(...invitations(1, { alreadyInvited: 'inviteAgain' }));
		expect(again.json).toHaveLength(1);
		const { outputs } = await setup.harness.run(...invitations(1));
		expect(outputs.map(({ length }) => length)).toEqual([0, 1]);
	});
});

it('many items of one candidate are one application, and one candidate in hints', async () => {
	const [parameters] = invitations(0, { email: 'nathan@example.com' });
	const list = Array<IDataObject>(20_001).fill({ ref: 'APP-1' });
	const { error, outputs } = await setup.harness.run(parameters, list);
	expect([error, ...outputs.map(({ length }) => length)]).toEqual([undefined, 1, 20_000]);
	expect((await setup.harness.run(parameters, list.slice(0, 3))).hints).toEqual([
		expect.stringMatching(/^1 candidate had already been invited\. Nothing was sent\./),
	]);
});
