import type { IDataObject } from 'n8n-workflow';
import { invite } from '../../nodes/CandidateAssessment/actions/candidate/invite';
import { idOf, identifier, string } from '../../nodes/CandidateAssessment/parameters/rules';
import { refusal, requestOrRefusal } from './arbitraries';

/** A way to enter a text, and the text as it is sent. */
interface Way {
	enter: (text: string) => object;
	sent: (body: IDataObject) => unknown;
}

const REFERENCE: Way = {
	enter: (text) => ({ extReferenceId: text }),
	sent: (body) => body.ext_reference_id,
};
const EMAIL: Way = {
	enter: (text) => ({ email: `${text}@corp.example` }),
	sent: (body) => String(body.email).split('@')[0],
};
const NAME: Way = { enter: (text) => ({ lastName: text }), sent: (body) => body.last_name };
const SKILL: Way = {
	enter: (name) => ({ additionalFields: { skillsJson: [{ name }] } }),
	sent: ({ skills }) => (skills as IDataObject[])[0].name,
};

const outcomeOf = ({ enter }: Way, text: string) =>
	requestOrRefusal(invite, {
		jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
		extReferenceId: 'APP-1',
		isAnonymousCandidate: true,
		...enter(text),
	});

const sentAs = (way: Way, text: string) => way.sent(outcomeOf(way, text).request?.body ?? {});

const ADDRESSED = [REFERENCE, EMAIL, NAME];
const TEXTS = [REFERENCE, NAME, SKILL];

const GARBLED = /, garbled text\. Save the file as \.xlsx or CSV UTF-8, and read it again$/;
const LOST = /a question mark, which often stands for a lost letter\. Save the file as/;
const HTML = /, an HTML code\. Replace it with the character it stands for$/;
const ERROR = /, a spreadsheet's error\. Correct the formula$/;
const NARROW = /, which a spreadsheet shows in place of a value\. Widen the column/;
const NOTHING = /, a word for a missing value\. Enter the real value$/;
const MISSING = /, which means that the expression found no value\. Check the input field$/;
const ROUNDED = /, a number that was rounded\. Format the column as text/;
const DECIMAL = /, a number that a spreadsheet changed\. Format the column as text/;
const PROTECTED = /, which an export adds to protect a value\. Enter the value without it$/;
const UNFILLED =
	/, which was not filled in\. If it is an expression, select 'Expression'\. Otherwise, enter the real value$/;
const WEB = /, which belongs to a web address or a web page\. Enter the name alone$/;
const INVISIBLE =
	/an invisible character, which may have been copied along\. Enter the value again$/;
const ROWS = /a (line break|tab), so two cells or rows may have become one\. Correct the list$/;

// In which code pages a name may have been misread: realNames.test.ts.
it.each<[says: RegExp, ways: Way[], texts: string[]]>([
	[GARBLED, TEXTS, ['Jos\ufffd', 'MÃ¼ller', 'NoÃ«l', 'Oâ€™Brien', 'NicolÃ\u00a0x', 'JÃ–RG']],
	// A byte order mark, a file that was misread twice, and UTF-8 that lost a byte.
	[GARBLED, TEXTS, ['ï»¿Anna', 'MÃƒÂ¼ller', 'Josï¿½']],
	// Chinese, Japanese, Korean, Hindi, Thai and Georgian.
	[
		GARBLED,
		TEXTS,
		['çŽ‹å°\x8fæ˜Ž', 'ãƒ¦ã‚¦ã‚³', 'ê¹€ì\xa0œì„\xa0', 'à¤°à¤¾à¤œ', 'à¸ªà¸¡', 'áƒ’áƒ\x98áƒ\x90'],
	],
	[GARBLED, [EMAIL], ['jÃ¶rg', 'm√ºller']],
	[LOST, [NAME], ['?ukasz', 'Wa??sa', '??', 'Nowak?']],
	[HTML, [REFERENCE, NAME], ['O&#39;Brien', 'O&#x27;Brien', '&Lstrok;ukasz', 'R &amp; D']],
	[ERROR, ADDRESSED, ['#N/A', '#REF!', '#DIV/0!', '#NUM!', '#ref!', '#NV', '#WERT!', '#N/D']],
	[ERROR, ADDRESSED, ['#¿NOMBRE?', '#¡REF!', '#Н/Д', '#ССЫЛКА!', '#YOK', '#ÜBERLAUF!', '#N/D!']],
	[ERROR, [REFERENCE, NAME], ['A-#REF!', 'APP-#NV', 'IT#N/A', 'APP-#I/T']],
	[NARROW, ADDRESSED, ['#######', '##']],
	[NARROW, [REFERENCE], ['APP-#####']],
	[NOTHING, [REFERENCE], ['NULL', 'None', 'nil', String.raw`\N`, ' n/a ', '<NA>', 'NaN']],
	[MISSING, ADDRESSED, ['A-undefined', '[object Object]', 'Invalid Date', 'Invalid DateTime']],
	[MISSING, [EMAIL], ['NaN', 'null']],
	[MISSING, [REFERENCE], ['APP-null', 'APPNaN', 'null-2026', 'NaN_1', 'null@corp.example']],
	[ROUNDED, [REFERENCE], ['A-1.2345678901234568e+21', '1.23457E+14', '1,23457E+14', '1E+11']],
	[DECIMAL, [REFERENCE], [' 471100.0', '471100,0', '471100.00', 'APP-471100.0', '815.0']],
	[PROTECTED, ADDRESSED, ["'-NxYz12", "'=APP-1", "'00123", "'+1", "'@x"]],
	[PROTECTED, [REFERENCE, NAME], ['="00123"']],
	[UNFILLED, ADDRESSED, ['{{first_name}}', 'A-{{ $json["id"] ?? {} }}-1', '{{name', '$json.email']],
	[UNFILLED, ADDRESSED, ['$input.first().json.id', "$('Form').item.json.email", '=$json.id']],
	[UNFILLED, ADDRESSED, ['__n8n_BLANK_VALUE_e5362baf', '__PLACEHOLDER_VALUE__A value__']],
	[UNFILLED, [REFERENCE, NAME], ['${candidate.id}', 'APP-${id}', '*|FNAME|*']],
	[WEB, [NAME], ['You won, see https://evil.example', 'hxxp://evil.example', 'see WWW.x.example']],
	[WEB, [NAME], ['<a href=x>Anna</a>', 'Anna</i>', '<İ>', 'Anna <anna@example.com>']],
	[INVISIBLE, [NAME], ['An\0na', 'Anna\u0007', 'Anna\u202e.exe', 'An\u2066na\u2069x', 'An\x9fna']],
	[ROWS, ADDRESSED, ['APP-1\nAPP-2', 'A\tB', 'A\r\nB', 'A\u2028B']],
])('what a data error left is refused with words that say %s', (says, ways, texts) => {
	for (const way of ways) {
		for (const text of texts) {
			expect([text, outcomeOf(way, text).refusal]).toEqual([text, expect.stringMatching(says)]);
		}
	}
});

