import { sleep, type INodeParameters } from 'n8n-workflow';
import { invitation, invitations, setUp } from './setup';

const setup = setUp();

const references = () =>
	setup.sent().map((body) => (body as { ext_reference_id: string }).ext_reference_id);

/** The invitation link that the service gave an application last. */
const linkOf = (reference: string) =>
	setup.service.invitations.findLast(({ ext_reference_id }) => ext_reference_id === reference)
		?.invitation_link;

const withOptions = (parameters: INodeParameters, options: INodeParameters): INodeParameters => ({
	...parameters,
	options,
});

describe('A batch', () => {
	it('sends nothing when one item is wrong, and names item, field, rule and measure', async () => {
		const items = Array.from({ length: 20 }, (_, index) => ({
			skills: Array.from({ length: index === 6 ? 16 : 15 }, () => ({ name: 'SQL' })),
		}));
		const skillsJson = '={{ $json.skills }}';
		const { error, json } = await setup.harness.run(
			invitation({ additionalFields: { skillsJson } }),
			items,
		);
		expect(setup.service.requests).toHaveLength(0);
		expect(json).toEqual([]);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: 'APP-1 (item 7): Skills (JSON): 16 given, at most 15 are allowed',
			description: 'Nothing was sent.',
		});
	});

	it('names every wrong item at once, so that all can be corrected before the next run', async () => {
		const items = [{ mail: 'a@example.com' }, { mail: '' }, { mail: 'x'.repeat(256) }];
		const { error } = await setup.harness.run(invitation({ email: '={{ $json.mail }}' }), items);
		expect(error?.message).toBe('APP-1 (item 2): Email: required, but empty');
		expect(error?.description).toBe(
			'Nothing was sent.\nAPP-1 (item 3): Email: 256 characters given, at most 255 are allowed',
		);
	});

	it('gives one output item for each input item, in the order of the input', async () => {
		const [parameters, items] = invitations(30);
		// The earlier an item the later its answer.
		for (let index = 0; index < 5; index++) {
			setup.service.faults.inject({
				route: 'createInvitation',
				delayMs: 50 - index * 10,
				when: ({ body }) =>
					(body as { ext_reference_id: string }).ext_reference_id === `APP-${index + 1}`,
			});
		}
		const { json, outputs } = await setup.harness.run(parameters, items);
		expect(json.map(({ ext_reference_id }) => ext_reference_id)).toEqual(
			items.map(({ ref }) => ref),
		);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
	});

	it('keeps as many requests in flight as Concurrency says, and never more', async () => {
		const [parameters, items] = invitations(20);
		setup.service.faults.inject({ route: '*', delayMs: 20, times: 20 });
		await setup.harness.run(withOptions(parameters, { concurrency: 4 }), items);
		expect(Math.max(...setup.service.requests.map(({ inFlight }) => inFlight))).toBe(4);
	});

	it('decrypts the credential once, however many items there are', async () => {
		const harness = setup.createNodeTestHarness({});
		await harness.run(...invitations(25));
		expect(setup.service.requests).toHaveLength(25);
		expect(harness.decrypted()).toBe(1);
	});

	it('turns wrong items into error items and sends the others when it is set to continue', async () => {
		const items = [{ mail: 'a@example.com' }, { mail: '' }, { mail: 'c@example.com' }];
		const { json, outputs, error } = await setup.harness.run(
			invitation({ email: '={{ $json.mail }}' }),
			items,
			{ onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		expect(json).toEqual([
			expect.objectContaining({ email: 'a@example.com' }),
			{ error: 'Email: required, but empty', outcome: 'invalid' },
			expect.objectContaining({ email: 'c@example.com' }),
		]);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(setup.service.requests).toHaveLength(2);
	});

	it('sends error items to the error output where the node has one, with the input beside', async () => {
		const items = [{ mail: 'a@example.com' }, { mail: '' }];
		const { outputs } = await setup.harness.run(invitation({ email: '={{ $json.mail }}' }), items, {
			onError: 'continueErrorOutput',
		});
		expect(outputs.map((output) => output.map(({ json }) => json))).toEqual([
			[expect.objectContaining({ email: 'a@example.com' })],
			[],
			[{ mail: '', error: 'Email: required, but empty', outcome: 'invalid' }],
		]);
	});

	it('sends its first request alone, and goes on with several once one has succeeded', async () => {
		const [parameters, items] = invitations(20);
		setup.service.faults.inject({ route: '*', delayMs: 20, every: 1 });
		await setup.harness.run(parameters, items);
		const [first, second] = setup.service.requests.map(({ at }) => Date.parse(at));
		expect(second - first).toBeGreaterThanOrEqual(20);
		expect(Math.max(...setup.service.requests.map(({ inFlight }) => inFlight))).toBeGreaterThan(5);
	});

	it('does nothing for no items', async () => {
		const { json, error } = await setup.harness.run(invitation(), []);
		expect([json, error]).toEqual([[], undefined]);
		expect(setup.service.requests).toHaveLength(0);
	});
});

