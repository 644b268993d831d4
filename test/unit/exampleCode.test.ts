import fc from 'fast-check';
import { Settings } from 'luxon';

import { EXAMPLES, JOB, readExample } from '../support/example.mts';
import { decisionsOf, endOf, evaluateAll, runCode } from '../support/exampleCode.mts';

const readCsv = (data?: string) => runCode('Read The CSV File', [{ json: { data } }]);
const rowsOf = (items: ReturnType<typeof runCode>) => items.map(({ json }) => json.row as string[]);
const escaped = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

it('reads every cell of a CSV file as it was written, whatever is in it and between them', () => {
	const odd = ['00123', '1-2', 'a"b', 'a;b', 'a,b', '\t', ' x ', 'two\nlines', '', '=1', '"'];
	const cell = fc.oneof(fc.string(), fc.constantFrom(...odd));
	const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 8 });
	const options = fc.record({
		sign: fc.constantFrom(',', ';', '\t'),
		lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
		start: fc.constantFrom('', '\ufeff'),
		isEnded: fc.boolean(),
	});
	fc.assert(
		fc.property(table, options, (cells, { sign, lineEnd, start, isEnded }) => {
			const wanted = [['id', 'name', 'email'], ...cells].map((row) =>
				row.map((value) => value.replaceAll('\0', '')),
			);
			const written = wanted.map((row) =>
				row.map((value) => (/^[\w@.-]*$/.test(value) ? value : escaped(value))).join(sign),
			);
			const text = `${start}${written.join(lineEnd)}${isEnded ? lineEnd : ''}`;
			// Empty rows are left out.
			const kept = wanted.filter((row) => row.some((value) => value.trim()));
			expect(rowsOf(readCsv(text))).toEqual(kept);
		}),
	);
});

const QUOTE = 'has a quotation mark (") out of place';
const COUNT = 'has 3 cells, and the first line has 2';

it.each([
	['a,b\n1,2,3', `line 2 ${COUNT}`],
	['a,b\r\n"x\r\ny\nz",2\r\n1,2,3', `line 5 ${COUNT}`],
	['a,b\r1,2\r1,"2', `line 3 ${QUOTE}`],
	['a,b\n1,"x"y', `line 2 ${QUOTE}`],
	['sep=;\na;b\n1;"2', `line 3 ${QUOTE}`],
	[`a\n${'x'.repeat(32_768)}`, 'line 2 has a cell that is too long'],
	['a,b\n1,x"y\n1,z"y', `line 2 ${QUOTE}`],
])('names what is wrong in %j', (text, words) => {
	expect(readCsv(text)).toEqual([{ json: { problem: `The file can't be read: ${words}` } }]);
});

it.each([
	...['%PDF-1.7\n1 0 obj', '{\\rtf1\\ansi application_id,email}', '<!DOCTYPE html><table>'],
	...['\ufeff<?xml version="1.0"?>\n<Workbook>', '\r\n<html xmlns:x="urn:schemas-microsoft-com">'],
	...['MIME-Version: 1.0\r\nContent-Type: multipart/related', '{"rows": []}', '{}'],
	...['[\n  {"application_id": "APP-1"}\n]', '[["application_id", "email"]]'],
	// UTF-16, and files that aren't text. Or the previous node was deactivated.
	...['\ufeffa\0,\0b\0', '\ufffdPNG\r\n\u001a\n\0\0', undefined],
])('takes %j for no list', (text) => {
	expect(readCsv(text)).toEqual([{ json: { error: 'no list' } }]);
	const error = "The file selected in 'Input Binary Field' is not in xlsx format";
	const words = /^This file is neither an Excel file.*or as CSV UTF-8/;
	for (const unread of [...readCsv(text), { json: { error } }])
		expect(runCode('Check The List', [unread])[0]!.json.problem).toMatch(words);
});

