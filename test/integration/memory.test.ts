import { invite } from '../../nodes/CandidateAssessment/actions/candidate/invite.operation';
import { propertyHints } from '../../nodes/CandidateAssessment/builderHints';
import { read } from '../support/documents.mts';
import { deduplicator, type Run } from './support/NodeTestHarness';
import {
	CONTINUE,
	FIRST_LIST,
	invitation,
	invitations,
	JOB_ID,
	setUp,
	TOOL,
	WAS_FIRST_LIST,
} from './support/setup';

// Recording is retried for half a minute.
jest.mock('n8n-workflow', () => {
	const actual = jest.requireActual<typeof import('n8n-workflow')>('n8n-workflow');
	const shortened = async (milliseconds: number) => await actual.sleep(Math.min(milliseconds, 500));
	return { ...actual, sleep: shortened };
});

/** Nobody is invited twice, whatever is run again. */
const setup = setUp();

/** The documented expression that reads the choice from a column. */
const [, byColumn] = /\n(\{\{ \$json\.unconfirmed .+ \}\})\n/.exec(read('docs/reference.md'))!;

/** The numbers of the input items, by output. */
const numbersIn = ({ outputs }: Pick<Run, 'outputs'>) =>
	outputs.map((output) =>
		output.map(({ pairedItem }) => (pairedItem as { item: number }).item + 1),
	);
const SETTINGS = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const BUSY = new Error('SQLITE_BUSY: database is locked');

it('a list run again sends nothing, and outputs everybody as they came at Already Invited', async () => {
	const list = invitations(20);
	const first = await setup.harness.run(...list);
	expect(first.outputs.map(({ length }) => length)).toEqual([20]);
	const again = await setup.harness.run(...list);
	expect(again.error).toBeUndefined();
	expect(again.outputs).toEqual([
		[],
		list[1].map((json, item) => ({ json, pairedItem: { item } })),
	]);
	expect(again.hints).toEqual([
		expect.stringMatching(/^20 candidates had already been invited\. Nothing was sent\./),
	]);
	expect(setup.service.requests).toHaveLength(20);
});

it.each(["={{ 'skip' }}", '={{ undefined }}', 'resendUnknown', 'skipUnknown', 'inviteAgain'])(
	'the three outputs keep their meaning, whatever is chosen (%s)',
	async (mode) => {
		await setup.harness.run(...invitations(2));
		setup.fault({ status: 409 }, 3);
		const list = invitations(4, { alreadyInvited: mode });
		const run = await setup.harness.run(...list, { onError: 'continueErrorOutput' });
		const expected = mode === 'inviteAgain' ? [[1, 2, 4], [], [3]] : [[4], [1, 2], [3]];
		expect(numbersIn(run)).toEqual(expected);
	},
);

it('what an execution is sending is not sent by another one, whatever is chosen', async () => {
	setup.fault({ delayMs: 200 });
	const first = setup.harness.run(invitation());
	await setup.firstRequest();
	const { error } = await setup.harness.run(invitation({ alreadyInvited: 'inviteAgain' }));
	expect(error?.message).toBe('Another execution is inviting this candidate right now');
	expect(error?.description).toContain('Wait until it has ended');
	expect((await first).json).toHaveLength(1);
	expect(setup.service.requests).toHaveLength(1);
});

it('job, reference, and email make an application; only the case of the reference counts', async () => {
	await setup.harness.run(invitation());
	const same = { jobId: JOB_ID.toUpperCase(), email: ' Nathan@Example.com ' };
	expect((await setup.harness.run(invitation(same))).json).toEqual([]);
	const others = [
		{ jobId: JOB_ID.replace('3f', '4f') },
		...[{ extReferenceId: 'app-1' }, { email: 'n@example.com' }],
		// Joined, the fields have the same letters.
		{ extReferenceId: 'APP-1n', email: 'athan@example.com' },
	];
	for (const other of others) {
		expect((await setup.harness.run(invitation(other))).json).toHaveLength(1);
	}
});

