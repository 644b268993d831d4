import fc from 'fast-check';

import { JOB } from '../support/example.mts';
import { runCode } from '../support/exampleCode.mts';
import type { Cell } from '../support/lists.mts';

const readCsv = (data?: string) => runCode('Read The CSV File', [{ json: { data } }]);
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
			// Empty rows are left out.
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
])('names what is wrong in %j', (text, words) => {
	expect(readCsv(text)).toEqual([{ json: { problem: `The file can't be read: ${words}` } }]);
});

it('takes a file for empty that n8n has dropped, as it does with one without a byte', () => {
	const error = "This operation expects the node's input data to contain a binary file 'List'";
	expect(runCode('Read The CSV File', [{ json: { error } }])).toEqual([]);
	expect(readCsv('')).toEqual([]);
});

it.each([
	['%PDF-1.7\n1 0 obj'],
	['{\\rtf1\\ansi application_id,email}'],
	['\ufeff<?xml version="1.0"?>\n<Workbook>'],
	['<!DOCTYPE html><table>'],
	['\r\n<html xmlns:x="urn:schemas-microsoft-com:office:excel">'],
	['MIME-Version: 1.0\r\nContent-Type: multipart/related'],
	['[\n  {"application_id": "APP-1"}\n]'],
	['[["application_id", "email"]]'],
	['{"rows": []}'],
	['{}'],
	// UTF-16, and files that aren't text.
	['\ufeffa\0,\0b\0'],
	['\ufffdPNG\r\n\u001a\n\0\0'],
	// The previous node was deactivated.
	[undefined],
])('takes %j for no list', (text?: string) => {
	expect(readCsv(text)).toEqual([{ json: { error: 'no list' } }]);
	const json = { error: "The file selected in 'Input Binary Field' is not in xlsx format" };
	for (const unread of [...readCsv(text), { json }]) {
		const [said] = runCode('Check The List', [unread]);
		expect(said?.json.problem).toMatch(/^This file is neither an Excel file.*or as CSV UTF-8/);
	}
});

it.each([
	['sep=|\na|b\n1|2'],
	['"sep=;"\r\na;b\r\n1;2'],
	['\ufeffsep=;\r\na;b\r\n1;2'],
	['a;b;;\n1;2;;;\n;;;;;;\n\n'],
	['a,b\n1, "2" \n'],
	['"a",b\n1,"2"'],
	['a\tb\n1\t2'],
	// A list may still begin with these.
	['[a],b\n[1],2'],
	['{a},b\n{1},2'],
	['< a,b\n1,2'],
])('reads %j', (text) => {
	const rows = rowsOf(readCsv(text)).map((row) =>
		row.map((cell) => cell.replace(/[[\]{}< ]/g, '')).filter(Boolean),
	);
	expect(rows).toEqual([
		['a', 'b'],
		['1', '2'],
	]);
});

const HEADER = ['application_id', 'first_name', 'last_name', 'email'];
const checked = (rows: unknown[][], table: object[] = []) =>
	runCode(
		'Check The List',
		rows.map((row) => ({ json: { row } })),
		{ table: table.map((json) => ({ json })) },
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
		HEADER.slice(1),
		['Kim', 'Park', 'kim@people.example'],
		'missing: application_id. The first line has: first_name, last_name, email. If you have no IDs, copy the emails into a column application_id.',
	],
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

const LINK = 'https://assessment.example.com/i/1';
const IN_TABLE = {
	...{ application_id: 'APP-1', first_name: 'Kim', last_name: 'Park', job_id: JOB.toUpperCase() },
	...{ email: 'Kim@people.example', invitation_link: LINK, status: 'invited' },
};
const OTHER = ['APP-2', 'Bo', 'Lind', 'bo@people.example'];
const [, KIM, PARK, ADDRESS] = PERSON;
const INVITE = { invite: true };
const KNOWN = { outcome: 'already invited' };
const no = (words: string) => ({ outcome: 'invalid', problem: expect.stringContaining(words) });

it.each<[what: string, rows: string[][], found: object[], table?: object[]]>([
	['nobody is known', [PERSON, OTHER], [INVITE, INVITE]],
	[
		'the link of somebody in the table is copied',
		[[...OTHER, LINK]],
		[{ ...INVITE, problem: expect.stringContaining('that of APP-1 (Kim@people.example)') }],
		[IN_TABLE],
	],
	[
		'the link of somebody in the list is copied',
		[
			[...PERSON, LINK],
			[...OTHER, LINK],
		],
		[KNOWN, { ...INVITE, problem: expect.stringContaining('that of APP-1') }],
	],
	['only the table has the link', [PERSON], [KNOWN], [IN_TABLE]],
	['another link of theirs is in the table', [[...PERSON, `${LINK}1`]], [KNOWN], [IN_TABLE]],
	['only the list has the link', [[...PERSON, LINK]], [KNOWN]],
	['it is no link', [[...PERSON, 'none yet']], [INVITE]],
	[
		'they have an invitation for another job',
		[[...PERSON, LINK]],
		[{ ...INVITE, problem: 'Has an invitation for another job: is the Job ID right?' }],
		[{ ...IN_TABLE, job_id: 'another' }],
	],
	[
		'an address is corrected',
		[['APP-1', 'KIM', PARK!, 'kim.park@people.example', LINK]],
		[{ ...KNOWN, problem: expect.stringMatching(/^The invitation went to Kim@people\.example\./) }],
		[IN_TABLE],
	],
	[
		'a row is copied with its ID',
		[['APP-1', 'Bo', 'Lind', 'bo@people.example', LINK]],
		[no('In the table, Kim@people.example has this ID')],
		[IN_TABLE],
	],
	[
		'two people have one ID',
		[PERSON, ['APP-1', 'Bo', 'Lind', 'bo@people.example']],
		[no('Row 3 has this ID, too'), no('Row 2 has this ID, too')],
	],
	['a row stands there twice', [PERSON, PERSON], [INVITE, { problem: 'The same as row 2' }]],
	['there is no ID', [['', KIM!, PARK!, ADDRESS!]], [no('application_id is empty: enter an ID')]],
	['somebody is to be sent again', [[...PERSON, '', 'New']], [{ ...INVITE, again: true }]],
])('tells who is to be invited if %s', (_, rows, found, table = []) => {
	const titles = [...HEADER, 'invitation_link', 'outcome'];
	expect(checked([titles, ...rows], table)).toMatchObject(found);
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
				job_id: JOB,
				number: 0,
				invite: true,
				again: false,
			});
		}),
	);
});