it.each([
	...['sep=|\na|b\n1|2', '"sep=;"\r\na;b\r\n1;2', '\ufeffsep=;\r\na;b\r\n1;2'],
	...['a;b;;\n1;2;;;\n;;;;;;\n\n', 'a,b\n1, "2" \n', '"a",b\n1,"2"', 'a\tb\n1\t2'],
	// A list may still begin with these.
	...['[a],b\n[1],2', '{a},b\n{1},2', '< a,b\n1,2'],
])('reads %j', (text) => {
	const rows = rowsOf(readCsv(text)).map((row) => row.join().replace(/[[\]{}< ]|,+$/g, ''));
	expect(rows).toEqual(['a,b', '1,2']);
});

const HEADER = 'application_id,first_name,last_name,email';
const KIM = 'APP-1,Kim,Park,kim@people.example';
const BO = 'APP-2,Bo,Lind,bo@people.example';

type Cells = string | unknown[];

/** Returns what becomes of a list, whose rows are cells or lines with commas, with these rows in the table. */
const checked = (rows: Cells[], table: object[] = [], what?: string) =>
	runCode(
		'Check The List',
		rows.map((row) => ({ json: { row: typeof row === 'string' ? row.split(',') : row } })),
		{ what, ran: { 'Read The Table First': [table.map((json) => ({ json }))] } },
	).map(({ json }) => json);

it.each([
	[HEADER, ', ', 'The list is empty.'],
	['ID,Email Address', 'A,kim', 'first_name, last_name. The first line has: ID, Email Address.'],
	['Name,E-MAIL', 'Kim,kim', 'copy the emails into a column application_id.'],
	[`${HEADER},E-Mail`, KIM, 'Two columns are email: "email" and "E-Mail".'],
	[`${HEADER},Outcome`, `${KIM},hired`, 'own column "outcome" would be overwritten: rename it.'],
	[`${HEADER},job_id`, `${KIM},job`, 'and another in the list: leave one of them out.'],
])('says what is wrong with a list of %j and %j: %s', (titles, row, problem) => {
	const said = checked([titles, row]);
	expect(said).toEqual([{ problem: expect.stringContaining(problem) }]);
	expect(said[0]!.problem).toMatch(/ Correct the list and upload it again\.$/);
});

const LINK = 'https://assessment.example.com/i/1';
const IN_TABLE = {
	...{ application_id: 'APP-1', first_name: 'Kim', last_name: 'Park', job_id: JOB.toUpperCase() },
	...{ email: 'Kim@people.example', invitation_link: LINK, status: 'invited' },
};
const NEW = { invite: true };
const KNOWN = { outcome: 'already invited' };
const says = (words: string, outcome = 'invalid') => ({
	...{ outcome, problem: expect.stringContaining(words) },
});
const COPIED = { ...NEW, problem: expect.stringContaining('that of APP-1') };
const MOVED = says('The invitation went to Kim@people.', KNOWN.outcome);
const WRONG_JOB = { ...NEW, problem: 'Has an invitation for another job: is the Job ID right?' };
const KIM_AS_1 = [1, ...KIM.split(',').slice(1)];
const TWICE = says('row 2', 'duplicate');
const BO_AS_1 = BO.replace('APP-2', 'APP-1');
const LINKED = `${KIM},${LINK}`;

it.each<[what: string, rows: Cells[], found: object[], table?: object]>([
	['nobody is known', [KIM, BO], [NEW, NEW]],
	['the link of somebody in the table is copied', [`${BO},${LINK}`], [COPIED], IN_TABLE],
	['a link within the list is copied', [LINKED, `${BO},${LINK}`], [KNOWN, COPIED]],
	['only the table has the link', [KIM], [KNOWN], IN_TABLE],
	['an ID is a number', [KIM_AS_1], [KNOWN], { ...IN_TABLE, application_id: '1' }],
	['there are spaces', [KIM.replaceAll(',', ' , ')], [KNOWN], IN_TABLE],
	['the row in the table has no link', [KIM], [NEW], { ...IN_TABLE, invitation_link: null }],
	['another link of theirs is in the table', [`${LINKED}1`], [KNOWN], IN_TABLE],
	['only the list has the link', [LINKED], [KNOWN]],
	['it is no link', [`${KIM},none yet`], [NEW]],
	['it is a number', [[...KIM.split(','), 7]], [NEW]],
	['another job has invited them', [LINKED], [WRONG_JOB], { ...IN_TABLE, job_id: 'another' }],
	['an address is corrected', [`APP-1,KIM,Park,k@people.example,${LINK}`], [MOVED], IN_TABLE],
	['a row is copied with its ID', [`${BO_AS_1},${LINK}`], [says('In the table, Kim@')], IN_TABLE],
	['two people have one ID', [KIM, BO_AS_1], [says('Row 3 has'), says('Row 2 has this ID, too')]],
	['a row stands there twice', [KIM, KIM.replace('kim', 'KIM')], [NEW, TWICE]],
	['there is no ID', [KIM.slice(5)], [says('application_id is empty: enter an ID')]],
	['somebody is to be sent again', [`${KIM},,New`], [{ ...NEW, again: true }]],
])('tells who is to be invited if %s', (_, rows, found, table = {}) => {
	const list = [`${HEADER},invitation_link,outcome`, ...rows];
	expect(checked(list, [table])).toMatchObject(found);
});