describe('When an item fails for good', () => {
	it('starts no further request and reports on every item', async () => {
		const [parameters, items] = invitations(6);
		setup.service.faults.inject({
			route: 'createInvitation',
			status: 422,
			body: { error: { message: 'Job is closed' } },
			when: ({ body }) => (body as { ext_reference_id: string }).ext_reference_id === 'APP-3',
		});
		const { error } = await setup.harness.run(withOptions(parameters, { concurrency: 1 }), items);
		expect(references()).toEqual(['APP-1', 'APP-2', 'APP-3']);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'APP-3 (item 3): The service rejected the data',
			httpCode: '422',
		});
		expect(error?.description).toBe(
			[
				'Correct the fields it names, then run the workflow again. The service says: Job is closed',
				'',
				'Succeeded (2):',
				`APP-1 (item 1): ${linkOf('APP-1')}`,
				`APP-2 (item 2): ${linkOf('APP-2')}`,
				'Failed (1): APP-3 (item 3).',
				'Not sent (3): items 4–6.',
			].join('\n'),
		);
	});

	it('lets requests in flight finish and gives their invitation links', async () => {
		const [parameters, items] = invitations(6);
		const refuse = (reference: string, order: object) =>
			setup.service.faults.inject({
				route: 'createInvitation',
				...order,
				when: ({ body }) => (body as { ext_reference_id: string }).ext_reference_id === reference,
			});
		refuse('APP-2', { delayMs: 60 });
		refuse('APP-3', { status: 400, delayMs: 20 });
		const { error } = await setup.harness.run(withOptions(parameters, { concurrency: 2 }), items);
		expect(references().sort()).toEqual(['APP-1', 'APP-2', 'APP-3']);
		expect(error?.description).toContain(`\nAPP-2 (item 2): ${linkOf('APP-2')}\n`);
		expect(error?.description).toContain('Not sent (3): items 4–6.');
	});

	it('goes on with the others when it is set to continue', async () => {
		const [parameters, items] = invitations(3);
		setup.service.faults.inject({ route: 'createInvitation', status: 409, body: 'taken' });
		const { json } = await setup.harness.run(withOptions(parameters, { concurrency: 1 }), items, {
			onError: 'continueRegularOutput',
		});
		expect(json[0]).toEqual({
			outcome: 'refused',
			httpStatus: 409,
			error:
				'The request conflicts with existing data in the service. Look up the candidate or webhook in the service before you try again. The service says: taken',
		});
		expect(json.slice(1).map(({ status }) => status)).toEqual(['invited', 'invited']);
	});
});

describe('During an outage', () => {
	it.each([
		['a server error', { status: 503 }, 'unknown'],
		['a lost connection', { reset: 'before' as const }, 'unknown'],
		['a refused token', { status: 401 }, 'refused'],
	])('three requests in a row end a batch that continues: %s', async (_case, fault, outcome) => {
		setup.service.faults.inject({ route: 'createInvitation', ...fault, every: 1 });
		const [parameters, items] = invitations(300);
		const { json } = await setup.harness.run(parameters, items, {
			onError: 'continueRegularOutput',
		});
		expect(references()).toEqual(['APP-1', 'APP-2', 'APP-3']);
		expect(json.slice(0, 3).map((item) => item.outcome)).toEqual([outcome, outcome, outcome]);
		expect(json).toHaveLength(300);
		expect(new Set(json.slice(3).map((item) => `${item.outcome}: ${item.error}`))).toEqual(
			new Set([
				'notSent: Not sent: 3 requests in a row failed. Their errors say why. Once that is solved, run the workflow again.',
			]),
		);
		setup.service.faults.clear();
		const { outputs } = await setup.harness.run(parameters, items, {
			onError: 'continueRegularOutput',
		});
		const invited = outputs[0].filter((item) => !item.json.error);
		expect(invited).toHaveLength(outcome === 'unknown' ? 297 : 300);
	});

	it('one request ends a batch that stops', async () => {
		setup.service.faults.inject({ route: 'createInvitation', status: 503, every: 1 });
		const { error } = await setup.harness.run(...invitations(300));
		expect(references()).toEqual(['APP-1']);
		expect(error?.description).toContain('Not sent (299): items 2–300.');
	});
});

