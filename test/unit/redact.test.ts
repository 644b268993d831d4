import * as fc from 'fast-check';
import { describeError } from '../../nodes/CandidateAssessment/errors/messages';
import { redact } from '../../nodes/CandidateAssessment/errors/redact';
import type { Attempt } from '../../nodes/CandidateAssessment/transport/types';
import { anyText, token } from './arbitraries';

const html = (text: string) =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll("'", '&#39;');

/** How a service may repeat what it was sent. */
const echoes: Array<(secret: string) => string> = [
	(secret) => secret,
	(secret) => JSON.stringify({ message: `Bearer ${secret} is not valid` }),
	(secret) => JSON.stringify({ [secret]: { authorization: secret } }),
	(secret) => JSON.stringify([secret, [secret, { error: secret }]]),
	(secret) => JSON.stringify({ message: JSON.stringify({ body: { email: secret } }) }),
	(secret) => JSON.stringify({ message: `GET /?q=${encodeURIComponent(secret)}` }),
	(secret) => JSON.stringify({ message: new URLSearchParams({ q: secret }).toString() }),
	(secret) => `<html><title>${html(secret)}</title><p>${html(secret)}</html>`,
	(secret) => `${secret}${secret}\n${secret}`,
	(secret) => `{"message": "${secret}`,
];
const echo = fc.constantFrom(...echoes);

const before = fc.oneof(
	anyText({ maxLength: 20 }),
	// So that the secret stands where long words are cut.
	fc.integer({ min: 420, max: 510 }).map((length) => 'x'.repeat(length)),
);

/** Not even a part of it long enough to be of use. */
const partsOf = (secret: string) => [secret.slice(0, 10), secret.slice(-10)];

/** What a user would read of a response with this text. */
function read(text: string, confidential: string[], status = 400): string {
	const response: Attempt = { kind: 'response', status, headers: {}, text };
	const { message, description } = describeError(response, {}, false, redact(confidential));
	return `${message} ${description}`;
}

describe('What is confidential is not told', () => {
	it('wherever and however the service repeats it', () => {
		const status = fc.constantFrom(200, 302, 400, 401, 404, 429, 500, 503);
		fc.assert(
			fc.property(
				fc.array(token, { minLength: 1, maxLength: 4 }),
				fc.nat(3),
				echo,
				before,
				status,
				(secrets, which, echoed, start, code) => {
					const told = secrets[which % secrets.length];
					const said = read(echoed(`${start}${told}`), secrets, code);
					for (const part of partsOf(told)) expect(said).not.toContain(part);
				},
			),
			{ numRuns: 2000 },
		);
	});

	it.each([
		'Zoë "Zed" O\'Brien & Søn <zoe@example.com>',
		'name.with+tag@example.com',
		'line one\nline two \\ backslash',
		'日本語の名前です、よろしく',
	])('in any spelling of %j', (value) => {
		for (const echoed of echoes.slice(1, 8)) {
			const said = read(echoed(value), [value]);
			for (const spelling of [value, encodeURIComponent(value), html(value)]) {
				expect(said).not.toContain(spelling);
			}
			expect(said).toContain('•••');
		}
	});

	it('when one secret is part of another', () => {
		fc.assert(
			fc.property(token, token, fc.boolean(), echo, (inner, more, isFirst, echoed) => {
				const outer = inner + more;
				const said = read(echoed(outer), isFirst ? [inner, outer] : [outer, inner]);
				for (const part of [...partsOf(inner), ...partsOf(more)]) expect(said).not.toContain(part);
			}),
			{ numRuns: 500 },
		);
	});

	it('when it has blanks in it, which the words do not keep', () => {
		const secret = 'many  blanks \t in here';
		expect(read(JSON.stringify({ message: `${secret} is too weak` }), [secret])).toMatch(
			/The service says: ••• is too weak$/,
		);
	});

	it('in other letters of the same e-mail address', () => {
		expect(read('{"message":"nathan@example.com exists"}', ['Nathan@Example.com'])).toMatch(
			/The service says: ••• exists$/,
		);
	});

	it('as the code of a lost connection', () => {
		const secret = 'an-access-token-of-somebody';
		const lost: Attempt = {
			kind: 'networkError',
			code: `E_${secret}`,
			wasSent: true,
			isTransient: true,
		};
		expect(describeError(lost, {}, false, redact([secret])).description).toMatch(/\(E_•••\)$/);
	});
});