/** Expects `found` to return the same for each of these values. */
function expectEach<T>(values: readonly T[], found: (value: T) => unknown, wanted: unknown) {
	for (const value of values) expect([value, found(value)]).toEqual([value, wanted]);
}

// Today is December 1.
beforeAll(() => {
	Settings.now = () => Date.parse('2099-12-01T12:00:00Z');
	Settings.defaultZone = 'utc';
});

const EMPTY = [null, undefined, '', ' '];
const SENT = ['2026-11-02', 'yes', true, 1, new Date(0)];
const UNREADABLE = [...EMPTY, '15.12.2099', 'Invalid DateTime', 'soon', '1797350400', 4.1e9];
const moments = (day: string) => [`${day}T18:00:00.000Z`, `${day} 18:00:00`, `${day}T18:00`];
const dates = (day: string) => [day, new Date(`${day}T18:00Z`), ` ${day} `, ...moments(day)];

it.each<[column: string, values: unknown[], link: string | null]>([
	['status', ['invited', ' INVITED '], LINK],
	['status', [...EMPTY, 'completed', 'Interview', 7, true], null],
	['link_sent_at', EMPTY, LINK],
	['link_sent_at', SENT, null],
	['open_until', [...UNREADABLE, ...moments('2099-12-15')], LINK],
	['open_until', moments('2099-11-30'), null],
	['outcome', [...EMPTY, 'new', 'Ready', 'unknown', 'refused'], LINK],
	['outcome', ['invited', ' INVITED ', 'Already Invited'], null],
])('an upload with %s as one of %j emails %s, and a check nothing', (column, values, link) => {
	const emails = (what?: string) => (value: unknown) => {
		const table = column === 'outcome' ? [] : [{ ...IN_TABLE, [column]: value }];
		const cells = table.length > 0 ? [] : [LINK, value];
		const list = [`${HEADER},invitation_link,outcome`, [...KIM.split(','), ...cells]];
		const [known] = checked(list, table, what);
		expect(known).toMatchObject(KNOWN);
		return known!.invitation_link ?? null;
	};
	expectEach(values, emails('Invite everybody in it'), link);
	expectEach(values, emails(), null);
});

const LIST = 'invite-from-a-list';
const SHEET = 'google-sheets-and-gmail';
const DETAILS = [...HEADER.split(','), 'job_id', 'open_until'];
const WRITTEN = ['status', 'invitation_link', 'link_sent_at', 'problem'];
const NAMES = [...DETAILS, ...WRITTEN];
const ROW: Record<string, unknown> = {
	...Object.fromEntries(NAMES.map((name) => [name, null])),
	...{ application_id: 'APP-1', first_name: 'Kim', last_name: 'Park', job_id: JOB },
	...{ email: 'kim@people.example', link_for: 'APP-1' },
};

const decide = (example: string, ...rows: object[]) =>
	decisionsOf(example, ...rows.map((row) => ({ ...ROW, ...row })));

