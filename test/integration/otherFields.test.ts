import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CONTINUE, getByCode, invitation, setUp, TOOL, webhookUpdate } from './support/setup';

// Include Other Input Fields is on unless a user turns it off.

const setup = setUp();

const CV = { data: 'Q1Y=', mimeType: 'application/pdf', fileName: 'cv.pdf' };
const OFF = { includeOtherFields: false };
const ERRORS = { onError: 'continueErrorOutput' as const };

/** Invites the candidate named in the item. */
const inviteRow = (more: INodeParameters = {}) =>
	invitation({ extReferenceId: '={{ $json.ref ?? "APP-1" }}', ...more });

describe('An invited item', () => {
	it('has the fields and files of its row, and over them what the service says', async () => {
		const row = { id: 7, ref: 'APP-1', status: 'applied', email: 'N.Smith@example.com' };
		const { outputs } = await setup.harness.run(inviteRow(), [{ ...row, $binary: { cv: CV } }]);
		const [{ json, binary }] = outputs[0];
		expect(json).toMatchObject({ id: 7, ref: 'APP-1', status: 'invited' });
		expect(json.email).toBe('nathan@example.com');
		expect(Object.keys(json)[0]).toBe('invitation_link');
		expect(binary).toEqual({ cv: CV });
	});

	it('has no link if the answer has none, instead of an old one of its row', async () => {
		const link = 'https://a.example/1';
		for (const invitation_link of [undefined, null, '', [link], { href: link }]) {
			const data = { candidate_id: '1', ext_reference_id: 'APP-1' };
			setup.fault({ status: 200, body: { data: { ...data, invitation_link }, meta: null } });
			const again = inviteRow({ alreadyInvited: 'inviteAgain' });
			const { json } = await setup.harness.run(again, [{ id: 7, invitation_link: 'old' }]);
			expect(json).toEqual([{ id: 7, ...data, invitation_link: null }]);
		}
	});

	it('keeps what the answer leaves out', async () => {
		const data = { candidate_id: '1', invitation_link: 'https://a.example/1' };
		setup.fault({ status: 200, body: { data, meta: null } });
		const row = { id: 7, email: 'own@example.com', candidate_id: 'old' };
		const { json } = await setup.harness.run(inviteRow(), [row]);
		expect(json).toEqual([{ ...row, ...data }]);
	});

	it('has nothing of its row if it is switched off', async () => {
		const row = { id: 7, ref: 'APP-1', $binary: { cv: CV } };
		const { outputs } = await setup.harness.run(inviteRow(OFF), [row]);
		expect(outputs[0][0].json).not.toHaveProperty('id');
		expect(outputs[0][0]).not.toHaveProperty('binary');
	});

	it.each<IDataObject>([
		{ error: 'The table was away' },
		{ error: 'The table was away', message: 'Try again' },
		{ error: 'No', message: 'Again', details: 'Away' },
		{ ref: 'APP-1', error: 'No' },
		{ $error: 'The table was away' },
		{ $error: 'The table was away', ref: 'APP-1' },
	])(
		'leaves at Invited, and the next time at Already Invited as it came, though an earlier node has left an error: %j',
		async (item) => {
			const run = async () => {
				const { outputs, full } = await setup.harness.run(inviteRow(), [item], ERRORS);
				// n8n has moved an error beside the JSON into it.
				const [{ json: row }] = full.data.resultData.runData.Items[0].data!.main[0]!;
				for (const each of outputs[0]) expect(each).not.toHaveProperty('error');
				const json = outputs.map((items) => items.map((each) => each.json));
				return { row, json: JSON.parse(JSON.stringify(json)) as unknown };
			};
			const { row, json } = await run();
			expect(json).toMatchObject([[{ ...row, status: 'invited' }], [], []]);
			expect((await run()).json).toEqual([[], [row], []]);
		},
	);

	it('is invited once though its row has an error, for which n8n repeats a node with Retry On Fail', async () => {
		const settings = { ...ERRORS, retryOnFail: true, waitBetweenTries: 1 };
		const { outputs } = await setup.harness.run(inviteRow(), [{ id: 7, error: '' }], settings);
		expect(outputs.map((items) => items.length)).toEqual([1, 0, 0]);
		expect(outputs[0][0].json).toMatchObject({ id: 7, status: 'invited' });
		expect(setup.service.requests).toHaveLength(1);
	});
});