it('an application twice in a list is sent once, unless that fails', async () => {
	const [parameters] = invitations(0);
	const items = ['APP-1', 'APP-2', 'APP-1', 'APP-2'].map((ref) => ({ ref }));
	setup.fault({ status: 422 }, 2);
	const { json, outputs, hints } = await setup.harness.run(parameters, items, CONTINUE);
	expect(setup.references()).toEqual(['APP-1', 'APP-2']);
	expect(hints).toEqual([WAS_FIRST_LIST]);
	expect(json).toMatchObject([
		{ ext_reference_id: 'APP-1' },
		{ outcome: 'refused' },
		{
			outcome: 'notSent',
			error:
				'Not sent: duplicate of item 2, which failed. Correct or remove item 2, then run the workflow again.',
		},
	]);
	expect(outputs[1]).toEqual([{ json: { ref: 'APP-1' }, pairedItem: { item: 2 } }]);
});

it.each(['inviteAgain', 'resendUnknown', 'skipUnknown'])(
	'Retry On Fail sends nothing with what is for one run by hand (%s)',
	async (alreadyInvited) => {
		const { error } = await setup.harness.run(invitation({ alreadyInvited }), [{}], SETTINGS);
		expect(error?.message).toBe("'Retry On Fail' works only if 'If Already Invited' is 'Skip'");
		expect(setup.service.requests).toHaveLength(0);
	},
);

it('Check Only takes any choice with Retry On Fail, and a list of any length with Invite Again', async () => {
	const check = { alreadyInvited: 'inviteAgain', options: { checkOnly: true } };
	const { error } = await setup.harness.run(invitation(check), [{}], SETTINGS);
	expect(error).toBeUndefined();
	const email = '={{ $json.ref }}@example.com';
	const long = await setup.harness.run(...invitations(20_001, { ...check, email }));
	expect(long.error).toBeUndefined();
});

it('where nobody could be sent, no hint says that the workflow was never saved', async () => {
	const harness = setup.withoutMemory('never saved');
	const { json, hints } = await harness.run(invitation({ jobId: 'J' }), [{}], CONTINUE);
	expect(json).toMatchObject([{ outcome: 'invalid' }]);
	expect(hints).toEqual([]);
});