describe.each([LIST, SHEET])('%s', (example) => {
	it.each<[statuses: unknown[], says: string, noted: string, withLink: string]>([
		[EMPTY, 'invite', 'invite', ''],
		[['new', ' NEW ', 'Invalid', 'refused', 'notSent', 'NOTSENT '], 'invite', 'invite', 'invite'],
		[['invited', ' INVITED', 'unknown', 'Unknown '], 'No link is in this row', 'nothing', ''],
		[['completed', 'Completed '], 'nothing', 'nothing', ''],
		[['Applied', 'true', true, false, 0, '0', 7, new Date(0)], 'Not invited bec', 'nothing', ''],
	])('decides on a row with a status of %j', (statuses, words, noted, withLink) => {
		const decided = (more: object) => (status: unknown) =>
			decide(example, { status, ...more })[0]!.says;
		expectEach(statuses, decided({}), expect.stringMatching(`^${words}`));
		// The user's own words stay.
		expectEach(statuses, decided({ problem: 'on vacation' }), noted);
		for (const link_sent_at of [...EMPTY, ...SENT]) {
			const isDue = example === SHEET && !SENT.includes(link_sent_at as string);
			const found = decided({ invitation_link: LINK, link_sent_at });
			expectEach(statuses, found, withLink || (isDue ? 'send' : 'nothing'));
		}
	});

	it('hands on every column, whatever is in it, to the invitation, but no old link', () => {
		for (const value of [4711, true, new Date(0), ' X ', 'ÄÖ', '2026-12-15', '=1', '00123']) {
			const columns = Object.fromEntries([...DETAILS, 'link_for'].map((name) => [name, value]));
			const row = { status: 'new', invitation_link: LINK, ...columns };
			const wanted = { ...row, says: 'invite', invitation_link: '' };
			expect(decide(example, row)).toMatchObject([JSON.parse(JSON.stringify(wanted))]);
		}
	});
});

it('holds two people with one ID back, whatever their IDs and addresses look like', () => {
	const bo = { email: 'bo@people.example' };
	const held = (email: string) => ({
		...{ outcome: 'invalid', says: `This ID is also that of ${email}: give each person their own` },
	});
	const both = [held(bo.email), held('kim@people.example')];
	const invite = { says: 'invite' };
	const job_id = ` ${JOB.toUpperCase()}`;
	for (const same of [{ application_id: ' APP-1 ' }, { job_id }, { status: 'Refused' }]) {
		expect(decide(LIST, {}, { ...bo, ...same })).toMatchObject(both);
		const twins = decide(LIST, {}, { email: ' Kim@People.example', ...same });
		expect(twins).toMatchObject([invite, invite]);
	}
	const numbers = decide(LIST, { application_id: 4711 }, { ...bo, application_id: '4711' });
	expect(numbers).toMatchObject(both);
	for (const other of [{ job_id: 'other' }, { application_id: 'APP-2' }, { email: null }])
		expect(decide(LIST, {}, { ...bo, ...other })[0]).toMatchObject(invite);
	// Somebody who was invited keeps the link.
	const old = { status: 'invited', invitation_link: LINK, ...bo };
	expect(decide(LIST, old, {})).toMatchObject([{ says: 'nothing' }, held(bo.email)]);
	const several = { says: 'Rows 2, 4 have the application_id APP-1: give each its own.' };
	expect(decide(SHEET, old, { application_id: '' }, {})).toMatchObject([several, several]);
});

it('sends no link of a sheet that was made for another row', () => {
	const words = expect.stringMatching(/^The link of APP-1 is for ".*"\. Correct the link, or cl/);
	for (const status of [null, 'invited', 'new', 'completed'])
		for (const link_for of ['APP-2', '', null, 'app-1'])
			expect(decide(SHEET, { invitation_link: LINK, link_for, status })[0]!.says).toEqual(words);
});

it.each<[example: string, more: string, without: string[], words: string]>([
	[SHEET, 'ID', ['application_id', 'link_for', ...WRITTEN], "in the sheet's first row: NAME"],
	[SHEET, 'E-Mail', [''], 'Keep only one of these columns: email, E-Mail'],
	[LIST, '', NAMES, 'Nobody was invited. The table has no column NAME:'],
])('%s with a column %j in place of %j says so', (example, more, without, words) => {
	for (const name of without) {
		const json: Record<string, unknown> = { ...ROW, [more]: more };
		delete json[name];
		const run = () => runCode('Check The Rows', [{ json }], { example });
		expect(run).toThrow(words.replace('NAME', name));
	}
});

