import { derivedSecret, digest, EVENT, setUpTrigger, TOKEN } from './n8n/setUpTrigger.mts';
import type { INodeParameters } from 'n8n-workflow';
import type { Answer } from './n8n/SimulatedN8n.mts';

const trigger = setUpTrigger();
const body = { event: EVENT, invitation_code: 'inv-1' };
const REFUSED = { status: 401, body: { message: 'The secret is missing or wrong' } };
type Headers = Array<[string, string]>;

const secret = () => derivedSecret(trigger.webhookId);

/** A published workflow, and a way to call it. */
async function published(options: INodeParameters = {}, parameters: INodeParameters = {}) {
	const { n8n, does } = trigger;
	const workflow = await trigger.published(parameters, options);
	const call = async (headers: Headers, sent: unknown = body) =>
		(await does(n8n.call(n8n.productionUrl(workflow), { headers, body: sent }))) as Answer;
	return { workflow, call };
}

it('a genuine call starts the workflow with its body as item, whatever header carries the secret', async () => {
	const { call } = await published();
	for (const [name, value] of [
		['X-Webhook-Secret', secret()],
		['x-anything', secret()],
		['Authorization', secret()],
		['Authorization', `Bearer ${secret()}`],
	]) {
		const { status, items } = await call([[name, value]]);
		expect([status, items]).toEqual([200, [{ json: body }]]);
	}
});

it.each<[string, unknown, object?]>([
	['has another event', { event_name: 'candidate_archived' }],
	['is empty', {}],
	['is a list', [1, 2], { body: [1, 2] }],
	['is a text that is JSON', JSON.stringify(body), body],
])(
	'a genuine call whose body %s starts the workflow, with all of it',
	async (_what, sent, json = sent as object) => {
		const { call } = await published();
		expect((await call([['X-S', secret()]], sent)).items).toEqual([{ json }]);
	},
);

it('a genuine call is recognized if a header comes twice and one of the two is right', async () => {
	const { call } = await published();
	const headers: Headers = [
		['X-Webhook-Secret', 'old'],
		['X-Webhook-Secret', secret()],
	];
	expect((await call(headers)).status).toBe(200);
});

it('a genuine call brings its headers along on demand, without logins and the secret, wherever it stands', async () => {
	const { call } = await published({ includeHeaders: true, secretHeader: ' X-S\n' });
	const { items } = await call([
		['X-S', secret()],
		['X-Copy', secret()],
		['User-Agent', secret()],
		['Authorization', 'Basic abc'],
		['Cookie', 'a=b'],
		['X-Delivery', '42'],
	]);
	expect(items).toEqual([{ json: { ...body, requestHeaders: { 'x-delivery': '42' } } }]);
});

it.each([
	['the credential is gone', {}],
	['the webhook ID is empty', { webhookId: '' }],
	['an expression fails', { webhookId: '={{ $json.no.such.thing() }}' }],
	['an option is no text', { options: { secretHeader: { a: 1 } } }],
	['the options are none', { options: 'none' }],
])('a genuine call starts the workflow although %s', async (_what, parameters) => {
	const { workflow, call } = await published();
	Object.assign(workflow.published!.parameters, parameters);
	trigger.n8n.credentials.clear();
	const { decrypted } = trigger.n8n;
	expect((await call([['X-S', secret()]])).items).toEqual([{ json: body }]);
	expect(trigger.n8n.decrypted).toBe(decrypted);
});

it.each([
	['automatic', 'still lets in', 200],
	['manual', 'lets nobody in', 401],
])(
	'after the secret was replaced with %s registration, the one before %s, and the new one does',
	async (registration, _what, expected) => {
		const credential = trigger.n8n.credentials.get('A')!;
		credential.webhookSecret = 'the old secret here';
		const { call } = await published({}, { registration });
		credential.webhookSecret = 'the new secret here';
		const status = async (secret: string) => (await call([['X-S', secret]])).status;
		expect(await status('the new secret here')).toBe(200);
		expect(await status('the old secret here')).toBe(expected);
		expect(await status('another secret here')).toBe(401);
	},
);

it('with manual registration, what an automatic one has left remembered lets nobody in', async () => {
	trigger.n8n.credentials.get('A')!.webhookSecret = 'the new secret here';
	const { workflow, call } = await published({}, { registration: 'manual' });
	workflow.staticData = { 'node:Trigger': { secretDigest: digest('the old secret here') } };
	expect((await call([['X-S', 'the old secret here']])).status).toBe(401);
});

const forgeries: Array<[string, () => Headers]> = [
	['no secret', () => []],
	['a wrong secret', () => [['X-Webhook-Secret', flipped(secret())]]],
	['the secret as a header name', () => [[secret(), 'x']]],
	["the secret's digest", () => [['X-Webhook-Secret', digest(secret())]]],
	['the access token', () => [['Authorization', `Bearer ${TOKEN}`]]],
	["the secret in one of HTTP's own headers", () => [['User-Agent', secret()]]],
];

it.each(forgeries)(
	'a forged call with %s gets 401, starts nothing and writes nothing',
	async (_case, headers) => {
		const { workflow, call } = await published();
		const before = JSON.stringify(workflow.staticData);
		for (const sent of [body, {}, undefined]) {
			expect(await call(headers(), sent)).toEqual({ ...REFUSED, items: undefined });
		}
		expect(JSON.stringify(workflow.staticData)).toBe(before);
		expect(trigger.n8n.started).toEqual([]);
	},
);

it.each([
	['the credential is gone', {}, true],
	['the webhook ID is empty', { webhookId: '' }, false],
	['the options are none', { options: 'none' }, false],
	['an expression fails', { webhookId: '={{ $json.no.such.thing() }}' }, false],
	['the registration is none', { registration: 'no such thing' }, true],
])('a forged call gets 401 although %s', async (_what, parameters, isCredentialGone) => {
	const { workflow, call } = await published();
	Object.assign(workflow.published!.parameters, parameters);
	if (isCredentialGone) trigger.n8n.credentials.clear();
	for (const remembered of [workflow.staticData, {}]) {
		workflow.staticData = remembered;
		expect(await call([['X-S', 'a guess']])).toMatchObject(REFUSED);
		expect(await call([])).toMatchObject(REFUSED);
	}
});

it('a forged call with the secret in another header than the one named gets 401', async () => {
	const { call } = await published({ secretHeader: 'X-Webhook-Secret' });
	expect((await call([['X-Other', secret()]])).status).toBe(401);
	expect((await call([['x-webhook-secret', secret()]])).status).toBe(200);
});

it('a forged call is never let in if neither secret nor token is there to go by', async () => {
	const { workflow, call } = await published();
	workflow.staticData = {};
	for (const credential of [{ accessToken: '' }, { webhookSecret: 'short' }]) {
		Object.assign(trigger.n8n.credentials.get('A')!, credential);
		const empty = digest('');
		for (const guess of ['', 'short', empty, derivedSecret(trigger.webhookId, '')]) {
			expect((await call([['X-S', guess]])).status).toBe(401);
		}
	}
});

it('a forged call is no test event, and the test goes on', async () => {
	const { n8n, does } = trigger;
	const { workflow } = await published();
	await does(n8n.listen(workflow));
	const url = n8n.testUrl(workflow);
	expect((await does(n8n.call(url, { headers: [], body })))?.status).toBe(401);
	expect(workflow.test).toBeDefined();
});

function flipped(text: string): string {
	return (text.startsWith('0') ? '1' : '0') + text.slice(1);
}
