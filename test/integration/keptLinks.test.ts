import * as fc from 'fast-check';
import { sleep, type IDataObject } from 'n8n-workflow';
import { histories, nextTurn } from '../support/histories.mts';
import { deduplicator, type Run } from './NodeTestHarness';
import { CONTINUE, FIRST_LIST, invitation, invitations, setUp } from './setup';

/** No link is lost with an error: what a run has sent whose output n8n discards, a later run outputs. */
const setup = setUp();

const INVITED_BEFORE = /^\d+ candidates? had already been invited\./;

const linksIn = ({ json }: Pick<Run, 'json'>) =>
	json.map(({ ext_reference_id, invitation_link }) => [ext_reference_id, invitation_link]);

/** Each with its own link, as the service gave them. */
const linksOfService = (references: string[]) =>
	references.map((reference) => {
		const sent = invitationsNow().find((each) => each.ext_reference_id === reference);
		return [reference, sent?.invitation_link];
	});

/** Those of this test. */
const invitationsNow = () => setup.service.invitations.slice(countBefore);
let countBefore = 0;

const referencesIn = (items: IDataObject[]) => items.map(({ ref }) => String(ref));

beforeEach(() => {
	countBefore = setup.service.invitations.length;
});

it.each([1, 4, 30])(
	'after a row that the service refuses, the next run of the list outputs everybody, with Concurrency %i',
	async (concurrency) => {
		const list = invitations(12, { options: { concurrency } });
		setup.fault({ status: 422 }, 6);
		const failed = await setup.harness.run(...list);
		expect(failed.error?.message).toMatch(/^APP-6 \(item 6\): The service rejected the data/);
		expect(failed.error?.description).toContain('Correct this item or leave it out');
		const before = setup.references();
		const invited = before.filter((reference) => reference !== 'APP-6');
		const everybody = referencesIn(list[1]);
		setup.service.faults.clear();
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
	},
);

it('after a stop, the next run outputs who was invited', async () => {
	const list = invitations(5, { options: { concurrency: 1 } });
	const stop = new AbortController();
	setup.fault({ delayMs: 100 }, 3);
	const end = setup.harness.execute(...list, { signal: stop.signal });
	await setup.firstRequest(3);
	stop.abort();
	await expect(end).rejects.toThrow('the execution was stopped');
	const second = await setup.harness.run(...list);
	expect(linksIn(second)).toEqual(linksOfService(referencesIn(list[1])));
	expect(setup.references()).toEqual(referencesIn(list[1]));
});