const SCORES = [{ score_type: 'role_fit', score_value: 85 }];
const COMPLETED = { status: 'COMPLETED', scores: SCORES };
const CATCH_UP = { example: 'catch-up', ran: { 'Find Open Applications': [[{ json: {} }]] } };
const ENDED = { open_until: '2099-11-30' };
const night = (json: object) =>
	runCode('What Do They Need?', [{ json: { status: 'invited', ...json } }], CATCH_UP)[0]!.json;
const at = (day: string) => expect.stringMatching(`^${day}, \\d\\d:\\d\\d$`);

it.each<[column: string, values: unknown[], next: string, day?: unknown, more?: object]>([
	['open_until', UNREADABLE, 'send', ''],
	['open_until', dates('2099-12-15'), 'send', at('December 15')],
	['open_until', dates('2099-12-03'), 'remind', at('December 3')],
	// A day alone lasts until its end.
	['open_until', ['2099-12-01'], 'remind', at('December 1')],
	['open_until', dates('2099-11-30'), 'tell', undefined],
	['problem', ['x: The invitation ended without a result: y'], 'nothing', undefined, ENDED],
	['status', [...EMPTY, 'invited', 'INVITED', []], 'send', ''],
	['status', ['withdrawn', 'Expired', 'cancelled', 7, true, {}], 'tell', undefined],
	['status', ['completed', 'COMPLETED', ' Completed '], 'result', undefined, { scores: SCORES }],
	['scores', [null, undefined, [], {}, { role_fit: null }], 'send', ''],
	['scores', [SCORES, { role_fit: 85 }], 'tell', undefined],
	['status', ['scored', null, 7], 'tell', undefined, { scores: SCORES, open_until: '2099-11-30' }],
	['scores', [null, undefined, [], {}, { role_fit: null }], 'tell', undefined, COMPLETED],
	['scores', ['x', { ROLE_FIT: 85 }, { role_fit: 0 }], 'result', undefined, COMPLETED],
	['open_until', [null, '2099-11-30', '2099-12-15'], 'result', undefined, COMPLETED],
])('in Catch up, %s with any of %j leads to %s %s', (column, values, next, day, more = {}) => {
	expectEach(values, (value) => night({ ...more, [column]: value }).day, day);
	// Nobody is mailed or reminded twice.
	for (const [noted, mail] of Object.entries({ link_sent_at: 'send', reminded_at: 'remind' }))
		for (const mailed of [...EMPTY, ...SENT]) {
			const isDone = mail === next && SENT.includes(mailed as string);
			const found = (value: unknown) => night({ ...more, [column]: value, [noted]: mailed }).next;
			expectEach(values, found, isDone ? 'nothing' : next);
		}
});

it('mails nobody, and says what to unpin, where samples and rows of people meet', () => {
	const found = (id: number) => ({
		...CATCH_UP,
		ran: { 'Find Open Applications': [[{ json: { id } }]] },
	});
	const sample = [{ json: { id: -1, status: 'invited' } }];
	expect(() => runCode('What Do They Need?', sample, found(7))).toThrow(
		'Look Up Candidates still has its sample data: unpin it. Nobody was mailed.',
	);
	expect(runCode('What Do They Need?', sample, found(-1))).toHaveLength(1);
	const endWith = (example: string, ran: Record<string, number[]>) => {
		const items = Object.entries(ran).map(([node, ids]) => [
			node,
			[ids.map((id) => ({ json: { id, next: 'result' } })), [], []],
		]);
		const options = { example, ran: Object.fromEntries(items) };
		return runCode('What Went Wrong?', [], options)[0]?.json.message ?? '';
	};
	const words = (node: string) =>
		expect.stringMatching(`^${node} still has its sample data: unpin it`);
	for (const node of ['Invite Candidates', 'Write The Invitation']) {
		expect(endWith(LIST, { 'Check The Rows': [7, 8], [node]: [-1] })).toEqual(words(node));
		expect(endWith(LIST, { 'Check The Rows': [-1, -2], [node]: [-1] })).toBe('');
	}
	const node = 'Hand Over The Result';
	const night = (ids: number[], handed: number[]) =>
		endWith('catch-up', { 'Look Up Candidates': ids, 'What Do They Need?': ids, [node]: handed });
	expect(night([7], [-1])).toEqual(words(node));
	expect(night([-1, -2], [-1])).toBe('');
});

