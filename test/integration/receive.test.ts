import { digest, EVENT, setUpTrigger, TOKEN } from './support/n8n/setUpTrigger.mts';
import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { derivedSecret } from '../support/calls.mts';
import { histories } from '../support/histories.mts';
import { anyText, treacherousKey } from '../unit/support/arbitraries';
import type { Answer } from './support/n8n/SimulatedN8n.mts';

/** Calls that n8n's webhook server hands to the published trigger, and their effect. */

const trigger = setUpTrigger();
const body = { event: EVENT, invitation_code: 'inv-1' };
const REFUSED = { status: 401, body: { message: 'The secret is missing or wrong' } };
type Header = [string, string];

/** Publishes a workflow. Returns it with a way to call it. */
async function published(parameters?: INodeParameters) {
	const workflow = await trigger.publishedWorkflow(parameters);
	const url = trigger.n8n.productionUrl(workflow);
	const call = async (headers: Header[], sent: unknown = body, rawBody?: string) =>
		(await trigger.call(url, { headers, body: sent, rawBody })) as Answer;
	return { workflow, call };
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const VISIBLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
const text = (unit: string[], minLength: number, maxLength: number) =>
	fc.string({ unit: fc.constantFrom(...unit), minLength, maxLength });

const headerName = fc.oneof(
	text([...LETTERS, ...'-_!#$%&*+.^`|~'], 1, 20),
	fc.constantFrom('X-Webhook-Secret', 'authorization', 'content-type', '__proto__', 'constructor'),
);
const headerValue = fc.oneof(
	text([...VISIBLE, ' ', '\t'], 0, 80),
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.constantFrom('', ' ', 'Bearer', 'Bearer ', 'null', 'undefined', 'true', '[object Object]'),
);
const otherHeaders = fc.array(fc.tuple(headerName, headerValue), { maxLength: 8 });

/** The secret as a header may hold it, with or without a scheme and surrounding blanks. */
const genuineValue = (entered: string) =>
	fc.constantFrom(
		...['', 'Bearer ', 'bearer  ', 'Token\t', 'Secret: '].map((scheme) => scheme + entered),
		...[` ${entered}`, `${entered}\t`, ` ${entered} `],
	);

/** The secret, but not quite. */
const nearMiss = (entered: string): fc.Arbitrary<string> => {
	const at = fc.nat(entered.length - 1);
	return fc
		.oneof(
			fc.tuple(at, fc.constantFrom(...LETTERS)).map((parts) => replaced(entered, ...parts)),
			at.map((length) => entered.slice(0, length)),
			fc.constantFrom(
				...[entered.toUpperCase(), entered.repeat(2), `${entered}, ${entered}`, `"${entered}"`],
				...[`secret=${entered}`, `Bearer one two ${entered}`, `${entered} Bearer`, `${entered}\0`],
				...[Buffer.from(entered).toString('base64'), digest(entered)],
			),
		)
		.filter((value) => value.trim() !== entered);
};

function replaced(whole: string, index: number, letter: string): string {
	return whole.slice(0, index) + letter + whole.slice(index + 1);
}

const secretOf = (accessToken: string) => derivedSecret(accessToken, trigger.webhookId);

it('a genuine call starts the workflow with its body as item, whatever header carries the secret, beside any others', async () => {
	const { call } = await published();
	const header = fc.tuple(headerName, genuineValue(trigger.secret));
	await fc.assert(
		fc.asyncProperty(otherHeaders, header, otherHeaders, async (before, genuine, after) => {
			const { status, items } = await call([...before, genuine, ...after]);
			expect([status, items]).toEqual([200, [{ json: body }]]);
		}),
		{ numRuns: histories(100) },
	);
});

it('a forged call gets 401 and starts nothing, whatever its headers, and however near they come to the secret', async () => {
	const { call } = await published();
	const { secret } = trigger;
	const near = fc.array(fc.tuple(headerName, nearMiss(secret)), { minLength: 1, maxLength: 5 });
	const others = fc.oneof(otherHeaders, fc.array(fc.tuple(anyText(), anyText())));
	const schemes = fc.constantFrom('', 'Bearer ', 'Token ');
	await fc.assert(
		fc.asyncProperty(near, others, schemes, async (headers, other, scheme) => {
			const sent = headers
				.map(([name, value]): Header => [name, scheme + value])
				// In "a, a", the first "a" is a scheme.
				.filter(([, value]) => value.replace(/^\S+\s+/, '').trim() !== secret);
			expect(await call([...sent, ...other])).toEqual({ ...REFUSED, items: undefined });
		}),
		{ numRuns: histories(200) },
	);
	expect(trigger.n8n.started).toEqual([]);
});

it.each<[string, () => Header[]]>([
	['no secret', () => []],
	['the secret as a header name', () => [[trigger.secret, 'x']]],
	["the secret's digest", () => [['X-Webhook-Secret', digest(trigger.secret)]]],
	['the access token', () => [['Authorization', `Bearer ${TOKEN}`]]],
])(
	'a forged call with %s gets 401, starts nothing, stores nothing, and is one line in the log',
	async (_case, headers) => {
		const { workflow, call } = await published();
		const before = JSON.stringify(workflow.staticData);
		for (const sent of [body, {}, undefined]) {
			trigger.n8n.log.length = 0;
			expect(await call(headers(), sent)).toEqual({ ...REFUSED, items: undefined });
			expect(trigger.n8n.log).toEqual([
				`A call to the trigger of workflow ${workflow.id} was rejected: the webhook's secret is missing or wrong`,
			]);
		}
		expect(JSON.stringify(workflow.staticData)).toBe(before);
		expect(trigger.n8n.started).toEqual([]);
	},
);

it('after the token was replaced, the secret before it still lets in, until it is published again', async () => {
	const old = trigger.secret;
	const { workflow, call } = await published();
	trigger.network.tokens.add('replaced');
	trigger.n8n.credentials.get('A')!.accessToken = 'replaced';
	const status = async (guess: string) => (await call([['X-S', guess]])).status;
	expect(await status(secretOf('replaced'))).toBe(200);
	expect(await status(old)).toBe(200);
	expect(await status(secretOf('another'))).toBe(401);
	workflow.draft.nodeId = crypto.randomUUID();
	await trigger.publish(workflow);
	expect(await status(secretOf('replaced'))).toBe(200);
	expect(await status(old)).toBe(401);
});

const PLACEHOLDER = '__n8n_BLANK_VALUE_1';
const account = () => trigger.n8n.credentials.get('A')!;

it.each<[string, (parameters: INodeParameters) => unknown, string]>([
	['the credential is gone', () => trigger.n8n.credentials.clear(), 'Credential .* does not exist'],
	[
		"the credential holds n8n's placeholder",
		() => (account().accessToken = PLACEHOLDER),
		"The Access Token .* holds n8n's placeholder",
	],
	['the webhook ID is empty', (parameters) => (parameters.webhookId = ''), 'Webhook ID: required'],
	[
		'an expression fails',
		(parameters) => (parameters.webhookId = '={{ $json.no.such.thing() }}'),
		'',
	],
])(
	'if %s, a call with the remembered secret starts the workflow, any other gets 401, and the log says why',
	async (_what, breakIt, reason) => {
		const { workflow, call } = await published();
		const genuine: Header = ['X-S', trigger.secret];
		breakIt(workflow.published!.parameters);
		expect((await call([genuine])).items).toEqual([{ json: body }]);
		expect(trigger.n8n.log).toEqual([]);
		const forged: Header = ['X-S', 'a guess'];
		for (const headers of [[forged], []]) expect(await call(headers)).toMatchObject(REFUSED);
		workflow.staticData = {};
		for (const headers of [[forged], [], [genuine]]) {
			expect(await call(headers)).toMatchObject(REFUSED);
		}
		expect(trigger.n8n.log).toEqual(
			Array(5).fill(
				expect.stringMatching(
					`A call to the trigger of workflow ${workflow.id} was rejected: n8n couldn't read the secret to compare it with\\. ${reason}`,
				),
			),
		);
	},
);

it('a forged call is never let in if neither secret nor token is there to go by, and what is remembered is no digest', async () => {
	const { workflow, call } = await published();
	for (const secretDigest of [undefined, '', 'zz', '00', 'f'.repeat(66)]) {
		workflow.staticData = { 'node:Trigger': { secretDigest } };
		trigger.n8n.credentials.get('A')!.accessToken = '';
		for (const guess of ['', digest(''), secretOf(''), String(secretDigest)]) {
			expect((await call([['X-S', guess]])).status).toBe(401);
		}
	}
});

it('a forged call is no test event, and the test goes on', async () => {
	const { workflow } = await published();
	await trigger.listen(workflow);
	expect(await trigger.call(trigger.n8n.testUrl(workflow), { body })).toMatchObject(REFUSED);
	expect(workflow.test).toBeDefined();
});

it('the item of a genuine call is its body, whole: an object as it is, JSON in a text as what it says', async () => {
	const { call } = await published();
	const delivered = fc.oneof(fc.jsonValue(), fc.dictionary(treacherousKey, fc.jsonValue()));
	await fc.assert(
		fc.asyncProperty(delivered, fc.boolean(), async (value, isText) => {
			const text = JSON.stringify(value);
			const plain = JSON.parse(text) as unknown;
			const sent = isText || typeof plain === 'string' ? text : plain;
			const { status, items } = await call([['X-S', trigger.secret]], sent);
			const isObject = typeof plain === 'object' && plain !== null && !Array.isArray(plain);
			expect(status).toBe(200);
			expect(JSON.stringify(items)).toBe(
				JSON.stringify([{ json: isObject ? plain : { body: plain } }]),
			);
			expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
		}),
		{ numRuns: histories(100) },
	);
});

it.each<[parsed: unknown, item: object, raw?: string]>([
	...['', 'ready', '{"event":', '<event/>'].map((text): [unknown, object] => [
		text,
		{ body: text },
	]),
	// Some clients encode JSON twice. A number stays the text that it was.
	[JSON.stringify(JSON.stringify(body)), body],
	['"[1]"', { body: [1] }],
	['"12345678901234567890"', { body: '12345678901234567890' }],
	['"null"', { body: 'null' }],
	// n8n splits JSON that is declared as a form, and keeps the raw body.
	[{ '{"a":"b': 'c","d":"e', 'f"}': '' }, { a: 'b=c', d: 'e&f' }, '{"a":"b=c","d":"e&f"}'],
	[{ a: 'b', c: 'd' }, { a: 'b', c: 'd' }, 'a=b&c=d'],
])(
	'the body of a genuine call that n8n parses as %j becomes %j',
	async (...[parsed, item, raw]) => {
		const { call } = await published();
		expect((await call([['X-S', trigger.secret]], parsed, raw)).items).toEqual([{ json: item }]);
	},
);

it.each([
	['application/vnd.api+json;version=1; Charset="ISO-8859-1"', 'latin1'],
	['application/vnd.api+json;charset=utf-16le', 'utf16le'],
	['application/vnd.api+json; charset=no-such-set', 'utf8'],
	['application/vnd.api+json', 'utf8'],
	[undefined, 'utf8'],
] as const)(
	'the body of a genuine call as %s is read in the character set that it declares',
	async (contentType, encoding) => {
		const { call } = await published();
		const sent = Buffer.from(JSON.stringify({ name: 'Jörg' }), encoding);
		const headers: Header[] = [['X-S', trigger.secret]];
		if (contentType) headers.push(['Content-Type', contentType]);
		expect((await call(headers, sent)).items).toEqual([{ json: { name: 'Jörg' } }]);
	},
);
