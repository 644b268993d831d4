import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { invite } from '../../nodes/CandidateAssessment/actions/candidate/invite';
import { requestOrRefusal } from './arbitraries';

/** A way to enter a text, and the text as it is sent. */
interface Way {
	enter: (text: string) => object;
	sent: (body: IDataObject) => unknown;
}

const additional = (fields: object) => ({ additionalFields: fields });
const REFERENCE: Way = {
	enter: (text) => ({ extReferenceId: text }),
	sent: (body) => body.ext_reference_id,
};
const NAME: Way = { enter: (text) => ({ lastName: text }), sent: (body) => body.last_name };
const OTHERS: Way[] = [
	{
		enter: (name) => additional({ skillsJson: [{ name }] }),
		sent: ({ skills }) => (skills as IDataObject[])[0].name,
	},
	{
		enter: (organization) =>
			additional({ workExperiences: { workExperience: [{ organization }] } }),
		sent: (body) => (body.work_experiences as IDataObject[])[0].organization,
	},
];
const EMAIL: Way = {
	enter: (text) => ({ email: `${text}@corp.example` }),
	sent: (body) => String(body.email).split('@')[0],
};

const outcomeOf = ({ enter }: Way, text: string) =>
	requestOrRefusal(invite, {
		...{ jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c', extReferenceId: 'APP-1' },
		...{ isAnonymousCandidate: true, ...enter(text) },
	});

const MISREAD = /a letter that was read in the wrong encoding. Save the file as .xlsx, or as CSV/;
const HTML = /a character as HTML writes it. Replace it with the character itself/;
const ERROR = /a spreadsheet's error. Correct the formula/;
const MISSING = /which an expression gives where a value is missing/;
const ROUNDED = /a number that was rounded. Pass it as text/;
const EXCEL = /a number that a spreadsheet rounded. Format the column as text/;
const FORMULA = /the beginning of a formula. Enter what is between the quotation marks/;

it.each<[what: string, says: RegExp, ways: Way[], texts: string[]]>([
	[
		'of a wrong encoding',
		MISREAD,
		[REFERENCE, NAME, ...OTHERS],
		[
			...['Jos\ufffd', 'MÃ¼ller', 'Ã–zdemir', 'JÃ–RG', 'MÃœLLER', 'GroÃŸ', 'NuÃ±ez', 'NiccolÃ²'],
			...['CittÃ\u00a0di', 'Â\u00a0Huber', 'WaÅ‚Ä™sa', 'AÄŸaoÄŸlu', 'Å\u00a0koda', 'Oâ€™Brien'],
			...['J\u00c3\u0096rg', 'HenÃ‘o', 'LÃ“PEZ', 'JÄ…dro'],
		],
	],
	[
		'of HTML',
		HTML,
		[NAME, REFERENCE, ...OTHERS],
		['O&#39;Brien', 'O&#x27;Brien', 'M&uuml;ller', 'Stra&szlig;e', 'Smith &amp; Sons', 'A&nbsp;B'],
	],
	[
		'of a spreadsheet that has an error',
		ERROR,
		[REFERENCE, NAME, ...OTHERS],
		[
			...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#ERROR!'],
			...['APP-#REF!', ' #N/A', '#BEZUG!', '#¡VALOR!', '#NV', '#NOM?'],
		],
	],
	[
		'of a value that is missing',
		MISSING,
		[REFERENCE, EMAIL],
		[
			'APP-undefined',
			'[object Object]',
			'Invalid Date',
			'Invalid DateTime',
			'NaN4',
			'x.NaN.y',
			'null',
		],
	],
	['of a missing value', MISSING, [REFERENCE], ['APP-null', 'A-NaN-1', 'APPNaN']],
	['of a missing value', MISSING, [NAME], ['Anna undefined', '[object Object]', 'NaN']],
	['of rounding', ROUNDED, [REFERENCE], ['A-1.2345678901234568e+21']],
	['of Excel', EXCEL, [REFERENCE], ['1.23457E+14', '1,23457E+14', 'APP-1.2E+14', '1E+14']],
	['of a formula', FORMULA, [REFERENCE], ['="00123"', '="']],
])('what a text has %s is refused with words that say %s', (_what, says, ways, texts) => {
	for (const way of ways) {
		for (const text of texts) {
			expect([text, outcomeOf(way, text).refusal]).toEqual([text, expect.stringMatching(says)]);
		}
	}
});

const LETTERS = {
	Latin:
		'aeionrlsAEIORNLSÀÁÂÃÄÅÆÇÈÉÍÑÓÕÖØÚÜÞàáâãäåæçèéíñóõöøúüþđėęğıłńőřşśșţźżạảấầẩẫậắằẵẻềếọốồộớờụưứữựỳỹ',
	Greek: 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩάέήίόύώαβγδεζηθικλμνξοπρςστυφχψω',
	Cyrillic: 'АБВГҐДЕЄЁЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгґдеєёжзиіїйклмнопрстуфхцчшщъыьэюя',
	Arabic: 'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژکگی',
	Hebrew: 'אבגדהוזחטיךכלםמןנסעףפץצקרשת',
	Devanagari: 'अआइईउऊऋएऐओऔकखगघचछजझटठडढतथदधनपफबभमयरलवशषसह',
	'Han, Kana and Hangul':
		'王李張刘陳杨赵黄周吴佐藤鈴木高橋田中たなかさとうキムパクチェ김이박최정강조윤장임',
	Thai: 'กขคงจชซดตถทธนบปผฝพฟภมยรลวศสหอ',
};

it.each(Object.entries(LETTERS))('a name in %s letters is sent as it is', (_script, letters) => {
	const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
	const name = fc
		.tuple(word, fc.constantFrom(' ', '-', "'", '’', '. ', ' & '), word)
		.map((parts) => parts.join('').normalize('NFC'));
	fc.assert(
		fc.property(name, fc.constantFrom(NAME, REFERENCE, ...OTHERS), (text, way) => {
			expect(way.sent(outcomeOf(way, text).request?.body ?? {})).toBe(text);
		}),
	);
});

it.each([
	...[
		'JOÃO',
		'CONCEIÇÃO',
		'IRMÃ\u00a0DULCE',
		'„IRMÔ',
		'AMANHÃ – HOJE',
		'Âu',
		'VÂNIA',
		'Åsa…',
		'LÃ',
	],
	...['AT&T', 'AT&T; IBM', 'R&D; Sales', 'Johnson&Johnson;', 'C#', 'F#!', '#WINNING', '#1'],
	...["O'Brien", 'O’Brien', 'Nuñez', 'Null', 'null', 'NaNcy', 'Undefinedson', '1E+1', 'E+14'],
])('a name or a skill that only looks like a mistake is sent: %s', (text) => {
	for (const way of [NAME, ...OTHERS]) {
		expect(way.sent(outcomeOf(way, text).request?.body ?? {})).toBe(text);
	}
});

it.each(['APP-1e+21', 'nullable', 'inv-7NaNx9', 'A=B', '1.5E+', '2.5E+1', '#4711', 'x1.5E+14y'])(
	'a reference that only looks like a mistake is sent: %s',
	(text) => expect(outcomeOf(REFERENCE, text).request?.body?.ext_reference_id).toBe(text),
);

it.each(['nullable', 'jennifer.null', 'null-2', 'JohnNaNcy', "o'neil+jobs"])(
	'an email address that only looks like a mistake is sent: %s',
	(text) => expect(EMAIL.sent(outcomeOf(EMAIL, text).request?.body ?? {})).toBe(text),
);