it("keeps the row's own address, name, and link, whatever the service answers", () => {
	const own = { email: 'own@people.example', first_name: 'Kim', invitation_link: LINK };
	const answer = { id: 7, email: 'old@people.example', first_name: 'K', invitation_link: 'other' };
	const ran = { 'Find Open Applications': [[{ json: { ...own, id: 7 } }]] };
	expect(runCode('What Do They Need?', [{ json: answer }], { ...CATCH_UP, ran })).toMatchObject([
		{ json: own },
	]);
	expect(decide(LIST, own)).toMatchObject([{ own }]);
});

it('invites nobody about whom somebody has decided', () => {
	for (const status of ['', 'new', 'invited', 'Applied'])
		expect(decide(LIST, { status, decision: 'Reject' })).toMatchObject([{ says: 'nothing' }]);
	expect(decide(LIST, { decision: ' ' })).toMatchObject([{ says: 'invite' }]);
});

const DECISION = { example: 'result-to-decision' };
const RESULT = { application_id: 'APP-1', job_id: JOB, invitation_link: LINK };
const INVITED = { ...RESULT, id: 1, status: 'invited' };

/** Returns what a result leads to, and for which row. */
const resultFor = (rows: object[], result: object = {}) => {
	const json = { ...RESULT, scores: { role_fit: 85 }, ...result };
	const ran = { 'Completed?': [[], [{ json }]] };
	const items = (rows.length > 0 ? rows : [{}]).map((row) => ({ json: row }));
	const [item] = runCode('Match The Row', items, { ...DECISION, ran });
	return item?.json;
};

it.each<[what: string, result: object, row: object]>([
	...['app-1', 'APP', 'APP-1\u200b', '', 1].map((application_id): [string, object, object] => {
		return ['the ID comes back otherwise', { application_id }, {}];
	}),
	['the job comes back otherwise', { job_id: null }, {}],
	['no row has the link', { invitation_link: 'other' }, {}],
	['the answer has no link', { invitation_link: null, job_id: ` ${JOB.toUpperCase()}` }, {}],
	['the row has no link', {}, { invitation_link: null, application_id: ' APP-1 ' }],
])('a result goes into its row, whose ID stays, if %s', (_, result, row) => {
	const own = { ...INVITED, email: 'own@people.example', ...row };
	// Another job's, and another person's.
	const others = [
		{ ...INVITED, id: 2, job_id: 'other', invitation_link: 'x' },
		{ ...INVITED, id: 3, application_id: 'APP-3', invitation_link: null },
	];
	const { id, application_id, email } = own;
	for (const rows of [
		[own, ...others],
		[...others, own],
	]) {
		const found = resultFor(rows, { email: 'old@people.example', ...result });
		expect(found).toMatchObject({ id, application_id, email, next: 'ask' });
	}
});

it('takes no row by a link that several have, adds one for an ID that is unknown, and fails without either', () => {
	const login = [2, 3].map((id) => ({ ...INVITED, id, application_id: `APP-${id}` }));
	expect(resultFor(login)).toMatchObject({ application_id: 'APP-1', next: 'add' });
	expect(resultFor([...login, INVITED])).toMatchObject({ id: 1, next: 'ask' });
	const nameless = { application_id: null, invitation_link: null };
	expect(() => resultFor([], nameless)).toThrow('no application ID, and no row has its link');
	const blank = { ...INVITED, ...nameless };
	expect(() => resultFor([blank], nameless)).toThrow('no application ID');
});

it.each<[column: string, values: unknown[], next: string]>([
	['status', [...EMPTY, 'new', ' INVITED ', 'unknown', 'refused', 'notSent'], 'ask'],
	['status', ['withdrawn', 'Rejected', 'hired', 'do not contact', 7, true], 'scores'],
	['decision', EMPTY, 'ask'],
	['decision', ['Reject', 'yes', 1, true], 'scores'],
])('a row with %s as one of %j leads to %s, and its scores are written', (column, values, next) => {
	const found = (value: unknown) => {
		const { next: is, role_fit } = resultFor([{ ...INVITED, [column]: value }])!;
		return [is, role_fit];
	};
	expectEach(values, found, [next, '85']);
});

