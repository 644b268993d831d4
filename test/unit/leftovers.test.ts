import type { IDataObject } from 'n8n-workflow';
import { invite } from '../../nodes/CandidateAssessment/actions/candidate/invite.operation';
import { idOf, identifier, string } from '../../nodes/CandidateAssessment/parameters/rules';
import { refusal, requestOrRefusal } from './support/arbitraries';

/** A way to enter a text, and the text that is sent. */
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
const LINK = /, a link's code\. Replace it with the character it stands for$/;
const PROGRAM = /, a program's code\. Replace it with the character it stands for$/;
const MAIL = /, an email's code\. Replace it with the character it stands for$/;
const MAIL_HEADER = /, an email's code\. Copy the value from the email as it is shown$/;
const SHEET = /, a spreadsheet's code\. Enter only the text$/;
const DOUBLED = /a doubled apostrophe, as a database writes one\. Enter only one$/;
const BYTES = /, which a program printed\. Enter only the text inside the quotation marks$/;
const LIST = /, a list that a program printed\. Enter one value$/;
const FORMULA = /'[\s\S]*[=@+＝＠＋]', which a spreadsheet would run\. Enter only the name$/;
const PRINTED = /a printed '.+', which may come from a PDF\. Type it again$/;
const WEB = /, which belongs to a web address or a web page\. Enter only the name$/;
const INVISIBLE = /an invisible character, perhaps copied along\. Enter the value again$/;
const ROWS = /a (line break|tab), so two cells or rows may be one\. Correct the list$/;

