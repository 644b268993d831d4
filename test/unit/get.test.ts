import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { get } from '../../nodes/CandidateAssessment/actions/candidate/get.operation';
import { downloadPdf } from '../../nodes/CandidateAssessment/transport/download';
import { anyCodeUnits, anything, anyText, entered, requestOrRefusal } from './support/arbitraries';
import { histories } from '../support/histories.mts';

jest.mock('../../nodes/CandidateAssessment/transport/download', () => ({
	downloadPdf: jest.fn(async () => await Promise.resolve({})),
}));

const BASE = 'https://assessment.example.com:8443/api/';
const PREFIX = '/api/partner/v1.0/standard/candidates/invitation/';

/** Every trick that has ever led an address elsewhere, in any order. */
const trick = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				...['.', '..', '/', '\\', '?', '#1', '%', '%2e', '%2f', '\0', ' '],
				...['@evil.example', ';a=b', 'inv-1'],
			),
			anyText({ maxLength: 4 }),
			anyCodeUnits,
		),
		{ maxLength: 6 },
	)
	.map((parts) => parts.join('').normalize('NFC'))
	// Invisible characters are dropped; line breaks are refused.
	.filter((code) => !/[\p{DI}\p{Cc}\u2800\ufff9-\ufffb\u2028\u2029]/u.test(code));

/** The code that a path requests. Fails if the path leads to another address. */
function codeAt(path: string): string {
	const address = new URL(BASE.slice(0, -1) + path);
	expect(address.origin).toBe('https://assessment.example.com:8443');
	expect(address.pathname.startsWith(PREFIX)).toBe(true);
	expect(address.search + address.hash).toBe('');
	const rest = address.pathname.slice(PREFIX.length);
	expect(rest).not.toBe('');
	expect(rest).not.toContain('/');
	return decodeURIComponent(rest);
}

/** Whether decoding, once or repeatedly, leads elsewhere. */
function leadsElsewhere(code: string): boolean {
	return /[/\\]|%2/.test(code) || /^\.{0,2}$|^\.\.?;/.test(code.trim());
}

const isWhole = (text: string) => !/[\p{Surrogate}\ufffd]/u.test(text);

const byCode = (value: unknown) => ({ invitationCode: { __rl: true, mode: 'code', value } });
const byLink = (value: unknown) => ({ invitationCode: { __rl: true, mode: 'link', value } });

it('an invitation code stays inside its own part of the address, whatever it is, and arrives whole', () => {
	fc.assert(
		fc.property(trick, fc.boolean(), (code, isPlain) => {
			const parameters = isPlain ? { invitationCode: code } : byCode(code);
			const { request } = requestOrRefusal(get, parameters);
			const isSendable = isWhole(code) && !leadsElsewhere(code);
			expect(request !== undefined).toBe(isSendable);
			if (!request) return;
			expect(request).toMatchObject({ method: 'GET', body: undefined });
			expect(codeAt(request.path)).toBe(code.trim());
		}),
		{ numRuns: histories(400) },
	);
});

const ESCAPED: Record<string, string> = { '.': '%2E', '!': '%21', "'": '%27', ')': '%29' };

