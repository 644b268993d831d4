// Real names, in more languages than we know. Version 9 is the last that Jest can load.
import { allLocales } from '@faker-js/faker';
import { IN_NAMES } from '../../nodes/CandidateAssessment/parameters/leftovers';
import { string } from '../../nodes/CandidateAssessment/parameters/rules';

const nameRule = string({ max: 255, leftovers: IN_NAMES });

// Half a million names are refused; a stack for each takes seconds.
Error.stackTraceLimit = 0;

function isRefused(name: string): boolean {
	try {
		return nameRule(name) !== name;
	} catch {
		return true;
	}
}

/** The texts in a locale's lists, which may be grouped by sex. */
function textsIn(list: unknown): string[] {
	if (typeof list === 'string') return [list];
	return typeof list === 'object' && list !== null ? Object.values(list).flatMap(textsIn) : [];
}

const unique = (texts: string[]) => [...new Set(texts)];
const inThreeCases = (name: string) => [name, name.toUpperCase(), name.toLowerCase()];

const people = Object.values(allLocales).map(({ person }) => ({
	first: unique(textsIn([person?.first_name, person?.middle_name])),
	last: unique(textsIn(person?.last_name)),
}));

/** Ömer, already misread in faker's data. */
const BROKEN = 'Ã\x96mer';

const names = unique(people.flatMap(({ first, last }) => [...first, ...last]))
	.filter((name) => name !== BROKEN)
	.flatMap(inThreeCases);

it('each name of each locale of faker is sent, in any case', () => {
	expect(names.length).toBeGreaterThan(100_000);
	expect(names.filter(isRefused)).toEqual([]);
	expect(isRefused(BROKEN)).toBe(true);
});

it('each first name is sent with a last name behind it, and each last name with a first one', () => {
	const pairs = people.flatMap(({ first, last }) => {
		if (first.length === 0 || last.length === 0) return [];
		return Array.from({ length: Math.max(first.length, last.length) }, (_, index) => {
			const pair = [first[index % first.length], last[(index * 7919) % last.length]];
			return pair.includes(BROKEN) ? [] : [pair.join(' '), pair.join('\u00a0'), pair.join('-')];
		}).flat();
	});
	expect(pairs.length).toBeGreaterThan(100_000);
	expect(pairs.flatMap(inThreeCases).filter(isRefused)).toEqual([]);
});

/** A nickname in the quotation marks of the world's languages, and in what keyboards without them have. */
const QUOTED = [
	...['"_"', "'_'", '“_”', '„_“', '„_”', '”_”', '‘_’', '‚_‘', '’_’', '«_»', '»_«', '‹_›', '›_‹'],
	...['「_」', '『_』', '《_》', '״_״', '׳_׳', 'ʻ_ʻ', '＂_＂', '(_)', '[_]', '`_`', '´_´', '–_–'],
	...['′_′', '″_″', '〝_〟', '❝_❞', "''_''", "``_''", '("_")', '« _ »', '["_"]', ",,_''"],
];

it('each name is sent with a nickname in it, in the quotation marks of any language', () => {
	let index = 0;
	const nicknamed = people.flatMap(({ first, last }) =>
		(last.length > 0 ? first : []).flatMap((name) => {
			const nickname = first[(index * 7919) % first.length];
			const quoted = QUOTED[index++ % QUOTED.length].replace('_', nickname);
			const family = last[index % last.length];
			const all = [`${name} ${quoted} ${family}`, `${quoted} ${family}`, `${family} ${quoted}`];
			return all.filter((each) => !each.includes(BROKEN));
		}),
	);
	expect(nicknamed.length).toBeGreaterThan(100_000);
	expect(unique(nicknamed).flatMap(inThreeCases).filter(isRefused)).toEqual([]);
});

it('each name is sent behind an apostrophe, whatever sign that is', () => {
	const prefixed = ["O'", 'O’', 'D‘', 'dʼ', 'ʻ', 'ʿ', '’', "'t ", 'O`', 'O´', 'O′', 'O＇'];
	const all = names.map((name, index) => prefixed[index % prefixed.length] + name);
	expect(all.filter(isRefused)).toEqual([]);
});

it('each Hebrew name is sent with the signs of an abbreviation or a title in it', () => {
	const hebrew = names.filter((name) => /^\p{Script=Hebrew}{2,}$/u.test(name));
	const all = hebrew.flatMap((name) =>
		["''", '"', '״', "'", '׳', '’’', '”'].flatMap((sign) => [
			name.slice(0, -1) + sign + name.slice(-1),
			name + sign,
			`ד${sign}ר ${name}`,
		]),
	);
	expect(all.length).toBeGreaterThan(10_000);
	expect(all.filter(isRefused)).toEqual([]);
});

/** Why a misread name is sent nevertheless. */
const PASSES: ReadonlyArray<[why: string, name: RegExp]> = [
	['no sign but a no-break space between capitals, which people copy from web pages', /^[ -~ŠƠ]+$/],
	['an accent of its own, as JavaScript makes of İ and ΐ', /[\u0301\u0307]/],
	['two scripts: a Greek epsilon in a Latin word', /[a-z]ε|[A-Z]Ε/],
	['two capitals that would say a letter of other languages: ĆŻ and ÅØ', /^[ -~ƯŨ]+$/],
	['letters of Akan that would say É” and Æ†', /[ɔƆ]/],
];
const mayPass = (name: string) => PASSES.some(([, exception]) => exception.test(name));

const beyondAscii = names.filter((name) => {
	const letters = name.match(/\P{ASCII}/gu)?.join('') ?? '';
	return /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u.test(letters);
});

it.each([
	...['1250', '1251', '1252', '1253', '1254', '1255', '1256', '1257', '1258', '874'],
	...['macintosh', 'x-mac-cyrillic', 'ibm866'],
])('a Latin, Cyrillic or Greek name that was misread in code page %s is refused', (page) => {
	const label = /^\d/.test(page) ? `windows-${page}` : page;
	const decoder = new TextDecoder(label);
	const misread = (name: string) => decoder.decode(new TextEncoder().encode(name));
	expect(beyondAscii.length).toBeGreaterThan(30_000);
	const sent = beyondAscii.filter((name) => !isRefused(misread(name)));
	expect(sent.filter((name) => !mayPass(name))).toEqual([]);
	expect(sent.length).toBeLessThan(beyondAscii.length / 80);
});
