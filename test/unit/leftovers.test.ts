import * as fc from 'fast-check';
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

it.each<[says: RegExp, ways: Way[], texts: string[]]>([
	[GARBLED, TEXTS, ['Jos\ufffd', 'MÃ¼ller', 'J\u00c3\u0096rg', 'CittÃ\u00a0di', 'NicolÃ\u00a0x']],
	// Windows-1252, in which CSV is often read; a byte order mark; a file that was misread twice.
	[GARBLED, TEXTS, ['Ã–zdemir', 'GroÃŸ', 'LÃ“PEZ', 'JÃ–RG', 'WaÅ‚Ä™sa', 'NoÃ«l', 'Oâ€™Brien']],
	[GARBLED, TEXTS, ['ï»¿Anna', 'MÃƒÂ¼ller', 'Josï¿½']],
	// Windows-1250 and 1251, Mac Roman, and 866.
	[GARBLED, TEXTS, ['JĂłzef', 'MichaĹ‚', 'NovĂˇk', 'MĂĽller', 'KĂ–NIG', 'WaĹ‚Ä™sa', 'MГјller']],
	[GARBLED, TEXTS, ['J√≥zef', 'Jos√©', 'O‚ÄôBrien', 'M├╝ller', 'РђРЅРЅР°', '╨Ш╨▓╨░╨╜']],
	// Of a Mac in Russian, in Thai; Chinese, Japanese, Korean, Hindi, Thai and Georgian names.
	[
		GARBLED,
		TEXTS,
		['M√Љller', '–Р–љ–љ–∞', 'Mรผller', 'çŽ‹å°\x8fæ˜Ž', 'ãƒ¦ã‚¦ã‚³', 'ê¹€ì\xa0œì„\xa0'],
	],
	[GARBLED, TEXTS, ['à¤°à¤¾à¤œ', 'à¸ªà¸¡', 'áƒ’áƒ\x98áƒ\x90']],
	[GARBLED, [EMAIL], ['jÃ¶rg', 'm√ºller']],
	[LOST, [NAME], ['?ukasz', 'Wa??sa', '??', 'Nowak?']],
	[HTML, [REFERENCE, NAME], ['O&#39;Brien', 'O&#x27;Brien', 'M&uuml;ller', '&Lstrok;ukasz']],
	[HTML, [REFERENCE, NAME], ['R &amp; D', 'Wa&lstrok;&eogon;sa']],
	[ERROR, ADDRESSED, ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#ref!']],
	[
		ERROR,
		ADDRESSED,
		['#NV', '#WERT!', '#BEZUG!', '#N/D', '#VALEUR!', '#NOM?', '#¡REF!', '#SPILL!'],
	],
	[ERROR, ADDRESSED, ['#¿NOMBRE?', '#Н/Д', '#ССЫЛКА!', '#YOK', '#DZIEL/0!', '#ÜBERLAUF!', '#N/D!']],
	[ERROR, [REFERENCE, NAME], ['A-#REF!', 'APP-#NV', 'APP-#N/A', 'IT#NV', 'IT#N/A', 'APP-#I/T']],
	[NARROW, ADDRESSED, ['#######', '##']],
	[NARROW, [REFERENCE], ['APP-#####']],
	[NOTHING, [REFERENCE], ['NULL', 'None', 'nan', String.raw`\N`, 'N/A', '<NA>', 'nil']],
	[NOTHING, [REFERENCE], ['null', ' n/a ', 'NaN']],
	[MISSING, ADDRESSED, ['A-undefined', '[object Object]', 'Invalid Date', 'Invalid DateTime']],
	[MISSING, [EMAIL], ['NaN', 'null']],
	[
		MISSING,
		[REFERENCE],
		['APP-null', 'A-NaN', 'APPNaN', 'null-2026', 'NaN_1', 'null@corp.example'],
	],
	[ROUNDED, [REFERENCE], ['A-1.2345678901234568e+21', '1.23457E+14', '1,23457E+14', '1E+11']],
	[
		DECIMAL,
		[REFERENCE],
		['471100.0', ' 471100.0', '471100,0', '471100.00', 'APP-471100.0', '815.0'],
	],
	[PROTECTED, ADDRESSED, ["'-NxYz12", "'=APP-1", "'00123", "'+1", "'@x"]],
	[PROTECTED, [REFERENCE, NAME], ['="00123"']],
	[
		UNFILLED,
		ADDRESSED,
		['{{ $json.first_name }}', '{{first_name}}', 'A-{{ $json["id"] ?? {} }}-1', '{{name'],
	],
	[UNFILLED, ADDRESSED, ['$json.email', "$json['e-mail']", '=$json.id', '$input.first().json.id']],
	[UNFILLED, ADDRESSED, ["$('Form').item.json.email", '$node["Form"].json.id']],
	[UNFILLED, [REFERENCE, NAME], ['${candidate.id}', 'APP-${id}', '*|FNAME|*']],
	[
		UNFILLED,
		ADDRESSED,
		['__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609-6eaf1f9e87f6', '__PLACEHOLDER_VALUE__A value__'],
	],
	[
		WEB,
		[NAME],
		['You won, see https://evil.example/claim', 'hxxp://evil.example', 'see WWW.x.example'],
	],
	[WEB, [NAME], ['<a href=x>Anna</a>', 'Anna <b>', 'Anna</i>', '<İ>', 'Anna <anna@example.com>']],
	[INVISIBLE, [NAME], ['An\0na', 'An\u0007na', 'Anna\u202e.exe', 'An\u2066na\u2069x', 'An\x9fna']],
	[INVISIBLE, [NAME], ['\0Anna', 'Anna\u0007', '\u202bAnna\u202c']],
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

it.each<[what: string, ways: Way[], texts: string[]]>([
	['a name', [NAME], ['JOÃO', 'CONCEIÇÃO', 'VÂNIA', 'Åsa', 'Ådne', 'Āboliņš', 'Nuñez', 'O’Brien']],
	['a name', [NAME, SKILL], ['CAUÃ', 'NHÃ\u00a0UYÊN', 'PER Å\u00a0BERG', 'CAUÃ\u00a0de Sá']],
	[
		'a name',
		[NAME, SKILL],
		['CAUÃ\u00a0LIMA', 'CAUÃ\u00a0de Lima', 'MILIĆ\u00a0RACA', 'VAHÂ\u00a0CAN'],
	],
	['a name', [NAME, SKILL], ['MÄKELÄ–VIRTANEN', 'KESÄ–ELOKUU', '«HELT PÅ» for barn', '«BLÅ»']],
	['a name', [NAME], ['王小明', 'Παπαδόπουλος', 'Щербакова', 'אברהם', 'Null', 'Undefinedson']],
	[
		'a name',
		[NAME],
		['Ălin', 'Čačak', 'Гјорге', 'Ðorđe', 'VÍŠEK', 'RÓŻA', 'ŽIŽEK', 'SOKÓŁ', 'PĚŠEK'],
	],
	['a name', [NAME, SKILL], ['SMÅØER', 'RÅØY', 'SMÅØYAR', 'ÄŠ', 'PÄŠ', 'ĆŻ', 'KĆŻ', 'ĆŻA']],
	['a name', [NAME], ['Ó Súilleabháin', 'X Æ A-12', '李', 'Рі', 'Лі', 'MATÚŠ', 'RŮŽENA', 'None']],
	[
		'a name',
		[NAME],
		["'t Hooft", "d'Arc", 'ʻAukai', 'محمد', 'Nguyễn', 'Smith & Sons', 'N. N.', 'nan'],
	],
	[
		'a name',
		[NAME],
		["O'Neill", 'Jean-Luc', 'J. R.', 'Anna (Ann)', 'X Æ A-12', 'A.-M. St.Clair', 'i < 3', 'Awww.'],
	],
	// Persian, Malayalam as it was written until 2008, and Hebrew with a mark in it.
	['a name', [NAME], ['علی\u200cرضا', 'അനില്\u200d', 'शर्\u200dमा', 'כהן\u200f-לוי', 'An{na}']],
	['free text', [SKILL], ['Jinja: {{ name }}', 'JSX: <b>', 'i < 3', 'https://x.example', '${x}']],
	['a name or skill', [NAME, SKILL], ['AT&T; IBM', 'R&D; Sales', 'C#', 'F#!', 'null', '1E+1']],
	['free text', [SKILL], ['Removed #N/A and #REF! errors', 'Encodes (&lt;, &amp;)', 'R &amp; D']],
	[
		'free text',
		[SKILL],
		[
			'### Skills\n- SQL',
			'Why?',
			'«ЖИЗНЬ» 100 %',
			'NULL',
			'A\tB',
			"'90s music",
			'{{name}}',
			'#N/A',
		],
	],
	// Czech for rain, grudge and especially; Russian for khan.
	['a name', [NAME, SKILL], ['Déšť', 'DÉŠŤ', 'zášť', 'zvlášť', 'Хан', 'хан', 'феофан', 'ТИХО']],
	['free text', [SKILL], ['Read "MÃ¼ller" as Müller', 'é è ê', 'CAFÉ™', 'MÜLLER® GmbH']],
	[
		'a skill',
		[SKILL],
		[
			'undefined behavior',
			'undefined',
			'$json',
			'1E+11',
			'&amp;',
			'AMANHÃ – HOJE',
			'TÄMÄ…',
			'„AMANHÔ',
			'=A1',
		],
	],
	[
		'a reference',
		[REFERENCE],
		['jennifer.null@example.com', 'APP-1e+21', 'nullable', 'inv-7NaNx9', 'null-x@corp.example'],
	],
	['a reference', [REFERENCE], ['A=B', '2.5E+1', 'x1.5E+14y', "O'Neil-1", '-NxYz12', '+49 30 1']],
	[
		'a reference',
		[REFERENCE],
		['#1234', 'Ref #NVIDIA', '#17', 'Ref #NV', '#NV1', '#A/12', 'C#/F#', 'JOB#A/B-2', 'REQ#A/B'],
	],
	[
		'a reference',
		[REFERENCE],
		['NA-12', 'None-1', 'Nancy-1', 'NA', 'APP/12?x', '??', 'job#apply?id=5'],
	],
	[
		'a reference',
		[REFERENCE],
		['1.0', '12.1', '42.0', 'v2.0-APP', 'v471100.0', '1.2.300.0', '471.100'],
	],
	['a reference', [REFERENCE], ['471100', '471100.01', '1,471,100', 'US$300', '$A$1', '00123']],
	[
		'an email address',
		[EMAIL],
		['nullable', 'jennifer.null', 'null-2', "o'neil+jobs", '#1', 'a#b'],
	],
])('%s that only looks like a data error is sent', (_what, ways, texts) => {
	for (const way of ways) for (const text of texts) expect(sentAs(way, text)).toBe(text);
});

it('a name with accents is sent, whatever stands between its parts', () => {
	const letters = 'aeonrsAEONRSÀÁÂÃÄÅÆÇÈÉÍÑÓÕÖØÚÜÞàáâãäåæçèéíñóõöøúüşşțźżßđęğıłńőřśẽếọốồộớợụưữ';
	const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
	const capitals = word.map((letters) => letters.toUpperCase());
	const name = fc
		.oneof(
			fc.tuple(word, fc.constantFrom(' ', '-', "'", '’', '. ', ' & '), word),
			// Copied from a web page.
			fc.tuple(capitals, fc.constant('\u00a0'), word),
		)
		.map((parts) => parts.join(''));
	fc.assert(
		fc.property(name, fc.constantFrom(NAME, REFERENCE, SKILL), (text, way) => {
			expect(sentAs(way, text)).toBe(text);
		}),
	);
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