it('an address that was not filled in says so, whatever else is wrong with it', () => {
	for (const email of ['$json.email', "$('Form').item.json.email", '{{ $json.email }}']) {
		expect(outcomeOf({ ...EMAIL, enter: () => ({ email }) }, '').refusal).toMatch(UNFILLED);
	}
});

it('an ID of the service is refused like a reference, and a setting only if it was not filled in', () => {
	for (const rule of [identifier, idOf('job')]) {
		expect(refusal(rule, 'null')).toMatch(NOTHING);
		expect(refusal(rule, '#REF!')).toMatch(ERROR);
	}
	expect(refusal(string(), '{{ $json.secret }}')).toMatch(UNFILLED);
	for (const secret of ['#REF!', 'a?b', "'1", '1E+11', 'a{{b', 'a${b}c', "a$('b", '*|a|*'])
		expect(string()(secret)).toBe(secret);
});

// More names, in more languages: realNames.test.ts.
it.each<[what: string, ways: Way[], texts: string[]]>([
	['a name', [NAME], ['王小明', 'אברהם', 'X Æ A-12', 'Null', 'None', 'Undefinedson', 'O’Brien']],
	['a name', [NAME], ["'t Hooft", "d'Arc", 'ʻAukai', 'A.-M. St.Clair', 'Smith & Sons', 'i < 3']],
	[
		'a name',
		[NAME, SKILL],
		['NHÃ\u00a0UYÊN', 'PER Å\u00a0BERG', 'MILIĆ\u00a0RACA', 'VAHÂ\u00a0CAN'],
	],
	['a name', [NAME, SKILL], ['MÄKELÄ–VIRTANEN', '«BLÅ»', 'SMÅØER', 'PÄŠ', 'KĆŻ', 'CÂŞLARU']],
	// Persian, Malayalam as it was written until 2008, and Hebrew with a mark in it.
	['a name', [NAME], ['علی\u200cرضا', 'അനില്\u200d', 'शर्\u200dमा', 'כהן\u200f-לוי', 'An{na}']],
	['a name or skill', [NAME, SKILL], ['AT&T; IBM', 'R&D; Sales', 'C#', 'F#!', 'null', '1E+1']],
	[
		'free text',
		[SKILL],
		['Jinja: {{ name }}', 'JSX: <b>', 'https://x.example', '${x}', 'R &amp; D'],
	],
	[
		'free text',
		[SKILL],
		['### Skills\n- SQL', 'Removed #N/A errors', 'Why?', "'90s music", 'NULL'],
	],
	[
		'free text',
		[SKILL],
		['Read "MÃ¼ller" as Müller', 'é è ê', 'CAFÉ™', 'TÄMÄ…', '„AMANHÔ', 'ЖИЗНЬ »'],
	],
	// Czech for rain, grudge and especially; Russian for khan.
	['free text', [SKILL], ['Déšť', 'DÉŠŤ', 'zášť', 'zvlášť', 'Хан', 'хан', 'феофан', 'ТИХО']],
	['a reference', [REFERENCE], ['jennifer.null@example.com', 'nullable', 'inv-7NaNx9', 'A=B']],
	['a reference', [REFERENCE], ['APP-1e+21', '2.5E+1', 'x1.5E+14y', "O'Neil-1", '+49 30 1']],
	['a reference', [REFERENCE], ['#1234', 'Ref #NVIDIA', 'Ref #NV', '#A/12', 'C#/F#', 'JOB#A/B-2']],
	['a reference', [REFERENCE], ['None-1', 'Nancy-1', 'NA', 'APP/12?x', '??', 'job#apply?id=5']],
	[
		'a reference',
		[REFERENCE],
		['42.0', 'v471100.0', '1.2.300.0', '471.100', '471100.01', 'US$300'],
	],
	['an email address', [EMAIL], ['jennifer.null', 'null-2', "o'neil+jobs", '#1', 'a#b']],
])('%s that only looks like a data error is sent', (_what, ways, texts) => {
	for (const way of ways) for (const text of texts) expect(sentAs(way, text)).toBe(text);
});

it.each([
	['Cyrillic', 'Руководил командой из двадцати человек. '],
	['accents', 'é'],
	['accents side by side', 'ŽŠ'],
	['signs of a spreadsheet', "#'&"],
])('a free text of 20,000 characters is checked: %s', (_what, piece) => {
	const text = piece.repeat(Math.ceil(20_000 / piece.length)).trim();
	expect(sentAs(SKILL, text)).toBe(text);
});
