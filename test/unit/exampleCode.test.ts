import fc from 'fast-check';

import { runCode } from '../support/exampleCode.mts';
import type { Cell } from '../support/lists.mts';

const readCsv = (data: string) => runCode('Read The CSV File', [{ json: { data } }]);
const rowsOf = (items: ReturnType<typeof runCode>) => items.map(({ json }) => json.row as string[]);

const escaped = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

it('reads every cell of a CSV file as it was written, whatever is in it and between them', () => {
	const cell = fc.oneof(
		fc.string(),
		fc.constantFrom('00123', '1-2', 'a"b', 'a;b', 'a,b', '\t', ' x ', 'two\nlines', '', '=1', '"'),
	);
	const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 8 });
	const text = fc.constantFrom(',', ';', '\t');
	const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
	const options = fc.record({ sign: text, lineEnd, bom: fc.boolean(), last: fc.boolean() });
	fc.assert(
		fc.property(table, options, (cells, { sign, lineEnd, bom, last }) => {
			const wanted = [
				['id', 'name', 'email'],
				...cells.map((row) => row.map((value) => value.replaceAll('\0', ''))),
			];
			const written = wanted
				.map((row) =>
					row.map((value) => (/^[\w@.-]*$/.test(value) ? value : escaped(value))).join(sign),
				)
				.join(lineEnd);
			const found = readCsv(`${bom ? '\ufeff' : ''}${written}${last ? lineEnd : ''}`);
			// Rows without anything in them are left out.
			expect(rowsOf(found)).toEqual(wanted.filter((row) => row.some((value) => value.trim())));
		}),
	);
});

it.each([
	['a,b\n1,2,3', 'line 2 has 3 cells, and the first line has 2'],
	['a,b\r\n"x\r\ny",2\r\n1,2,3', 'line 4 has 3 cells, and the first line has 2'],
	['a,b\n"x\ny",2\n1,2,3', 'line 4 has 3 cells, and the first line has 2'],
	['a,b\r1,2\r1,"2', 'line 3 has a quotation mark (") out of place'],
	['a,b\n1,"x"y', 'line 2 has a quotation mark (") out of place'],
	['a,b\n1,x"y"', 'line 2 has a quotation mark (") out of place'],
	['sep=;\na;b\n1;"2', 'line 3 has a quotation mark (") out of place'],
	[`a\n${'x'.repeat(32_768)}`, 'line 2 has a cell that is too long'],
	['a,b\n1,x"y\n1,z"y', 'line 2 has a quotation mark (") out of place'],
	['a\0b', "it isn't in UTF-8 (save it as .xlsx or CSV UTF-8)"],
])('names what is wrong in %j', (text, error) => {
	expect(readCsv(text)).toEqual([{ json: { error } }]);
});

it.each([
	['sep=|\na|b\n1|2'],
	['"sep=;"\r\na;b\r\n1;2'],
	['\ufeffsep=;\r\na;b\r\n1;2'],
	['a;b;;\n1;2;;;\n;;;;;;\n\n'],
	['a,b\n1, "2" \n'],
	['"a",b\n1,"2"'],
	['a\tb\n1\t2'],
])('reads %j', (text) => {
	const rows = rowsOf(readCsv(text)).map((row) => row.filter(Boolean));
	expect(rows).toEqual([
		['a', 'b'],
		['1', '2'],
	]);
});

const HEADER = ['application_id', 'first_name', 'last_name', 'email'];
const checked = (rows: unknown[][]) =>
	runCode(
		'Check The List',
		rows.map((row) => ({ json: { row } })),
	).map(({ json }) => json);
const PERSON = ['APP-1', 'Kim', 'Park', 'kim@people.example'];

const FORMS = ['Timestamp', 'Email Address', 'Name'];

it.each<[titles: string[], row: string[], problem: string]>([
	[[], [], 'The list is empty.'],
	[HEADER, ['', ' '], 'The list is empty.'],
	[
		FORMS,
		['2026/11/25', 'kim@people.example', 'Kim'],
		`first_name, last_name. The first line has: ${FORMS.join(', ')}.`,
	],
	[[...HEADER, 'E-Mail'], PERSON, 'Two columns are email: "email" and "E-Mail".'],
	[
		[...HEADER, 'Outcome'],
		[...PERSON, 'hired'],
		'Your own column "outcome" would be overwritten: rename it.',
	],
	[
		[...HEADER, 'job_id'],
		[...PERSON, 'job'],
		'There is a Job ID on the page, and another in the list: leave one of them out.',
	],
])('says what is wrong with a list of %j and %j', (titles, row, problem) => {
	const [said, ...others] = checked([titles, row]);
	expect(said?.problem).toContain(problem);
	expect(said?.problem).toMatch(/ Correct the list and upload it again\.$/);
	expect(others).toEqual([]);
});

it.each([
	[['link'], ['invitation_link'], "missing in the sheet's first row: invitation_link"],
	[['ID'], ['application_id'], 'first row: application_id'],
	[['E-Mail'], [], 'Keep only one of these columns: email, E-Mail'],
])('says what is wrong with a sheet that has %j in place of %j', (more, without, words) => {
	const written = ['status', 'invitation_link', 'link_for', 'link_sent_at', 'problem'];
	const names = [...HEADER, 'job_id', ...written].filter((name) => !without.includes(name));
	const json = Object.fromEntries([...names, ...more].map((name) => [name, name]));
	const run = () => runCode('Check The Rows', [{ json }], { example: 'google-sheets-and-gmail' });
	expect(run).toThrow(words);
});

it('keeps every column of the list, whatever it is called', () => {
	const title = fc.oneof(
		fc.string(),
		fc.constantFrom('status', 'row', 'error', 'number', 'list', 'invite', 'Notes', '', 'Notes 2'),
	);
	const known =
		/^(applicationid|firstname|lastname|email(address)?|jobid|outcome|invitationlink|openuntil|problem)$/;
	const own = fc
		.array(title, { maxLength: 6 })
		.filter((titles) =>
			titles.every((each) => !known.test(each.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))),
		);
	fc.assert(
		fc.property(own, (titles) => {
			const values = titles.map((_, index) => `value ${index}`);
			const [{ list, ...fields }] = checked([
				[...titles, ...HEADER],
				[...values, ...PERSON],
			]) as [{ list: Record<string, Cell> }];
			expect(Object.values(list).sort()).toEqual([...values, ...PERSON].sort());
			expect(fields).toEqual({
				application_id: 'APP-1',
				first_name: 'Kim',
				last_name: 'Park',
				email: 'kim@people.example',
				job_id: 'the job',
				number: 0,
				problem: '',
				invite: true,
			});
		}),
	);
});