describe('When the service pushes back', () => {
	it('sends an invitation again after 429, which has not accepted it', async () => {
		setup.service.faults.inject({
			route: 'createInvitation',
			status: 429,
			retryAfter: 0,
			times: 2,
		});
		const { json } = await setup.harness.run(...invitations(1));
		expect(json[0].status).toBe('invited');
		expect(references()).toEqual(['APP-1', 'APP-1', 'APP-1']);
	});

	it('waits as long as Retry-After says, all requests of the batch alike', async () => {
		const [parameters, items] = invitations(4);
		setup.service.faults.inject({ route: 'createInvitation', status: 429, retryAfter: 1 });
		const { json } = await setup.harness.run(withOptions(parameters, { concurrency: 1 }), items);
		expect(json).toHaveLength(4);
		const [refused, ...later] = setup.service.requests.map(({ at }) => Date.parse(at));
		expect(Math.min(...later) - refused).toBeGreaterThanOrEqual(990);
	});

	it('gives an item up that is asked to wait more than a minute, and says how long', async () => {
		setup.service.faults.inject({ route: 'createInvitation', status: 429, retryAfter: 90 });
		const { error } = await setup.harness.run(...invitations(1));
		expect(error?.message).toBe('The service is receiving too many requests');
		expect(error?.description).toContain('The service asks to wait 90 seconds.');
	});

	it('gives an item up after so many retries', async () => {
		const [parameters, items] = invitations(1);
		setup.service.faults.inject({
			route: 'createInvitation',
			status: 429,
			retryAfter: 0,
			times: 9,
		});
		const { error } = await setup.harness.run(withOptions(parameters, { maxRetries: 2 }), items);
		expect(references()).toHaveLength(3);
		expect(error?.message).toBe('The service is receiving too many requests');
	});

	it('gets through where the service rounds its wait down to no time at all', async () => {
		const [parameters, items] = invitations(1);
		const end = Date.now() + 1000;
		setup.service.faults.inject({
			route: 'createInvitation',
			status: 429,
			retryAfter: 0,
			every: 1,
			when: () => Date.now() < end,
		});
		const { json } = await setup.harness.run(parameters, items);
		expect(json).toMatchObject([{ ext_reference_id: 'APP-1' }]);
	});

	it('sends nothing more once one item has used up its retries: the quota is', async () => {
		const [parameters, items] = invitations(3);
		setup.service.faults.inject({ route: 'createInvitation', status: 429, times: 99 });
		const { json } = await setup.harness.run(
			withOptions(parameters, { concurrency: 1, maxRetries: 1 }),
			items,
			{ onError: 'continueRegularOutput' },
		);
		expect(json.map(({ outcome }) => outcome)).toEqual(['refused', 'notSent', 'notSent']);
		expect(json[1].error).toMatch(
			/^Not sent: the service is receiving too many requests\. .*retries/,
		);
		expect(references()).toEqual(['APP-1', 'APP-1']);
	});

	it('sends nothing more after the wait when the execution was cancelled meanwhile', async () => {
		const [parameters, items] = invitations(3);
		setup.service.faults.inject({ route: '*', status: 429, retryAfter: 1, times: 3 });
		const { cancel, end } = setup.harness.start(parameters, items);
		while (setup.service.requests.length < 3) await sleep(1);
		cancel();
		await end.catch(() => {});
		await sleep(2000);
		expect(setup.service.requests).toHaveLength(3);
	});

	it('stops checking a long list when the execution is cancelled', async () => {
		const [parameters] = invitations(1);
		const items = Array.from({ length: 5000 }, (_, index) => ({
			ref: `APP-${index}`,
			// Found only by a check that goes on to the end.
			mail: index < 4999 ? 'nathan@example.com' : 'nobody',
		}));
		const execution = new AbortController();
		const end = setup.harness.execute(
			{ ...parameters, email: '={{ $json.mail.trim() }}' },
			items,
			execution.signal,
		);
		void sleep(0).then(() => execution.abort());
		await expect(end).rejects.toThrow('Not sent: the execution was stopped');
	});

	it('stops waiting at once when the execution is cancelled, and says what became of the batch', async () => {
		const [parameters, items] = invitations(3);
		setup.service.faults.inject({ route: '*', status: 429, retryAfter: 55 });
		const execution = new AbortController();
		const end = setup.harness.execute(parameters, items, execution.signal);
		while (setup.service.requests.length === 0) await sleep(1);
		// The answer is on its way; then the first one waits for 55 seconds.
		await sleep(500);
		execution.abort();
		await expect(end).rejects.toMatchObject({
			message: 'Not sent: the execution was stopped',
			description: 'Not sent (3): items 1–3.',
		});
	}, 20_000);

	it('comes to its end, each invited once, where the service takes but two at a time', async () => {
		setup.service.faults.inject({
			route: 'createInvitation',
			status: 429,
			retryAfter: 0,
			every: 1,
			when: ({ inFlight }) => inFlight > 2,
		});
		setup.service.faults.inject({ route: 'createInvitation', delayMs: 5, every: 1 });
		const [parameters, items] = invitations(30);
		const { json } = await setup.harness.run(parameters, items);
		expect(json.map(({ ext_reference_id }) => ext_reference_id)).toEqual(
			items.map(({ ref }) => ref),
		);
		const taken = setup.service.requests.filter(({ status }) => status === 200);
		expect(taken).toHaveLength(30);
	});

	it('starts no further request when the execution is cancelled in the middle of a batch', async () => {
		const [parameters, items] = invitations(30);
		setup.service.faults.inject({ route: '*', delayMs: 50, every: 1 });
		const { cancel, end } = setup.harness.start(withOptions(parameters, { concurrency: 2 }), items);
		while (setup.service.requests.length < 4) await sleep(1);
		cancel();
		await end.catch(() => {});
		const sent = setup.service.requests.length;
		await sleep(500);
		expect(setup.service.requests).toHaveLength(sent);
		expect(sent).toBeLessThan(30);
	});
});