it('after a stop of a list that continues on errors, the next run outputs who was invited', async () => {
	const stop = new AbortController();
	setup.fault({ delayMs: 100 }, 1);
	const end = setup.harness.execute(...invitations(1), { signal: stop.signal });
	await setup.firstRequest();
	stop.abort();
	expect(await end).toHaveLength(1);
	expect(linksIn(await setup.harness.run(...invitations(1)))).toEqual(linksOfService(['APP-1']));
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

it('after a stop while a later node runs, no link comes out that was made anew meanwhile', async () => {
	const stop = new AbortController();
	await setup.harness.execute(...invitations(1), { signal: stop.signal });
	await setup.harness.run(...invitations(1, { alreadyInvited: 'inviteAgain' }));
	stop.abort();
	expect((await setup.harness.run(...invitations(1))).json).toEqual([]);
});

it('a link that nobody has seen is forgotten after those that came out', async () => {
	await failAfterOne();
	const [parameters] = invitations(0, { options: { concurrency: 100 } });
	for (const list of ['SECOND', 'THIRD']) {
		const others = Array.from({ length: 1_100 }, (_, index) => ({ ref: `${list}-${index}` }));
		expect((await setup.harness.run(parameters, others)).json).toHaveLength(1_100);
	}
	expect(linksIn(await setup.harness.run(...invitations(1)))).toEqual(linksOfService(['APP-1']));
});

/** The first of two is invited by a run that fails at the second. */
async function failAfterOne(): Promise<void> {
	setup.fault({ status: 422 }, 2);
	await setup.harness.run(...invitations(2, { options: { concurrency: 1 } }));
	setup.service.clearRequests();
}

it.each(['skip', 'skipUnknown', 'resendUnknown'])(
	'who was invited by a run that failed comes out once, and is not sent again (%s)',
	async (alreadyInvited) => {
		await failAfterOne();
		const one = invitation({ extReferenceId: 'APP-1', alreadyInvited });
		expect(linksIn(await setup.harness.run(one))).toEqual(linksOfService(['APP-1']));
		expect(setup.references()).toEqual([]);
		const { json } = await setup.harness.run(one, [{}], { onError: 'continueErrorOutput' });
		expect(json).toEqual([]);
	},
);

it('Check Only leaves it for the next run', async () => {
	await failAfterOne();
	const list = invitations(2, { options: { checkOnly: true } });
	expect((await setup.harness.run(...list)).outputs.map(({ length }) => length)).toEqual([1, 1]);
	expect(linksIn(await setup.harness.run(...invitations(2)))).toEqual(
		linksOfService(['APP-1', 'APP-2']),
	);
});

it('a list that is refused before anything is sent leaves it for the next run', async () => {
	await failAfterOne();
	const [parameters, items] = invitations(2);
	const { error } = await setup.harness.run(parameters, [...items, { ref: '' }]);
	expect(error?.description).toContain('Nothing else was sent');
	expect(linksIn(await setup.harness.run(parameters, items))).toHaveLength(2);
});

it('Invite Again sends it anew, and that link is the one that comes out', async () => {
	await failAfterOne();
	const again = await setup.harness.run(...invitations(1, { alreadyInvited: 'inviteAgain' }));
	expect(setup.references()).toEqual(['APP-1']);
	const { invitation_link: newest } = invitationsNow().at(-1) ?? {};
	expect(linksIn(again)).toEqual([['APP-1', newest]]);
	expect((await setup.harness.run(...invitations(1))).json).toEqual([]);
});

it('it comes out with the other fields of its input item', async () => {
	await failAfterOne();
	const [parameters] = invitations(0, { options: { includeOtherFields: true } });
	const { json } = await setup.harness.run(parameters, [{ ref: 'APP-1', row: 7 }]);
	expect(json).toMatchObject([{ ref: 'APP-1', row: 7, invitation_link: expect.any(String) }]);
});

it('what the last try of Retry On Fail outputs does not come out again', async () => {
	setup.fault({ status: 422, times: 9 }, 1);
	const settings = { ...CONTINUE, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const first = await setup.harness.run(...invitations(2), settings);
	expect(linksIn(first)[1]).toEqual(linksOfService(['APP-2'])[0]);
	setup.service.faults.clear();
	const second = await setup.harness.run(...invitations(2), settings);
	expect(linksIn(second)).toEqual(linksOfService(['APP-1']));
	expect(second.outputs[1]).toHaveLength(1);
});

it('another execution between two tries takes no link of theirs', async () => {
	setup.fault({ status: 422, times: 9 }, 1);
	const settings = { ...CONTINUE, retryOnFail: true, maxTries: 2, waitBetweenTries: 1_000 };
	const tried = setup.harness.run(...invitations(2), settings);
	await setup.firstRequest(2);
	await sleep(500);
	const other = await setup.harness.run(invitation({ extReferenceId: 'APP-2' }));
	expect(other.json).toEqual([]);
	expect(linksIn(await tried)[1]).toEqual(linksOfService(['APP-2'])[0]);
});

it('a later try that fails before it sends leaves the links of the first one to the next run', async () => {
	setup.fault({ status: 422, times: 9 }, 1);
	const settings = { ...CONTINUE, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const [parameters, items] = invitations(2);
	const failing = setup.harness.run(parameters, items, settings);
	await setup.firstRequest(2);
	setup.harness.setCredentialGone(true);
	expect((await failing).json).toMatchObject([{ outcome: 'notSent' }, { outcome: 'notSent' }]);
	setup.harness.setCredentialGone(false);
	setup.service.faults.clear();
	expect(linksIn(await setup.harness.run(parameters, items))).toEqual(
		linksOfService(['APP-1', 'APP-2']),
	);
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

it.each([
	['another credential', () => setup.createNodeTestHarness({}, undefined, 'production')],
	// A name and an address of one machine.
	[
		'another Base URL',
		() =>
			setup.createNodeTestHarness({
				baseUrl: setup.service.baseUrl.replace('127.0.0.1', 'localhost'),
			}),
	],
])('a link of a run with one account is no link for a run with %s', async (_what, otherHarness) => {
	await failAfterOne();
	const [parameters, items] = invitations(1);
	const { outputs } = await otherHarness().run(parameters, items);
	expect(outputs.map((output) => output.map(({ json }) => json))).toEqual([[], items]);
	expect(setup.references()).toEqual([]);
	expect(linksIn(await setup.harness.run(parameters, items))).toEqual(linksOfService(['APP-1']));
});

it('a link that has expired does not come out', async () => {
	await failAfterOne();
	const expiry = Date.parse(String(invitationsNow()[0].invitation_expired_at));
	const now = jest.spyOn(Date, 'now').mockReturnValue(expiry);
	const { outputs } = await setup.harness.run(...invitations(1));
	now.mockRestore();
	expect(outputs.map(({ length }) => length)).toEqual([0, 1]);
});

it('a link that a run took over does not come out after one that was made anew meanwhile', async () => {
	await failAfterOne();
	setup.fault({ delayMs: 500, status: 422 }, 3);
	const [parameters] = invitations(0, { options: { concurrency: 1 } });
	const takingOver = setup.harness.run(parameters, [{ ref: 'APP-1' }, { ref: 'APP-3' }]);
	await setup.firstRequest();
	const again = await setup.harness.run(...invitations(1, { alreadyInvited: 'inviteAgain' }));
	expect(linksIn(again)).toHaveLength(1);
	expect((await takingOver).error?.message).toMatch(/^APP-3/);
	const { outputs } = await setup.harness.run(...invitations(1));
	expect(outputs.map(({ length }) => length)).toEqual([0, 1]);
});

it('an answer far larger than an invitation is not kept', async () => {
	setup.fault(
		{ body: { data: { invitation_link: `https://a.example/${'x'.repeat(20_000)}` } }, status: 200 },
		1,
	);
	await failAfterOne();
	const { outputs } = await setup.harness.run(...invitations(1));
	expect(outputs.map(({ length }) => length)).toEqual([0, 1]);
});

/** What happens to one run of a list. */
interface Attempt {
	/** Of the service's answer, by number of the candidate. */
	refused: number[];
	onError?: 'continueRegularOutput';
	retryOnFail: boolean;
	concurrency: number;
	/** The list is stopped after so many requests. */
	stopAfter?: number;
}
const attempt: fc.Arbitrary<Attempt> = fc.record(
	{
		refused: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
		onError: fc.constant<'continueRegularOutput'>('continueRegularOutput'),
		retryOnFail: fc.boolean(),
		concurrency: fc.constantFrom(1, 2, 30),
		stopAfter: fc.integer({ min: 1, max: 5 }),
	},
	{ requiredKeys: ['refused', 'retryOnFail', 'concurrency'] },
);

it('whatever fails or is stopped, everybody whom the service took comes out with their link exactly once', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 4 }), async (attempts) => {
			deduplicator.startNewWorkflow();
			countBefore = setup.service.invitations.length;
			setup.service.clearRequests();
			const seen: unknown[] = [];
			for (const each of [...attempts, { refused: [], retryOnFail: false, concurrency: 4 }]) {
				seen.push(...(await linksOf(each)));
			}
			const everybody = invitationsNow().map((each) => each.ext_reference_id);
			expect(everybody.toSorted()).toEqual(referencesIn(invitations(6)[1]));
			const links = invitationsNow().map((each) => each.invitation_link);
			expect(seen.toSorted()).toEqual(links.toSorted());
		}),
		{ numRuns: histories(40) },
	);
}, 3_600_000);

/** The links that a run outputs, if n8n doesn't discard them. */
async function linksOf({
	refused,
	onError,
	retryOnFail,
	concurrency,
	stopAfter = 0,
}: Attempt): Promise<unknown[]> {
	setup.service.faults.clear();
	for (const number of refused) setup.fault({ status: 422, times: 9 }, number);
	const list = invitations(6, { options: { concurrency } });
	if (stopAfter > 0) {
		const stop = new AbortController();
		const count = setup.service.requests.length;
		const end = setup.harness.execute(...list, { signal: stop.signal }).catch(() => []);
		let isOver = false;
		void end.then(() => (isOver = true));
		while (!isOver && setup.service.requests.length < count + stopAfter) {
			await nextTurn();
		}
		// Otherwise it's a later node that is stopped.
		stop.abort();
		await end;
		return [];
	}
	const settings = { onError, retryOnFail, maxTries: 2, waitBetweenTries: 1 };
	const { json } = await setup.harness.run(...list, settings);
	return json.flatMap(({ invitation_link: link }) => link ?? []);
}

it('a run with nobody left to invite counts candidates, not their items', async () => {
	await setup.harness.run(...invitations(1));
	const [parameters] = invitations(0);
	const { hints } = await setup.harness.run(parameters, Array(3).fill({ ref: 'APP-1' }));
	expect(hints).toEqual([expect.stringContaining('1 candidate had already been invited.')]);
});

it('a list of several says when it is the first one of its node, and only then', async () => {
	const check = invitations(2, { options: { checkOnly: true } });
	expect((await setup.harness.run(...check)).hints).toEqual([
		FIRST_LIST,
		'Check Only: nothing was sent. 2 candidates would be invited.',
	]);
	expect((await setup.harness.run(...invitations(1))).hints).toEqual([]);
	expect((await setup.harness.run(...invitations(3))).hints).toEqual([]);
	const { hints } = await setup.harness.run(...invitations(3));
	expect(hints).toEqual([expect.stringMatching(INVITED_BEFORE)]);
});

it.each<IDataObject>([
	{ $error: 'The table was away' },
	{ error: 'The table was away' },
	{ error: 'The table was away', message: 'Try again' },
	{ error: 'The table was away', message: 'Try again', details: 'It is locked' },
	{ $error: 'The table was away', name: 'Nathan' },
])(
	'who was already invited goes to Already Invited as they came, also with an error of an earlier node (%j)',
	async (item) => {
		await setup.harness.run(invitation());
		const settings = { onError: 'continueErrorOutput' as const };
		const { outputs, full } = await setup.harness.run(invitation(), [item], settings);
		const [input] = full.data.resultData.runData.Items[0].data?.main[0] ?? [];
		const json = JSON.parse(
			JSON.stringify(outputs.map((output) => output.map((each) => each.json))),
		);
		expect(json).toEqual([[], [input.json], []]);
	},
);

it('many items of one candidate are one application', async () => {
	const [parameters] = invitations(0);
	const { error, outputs } = await setup.harness.run(
		parameters,
		Array(20_001).fill({ ref: 'APP-1' }),
	);
	expect([error, ...outputs.map(({ length }) => length)]).toEqual([undefined, 1, 20_000]);
});