// realNames.test.ts covers the code pages of misread names.
it.each<[says: RegExp, ways: Way[], texts: string[]]>([
	[GARBLED, TEXTS, ['Jos\ufffd', 'MÃ¼ller', 'Oâ€™Brien', 'NicolÃ\u00a0x', 'JÃ–RG']],
	// A byte order mark, a file that was misread twice, and UTF-8 that lost a byte.
	[GARBLED, TEXTS, ['ï»¿Anna', 'MÃƒÂ¼ller', 'Josï¿½']],
	// Chinese, Japanese, Korean, Hindi, Thai and Georgian.
	[GARBLED, TEXTS, ['çŽ‹å°\x8fæ˜Ž', 'ãƒ¦ã‚¦ã‚³', 'ê¹€ì\xa0œì„\xa0']],
	[GARBLED, TEXTS, ['à¤°à¤¾à¤œ', 'à¸ªà¸¡', 'áƒ’áƒ\x98áƒ\x90']],
	[GARBLED, [EMAIL], ['jÃ¶rg', 'm√ºller']],
	[LOST, [NAME], ['?ukasz', 'Wa??sa', '??', 'Nowak?']],
	[HTML, [REFERENCE, NAME], ['O&#39;Brien', 'O&#x27;Brien', '&Lstrok;ukasz', 'R &amp; D']],
	[HTML, [REFERENCE, NAME], ['&frac12;']],
	[ERROR, ADDRESSED, ['#N/A', '#REF!', '#DIV/0!', '#ref!', '#NV', '#N/D', '#¿NOMBRE?', '#¡REF!']],
	[ERROR, ADDRESSED, ['#Н/Д', '#ССЫЛКА!', '#YOK', '#ÜBERLAUF!', '#N/D!']],
	[ERROR, [REFERENCE, NAME], ['A-#REF!', 'APP-#NV', 'IT#N/A', 'APP-#I/T']],
	[NARROW, ADDRESSED, ['#######', '##', '#']],
	[NARROW, [REFERENCE], ['APP-#####']],
	[NOTHING, [REFERENCE], ['NULL', 'None', 'nil', String.raw`\N`, ' n/a ', '<NA>', 'NaN']],
	[MISSING, ADDRESSED, ['A-undefined', '[object Object]', 'Invalid Date', 'Invalid DateTime']],
	[MISSING, [EMAIL], ['NaN', 'null']],
	[MISSING, [REFERENCE], ['APP-null', 'APPNaN', 'null-2026', 'NaN_1', 'null@corp.example']],
	[ROUNDED, [REFERENCE], ['A-1.2345678901234568e+21', '1,23457E+14', '1E+11']],
	[DECIMAL, [REFERENCE], [' 471100.0', '471100,0', '471100.00', 'APP-471100.0', '815.0']],
	[PROTECTED, ADDRESSED, ["'-NxYz12", "'=APP-1", "'00123", "'+1", "'@x"]],
	[PROTECTED, [REFERENCE, NAME], ['="00123"']],
	[UNFILLED, ADDRESSED, ['{{first_name}}', 'A-{{ $json["id"] ?? {} }}-1', '{{name', '$json.email']],
	[UNFILLED, ADDRESSED, ['$input.first().json.id', "$('Form').item.json.email", '=$json.id']],
	[UNFILLED, ADDRESSED, ['__n8n_BLANK_VALUE_e5362baf', '__PLACEHOLDER_VALUE__A value__']],
	[UNFILLED, [REFERENCE, NAME], ['APP-${id}', '*|FNAME|*', '«Ref_ID»', ' «First» «Last» ']],
	// No name contains this, but an ID may.
	[UNFILLED, [REFERENCE], ['APP-«No»', '«Job» 471']],
	[LINK, ADDRESSED, ['A%20B', 'Jos%C3%A9', 'Jos%E9', '%d0%98', 'a%3ab', 'Jane%0A']],
	[LINK, ADDRESSED, ['x%40y', 'a%7Cb', 'a%5Bb', 'a%60b']],
	[PROGRAM, [REFERENCE, NAME], [String.raw`O\'Brien`, String.raw`Jos\u00e9`, String.raw`a\"b`]],
	[PROGRAM, [REFERENCE, NAME], [String.raw`Jos\xe9`, String.raw`\U0418`]],
	// A curly Windows apostrophe that was read as Latin-1.
	[INVISIBLE, ADDRESSED, ['O\x92Brien']],
	[MAIL, ADDRESSED, ['Jos=C3=A9', 'M=c3=bcller', '=D0=98']],
	[MAIL_HEADER, [REFERENCE, NAME], ['=?utf-8?q?Jos=E9?=', '=?ISO-8859-1?B?Sm9zZQ==?=']],
	[SHEET, ADDRESSED, ['A_x000D_', 'A_x0009_B', 'A_x00e9_', '_xD83D_', '_xdbff_']],
	[DOUBLED, ADDRESSED, ["o''brien", "D''Arc", "Ka''ū", "e\u0301''a"]],
	[BYTES, [REFERENCE, NAME], ["b'APP-471'", 'b"APP-471"', "B'Jose'", "b''"]],
	[LIST, [REFERENCE, NAME], ["['Jane']", '["APP-1","APP-2"]', '{"id": 1}', '[[ "Jane", null] ]']],
	[LIST, [REFERENCE, NAME], ["('Jane',)", "[('Jane', 1)]"]],
	[FORMULA, [NAME], [String.raw`=HYPERLINK("\\x","Open CV")`, '@SUM(A1)', '+1+2', '=', ' =1+1']],
	[FORMULA, [NAME], ['＝1+1', '＠SUM(A1)', '＋1', '\u200b=1+1', '\u2800 @x']],
	// Latin, Armenian, Hebrew and Arabic presentation forms.
	[PRINTED, [REFERENCE, EMAIL], ['jane.ﬁeld', 'ﬀ', 'x\ufb17', '\ufb21', '\ufb56', '\ufef2']],
	[WEB, [NAME], ['evil.com/win', 'Go to a.example/x', 'пример.рф/a', 'see WWW.x.example']],
	[WEB, [NAME], ['hxxp://evil.example', '<a href=x>Anna</a>', 'Anna</i>', '<İ>', 'A <a@b.de>']],
	[INVISIBLE, [NAME], ['An\0na', 'Anna\u202e.exe', 'An\u2066na\u2069x', 'An\x9fna']],
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

it('a letter with its mark is composed before it counts as printed', () => {
	expect(sentAs(REFERENCE, '\ufb2a\ufb4b')).toBe('\u05e9\u05c1\u05d5\u05b9');
});

it('a text that was misread is refused, though it has invisible characters', () => {
	for (const text of ['MartÃ\xadn', 'Ã\xads', 'MARTÃ\x8dN']) {
		for (const way of ADDRESSED)
			expect([text, outcomeOf(way, text).refusal]).toEqual([text, expect.stringMatching(GARBLED)]);
	}
	expect(sentAs(REFERENCE, 'S\xadÃO')).toBe('SÃO');
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

// realNames.test.ts has names with accents, nicknames and apostrophes in all languages.
it.each<[what: string, way: Way, ...texts: string[]]>([
	['a name', NAME, 'X Æ A-12', 'Null', 'None', 'Undefinedson', 'i < 3', 'A.-M. St.Clair', 'R & D'],
	['a name', NAME, 'Jane @ Corp', 'An{na}', '{Jane}', '("Kia")', "['t Hooft", "O'B'rien", '-'],
	['a name', NAME, 'Nordmann ["Kia"]'],
	['a name', NAME, '«Kia» Ola', '["Kia"] Ola', 'A=B', 'Soﬁa', 'Ana_x_', 'A/L Muthu', '«Анна»'],
	['a name', NAME, 'AT&T; IBM', 'C#', 'F#!', '1E+1', 'MÄKELÄ–VIRTANEN', '«BLÅ»', 'SMÅØER', 'PÄŠ'],
	// Persian, Malayalam as it was written until 2008, and Hebrew with a mark inside.
	['a name', NAME, 'علی\u200cرضا', 'അനില്\u200d', 'כהן\u200f-לוי', 'KĆŻ', 'CÂŞLARU', 'Ola «Kia»'],
	['free text', SKILL, 'Jinja: {{ name }}', 'JSX: <b>', 'https://x.example', '${x}', 'R &amp; D'],
	['free text', SKILL, '### Skills\n- SQL', 'Removed #N/A errors', 'Why?', "'90s music", 'NULL'],
	['free text', SKILL, 'C:\\temp', String.raw`\u00e9`, 'a%20b', "it''s", '_x000D_', '«Name»', '=1'],
	['free text', SKILL, 'Read "MÃ¼ller" as Müller', 'é è ê', 'CAFÉ™', 'TÄMÄ…', '„AMANHÔ', 'ЖИЗНЬ »'],
	// Czech for rain and grudge; Russian for khan.
	['free text', SKILL, 'Déšť', 'DÉŠŤ', 'zášť', 'Хан', 'хан', 'феофан', 'ТИХО', 'PER Å\u00a0BERG'],
	['a reference', REFERENCE, 'jennifer.null@example.com', 'nullable', 'inv-7NaNx9', 'None-1', 'NA'],
	['a reference', REFERENCE, 'APP-1e+21', '2.5E+1', 'x1.5E+14y', 'Nancy-1', 'APP/12?x', '??'],
	['a reference', REFERENCE, '#1234', 'Ref #NVIDIA', 'Ref #NV', '#A/12', 'C#/F#', 'JOB#A/B-2'],
	['a reference', REFERENCE, 'job#apply?id=5', '42.0', 'v471100.0', '1.2.300.0', '471.100'],
	['a reference', REFERENCE, '471100.01', 'US$300', '15-1252.00', '100%', '50%ig', '5%-A', '5%803'],
	['a reference', REFERENCE, "A'B'C", "b'", "b'x'y", "ab'x'", 'utm=C3', 'a_x_b'],
	['a reference', REFERENCE, 'CORP\\nathan', 'CORP\\ueda', 'CORP\\xaver'],
	['a reference', REFERENCE, 'REQ_X1234_7', 'REQ_x1234_7', 'A_xD7FF_', '5%adult', 'x=20', '_x000_'],
	// Formulas are dangerous in names only. A sign-up's ID may be a phone number or a handle.
	['a reference', REFERENCE, '=A1', '@jane', '+49 30 1', '[APP-1]', "[O'Neil]", '(1,)', '["x'],
	['a reference', REFERENCE, 'x"]', 'ת"ז 471', "ת''ז 471", "27''", "''x''", "'x']", 'A=B'],
	// Independent letters, and what the keyboard key for lam and alef may produce.
	['a reference', REFERENCE, 'ĳ', 'ǆ', 'և', 'œ', 'ŉ', '\ufefb', '\ufdf2', '™', 'Ａ'],
	// Formats that applicant tracking systems document.
	['a reference', REFERENCE, 'Sales - 5', '3-1', 'REF123X', 'customers/1234/people/5678', '1'],
	['a reference', REFERENCE, 'JOB_APPLICATION-3-1', 'Job_Requisition_ID=R-00017', '00000F4'],
	['a reference', REFERENCE, '61884e2', '94bc4d0', '2086511#de', 'JobOrder 45011', '35.'],
	['a reference', REFERENCE, 'ats|csod|id|12345', 'JOB-22/APP-301', 'a0B1t000000XyZ1EAK'],
	['an email address', EMAIL, 'jennifer.null', 'null-2', "o'neil+jobs", '#1', 'a#b'],
])('%s that only looks like a data error is sent', (_what, way, ...texts) => {
	for (const text of texts) expect(sentAs(way, text)).toBe(text);
});

/** A text is cut where its encoding is clear, in whatever part of a misread letter that is. */
it.each([...'0123456'].map(Number))(
	'a long text that was misread is refused, %i letters later',
	(more) => {
		for (const letters of ['áƒ’ ', 'Ã¼ ', 'Ã¼', 'Ð–', 'çŽ‹', 'ã‚† ']) {
			const text = '.'.repeat(more) + letters.repeat(30_000);
			const says = expect.stringMatching(GARBLED);
			expect([letters, outcomeOf(SKILL, text).refusal]).toEqual([letters, says]);
		}
	},
);

it('a character that was lost is found wherever it stands in a text', () => {
	expect(outcomeOf(SKILL, `${'a'.repeat(60_000)}\ufffd`).refusal).toMatch(GARBLED);
});

it('what a text says of its encoding it says in its first 50,000 characters', () => {
	const text = (before: number) => `${'a'.repeat(before)}MÃ¼ller`;
	expect(outcomeOf(SKILL, text(49_990)).refusal).toMatch(GARBLED);
	expect(sentAs(SKILL, text(50_000))).toBe(text(50_000));
});

it('a letter alone at the end of a long text says that nothing was misread', () => {
	expect(sentAs(SKILL, `${'Ã¼'.repeat(20_000)} é`)).toMatch(/é$/);
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