describe('When it is not known whether an invitation was taken', () => {
	it.each([
		['the service fails with 500', { status: 500 }, 'The service returned a server error'],
		[
			'the service fails with 503 and Retry-After: a proxy may have passed it on',
			{ status: 503, retryAfter: 0 },
			'The service returned a server error',
		],
		[
			'the service sends it on with 303',
			{ status: 303 },
			'The service redirected to another address',
		],
		[
			'the service fails with 503 and no Retry-After',
			{ status: 503 },
			'The service returned a server error',
		],
		['a gateway fails with 502', { status: 502 }, 'The service returned a server error'],
		[
			'the connection is lost before',
			{ reset: 'before' as const },
			'The connection to the service was lost',
		],
		[
			'the connection is lost after it was taken',
			{ reset: 'after' as const },
			'The connection to the service was lost',
		],
		[
			'the answer has no envelope',
			{ status: 200, body: {} },
			"The service's response doesn't contain the expected data",
		],
	])('never sends it again: %s', async (_case, fault, because) => {
		setup.service.faults.inject({ route: 'createInvitation', ...fault });
		const { error } = await setup.harness.run(...invitations(1));
		expect(references()).toEqual(['APP-1']);
		expect(error?.message).toBe("Couldn't confirm whether this candidate was invited");
		expect(error?.description).toContain(because);
		expect(error?.description).toContain('Check the service');
	});

	it('never sends it again after a timeout', async () => {
		const [parameters, items] = invitations(1);
		setup.service.faults.inject({ route: 'createInvitation', delayMs: 30_000 });
		const { error } = await setup.harness.run(withOptions(parameters, { timeout: 1 }), items);
		expect(references()).toEqual(['APP-1']);
		expect(error?.message).toBe("Couldn't confirm whether this candidate was invited");
		expect(error?.description).toContain("The service didn't respond in time");
	});

	it('says so in the report', async () => {
		const [parameters, items] = invitations(3);
		setup.service.faults.inject({ route: 'createInvitation', reset: 'after' });
		const { error } = await setup.harness.run(withOptions(parameters, { concurrency: 1 }), items);
		expect(error?.description).toContain('Unknown (1): APP-1 (item 1).');
		expect(error?.description).toContain('Not sent (2): items 2–3.');
	});
});

describe('A request that can be repeated without harm', () => {
	const setStatus = (): INodeParameters => ({
		resource: 'webhook',
		operation: 'setStatus',
		webhookId: setup.service.webhookId,
		status: 'inactive',
	});

	it.each([
		['502', { status: 502 }],
		['503', { status: 503 }],
		['504', { status: 504 }],
		['a lost connection', { reset: 'before' as const }],
	])('is sent again after %s', async (_case, fault) => {
		setup.service.faults.inject({ route: 'setWebhookStatus', ...fault });
		const { json } = await setup.harness.run(setStatus());
		expect(json[0].status).toBe('inactive');
		expect(setup.service.requests).toHaveLength(2);
	});

	it('is not sent again after a refusal', async () => {
		setup.service.faults.inject({ route: 'setWebhookStatus', status: 500 });
		const { error } = await setup.harness.run(setStatus());
		expect(error?.message).toBe('The service returned a server error');
		expect(setup.service.requests).toHaveLength(1);
	});
});