it.each(['saved', 'never saved', 'unknown to the database'])(
	'A try that follows one of unknown outcome sends nothing, and says at last what was sent (%s)',
	async (workflow) => {
		const harness = workflow === 'saved' ? setup.harness : setup.withoutMemory(workflow);
		setup.fault({ reset: 'after', times: 1 }, 2);
		const list = invitations(4, { options: { concurrency: 1 } });
		const { error } = await harness.run(...list, SETTINGS);
		expect(setup.references()).toEqual(['APP-1', 'APP-2']);
		expect(error?.message).toMatch(/^APP-2 \(item 2\): Couldn't confirm/);
		expect(error?.description).toMatch(
			/Nothing else was sent\.\nSucceeded \(1\): APP-1 \(item 1\): http.*\nUnconfirmed \(1\): APP-2 \(item 2\)\.$/,
		);
	},
);

describe('An invitation whose outcome is unknown', () => {
	const [parameters, items] = invitations(4);
	const run = async (alreadyInvited: string, list = items, settings = {}) =>
		await setup.harness.run({ ...parameters, alreadyInvited }, list, settings);

	let countBefore: number;

	/** The second and the third are in doubt; the service has only the third. */
	beforeEach(async () => {
		countBefore = setup.service.invitations.length;
		setup.fault({ reset: 'before' }, 2);
		setup.fault({ reset: 'after' }, 3);
		await run('skip', items.slice(0, 3), CONTINUE);
		setup.service.clearRequests();
	});

	it('an invitation in doubt keeps a list from being sent, and is named', async () => {
		const { error, json } = await run('skip');
		expect(setup.service.requests).toEqual([]);
		expect(json).toEqual([]);
		expect(error?.message).toBe(
			"2 of 4 items need attention. Nothing else was sent. APP-2 (item 2): Couldn't confirm whether this candidate was invited, so look for the invitation in the service",
		);
		expect(error?.description).toContain(
			"An earlier run or try couldn't confirm the invitation. If you find it, run only this item",
		);
		expect(error?.description).toMatch(
			/Unconfirmed \(2\): APP-2 \(item 2\), APP-3 \(item 3\)[.:]/m,
		);
	});

	it('a list that is refused settles no invitation in doubt', async () => {
		await run('skipUnknown', [...items, { ref: '' }]);
		expect((await run('skip')).error?.description).toContain('Unconfirmed (2)');
	});

	it('an invitation in doubt is settled by what its error says, to the letter', async () => {
		const { error } = await run('skip');
		const [, thoseThere, theOthers, back] =
			/If you find it, run only this item with 'If Already Invited' set to '(.+?)'; if you don't, with '(.+?)'\. Then switch back to '(.+?)'\./.exec(
				error?.description ?? '',
			) ?? [];
		const names = [
			'Skip, and Treat Unconfirmed as Invited',
			'Skip, but Resend Unconfirmed',
			'Skip',
		];
		expect([thoseThere, theOthers, back]).toEqual(names);
		const isThere = ({ ref }: { ref?: unknown }) =>
			setup.service.invitations
				.slice(countBefore)
				.some(({ ext_reference_id }) => ext_reference_id === ref);
		const inDoubt = items.slice(1, 3);
		expect((await run('skipUnknown', inDoubt.filter(isThere))).outputs[1]).toHaveLength(1);
		const others = await run(
			'resendUnknown',
			inDoubt.filter((item) => !isThere(item)),
		);
		expect(others.json).toHaveLength(1);
		expect(numbersIn(await run('skip'))).toEqual([[4], [1, 2, 3]]);
		expect(setup.references()).toEqual(['APP-2', 'APP-4']);
	});

	it('an invitation in doubt is settled by a column, with the expression of the documents', async () => {
		expect(propertyHints.alreadyInvited).toContain(`expr("${byColumn}")`);
		const list = ['', 'not found', 'found', undefined].map((unconfirmed, index) => ({
			...items[index],
			unconfirmed,
		}));
		const first = await run(`=${byColumn}`, list.slice(0, 3));
		expect(numbersIn(first)).toEqual([[2], [1, 3]]);
		// The column is empty again.
		expect(numbersIn(await run(`=${byColumn}`))).toEqual([[4], [1, 2, 3]]);
		expect(setup.references()).toEqual(['APP-2', 'APP-4']);
	});

	it('an invitation in doubt stays so while its column says something else', async () => {
		const list = items.slice(1, 3).map((item) => ({ ...item, unconfirmed: 'Found?' }));
		expect((await run(`=${byColumn}`, list)).error?.message).toMatch(/^2 of 2 items need/);
		expect(setup.service.requests).toEqual([]);
	});
});

it.each([
	['skip', 'continueErrorOutput', [[], [1], [2, 5]]],
	['skip', 'continueRegularOutput', [[], [1]]],
	['skipUnknown', 'continueErrorOutput', [[], [1, 2], [5]]],
] as const)(
	'With Check Only nobody comes out at Invited, and a hint says what would become of everybody (%s, %s)',
	async (alreadyInvited, onError, left) => {
		const [parameters, items] = invitations(5);
		setup.fault({ reset: 'after' }, 2);
		await setup.harness.run(parameters, items.slice(0, 2), CONTINUE);
		setup.service.clearRequests();
		const before = deduplicator.dump();
		const list = [...items.slice(0, 4), { ref: '' }, items[3]];
		const run = await setup.harness.run(
			{ ...parameters, alreadyInvited, options: { checkOnly: true } },
			list,
			{ onError },
		);
		expect(numbersIn(run)).toEqual(left);
		const unconfirmed =
			"Unconfirmed (1): APP-2 (item 2): Couldn't confirm whether this candidate was invited, so look for the invitation in the service.";
		expect(run.hints.map((hint) => hint.replace(/ An earlier run .*?(?=<br>)/, ''))).toEqual([
			[
				'Check Only: nothing was sent. Checked: 6. Would be invited: 2 (APP-3, APP-4).',
				...(alreadyInvited === 'skip' ? [unconfirmed] : []),
				'Needs correction (1): item 5: External Reference ID: required, but empty',
				`Already invited (${left[1].length}): ${left[1].length === 1 ? 'item 1' : 'items 1–2'}.`,
				'Duplicates (1): APP-4 (item 6).',
			].join('<br>'),
		]);
		expect(deduplicator.dump()).toBe(before);
		expect(setup.service.requests).toEqual([]);
	},
);