it('asks once for a result, again if it is scored anew, and never after a decision', () => {
	const row = { ...INVITED, status: 'Completed ' };
	for (const role_fit of [85, '85', ' 85 '])
		expect(resultFor([{ ...row, role_fit }])).toBe(undefined);
	const summary = expect.stringContaining('Scored anew. Role fit before: 12 of 100.');
	expect(resultFor([{ ...row, role_fit: 12 }])).toMatchObject({ next: 'ask', summary });
	expect(resultFor([{ ...row, role_fit: 12, decision: 'Reject' }])!.next).toBe('scores');
});

it('shows every score, and says that the role fit could not be read, with the report', () => {
	const says = (scores: unknown) => resultFor([INVITED], { scores, report_pdf_link: LINK })!;
	const problem = `The scores have no role_fit. Report: ${LINK}`;
	for (const scores of [{ ROLE_FIT: 85 }, { role_fit: { value: 85 } }, {}, null, 'x', [85]]) {
		const summary = expect.stringContaining(problem);
		expect(says(scores)).toMatchObject({ role_fit: null, problem, summary });
	}
	for (const scores of [{ role_fit: 0 }, { role_fit: '85' }]) expect(says(scores).problem).toBe('');
	const summary = expect.stringMatching(/\nrole fit: 85 of 100\nnew one: – of 100\nReport: https:/);
	expect(says({ role_fit: 85, new_one: null })).toMatchObject({ summary });
});

it('takes a result for there once it has a score', () => {
	const isThere = (scores: unknown, $runIndex = 0) =>
		evaluateAll('result-to-decision', '$runIndex >= 12', { scores }, {}, { $runIndex })[0];
	const none = [[], {}, { role_fit: null }, 'x'];
	expectEach([...none, null, undefined], (scores) => isThere(scores), false);
	expectEach(none, (scores) => isThere(scores, 12), true);
	// Get The Result is deactivated.
	expect(isThere(undefined, 12)).toBe(false);
	expectEach(
		[{ role_fit: 0 }, { ROLE_FIT: 85 }, { other: '7' }],
		(scores) => isThere(scores),
		true,
	);
});

it('writes no sample of a result into the table, and no result into a sample', () => {
	const sample = { ...INVITED, id: -1 };
	expect(resultFor([sample], { id: -1 })).toMatchObject({ id: -1, next: 'ask' });
	const mixed = [[[sample]], [[], { id: -1 }], [[INVITED], { id: -1 }]] as const;
	for (const [rows, result] of mixed)
		expect(() => resultFor([...rows], result)).toThrow(/^A sample .*unpin Get The Result, Find/);
	// A deactivated Find The Row passes the result on.
	expect(resultFor([{ ...RESULT, scores: {} }])).toBeUndefined();
});

it.each<[invited: string[][], mails: string[], end: RegExp]>([
	[[[''], [], []], ['E', 'E'], /^No link was emailed\. .* E$/],
	[[[], [], ['X', 'E', 'F']], ['E'], /^Nobody was invited\. E – No link was emailed\. .* E$/],
	[[[''], [], []], ['E', ''], /^$/],
	[[[''], [], ['E']], [''], /^$/],
	[[[], [''], ['E']], [], /^$/],
	[[[], [], ['X']], [], /^$/],
])('a run that invited, knew, and refused %j and mailed %j ends with %s', (invited, mails, end) => {
	const list = { 'Invite Candidates': invited, 'Send The Link': [mails] };
	const sheet = { 'Invite Applicants': invited, 'Email The Link': [mails] };
	for (const said of [endOf(LIST, list), endOf(SHEET, sheet)]) expect(said).toMatch(end);
	expect([endOf(LIST, {}), endOf(SHEET, {})]).toEqual(['', '']);
});

