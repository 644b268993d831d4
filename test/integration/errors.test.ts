import { CONTINUE, getByCode, invitation, setUp, webhookUpdate } from './support/setup';

const setup = setUp();

const webhook = () =>
	webhookUpdate(setup.service.webhookId, { secret: 'never-to-be-seen-anywhere' });

/** Runs an operation with one request that gets this response. Returns the error. */
async function errorAfter(fault: object, parameters = webhook()) {
	setup.service.faults.inject({ route: '*', ...fault, times: 99 });
	const { error } = await setup.harness.run({ ...parameters, options: { maxRetries: 0 } });
	return error;
}

describe('An error of the service', () => {
	it.each([
		[400, 'The service rejected the data'],
		[401, 'The access token was refused'],
		[402, 'The service refused the request: your account may have no invitations left'],
		[403, "The access token doesn't allow this"],
		[404, 'No webhook with this ID exists. It may have been deleted.'],
		[407, 'The proxy between n8n and the service refused the request'],
		[408, "The service didn't respond in time"],
		[409, 'The service refused the request'],
		[410, 'The service refused the request'],
		[422, 'The service rejected the data'],
		[429, 'The service is receiving too many requests'],
		[503, "The service couldn't process the request"],
	])('with status %i is said in plain words, with what to do', async (status, message) => {
		const error = await errorAfter({ status, body: { message: '<html> is no page' } });
		const node = { type: expect.stringMatching(/candidateAssessment$/), parameters: {} };
		expect(error).toMatchObject({ name: 'NodeApiError', message, httpCode: String(status), node });
		expect(error?.description).toMatch(/^[A-Z].{10,}\. The service replied: ‹html> is no page$/);
		expect(error?.description).not.toContain('Base URL');
	});

	it.each([
		[302, 'The service redirected to a different address', /enter its new address/],
		[400, 'A web page answered instead of the assessment API', /proxy or firewall/],
		[401, 'A web page answered instead of the assessment API', /proxy or firewall/],
		[404, 'No assessment API found at this address', /^Check 'Base URL' in the credential/],
		[407, 'The proxy between n8n and the service refused the request', /HTTPS_PROXY/],
		[403, 'A web page answered instead of the assessment API', /^Check 'Base URL'/],
		// Load balancers time out with this status.
		[408, "The service didn't respond in time", /^(?!.*Base URL)/],
		[500, "The service couldn't process the request", /^Try again later/],
	])(
		'with status %i that is a web page is about the service or what stands between, not about tokens or candidates',
		async (status, message, advice) => {
			const error = await errorAfter({ status, body: '<html><title>Access denied</title></html>' });
			expect(error?.message).toBe(message);
			expect(error?.description).toMatch(advice);
			expect(error?.description).toMatch(/The page replied: Access denied$/);
		},
	);

	it('without the data that was asked for is no success', async () => {
		const error = await errorAfter({ status: 200, body: ' \n' }, getByCode('inv-1'));
		expect(error?.message).toBe("The service's response doesn't contain the expected data");
	});

	const person = { email: 'anna.berg@example.com' };
	it.each([[[person]], [person], [`\n${JSON.stringify(person)}`]])(
		'without an envelope is not quoted: it may be a person: %j',
		async (body) => {
			const error = await errorAfter({ status: 200, body }, getByCode('inv-1'));
			expect(error?.description).not.toContain('anna.berg');
		},
	);

	it('is a sentence in an error item, its advice the next', async () => {
		setup.service.faults.inject({ route: '*', status: 404, body: { message: 'Unknown' } });
		const { json } = await setup.harness.run(webhook(), [{}], CONTINUE);
		const sentences =
			/It may have been deleted\. Check 'Webhook ID'\. .* The service replied: Unknown$/;
		expect(json).toMatchObject([{ error: expect.stringMatching(sentences) }]);
	});

	it('that is the 404 page of a web server is no proof that a repeated deletion worked', async () => {
		const page = '<!doctype html><title>404 Not Found</title>';
		const { webhookId } = setup.service;
		setup.service.faults.inject({ route: '*', reset: 'after' });
		setup.service.faults.inject({ route: '*', status: 404, body: page });
		const parameters = { resource: 'webhook', operation: 'delete', webhookId };
		const { error } = await setup.harness.run(parameters);
		expect(error?.message).toBe('No assessment API found at this address');
	});

	// redact.test.ts has every way in which a service may write them.
	it('holds neither token nor secrets where the service repeats them, nor does an error item', async () => {
		const accessToken = 'token/of!many+Letters';
		const secret = 'sent/of"many+Letters';
		const message = `${accessToken.toUpperCase()} ${encodeURIComponent(secret)}`;
		const harness = setup.createNodeTestHarness({ accessToken });
		setup.service.faults.inject({ route: '*', status: 400, body: { message }, times: 2 });
		const { error, full } = await harness.run({ ...webhook(), secret });
		const { json } = await harness.run({ ...webhook(), secret }, [{}], CONTINUE);
		expect(json).toMatchObject([{ outcome: 'refused', error: expect.stringContaining('•••') }]);
		const seen = JSON.stringify([error, full.data.resultData.runData.Action, json]);
		expect(seen).not.toMatch(/(token|sent)(\/|%2F)of/i);
	});

	it("tells the service's words as they are, also about a candidate whose details are words of its own", async () => {
		const body = {
			errors: { last_name: 'too long', Field: 'candidate@example.com is no such candidate' },
		};
		setup.fault({ status: 422, body });
		const { error } = await setup.harness.run(
			invitation({
				firstName: 'Field',
				lastName: 'Long',
				email: 'candidate@example.com',
				extReferenceId: 'candidate@example.com',
			}),
			[{}, {}],
		);
		// Our own words come first.
		expect(error?.description).toMatch(/^Correct the fields named in the service's reply/);
		expect(error?.description).toContain(
			'last_name: too long; Field: candidate@example.com is no such candidate',
		);
		expect(error?.message).toBe('candidate@example.com (item 1): The service rejected the data');
	});
});

it('a credential that is wrong makes every item an error item when the node is set to continue', async () => {
	const { json } = await setup
		.createNodeTestHarness({ accessToken: '' })
		.run(invitation(), [{}, {}], CONTINUE);
	expect(json).toStrictEqual([
		{ error: 'The credential has no access token', outcome: 'notSent' },
		{ error: 'The credential has no access token', outcome: 'notSent' },
	]);
	expect(setup.service.requests).toHaveLength(0);
});