it('what keeps Check Only from checking anything stands in a hint, and nobody comes out at Invited', async () => {
	const harness = setup.createNodeTestHarness({ accessToken: '' });
	const list = invitations(2, { options: { checkOnly: true } });
	const { outputs, hints } = await harness.run(...list, CONTINUE);
	expect(outputs).toEqual([[]]);
	expect(hints).toEqual(['The credential has no access token']);
});

it('Check Only names the first ten who would be invited', async () => {
	const [parameters, items] = invitations(11);
	const run = await setup.harness.run({ ...parameters, options: { checkOnly: true } }, items);
	const ten = items.slice(0, 10).map(({ ref }) => ref);
	expect(run.outputs).toEqual([[]]);
	expect(run.hints).toEqual([
		FIRST_LIST,
		`Check Only: nothing was sent. Checked: 11. Would be invited: 11 (${ten.join(', ')}, …).`,
	]);
});

it('As a tool the node says in words that a candidate was already invited', async () => {
	await setup.harness.run(invitation(), [{}], TOOL);
	const { json } = await setup.harness.run(invitation(), [{}], TOOL);
	expect(json).toEqual([
		{ message: 'APP-1: This candidate was already invited. Nothing was sent.' },
	]);
});

it('the memory says nothing about a candidate', async () => {
	await setup.harness.run(invitation());
	expect(deduplicator.dump()).toMatch(/"data":\["/);
	for (const personal of ['nathan', 'smith', 'APP-1', JOB_ID]) {
		expect(deduplicator.dump().toLowerCase()).not.toContain(personal.toLowerCase());
	}
});

it('the memory holds the last 20,000 applications, and a longer list is refused', async () => {
	const [parameters] = invitations(0);
	const one = async (ref: string) => (await setup.harness.run(parameters, [{ ref }])).json.length;
	await one('the first');
	deduplicator.addOthers(19_998);
	await one('the second');
	expect(await one('the first')).toBe(0);
	deduplicator.addOthers(3_000);
	await one('the last');
	expect(await one('the first')).toBe(1);
	setup.service.clearRequests();
	const email = '={{ $json.ref }}@example.com';
	const { error } = await setup.harness.run(...invitations(20_001, { email }));
	expect(error?.message).toMatch(/^The list is too long: the node remembers the last 20,000/);
	expect(error?.description).toMatch(
		/^Nothing was sent\. Split the list across several Invite nodes/,
	);
	expect(setup.service.requests).toHaveLength(0);
});

it('all of a long list is looked up before anything is sent', async () => {
	const [parameters, items] = invitations(150);
	setup.fault({ reset: 'after' }, 120);
	await setup.harness.run(parameters, items.slice(119, 120), CONTINUE);
	setup.service.clearRequests();
	const { error } = await setup.harness.run(parameters, items);
	expect(error?.message).toMatch(/^APP-120 \(item 120\): Couldn't confirm/);
	expect(setup.service.requests).toEqual([]);
});

it.each([
	// One claim and one record.
	[30, 2],
	// A lookup, then a claim and a record for each of four groups.
	[100, 2 + 4 + 4],
])('the memory of a list of %i is read and written %i times at most', async (count, most) => {
	await setup.harness.run(...invitations(count));
	expect(deduplicator.writes).toBeLessThanOrEqual(most);
});

it.each([
	['never saved', undefined],
	['unknown to n8n', undefined],
	['in PostgreSQL', 'insert or update on table "processed_data" violates foreign key constraint'],
	['in MySQL', 'Cannot add or update a child row: a foreign key constraint fails (`n8n`.`pro'],
])('a workflow that is not saved has no memory, and says so (%s)', async (which, failure) => {
	const harness = setup.withoutMemory(which, failure);
	const words = expect.stringContaining('this workflow was never saved');
	for (let time = 0; time < 2; time++) {
		const { json, hints } = await harness.run(...invitations(2));
		expect(json).toHaveLength(2);
		expect(hints).toEqual([words]);
	}
	// n8n shows no hints of a failed run.
	setup.fault({ status: 422 }, 1);
	expect((await harness.run(...invitations(2))).error?.description).toEqual(words);
});

it('a hint that cannot be made fails nothing, and holds back no warning', async () => {
	jest.spyOn(invite as Required<typeof invite>, 'hints').mockImplementationOnce(() => {
		throw new TypeError("Cannot read properties of undefined (reading 'name')");
	});
	const { json, hints } = await setup.withoutMemory('never saved').run(...invitations(2));
	expect(json).toHaveLength(2);
	expect(hints).toEqual([expect.stringContaining('this workflow was never saved')]);
});

it('a tool that can keep no record says so in Check Only, too', async () => {
	const harness = setup.withoutMemory('never saved');
	const { json } = await harness.run(invitation({ options: { checkOnly: true } }), [{}], TOOL);
	expect(json).toMatchObject([
		{ outcome: 'notSent', error: expect.stringContaining("can't remember") },
	]);
});

it('the memory must be written before anything is sent', async () => {
	deduplicator.failure = () => BUSY;
	const { error } = await setup.harness.run(...invitations(2));
	expect(error?.message).toBe("Not sent: the node couldn't save its record in n8n's database");
	expect(error?.description).toContain('SQLITE_BUSY: database is locked');
	const [parameters] = invitations(0);
	const { json } = await setup.harness.run(parameters, [{ ref: 'A' }, { ref: '' }], CONTINUE);
	expect(json.map(({ outcome }) => outcome)).toEqual(['notSent', 'invalid']);
	expect(setup.service.requests).toHaveLength(0);
});

it.each([{}, CONTINUE])(
	'a try that cannot reach the memory still gives the links of the one before (%j)',
	async (settings) => {
		setup.fault({ status: 422 }, settings === CONTINUE ? 1 : 3);
		// After the first try has claimed and recorded.
		deduplicator.failure = () => (deduplicator.writes >= 2 ? BUSY : undefined);
		const list = invitations(3, { options: { concurrency: 3 } });
		const run = await setup.harness.run(...list, { ...SETTINGS, ...settings, maxTries: 2 });
		for (const { invitation_link } of setup.service.invitations.slice(-2)) {
			expect(JSON.stringify([run.error?.description, run.json])).toContain(invitation_link);
		}
	},
);

it('what was sent stays sent where the memory could not be written afterwards, and a hint says so', async () => {
	setup.fault({ delayMs: 50 });
	const run = setup.harness.run(invitation());
	await setup.firstRequest();
	deduplicator.failure = () => BUSY;
	const { json, hints } = await run;
	expect(json).toHaveLength(1);
	expect(hints).toEqual([expect.stringContaining("couldn't record who was invited")]);
	deduplicator.failure = () => undefined;
	const [item] = (await setup.harness.run(invitation(), [{}], CONTINUE)).json;
	expect(item).toMatchObject({ outcome: 'unknown' });
});

it('who was invited by a run that failed and could not record it is not unconfirmed, once their link has come out', async () => {
	setup.fault({ delayMs: 300, status: 422 }, 2);
	// Claimed together, so nothing is recorded before the end.
	const failing = setup.harness.run(...invitations(2));
	await setup.firstRequest(2);
	deduplicator.failure = () => BUSY;
	expect((await failing).error?.description).toContain("couldn't record who was invited");
	deduplicator.failure = () => undefined;
	const one = invitation({ extReferenceId: 'APP-1' });
	expect((await setup.harness.run(one)).json).toHaveLength(1);
	expect((await setup.harness.run(one)).outputs.map(({ length }) => length)).toEqual([0, 1]);
});

it('an option that breaks its rule sends nothing', async () => {
	const { error } = await setup.harness.run(invitation({ options: { concurrency: '={{ 101 }}' } }));
	expect(error?.message).toBe('Concurrency: must be a whole number from 1 to 100');
	const checkOnly = '={{ $json.rehearsal }}';
	const missing = await setup.harness.run(invitation({ options: { checkOnly } }));
	expect(missing.error?.message).toMatch(/^Check Only: required, but the expression is empty/);
	expect(setup.service.requests).toHaveLength(0);
});
