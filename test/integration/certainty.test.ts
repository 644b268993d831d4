import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { httpClient } from '../support/httpClient.mts';
import { drip, ended, RawService } from '../support/rawService.mts';
import { CONTINUE, invitation, invitations, setUp } from './support/setup';

/** What the node reports about a request that went wrong, and that a batch never hangs. */
const setup = setUp();

const CANDIDATE = {
	candidate_id: 'C-1',
	invitation_link: 'https://a.example/1',
	status: 'invited',
};
const GET: INodeParameters = {
	resource: 'candidate',
	operation: 'get',
	invitationCode: 'inv-1',
	simplify: false,
};

const raw = new RawService();
beforeAll(async () => await raw.start());
beforeEach(() => {
	raw.requests = 0;
});
afterAll(async () => await raw.stop());

type ServerResponse = Parameters<RawService['respond']>[0];

const harness = () => setup.createNodeTestHarness({ baseUrl: raw.baseUrl });

const run = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
	await harness().run(parameters, items, CONTINUE);

const json = (response: ServerResponse, status: number, body: unknown) =>
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

it.each([200, 201, 202])(
	'an invitation is a success with any 2xx and a candidate, errors or not, in UTF-8 with a byte order mark: %i',
	async (status) => {
		const data = { ...CANDIDATE, name: 'Müller' };
		const envelope = { data, meta: null, errors: ['The email bounced'] };
		raw.respond = (response) => response.writeHead(status).end(`\ufeff${JSON.stringify(envelope)}`);
		expect((await run(invitation())).json).toEqual([data]);
	},
);