describe('An error item', () => {
	const row = { id: 7, ref: '', error: 'Old', outcome: 'refused', invitation_link: 'old' };
	const words = { error: expect.stringMatching(/^External Reference ID: /), outcome: 'invalid' };

	it.each([
		['among the others', CONTINUE, 0],
		['at the error output', ERRORS, 2],
	])(
		'has the fields and files of its row, and over them what happened: %s',
		async (_case, settings, output) => {
			const item = { ...row, $binary: { cv: CV } };
			const { outputs } = await setup.harness.run(inviteRow(), [item], settings);
			expect(outputs[output]).toHaveLength(1);
			const [{ json, binary }] = outputs[output];
			expect(json).toEqual({ id: 7, ref: '', invitation_link: null, ...words });
			expect(binary).toEqual({ cv: CV });
		},
	);

	it('has them, too, if an option stops the whole list', async () => {
		const { json } = await setup.harness.run(
			inviteRow({ options: { concurrency: 0 } }),
			[{ id: 7, invitation_link: 'old' }],
			CONTINUE,
		);
		const words = { error: expect.any(String), outcome: 'notSent' };
		expect(json).toEqual([{ id: 7, invitation_link: null, ...words }]);
	});

	it('has nothing of its row if that is switched off', async () => {
		const { json } = await setup.harness.run(inviteRow(OFF), [row], CONTINUE);
		expect(json).toEqual([words]);
	});
});

it.each([{}, OFF])('at Already Invited, an item is as it came: %j', async (more) => {
	const row = { id: 7, ref: 'APP-1', $binary: { cv: CV } };
	await setup.harness.run(inviteRow(), [row]);
	const { outputs } = await setup.harness.run(inviteRow(more), [row]);
	expect(outputs[1]).toMatchObject([{ json: { id: 7, ref: 'APP-1' }, binary: { cv: CV } }]);
	expect(Object.keys(outputs[1][0].json)).toEqual(['id', 'ref']);
});

describe('A retrieved candidate', () => {
	const event = { event: 'candidate_application_result_ready', ext_reference_id: 'their own' };
	it.each<[string, IDataObject, boolean]>([
		['after the trigger', event, false],
		['after a table', { id: 7, status: 'applied', role_fit: null, error: 'Old' }, true],
	])('has the fields of the item %s: %j, simplified: %s', async (_case, row, simplify) => {
		const { code } = await setup.invite();
		const run = await setup.harness.run(getByCode(code, { simplify }), [row], ERRORS);
		const answer = { ext_reference_id: 'APP-1', status: 'invited' };
		expect(run.outputs.map((items) => items.length)).toEqual([1, 0]);
		expect(run.json).toMatchObject([{ ...row, ...answer }]);
	});

	it('has the files of the item, and the report in place of one with its name', async () => {
		const { code } = await setup.invite();
		await setup.service.finish(code);
		const row = { id: 7, $binary: { cv: CV, data: CV } };
		const { outputs } = await setup.harness.run(getByCode(code, { downloadReport: true }), [row]);
		const [{ json, binary }] = outputs[0];
		expect(json).toMatchObject({ id: 7, status: 'completed' });
		expect(binary).toEqual({
			cv: CV,
			data: expect.objectContaining({ fileName: expect.stringMatching(/^report-APP-1-/) }),
		});
	});
});

it('an item that has only files keeps its link, and is passed on by the next run', async () => {
	const list = [undefined as never];
	const [[sent]] = await setup.harness.execute(invitation(), list, {});
	expect(sent.json.invitation_link).toMatch(/^http/);
	// n8n looks for `error` in the JSON of each item.
	const [invited, before] = await setup.harness.execute(invitation(), list, {});
	expect([invited, before]).toEqual([[], [expect.objectContaining({ json: {} })]]);
});

it('a webhook that was changed has no fields of the item', async () => {
	const { webhookId } = setup.service;
	const { json } = await setup.harness.run(webhookUpdate(webhookId), [{ row: 7 }]);
	expect(json).toEqual([expect.not.objectContaining({ row: 7 })]);
});

it.each([
	['who is invited', invitation(), [{ row: 7 }]],
	['who cannot be', invitation({ jobId: '={{ "" }}' }), [{ row: 7 }]],
	['who was invited before', invitation(), [{ row: 7 }, { row: 7 }]],
])('a tool answers with nothing but what happened: %s', async (_case, parameters, items) => {
	const { json } = await setup.harness.run(parameters, items, TOOL);
	expect(json).toHaveLength(items.length);
	for (const answer of json) expect(answer).not.toHaveProperty('row');
});