describe('What a service repeats in its own way', () => {
	const asEntities = (spell: (code: number) => string) => (text: string) =>
		Array.from(text, (sign) => `&#${spell(sign.codePointAt(0)!)};`).join('');
	const ways: Array<(text: string) => string> = [
		(text) => text,
		(text) => text.toUpperCase(),
		(text) => text.toLowerCase(),
		(text) => text.normalize('NFC'),
		(text) => text.normalize('NFD'),
		html,
		asEntities(String),
		asEntities((code) => `x${code.toString(16)}`),
		(text) => JSON.stringify(text).slice(1, -1),
		encodeURIComponent,
	];

	it('is hidden, and nothing else with it', () => {
		const isName = (text: string) => /\p{L}/u.test(text) && text.normalize('NFC').length > 2;
		const name = fc.oneof(
			anyText({ maxLength: 40 }),
			fc.string({ unit: 'grapheme' }),
			fc.string({ unit: fc.constantFrom(...'aäÄßøİıΣςσ&;#<"\'%+ 明あア명ก', 'e\u0301') }),
		);
		// Nothing that could be a part of a name.
		const around = fc.string({ unit: fc.constantFrom('.', ' ', '/', ',') });
		fc.assert(
			fc.property(
				name.filter(isName),
				fc.constantFrom(...ways),
				around,
				around,
				(text, way, start, end) => {
					const said = redact([text])(`1/${start}${way(text)}${end}/1`);
					expect(said.replace(/[ ./,]/g, '')).toBe('1•••1');
				},
			),
			{ numRuns: 5000 },
		);
	});

	it.each([
		['named entities', 'M&uuml;ller-L&uuml;denscheidt, J&Uuml;rgen', '•••, •••'],
		['decimal entities', 'J&#252;rgen M&#0252;ller-L&#252;denscheidt', '••• •••'],
		['hexadecimal entities', 'J&#xFC;rgen&nbsp;&#x40; nathan&#64;example.com', '•••\u00a0@ •••'],
		['what is no entity', '&nobody; &#x110000; &#xd800; &toString;', undefined],
		['upper case', 'JÜRGEN MÜLLER-LÜDENSCHEIDT of GROSSE STRASSE', '••• ••• of •••'],
		['Greek capitals', 'ΝΊΚΟΣ.x exists', '•••.x exists'],
		['a name inside of another', 'Jürgens JÜRGENSEN', undefined],
		['Chinese', '候选人李明已存在', '候选人•••已存在'],
		['Japanese', '候補者たろうは登録済み、タナカも', '候補者•••は登録済み、•••も'],
		['Korean', '김민수는 이미 있습니다', '•••는 이미 있습니다'],
		['Thai', 'ผู้สมัครสมชายมีอยู่แล้ว', 'ผู้สมัคร•••มีอยู่แล้ว'],
		['Latin letters in Chinese', '候选人Jürgen已存在', '候选人•••已存在'],
	])('is hidden in %s', (_case, said, shown = said) => {
		const names = ['Jürgen', 'Müller-Lüdenscheidt', 'nathan@example.com', 'Große Straße'];
		const others = ['Νίκος', '李明', 'たろう', 'タナカ', '김민수', 'สมชาย'];
		expect(redact([...names, ...others])(said)).toBe(shown);
	});

	it('is hidden with an entity of its own', () => {
		for (const said of ['R&#38;D team', 'R&amp;#38;D team', 'R&D team']) {
			expect(redact(['R&#38;D team'])(`Unknown: ${said}!`)).toBe('Unknown: •••!');
		}
	});
});

describe('What is long', () => {
	it.each([
		['ASCII', 'Led the team of Example Logistics. '.repeat(700)],
		['Chinese', '负责仓库团队的日常管理工作。'.repeat(300)],
		['percent signs', '%'.repeat(20_000)],
	])('is hidden whatever its length: %s', (_case, text) => {
		for (const echoed of echoes.slice(0, 8)) {
			const said = read(echoed(`${text}end`), [`${text}end`], 422);
			expect(said).toContain('•••');
			expect(said).not.toContain(text.slice(0, 20));
			expect(said).not.toContain(text.slice(-20));
		}
	});

	it('and repeats itself hides all of itself', () => {
		const text = `${'ab'.repeat(30)} and more of it`;
		expect(redact([text])(`abab${text}ab`)).toBe('•••ab');
		expect(redact(['x-------x'])('x-------x-------x')).toBe('•••');
	});

	it('is hidden as far as it goes where the service cuts it off', () => {
		const text = 'Treated patients with depression after her own illness in 2019, and led a team.';
		const other = 'Treated patients with depression after her own accident.';
		expect(redact([other, text])(`Too long: "${text.slice(0, 67)}..."`)).toBe('Too long: "•••..."');
		expect(redact([text])('Treated patients well')).toBe('Treated patients well');
		const smileys = '😀😁😂'.repeat(9);
		expect(redact([smileys])(`${smileys.slice(0, 24)}😃`)).toBe('•••');
	});

	// Some tenths of a second, or minutes where something is looked at again from every place.
	it.each([
		['a huge page', '<p>No such candidate, or an error.</p>\n'.repeat(2 ** 17)],
		['one letter', 'a'.repeat(5 * 2 ** 20)],
	])('is looked for in %s without holding up everything else on this n8n', (_case, page) => {
		const texts = Array.from(
			{ length: 45 },
			(_item, index) =>
				[`${'a'.repeat(2000)}${index}`, `${index} ${'Führte ein Team. '.repeat(100)}`, 'an'][
					index % 3
				],
		);
		const started = Date.now();
		redact(texts)(page);
		expect(Date.now() - started).toBeLessThan(10_000);
	});
});

describe('What is short', () => {
	it('is hidden where it stands alone, and no other word with it', () => {
		const clean = redact(['an', 'Jo']);
		expect(clean('Jo: an answer of John, and an error. AN')).toBe(
			'•••: ••• answer of John, and ••• error. AN',
		);
	});

	it('that is empty hides nothing', () => {
		expect(redact(['', '  '])('All of it stays')).toBe('All of it stays');
	});
});