it.each([
	['was refused', 'refused', { ok: false, message: 'No more' }, /^The service refused .* No more$/],
	['is in doubt', 'unknown', { data: { candidate_id: '' } }, /^Couldn't confirm/],
])('an invitation %s after a response without a candidate', async (_what, outcome, body, error) => {
	raw.respond = (response) => json(response, 200, body);
	expect((await run(invitation())).json).toEqual([
		{ outcome, httpStatus: 200, error: expect.stringMatching(error) },
	]);
	expect(raw.requests).toBe(1);
});

it('an answer that breaks off leaves an invitation unconfirmed, and Get asks again', async () => {
	const cutOff = (response: ServerResponse) => {
		response.writeHead(200).write('{');
		void sleep(10).then(() => response.destroy());
	};
	raw.respond = cutOff;
	const error = expect.stringMatching(/^Couldn't confirm .* \(ECONNRESET\)$/);
	expect((await run(invitation())).json).toEqual([{ outcome: 'unknown', error }]);
	raw.respond = (response) =>
		raw.requests === 2 ? cutOff(response) : json(response, 200, { data: CANDIDATE, meta: null });
	expect((await run(GET)).json).toEqual([CANDIDATE]);
	expect(raw.requests).toBe(3);
});

const impatient = { timeout: 1, maxRetries: 0 };

it.each<[string, (response: ServerResponse) => void]>([
	['none at all', () => {}],
	['a blank now and then, for ever', drip],
])('a response does not keep a batch waiting: %s', async (_case, respond) => {
	raw.respond = respond;
	const [invited, got] = await Promise.all([
		run(invitation({ options: { timeout: 1 } })),
		run({ ...GET, options: impatient }),
	]);
	// Neither was sent again.
	expect(raw.requests).toBe(2);
	expect(invited.json[0]).toMatchObject({ outcome: 'unknown' });
	expect(invited.json[0].error).toContain("The service didn't respond in time");
	expect(got.json[0].error).toContain("The service didn't respond in time");
});

/** Runs Get with a report whose link gets this response. */
const getReport = async (respond: (response: ServerResponse) => void, options = {}) => {
	const link = `${raw.baseUrl}/report`;
	raw.respond = (response, path) => {
		if (path.endsWith('/report')) respond(response);
		else json(response, 200, { data: { ...CANDIDATE, report_pdf_link: link }, meta: null });
	};
	return (await run({ ...GET, downloadReport: true, options })).json[0];
};

it('a report without end does not keep a batch waiting, and its connection is closed', async () => {
	let closed: Promise<unknown> | undefined;
	const item = await getReport((response) => {
		closed = ended(response);
		response.writeHead(200).write('%PDF-1.7');
		drip(response);
	}, impatient);
	expect(item.error).toMatch(/^The report couldn't be downloaded\. .* \(ETIMEDOUT\)$/);
	await closed;
});

it('a report may come in pieces, the first of them a blank line', async () => {
	const item = await getReport((response) => {
		response.writeHead(200).write('\n');
		void sleep(50).then(() => response.end('%PDF-1.7'));
	});
	expect(item.error).toBeUndefined();
});

it.each<[number, Record<string, string>]>([
	[401, {}],
	[429, {}],
	[429, { 'retry-after': '120' }],
	[503, { 'retry-after': '120' }],
])(
	"a report's host that answers %i, %j ends its own download, and nothing else",
	async (...refusal) => {
		const host = raw.baseUrl.replace('127.0.0.1', 'localhost');
		raw.respond = (response, path) => {
			if (path.endsWith('/report')) response.writeHead(...refusal).end();
			else {
				const report_pdf_link = path.endsWith('-4') ? null : `${host}/report`;
				json(response, 200, { data: { ...CANDIDATE, report_pdf_link }, meta: null });
			}
		};
		const items = [1, 2, 3, 4].map((number) => ({ code: `inv-${number}` }));
		const parameters = {
			...GET,
			invitationCode: '={{ $json.code }}',
			downloadReport: true,
			options: { concurrency: 1 },
		};
		const { json: output } = await run(parameters, items);
		expect(output.map(({ status }) => status)).toEqual([
			undefined,
			undefined,
			undefined,
			'invited',
		]);
		expect(output[2].error).toMatch(
			/^The report couldn't be downloaded\. .* turn off 'Download Report'/,
		);
		expect(raw.requests).toBe(7);
	},
);

it("Timeout counts, whatever limit n8n's own client has", async () => {
	const { timeout } = httpClient.defaults;
	httpClient.defaults.timeout = 50;
	raw.respond = (response) =>
		void sleep(300).then(() => json(response, 200, { data: CANDIDATE, meta: null }));
	expect((await run(invitation())).json).toEqual([CANDIDATE]);
	httpClient.defaults.timeout = timeout;
});

it("a failure that is nobody's network says its own message in one line, without secrets", async () => {
	const id = httpClient.interceptors.request.use(() => {
		throw new TypeError(`Cannot read\n  ${setup.service.accessToken} of undefined`);
	});
	const [item] = (await run(invitation())).json;
	httpClient.interceptors.request.eject(id);
	expect(item).toEqual({
		outcome: 'unknown',
		error: expect.stringMatching(
			/^Couldn't confirm whether .*\. An unexpected error occurred\. .* \(Cannot read ••• of undefined\)$/,
		),
	});
});

it("a report's answer that nobody reads is closed", async () => {
	let closed: Promise<unknown> | undefined;
	await getReport(
		(response) => {
			closed = ended(response);
			response.writeHead(404).write(' ');
			drip(response);
		},
		{ timeout: 600 },
	);
	await closed;
});

it.each([
	[4, 'invited', undefined],
	[6, undefined, 'unknown'],
])('a body of %i MB is read up to 5 MB', async (megabytes, status, outcome) => {
	const data = { ...CANDIDATE, note: ' '.repeat(megabytes * 2 ** 20) };
	raw.respond = (response) => json(response, 200, { data, meta: null });
	const [item] = (await run(invitation())).json;
	expect([item.status, item.outcome]).toEqual([status, outcome]);
	if (outcome) expect(item.error).toContain('(ERR_RESPONSE_TOO_LARGE)');
});

it('a stop lets the invitations in flight finish, and starts no other', async () => {
	const answers: Array<() => void> = [];
	raw.respond = (response) => {
		const answer = () => json(response, 200, { data: CANDIDATE, meta: null });
		// The first request goes alone.
		if (raw.requests === 1) answer();
		else answers.push(answer);
	};
	const stop = new AbortController();
	const end = harness().execute(...invitations(5, { options: { concurrency: 2 } }), stop);
	while (answers.length < 2) await sleep(1);
	stop.abort();
	await sleep(50);
	answers.forEach((answer) => answer());
	await expect(end).rejects.toMatchObject({
		message: 'Not sent: the execution was stopped',
		description: [
			"What succeeded isn't sent again. The next run of this list with the same credential outputs it with its link, unless n8n restarts first, or in queue mode, another worker runs it.",
			'Succeeded (3): APP-1 (item 1), APP-2 (item 2), APP-3 (item 3): https://a.example/1',
			'Not sent (2): items 4–5.',
		].join('\n'),
	});
	expect(raw.requests).toBe(3);
});

it('a wait beyond Max Wait ends the batch: each item says that it was not sent', async () => {
	raw.respond = (response) => response.writeHead(429, { 'retry-after': '120' }).end();
	const list = invitations(50, { options: { concurrency: 10 } });
	const { json: output } = await run(...list);
	expect(raw.requests).toBeLessThanOrEqual(10);
	const notSent = output.filter(({ outcome }) => outcome === 'notSent');
	expect(notSent).toHaveLength(50 - raw.requests);
	for (const { error } of notSent) {
		expect(error).toMatch(
			/^Not sent: .{0,50} The service asked for a wait of 120 seconds, .{0,200}$/,
		);
	}
});

it('a service that is throttling is waited for as long as Max Wait allows', async () => {
	raw.respond = (response) =>
		raw.requests === 1
			? response.writeHead(429, { 'retry-after': '1' }).end()
			: json(response, 200, { data: CANDIDATE, meta: null });
	expect((await run(invitation({ options: { maxWait: 1 } }))).json).toEqual([CANDIDATE]);
	raw.requests = 0;
	const [item] = (await run(invitation({ extReferenceId: 'APP-2', options: { maxWait: 0 } }))).json;
	expect(item).toMatchObject({ outcome: 'refused', httpStatus: 429 });
	expect(item.error).toMatch(/ The service asked n8n to wait 1 second\.$/);
	expect(raw.requests).toBe(1);
});

describe('answers that come one request late', () => {
	/** None of these references is part of another. */
	const items = Array.from({ length: 40 }, (_, index) => ({ ref: `R-${100 + index}` }));
	const late = {
		answersLate: true,
		when: ({ body }: { body?: unknown }) =>
			(body as { ext_reference_id: string }).ext_reference_id !== items[0].ref,
	};
	const OWN_EMAIL = { email: '={{ $json.ref }}@example.com' };
	const ANONYMOUS = { isAnonymousCandidate: true, email: '', firstName: '', lastName: '' };

	/** The references whose link or ID appears in a text. */
	const foundIn = (text: string) =>
		setup.service.invitations
			.filter(({ invitation_link, candidate_id }) =>
				[invitation_link, candidate_id].some((word) => text.includes(word)),
			)
			.map(({ ext_reference_id }) => ext_reference_id);

	beforeEach(async () => {
		setup.service.faults.inject({ route: 'createInvitation', ...late });
		// Its answer stays on the wire.
		const earlier = invitation({ extReferenceId: 'R-99', email: 'R-99@example.com' });
		await setup.harness.run(earlier, [{}], CONTINUE);
		setup.service.clearRequests();
	});

	it.each<[concurrency: number, title: string, who: INodeParameters]>([
		[1, 'named', OWN_EMAIL],
		[30, 'named', OWN_EMAIL],
		[1, 'anonymous', ANONYMOUS],
		[30, 'anonymous', ANONYMOUS],
	])(
		"with Concurrency %i, nobody leaves with another's link, three in a row end the list, and nobody is sent again: %s",
		async (concurrency, _who, who) => {
			const all = { extReferenceId: '={{ $json.ref }}', options: { concurrency }, ...who };
			const inviteAll = async () => await setup.harness.run(invitation(all), items, CONTINUE);
			const { json } = await inviteAll();
			const { ref: first } = items[0];
			expect(json[0]).toMatchObject({ ext_reference_id: first });
			json.forEach((item, index) => {
				expect(foundIn(JSON.stringify(item))).toEqual(index === 0 ? [first] : []);
			});
			const others = json.slice(1);
			const unknown = others.filter(({ outcome }) => outcome === 'unknown');
			const inFlight = setup.service.requests.length - 1;
			expect(unknown).toHaveLength(inFlight);
			expect(inFlight).toBeGreaterThanOrEqual(3);
			expect(inFlight).toBeLessThanOrEqual(concurrency + 2);
			const notSent = others.filter(({ outcome }) => outcome === 'notSent');
			expect(notSent).toHaveLength(others.length - inFlight);

			const asked = setup.references();
			setup.service.faults.clear();
			setup.service.clearRequests();
			const again = await inviteAll();
			expect(setup.references().filter((reference) => asked.includes(reference))).toEqual([]);
			const outcomes = again.json.map(({ outcome }) => outcome);
			expect(outcomes.filter((outcome) => outcome === 'unknown')).toHaveLength(inFlight);
		},
	);
});

const SOMEBODY_ELSE = { ext_reference_id: 'APP-2', email: 'joe@example.com', first_name: 'Joe' };

it.each([
	['and nothing else', {}],
	['and an error', { error: 'Joe is known' }],
	['and denies success', { success: false, message: 'Joe is known' }],
])('an answer with somebody else, %s, is unconfirmed and not quoted', async (_what, more) => {
	raw.respond = (response) =>
		json(response, 200, { data: { ...CANDIDATE, ...SOMEBODY_ELSE }, meta: null, ...more });
	const [item] = (await run(invitation())).json;
	expect(item).toMatchObject({ outcome: 'unknown', httpStatus: 200 });
	expect(item.error).toMatch(/^Couldn't confirm/);
	expect(JSON.stringify(item)).not.toMatch(/joe|APP-2|C-1|a\.example/i);
});