it('an invitation code at the end of a link is taken from there, whatever it is', () => {
	fc.assert(
		fc.property(trick, fc.constantFrom('', '/', '?a=b/c', '#d/e'), (code, after) => {
			fc.pre(isWhole(code) && !leadsElsewhere(code));
			// At the end of a link, these characters belong to the sentence, unless they are escaped.
			const escaped = encodeURIComponent(code).replace(/[.!')]/g, (sign) => ESCAPED[sign]);
			const link = `https://assessment.example.com/i/${escaped}${after}`;
			const { request } = requestOrRefusal(get, byLink(link));
			expect(codeAt(request?.path ?? '')).toBe(code.trim());
		}),
		{ numRuns: histories(150) },
	);
});

it('an invitation code is taken from a link wherever one is entered, and from the path behind a #', () => {
	for (const link of [
		'https://a.example/i/inv%201',
		' https://a.example/app#/invites/inv%201?from=x\n',
		'http://a.example:8080/inv%201/#/',
		'https://a.example/inv%201#top',
	]) {
		for (const parameters of [byLink(link), byCode(link), { invitationCode: link }]) {
			expect(codeAt(requestOrRefusal(get, parameters).request?.path ?? '')).toBe('inv 1');
		}
	}
});

it.each([
	...[...'.,;:!?…”"»', ').', '/.', '?from=x.', '#top)', '.\n'].map(
		(after) => `https://a.example/i/inv-1${after}`,
	),
	...['<https://a.example/i/inv-1>', '(https://a.example/i/inv-1)', '[https://a.example/i/inv-1]'],
	...['“https://a.example/app#/invites/inv-1”.', "'https://a.example/i/inv-1'"],
])('an invitation code is taken from a link with the signs around it in a text: %s', (link) => {
	for (const parameters of [byLink(link), byCode(link)]) {
		expect(codeAt(requestOrRefusal(get, parameters).request?.path ?? '')).toBe('inv-1');
	}
});

const ELSEWHERE =
	/^Invitation: contains a slash, a backslash, or nothing but dots\. Enter only the code/;
const REWRITTEN =
	/^Invitation: the link .* Mail systems rewrite links \(Safe Links, .* copy the original one/;
const OUTLOOK = 'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F1';

it.each<[RegExp, ...links: string[]]>([
	[ELSEWHERE, 'https://example.com/a/..%2f', 'https://example.com/a/%2e%2e%2Fwebhooks'],
	[ELSEWHERE, 'https://example.com/app#/..%5c'],
	[/^Invitation: contains '%2e', a link's code/, 'https://example.com/a/%252e%252e'],
	[REWRITTEN, 'https://a.example/i/%E0%A4%A', 'https://a.example/i/inv%', 'https://example.com/'],
	[REWRITTEN, OUTLOOK],
	[/^Invitation: required, but empty$/, ''],
	[
		/^Invitation: not a link\. Paste .* 'candidate_id' doesn't work/,
		'5d1e2f3a-9d4a-4e6b-8a7c-3f2b',
	],
])('what leads to no invitation is refused with %s', (words, ...links) => {
	for (const link of links) expect(requestOrRefusal(get, byLink(link)).refusal).toMatch(words);
});

it('what is no text leads to no invitation either', () => {
	for (const value of [[], ['inv-1'], { inv: 1 }, true, 5n, new Date(0)]) {
		for (const parameters of [{ invitationCode: value }, byLink(value), byCode(value)]) {
			expect(requestOrRefusal(get, parameters).request).toBeUndefined();
		}
	}
});

const REPORT = 'https://a.example/r.pdf';

/** The file name of a report. */
async function reportName(reference: unknown, candidate = 'C-1'): Promise<string> {
	const params = entered(get, { simplify: true, downloadReport: true, binaryPropertyName: 'data' });
	const data = { ext_reference_id: reference, candidate_id: candidate, report_pdf_link: REPORT };
	await get.output?.(params)?.(data as IDataObject, undefined as never);
	return jest.mocked(downloadPdf).mock.lastCall?.[1].fileName ?? '';
}

it('a report has a name of its own on any file system, and the same in every run', async () => {
	const references = [
		...['申请甲', '申请乙', 'Müller-2026', 'Möller-2026', 'jane+a@x.example', 'jane_a@x.example'],
		...['A/1', 'A#1', 'app-1', 'APP-1', 'Zoe\u0308', 'Zo\u00eb', 'a b', 'a_b', 'a.', 'a'],
		...['ß', 'SS', 'ı', 'I', 'x'.repeat(100), 'x'.repeat(101), 'CON', 'con', '1', 1, '', ' '],
		...['🙂', '🙃', 'заявка№1', 'заявка#1', 'طلب-١', 'طلب/١', undefined, 'candidate'],
	];
	const all: string[] = [];
	for (const reference of references) {
		const name = await reportName(reference);
		all.push(name);
		expect(await reportName(reference)).toBe(name);
		expect(name).toMatch(/^report-[\p{L}\p{M}\p{N}._-]*-[\da-f]{8}\.pdf$/u);
		expect(Buffer.byteLength(name)).toBeLessThanOrEqual(100);
	}
	expect(new Set(all.map((name) => name.normalize('NFKD').toUpperCase())).size).toBe(all.length);
	expect(all.slice(0, 4).map((name) => name.replace(/-[\da-f]{8}\.pdf$/, ''))).toEqual(
		['申请甲', '申请乙', 'Müller-2026', 'Möller-2026'].map((reference) => `report-${reference}`),
	);
	// Some use one reference for everybody.
	expect(await reportName('2026', 'C-1')).not.toBe(await reportName('2026', 'C-2'));
});

it.each(['申', 'ü', 'a', '𐐀', 'e\u0301'])(
	'a long name of a report ends with a whole character: %s',
	async (sign) => {
		for (const start of ['', 'x', 'xx', 'xxx']) {
			expect(await reportName(start + sign.repeat(80))).toMatch(
				/^report-[^\ufffd]{15,60}-[\da-f]{8}\.pdf$/u,
			);
		}
	},
);

const simplified = async (data: IDataObject): Promise<IDataObject> => {
	const output = get.output?.(entered(get, { simplify: true, invitationCode: 'inv-1' }));
	return (await output?.(data, undefined as never))?.json ?? {};
};

it('a retrieved candidate of any shape is simplified to scores, and fields that it has', async () => {
	const key = fc.constantFrom('scores', 'additional_scores', 'candidate_id', '__proto__', 'status');
	const score = fc.record(
		{ score_type: fc.oneof(fc.string(), anything), score_value: anything },
		{ requiredKeys: [] },
	);
	const data = fc.dictionary(key, fc.oneof(anything, fc.array(fc.oneof(score, anything))));
	await fc.assert(
		fc.asyncProperty(data, async (candidate) => {
			const { scores, ...fields } = await simplified(candidate as IDataObject);
			const { status } = candidate;
			// A field without a value would replace that of the item.
			expect(fields).toStrictEqual(status === undefined ? {} : { status });
			expect(Object.getPrototypeOf(scores)).toBe(Object.prototype);
		}),
		{ numRuns: histories(150) },
	);
});

it('each simplified field holds its own value', async () => {
	const names = ['status', 'ext_reference_id', 'job_id', 'email', 'first_name', 'last_name'].concat(
		['invitation_link', 'report_pdf_link', 'report_profile_link'],
	);
	const data = Object.fromEntries(names.map((name) => [name, `the ${name}`]));
	const output = await simplified(data);
	expect(output).toEqual({ ...data, scores: {} });
	expect(Object.keys(output).slice(0, 2)).toEqual(['status', 'scores']);
});

it.each([
	[4, 5, 80],
	[4, 100, 4],
	[1, 3, 33.33],
	[77.55, 100, 77.55],
	[0, 10, 0],
	// No scale.
	[4, undefined, 4],
	[4, 0, 4],
	[4, '5', 4],
	['high', 5, 'high'],
	[null, 5, null],
])(
	'a retrieved candidate has scores from 0 to 100: %p of %p is %p',
	async (score_value, score_format, expected) => {
		const score = { score_type: 'role_fit', score_value, score_format };
		expect(await simplified({ additional_scores: [score] as IDataObject[] })).toMatchObject({
			scores: { role_fit: expected },
		});
	},
);
