import { digest, EVENT, setUpTrigger, TOKEN } from './n8n/setUpTrigger.mts';
import crypto from 'node:crypto';
import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { derivedSecret } from '../support/calls.mts';
import { histories } from '../support/histories.mts';
import { anyText, treacherousKey } from '../unit/arbitraries';
import type { Answer } from './n8n/SimulatedN8n.mts';

/** What n8n's webhook server hands to the published trigger, and what comes of it. */

const trigger = setUpTrigger();
const body = { event: EVENT, invitation_code: 'inv-1' };
const REFUSED = { status: 401, body: { message: 'The secret is missing or wrong' } };
type Header = [string, string];

/** A published workflow, and a way to call it. */
async function published(parameters?: INodeParameters) {
	const workflow = await trigger.publishedWorkflow(parameters);
	const url = trigger.n8n.productionUrl(workflow);
	const call = async (headers: Header[], sent: unknown = body) =>
		(await trigger.call(url, { headers, body: sent })) as Answer;
	return { workflow, call };
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const VISIBLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
const text = (unit: string[], minLength: number, maxLength: number) =>
	fc.string({ unit: fc.constantFrom(...unit), minLength, maxLength });

/** As a user may enter one: in one word, or any visible characters with blanks between them. */
const secretText = fc
	.oneof(text(LETTERS, 16, 64), text([...VISIBLE, ' '], 16, 40))
	.filter((entered) => entered === entered.trim());

const OF_HTTP =
	/^(accept.*|connection|content-.*|host|transfer-encoding|user-agent|x-forwarded-.*)$/i;
const headerName = fc
	.oneof(
		text([...LETTERS, ...'-_!#$%&*+.^`|~'], 1, 20),
		fc.constantFrom('X-Webhook-Secret', 'authorization', 'Cookie', '__proto__', 'constructor'),
	)
	.filter((name) => !OF_HTTP.test(name));
const headerValue = fc.oneof(
	text([...VISIBLE, ' ', '\t'], 0, 80),
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.constantFrom('', ' ', 'Bearer', 'Bearer ', 'null', 'undefined', 'true', '[object Object]'),
);
const otherHeaders = fc.array(fc.tuple(headerName, headerValue), { maxLength: 8 });

/** The secret as it may stand in a header, with or without a scheme and blanks around it. */
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

/** Published anew for each secret. */
async function publishedWith(entered: string, options: INodeParameters) {
	trigger.n8n.credentials.get('A')!.webhookSecret = entered;
	trigger.webhook.url = 'https://elsewhere.example.com';
	return await published({ options });
}

it('a genuine call starts the workflow with its body as item, whatever header carries the secret, beside any others', async () => {
	const genuine = fc.tuple(secretText, headerName).chain(([entered, name]) =>
		fc.record({
			entered: fc.constant(entered),
			header: genuineValue(entered).map((value): Header => [name, value]),
			before: otherHeaders,
			after: otherHeaders,
			secretHeader: fc.oneof(fc.constant(''), fc.mixedCase(fc.constant(name))),
		}),
	);
	await fc.assert(
		fc.asyncProperty(genuine, async ({ entered, header, before, after, secretHeader }) => {
			const { call } = await publishedWith(entered, { secretHeader });
			const { status, items } = await call([...before, header, ...after]);
			expect([status, items]).toEqual([200, [{ json: body }]]);
		}),
		{ numRuns: histories(100) },
	);
});

it('a forged call gets 401 and starts nothing, whatever its headers, and however near they come to the secret', async () => {
	const near = secretText.chain((entered) =>
		fc.record({
			entered: fc.constant(entered),
			headers: fc.array(fc.tuple(headerName, nearMiss(entered)), { minLength: 1, maxLength: 5 }),
			others: fc.oneof(otherHeaders, fc.array(fc.tuple(anyText(), anyText()))),
			scheme: fc.constantFrom('', 'Bearer ', 'Token '),
		}),
	);
	await fc.assert(
		fc.asyncProperty(near, async ({ entered, headers, others, scheme }) => {
			const { call } = await publishedWith(entered, {});
			const sent = headers
				.map(([name, value]): Header => [name, scheme + value])
				// The scheme may complete what was left out: "Bearer a b" is "a b" after a scheme.
				.filter(([, value]) => value.replace(/^\S+\s+/, '').trim() !== entered);
			expect(await call([...sent, ...others])).toEqual({ ...REFUSED, items: undefined });
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
	...['User-Agent', 'content-type', 'ACCEPT', 'Host', 'X-Forwarded-Host'].map(
		(name): [string, () => Header[]] => [
			`the secret in ${name}, which HTTP sends by itself`,
			() => [[name, trigger.secret]],
		],
	),
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

it('verifying does the same work wherever a guess differs, and wherever the right one stands', async () => {
	const { workflow, call } = await published();
	const right = trigger.secret;
	// Of the remembered secret only: the current one is made anew for each guess.
	workflow.published!.parameters.webhookId = '';
	const other: Header = ['x-other', 'Bearer of something'];
	const guesses = [
		...Array.from(right, (_, index) => replaced(right, index, 'Z')),
		...['Z', right.slice(0, -1), `${right}Z`, 'Z'.repeat(4096)],
	].map((guess): Header => ['x-secret', guess]);
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	const work = async (headers: Header[]) => {
		compare.mockClear();
		const { status } = await call(headers);
		return [status, compare.mock.calls.map(([one, two]) => [one.byteLength, two.byteLength])];
	};
	const compared = Array(3).fill([32, 32]);
	for (const guess of guesses) expect(await work([guess, other])).toEqual([401, compared]);
	expect(await work([['x-secret', right], other])).toEqual([200, compared]);
	expect(await work([other, ['x-secret', right]])).toEqual([200, compared]);
});

it.each([
	['automatic', 'still lets in', 200],
	['manual', 'lets nobody in', 401],
])(
	'after the secret was replaced with %s registration, the one before %s, and the new one does',
	async (registration, _what, expected) => {
		const credential = trigger.n8n.credentials.get('A')!;
		credential.webhookSecret = 'the old secret here';
		const { workflow, call } = await published({ registration });
		// Manual registration remembers none, but an automatic one before it has.
		workflow.staticData = { 'node:Trigger': { secretDigest: digest('the old secret here') } };
		credential.webhookSecret = 'the new secret here';
		const status = async (guess: string) => (await call([['X-S', guess]])).status;
		expect(await status('the new secret here')).toBe(200);
		expect(await status('the old secret here')).toBe(expected);
		expect(await status('another secret here')).toBe(401);
	},
);

it.each([
	['the credential is gone', {}],
	['the webhook ID is empty', { webhookId: '' }],
	['an expression fails', { webhookId: '={{ $json.no.such.thing() }}' }],
	['an option is no text', { options: { secretHeader: { a: 1 } } }],
	['the options are none', { options: 'none' }],
])(
	'whatever is broken, such as that %s, a genuine call starts the workflow, and a forged one does not',
	async (_what, parameters) => {
		const { workflow, call } = await published();
		Object.assign(workflow.published!.parameters, parameters);
		trigger.n8n.credentials.clear();
		expect((await call([['X-S', trigger.secret]])).items).toEqual([{ json: body }]);
		// Not even that there is no credential: what is remembered needs none.
		expect(trigger.n8n.log).toEqual([]);
		for (const remembered of [workflow.staticData, {}]) {
			workflow.staticData = remembered;
			for (const headers of [[['X-S', 'a guess']] as Header[], []]) {
				expect(await call(headers)).toMatchObject(REFUSED);
			}
		}
	},
);

it.each<[string, (credentials: Map<string, object>) => void, RegExp]>([
	['can not be read', (all) => all.clear(), /Credential with ID "A" does not exist$/],
	[
		'has no secret any more',
		(all) => Object.assign(all.get('A')!, { webhookSecret: '' }),
		/Manual registration needs a Webhook Secret/,
	],
])(
	'with manual registration, a call gets 401 while the credential %s, and the log says so',
	async (_what, breakIt, reason) => {
		const secret = 'the secret of both sides';
		trigger.n8n.credentials.get('A')!.webhookSecret = secret;
		const { workflow, call } = await published({ registration: 'manual' });
		breakIt(trigger.n8n.credentials);
		expect(await call([['X-S', secret]])).toMatchObject(REFUSED);
		const [line, ...more] = trigger.n8n.log;
		expect(more).toEqual([]);
		expect(line).toContain(
			`A call to the trigger of workflow ${workflow.id} was rejected: n8n couldn't read the secret to compare it with. `,
		);
		expect(line).toMatch(reason);
		expect(line).not.toContain(secret);
	},
);

it('with automatic registration, a broken webhook ID lets in who shows the secret that was entered, and is named in the log otherwise', async () => {
	const secret = 'the secret of both sides';
	const { workflow, call } = await published();
	Object.assign(workflow.published!.parameters, { webhookId: '' });
	workflow.staticData = {};
	expect((await call([['X-S', trigger.secret]])).status).toBe(401);
	expect(trigger.n8n.log.at(-1)).toMatch(
		/n8n couldn't read the secret to compare it with\. Webhook ID: /,
	);
	trigger.n8n.credentials.get('A')!.webhookSecret = secret;
	expect((await call([['X-S', secret]])).status).toBe(200);
});

it('a forged call is never let in if neither secret nor token is there to go by, and what is remembered is no digest', async () => {
	const { workflow, call } = await published();
	for (const secretDigest of [undefined, '', 'zz', '00', 'f'.repeat(66)]) {
		workflow.staticData = { 'node:Trigger': { secretDigest } };
		for (const credential of [{ accessToken: '' }, { webhookSecret: 'short' }]) {
			Object.assign(trigger.n8n.credentials.get('A')!, credential);
			const derived = derivedSecret('', trigger.webhookId);
			for (const guess of ['', 'short', digest(''), derived, String(secretDigest)]) {
				expect((await call([['X-S', guess]])).status).toBe(401);
			}
		}
	}
	workflow.published!.parameters.registration = 'no such thing';
	expect((await call([['X-S', 'a guess']])).status).toBe(401);
});

it.each(['automatic', 'manual'])(
	"with %s registration, n8n's placeholder for a hidden value lets nobody in, though the credential holds it",
	async (registration) => {
		trigger.n8n.credentials.get('A')!.webhookSecret = 'a good secret here';
		const { call } = await published({ registration });
		const placeholder = '__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609-6eaf1f9e87f6';
		trigger.n8n.credentials.get('A')!.webhookSecret = placeholder;
		expect(await call([['X-S', placeholder]])).toMatchObject(REFUSED);
	},
);

it('a forged call with the secret in another header than the one named gets 401', async () => {
	const { call } = await published({ options: { secretHeader: 'X-Webhook-Secret' } });
	expect((await call([['X-Other', trigger.secret]])).status).toBe(401);
	expect((await call([['x-webhook-secret', trigger.secret]])).status).toBe(200);
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
	for (const sent of ['', 'ready', '{"event":', '<event/>']) {
		expect((await call([['X-S', trigger.secret]], sent)).items).toEqual([{ json: { body: sent } }]);
	}
	const ofUnknownType = Buffer.from(JSON.stringify(body));
	expect((await call([['X-S', trigger.secret]], ofUnknownType)).items).toEqual([{ json: body }]);
});

it('a genuine call brings its headers along on demand, without the secret, wherever it stands, and without other credentials', async () => {
	const { call } = await published({ options: { includeHeaders: true, secretHeader: ' X-S\n' } });
	const headers = Object.entries({
		'X-S': trigger.secret,
		'X-Copy': trigger.secret,
		'X-Form': `key="${trigger.secret}"`,
		'User-Agent': trigger.secret,
		Authorization: 'Basic abc',
		'Proxy-Authorization': 'Basic abc',
		Cookie: 'a=b',
		'X-Delivery': '42',
	});
	const requestHeaders = { 'x-delivery': '42' };
	const ofTheService = { ...body, requestHeaders: 'are replaced' };
	const { items } = await call([['X-S', 'other'], ...headers], ofTheService);
	expect(items).toEqual([{ json: { ...body, requestHeaders } }]);
	const list = await call(headers, [1]);
	expect(list.items).toEqual([{ json: { body: [1], requestHeaders } }]);
});

it.each([
	['application/vnd.api+json; charset=iso-8859-1', 'latin1'],
	['application/vnd.api+json;version=1; Charset="ISO-8859-1"', 'latin1'],
	['application/vnd.api+json; charset=utf-16le', 'utf16le'],
	['application/vnd.api+json; charset=utf-8', 'utf8'],
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
