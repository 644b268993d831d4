import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { invite } from '../../nodes/CandidateAssessment/actions/candidate/invite';
import { requestOrRefusal } from './arbitraries';

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

const MISREAD = /a letter that was read in the wrong encoding. Save the file as .xlsx, or as CSV/;
const HTML = /a character as HTML writes it. Replace it with the character itself/;
const ERROR = /a spreadsheet's error. Correct the formula/;
const MISSING = /which an expression gives where a value is missing/;
const PLACEHOLDER = /what stands for a value .* Enter the value/;
const ROUNDED = /a number that was rounded. Pass it as text/;
const EXCEL = /a number that a spreadsheet rounded. Format the column as text/;
const FORMULA = /the beginning of a formula. Enter what is between the quotation marks/;

it.each<[says: RegExp, ways: Way[], texts: string[]]>([
	[MISREAD, [REFERENCE, NAME, SKILL], ['Jos\ufffd', 'MÃ¼ller', 'J\u00c3\u0096rg', 'CittÃ\u00a0di']],
	// As Windows-1252, in which CSV is often read.
	[
		MISREAD,
		[REFERENCE, NAME, SKILL],
		['Ã–zdemir', 'GroÃŸ', 'LÃ“PEZ', 'WaÅ‚Ä™sa', 'NoÃ«l', 'Oâ€™Brien'],
	],
	[HTML, [REFERENCE, NAME], ['O&#39;Brien', 'O&#x27;Brien', 'M&uuml;ller', 'R &amp; D']],
	[ERROR, [REFERENCE, NAME], ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', 'A-#REF!']],
	[ERROR, [REFERENCE, NAME], ['#NUM!', '#NULL!', '#ERROR!']],
	[HTML, [SKILL], ['&amp;', ' &#39;']],
	[ERROR, [SKILL], ['#N/A', '#REF! ', '#NULL!']],
	[PLACEHOLDER, [REFERENCE, EMAIL, NAME, SKILL], ['<__PLACEHOLDER_VALUE__A value__>']],
	[MISSING, [REFERENCE, EMAIL], ['A-undefined', '[object Object]', 'Invalid Date', 'NaN', 'null']],
	[MISSING, [REFERENCE], ['APP-null', 'A-NaN-1', 'APPNaN']],
	[MISSING, [NAME], ['Anna undefined', '[object Object]']],
	[ROUNDED, [REFERENCE], ['A-1.2345678901234568e+21']],
	[EXCEL, [REFERENCE], ['1.23457E+14', '1,23457E+14', 'APP-1.2E+14']],
	[FORMULA, [REFERENCE], ['="00123"']],
])('what a mistake left is refused with words that say %s', (says, ways, texts) => {
	for (const way of ways) {
		for (const text of texts) {
			expect([text, outcomeOf(way, text).refusal]).toEqual([text, expect.stringMatching(says)]);
		}
	}
});

it.each<[what: string, ways: Way[], texts: string[]]>([
	['a name', [NAME], ['JOÃO', 'CONCEIÇÃO', 'VÂNIA', 'Åsa', 'Ådne', 'Āboliņš', 'Nuñez', 'O’Brien']],
	['a name', [NAME, SKILL], ['CAUÃ', 'NHÃ\u00a0UYÊN', 'PER Å\u00a0BERG', 'CAUÃ\u00a0de Sá']],
	['a name', [NAME, SKILL], ['MÄKELÄ–VIRTANEN', 'KESÄ–ELOKUU', '«HELT PÅ» for barn', '«BLÅ»']],
	['a name', [NAME], ['王小明', 'Παπαδόπουλος', 'Щербакова', 'אברהם', 'Null', 'Undefinedson']],
	['a name or skill', [NAME, SKILL], ['AT&T; IBM', 'R&D; Sales', 'C#', 'F#!', 'null', '1E+1']],
	['free text', [SKILL], ['Removed #N/A and #REF! errors', 'Encodes (&lt;, &amp;)', 'R &amp; D']],
	['a skill', [SKILL], ['undefined behavior', 'AMANHÃ – HOJE', 'TÄMÄ…', '„AMANHÔ', '=A1']],
	[
		'a reference',
		[REFERENCE],
		[
			'jennifer.null@example.com',
			'APP-1e+21',
			'nullable',
			'inv-7NaNx9',
			'A=B',
			'2.5E+1',
			'x1.5E+14y',
		],
	],
	['an email address', [EMAIL], ['nullable', 'jennifer.null', 'null-2', "o'neil+jobs"]],
])('%s that only looks like a mistake is sent', (_what, ways, texts) => {
	for (const way of ways) for (const text of texts) expect(sentAs(way, text)).toBe(text);
});

it('a name with accents is sent, whatever stands between its parts', () => {
	const letters = 'aeonrsAEONRSÀÁÂÃÄÅÆÇÈÉÍÑÓÕÖØÚÜÞàáâãäåæçèéíñóõöøúüşșţźżßđęğıłńőřśẽếọốồộớợụưữ';
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