it.each<[ran: Record<string, string[][]>, end: RegExp]>([
	[{}, /^$/],
	[{ 'Look Up Candidates': [[], ['E', 'F']] }, /^No application could be looked up\. E$/],
	[{ 'Look Up Candidates': [[''], ['E']] }, /^$/],
	[{ 'Send The Reminder': [['F', 'G']] }, /^No mail went out\. F$/],
	[{ 'Send The Link': [['E']], 'Send The Reminder': [['']] }, /^$/],
	[{ 'Hand Over The Result': [['E'], [''], ['F']] }, /^Results .* over: 2\. Is .* published\? E$/],
	[{ 'Hand Over The Result': [[''], [''], ['']] }, /^$/],
	[{ 'Send The Link': [['E']], 'Hand Over The Result': [['F'], [], []] }, /^No mail.*E – Res.*F$/],
])('a run of Catch up with %j ends with %s', (ran, end) => {
	expect(endOf('catch-up', ran)).toMatch(end);
});

it.each([
	[moments('2099-12-15'), /^2099-12-15T18|December 15\b/],
	[UNREADABLE, /^$|assessment: https|\/1">[^<]*<\/a>$/],
])('a last day given as one of %j is read, or left out, in every example', (values, day) => {
	const found = (end: unknown) => {
		const answer = { invitation_expired_at: end, invitation_link: LINK };
		const values = EXAMPLES.flatMap((example) => evaluateAll(example, '.fromISO(String(', answer));
		return values.map((value) => (value as { open_until?: string }).open_until ?? value);
	};
	const wanted = found('').map(() => expect.stringMatching(day));
	expect(wanted.length).toBeGreaterThan(5);
	expectEach(values, found, wanted);
});

const APPLY = 'apply-and-be-invited';
const CV = 'cv-to-invitation';

it.each([
	[APPLY, '$json.application?.email'],
	[CV, '$json.application && $json.invitation_link'],
] as const)('%s sends and writes no sample for an applicant', async (example, words) => {
	const { pinData } = await readExample(example);
	const [{ json }] = pinData!['Invite The Applicant'] as [{ json: { invitation_link: string } }];
	expect(evaluateAll(example, words, json)[0] || '').toBe('');
	const email = 'kim@people.example';
	const [found] = evaluateAll(example, words, { ...json, application: { email } });
	expect(found).toBe(example === APPLY ? email : json.invitation_link);
});

it('a form takes an address with a blank for the same, and shows what was typed as text', () => {
	for (const Email of ['kim@people.example', `${'k'.repeat(50)}@people.example`]) {
		const idOf = (typed: string) => evaluateAll(APPLY, ".hash('sha1')", { Email: typed });
		expect(idOf(`${Email} `)).toEqual(idOf(Email));
		expect(evaluateAll(CV, "['Email']", {}, { Email: `${Email} ` })).toEqual([Email]);
	}
	const error = "Last Name: contains '<': Kim & <kim@people.example>";
	for (const example of [APPLY, CV]) {
		const shown = evaluateAll(example, '&lt;', { error, invitation_link: LINK, application: {} });
		expect(shown.join()).toContain("contains '&lt;': Kim &amp; &lt;kim@people.example>");
	}
});

it('keeps every column of the list, whatever it is called', () => {
	const odd = ['status', 'row', 'error', 'number', 'list', 'invite', 'Notes', '', 'Notes 2'];
	const known =
		/^(applicationid|firstname|lastname|email(address)?|jobid|outcome|invitationlink|openuntil|problem)$/;
	const title = fc
		.oneof(fc.string(), fc.constantFrom(...odd))
		.filter((text) => !known.test(text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')));
	const [names, person] = [HEADER.split(','), KIM.split(',')];
	fc.assert(
		fc.property(fc.array(title, { maxLength: 6 }), (titles) => {
			const values = titles.map((_, index) => `value ${index}`);
			const cells = [...values, ...person];
			const [row] = checked([[...titles, ...names], cells]);
			const { list, ...fields } = row as { list: object };
			expect(Object.values(list).sort()).toEqual(cells.sort());
			expect(fields).toEqual({
				...Object.fromEntries(names.map((name, index) => [name, person[index]])),
				...{ job_id: JOB, number: 0, invite: true, again: false },
			});
		}),
	);
});
