import fc from 'fast-check';
import { Settings } from 'luxon';

import { EXAMPLES, JOB, readExample } from '../support/example.mts';
import { decisionsOf, endOf, evaluateAll, runCode } from '../support/exampleCode.mts';

const NEEDED = 'application_id,first_name,last_name,email';
const KIM = ['Kim', 'Park', 'kim@people.example'];
const LINK = 'https://assessment.example.com/i/1';
const IMPORT = 'import-a-spreadsheet';

/** Returns what *Import a spreadsheet* finds in lines of a list, which n8n has read. */
const columnsOf = (lines: object[], job = JOB, data = '') => {
	const ran = { 'Read The Text': pageOf({ data }), 'Upload A List': pageOf({ 'Job ID': job }) };
	const items = lines.map((json) => ({ json }));
	return runCode('Check The List', items, { example: IMPORT, ran }).map(({ json }) => json);
};
const pageOf = (json: object) => [[{ json }]];
const lineOf = (titles: string, cells: unknown[]) =>
	Object.fromEntries(titles.split(',').map((title, index) => [title, cells[index]]));

it('keeps every column of a list as it is, whatever it is called, beside its own', () => {
	const odd = ['status', 'row', 'fault', 'imported', 'Notes', 'Deadline', '-', '7'];
	const known = /^(applicationid|firstname|lastname|email(address)?|jobid)$/;
	const title = fc
		.oneof(fc.string({ minLength: 1 }), fc.constantFrom(...odd))
		.filter((text) => !known.test(text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')))
		.filter((text) => !/^__|[\u0080-\uffff]/.test(text));
	fc.assert(
		fc.property(fc.uniqueArray(title, { maxLength: 6 }), (titles) => {
			const own = Object.fromEntries(titles.map((name, index) => [name, `value ${index}`]));
			const [row] = columnsOf([{ ...own, ...lineOf(NEEDED, ['APP-1', ...KIM]) }]);
			expect(row).toEqual({ ...own, ...lineOf(NEEDED, ['APP-1', ...KIM]), job_id: JOB });
		}),
	);
});

it.each([
	['Application ID ,FIRST NAME,last-name, E-Mail', [' 00123 ', 'Jörg', 'Łuk ', KIM[2]]],
	['applicationid,First_Name,LastName,Email Address', [4711, 'JÃ¶rg', 'Å\u0081uk', KIM[2]]],
])('finds the columns %j in %j', (titles, cells) => {
	const names = ['Jörg', 'Łuk', KIM[2]];
	expect(columnsOf([lineOf(titles, cells)])).toEqual([
		{ ...lineOf(NEEDED, [String(cells[0]).trim(), ...names]), job_id: JOB },
	]);
});

it.each([
	['ID,Email', 'first_name, last_name. The first line has: ID, Email. If you have no IDs'],
	['ID,Full Name,E-MAIL', 'Split full names into two columns.'],
	[`${NEEDED},E-Mail`, 'Keep only one of these columns: email, E-Mail.'],
	['', 'The list is empty.'],
])('says what is wrong with a list of %j: %s', (titles, words) => {
	const line = titles ? lineOf(titles, ['A', 'B', 'C', 'D', 'E']) : {};
	expect(columnsOf([line])).toEqual([{ fault: expect.stringContaining(words) }]);
});

it('reads no list without a job, and no file that is neither a workbook nor UTF-8', () => {
	const lines = [lineOf(NEEDED, ['APP-1', ...KIM])];
	expect(columnsOf(lines, '')).toEqual([{ fault: expect.stringContaining('Enter the Job ID') }]);
	const own = [{ ...lines[0], job_id: JOB.toUpperCase() }];
	expect(columnsOf(own, '')).toMatchObject([{ job_id: JOB }]);
	for (const data of ['J\ufffdrg', '\ufffd\ufffda\0'])
		expect(columnsOf(lines, JOB, data)[0].fault).toMatch(/^This file can't be read/);
	for (const data of ['PK\ufffd', '\ufffd\ufffd\u0011\ufffd', 'Jörg'])
		expect(columnsOf(lines, JOB, data)[0].fault).toBeUndefined();
	expect(columnsOf([{ error: 'not in xlsx format' }])[0].fault).toMatch(/^This file can't be read/);
});

const IN_TABLE = { ...lineOf(NEEDED, ['APP-1', ...KIM]), job_id: JOB.toUpperCase(), status: '' };
const LINKED = { ...IN_TABLE, invitation_link: LINK };
const MOVED = ['APP-1', 'Kim', 'Park', 'new@people.example'];
const OTHER = ['APP-1', 'Bo', 'Lind', 'bo@people.example'];

it.each<[what: string, rows: unknown[][], imported: string[] | RegExp, table?: object]>([
	['nobody is known', [['APP-1', ...KIM]], ['added']],
	[
		'a row is there twice',
		[['APP-1', ...KIM], MOVED.with(3, 'KIM@people.example')],
		['added', 'listed twice'],
	],
	['two have one ID', [['APP-1', ...KIM], OTHER], /Row 3 \(APP-1\): kim@.* has this ID, too/],
	['nothing has changed', [['APP-1', ...KIM]], ['unchanged'], IN_TABLE],
	['an address is new', [MOVED], ['corrected'], IN_TABLE],
	['a name is new', [['APP-1', 'Kim', 'Lee', KIM[2]]], ['corrected'], IN_TABLE],
	['a name is new, and there is a link', [['APP-1', 'Kim', 'Lee', KIM[2]]], ['unchanged'], LINKED],
	['an address is new, and there is a link', [MOVED], ['unchanged'], LINKED],
	[
		'somebody else has the ID',
		[OTHER],
		/Row 2 \(APP-1\): in the table, kim@.* has this ID/,
		LINKED,
	],
	['the job is another', [OTHER], ['added'], { ...LINKED, job_id: 'other' }],
	[
		'two rows of the table have the ID',
		[MOVED],
		/in the table, kim@.* has this ID/,
		[LINKED, IN_TABLE],
	],
])('an import tells what becomes of a list if %s', (_, rows, imported, table = {}) => {
	const list = rows.map((cells) => ({ json: { ...lineOf(NEEDED, cells), job_id: JOB } }));
	const ran = {
		...{ 'Check The List': [list], 'Check The Rows': [[], [], []] },
		...{
			'Read The Table First': [[table].flat().map((json) => ({ json }))],
			'Upload A List': pageOf({}),
		},
	};
	const found = runCode('What Was Found?', [], { example: IMPORT, ran }).map(({ json }) => json);
	if (imported instanceof RegExp) {
		expect(found).toMatchObject([{ imported: 'said', message: expect.stringMatching(imported) }]);
		return;
	}
	expect(found.slice(0, -1).map((row) => row.imported)).toEqual(imported);
	const isAdvised = /the invitation went to kim@/.test(found.at(-1)!.message);
	expect(isAdvised).toBe(table === LINKED && rows[0] === MOVED);
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

const LIST = 'invite-from-a-list';
const SHEET = 'a-google-sheet';
const DETAILS = [...NEEDED.split(','), 'job_id', 'open_until'];
const WRITTEN = ['status', 'invitation_link', 'link_sent_at', 'reminded_at', 'problem'];
const NAMES = [...DETAILS, ...WRITTEN];
const ROW: Record<string, unknown> = {
	...Object.fromEntries(NAMES.map((name) => [name, null])),
	...{ application_id: 'APP-1', first_name: 'Kim', last_name: 'Park', job_id: JOB },
	email: 'kim@people.example',
};

const decide = (...rows: object[]) => decisionsOf(...rows.map((row) => ({ ...ROW, ...row })));

it.each<[statuses: unknown[], says: string, noted: string, withLink: string]>([
	[EMPTY, 'invite', 'invite', 'nothing'],
	[['new', ' NEW ', 'Invalid', 'refused', 'notSent', 'NOTSENT '], 'invite', 'invite', 'invite'],
	[['invited', ' INVITED', 'unknown', 'Unknown '], 'No link is in this row', 'nothing', 'nothing'],
	[
		['Applied', 'Completed ', 'true', true, false, 0, '0', 7, new Date(0)],
		'Not invited bec',
		'nothing',
		'nothing',
	],
])('decides on a row with a status of %j', (statuses, words, noted, withLink) => {
	const decided = (more: object) => (status: unknown) =>
		decide({ status, ...more })[0]?.says ?? 'nothing';
	expectEach(statuses, decided({}), expect.stringMatching(`^${words}`));
	// The user's own words stay.
	expectEach(statuses, decided({ problem: 'on vacation' }), noted);
	expectEach(statuses, decided({ invitation_link: LINK }), withLink);
});

it('hands on every column, whatever is in it, to the invitation, but no old link', () => {
	for (const value of [4711, true, new Date(0), ' X ', 'ÄÖ', '2026-12-15', '=1', '00123']) {
		const columns = Object.fromEntries(DETAILS.map((name) => [name, value]));
		const row = { status: 'new', invitation_link: LINK, ...columns };
		const wanted = { ...row, says: 'invite', invitation_link: '' };
		expect(decide(row)).toMatchObject([JSON.parse(JSON.stringify(wanted))]);
	}
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
		expect(decide({}, { ...bo, ...same })).toMatchObject(both);
		const twins = decide({}, { email: ' Kim@People.example', ...same });
		expect(twins).toMatchObject([invite, invite]);
	}
	const numbers = decide({ application_id: 4711 }, { ...bo, application_id: '4711' });
	expect(numbers).toMatchObject(both);
	for (const other of [{ job_id: 'other' }, { application_id: 'APP-2' }, { email: null }])
		expect(decide({}, { ...bo, ...other })[0]).toMatchObject(invite);
	// Somebody who was invited keeps the link.
	const old = { status: 'invited', invitation_link: LINK, ...bo };
	expect(decide(old, {})).toMatchObject([held(bo.email)]);
});

it('names a column that the table lacks', () => {
	for (const name of NAMES) {
		const json: Record<string, unknown> = { ...ROW };
		delete json[name];
		const run = () => runCode('Check The Rows', [{ json }], { example: LIST });
		expect(run).toThrow(
			`Nobody was invited. Add these columns to the table, as strings (${name}).`,
		);
	}
});

const SHOWN = ['status', 'invitation_link', 'role_fit', 'report_link', 'problem'];
const IN_SHEET: Record<string, unknown> = {
	...Object.fromEntries(SHOWN.map((name) => [name, ''])),
	...{ application_id: 'APP-1', first_name: 'Kim', last_name: 'Park', notes: 'x' },
	...{ job_id: JOB, email: KIM[2], row_number: 2 },
};

/** Returns what becomes of rows of a sheet, with these rows in the table. */
const changesOf = (rows: object[], table: object[] = []) => {
	const ran = { 'Read The Table': [table.map((json) => ({ json }))] };
	const items = [IN_SHEET, ...rows.map((row) => ({ ...IN_SHEET, ...row }))].map((json) => ({
		json,
	}));
	return runCode('What Has Changed?', items, { example: SHEET, ran }).map(({ json }) => json);
};

it.each<[what: string, row: object, known: object, change: object | undefined]>([
	['nothing has changed', {}, {}, undefined],
	[
		'there are spaces',
		{ application_id: ' APP-1 ', job_id: ` ${JOB.toUpperCase()}` },
		{},
		undefined,
	],
	['the job is another', { job_id: 'other' }, {}, { _next: 'add', job_id: 'other' }],
	['an address is new', { email: 'n@x.example' }, {}, { _next: 'add', email: 'n@x.example' }],
	[
		'it has a link',
		{ email: 'n@x.example', invitation_link: LINK },
		{ invitation_link: LINK },
		undefined,
	],
	[
		'the table has more',
		{},
		{ status: 'invited', invitation_link: LINK },
		{ _next: 'write', status: 'invited' },
	],
	['a number comes', { role_fit: '85' }, { role_fit: 85 }, undefined],
	[
		'ours is older',
		{ status: 'new' },
		{ status: 'invited' },
		{ _next: 'write', status: 'invited' },
	],
	[
		'a person wrote',
		{ status: 'withdrawn' },
		{ status: 'invited' },
		{ _next: 'add', status: 'withdrawn', email: KIM[2] },
	],
	['it is in both', { status: 'withdrawn' }, { status: 'withdrawn' }, undefined],
	['a person wrote in the table', {}, { status: 'hired' }, { _next: 'write', status: 'hired' }],
	[
		'only a problem is new',
		{ status: 'withdrawn' },
		{ status: 'withdrawn', problem: 'x' },
		{ _next: 'write', problem: 'x', status: undefined },
	],
])('a sheet and the table are brought together if %s', (_, row, known, change) => {
	const [found] = changesOf([row], [{ ...IN_TABLE, ...known }]);
	if (change) expect({ status: undefined, ...found }).toMatchObject(change);
	else expect(found).toBeUndefined();
});

it('adds no two rows of a sheet with one ID, and changes no two of the table', () => {
	const rows = [{ row_number: 2 }, { row_number: 5, first_name: 'Bo' }];
	const problem = 'Rows 2, 5 have this application_id: give each its own.';
	expect(changesOf(rows)).toEqual(
		[2, 5].map((row_number) => ({ _next: 'tell', row_number, problem })),
	);
	expect(changesOf(rows.map((row) => ({ ...row, problem })))).toEqual([]);
	expect(changesOf([{ first_name: 'Bo' }], [IN_TABLE, IN_TABLE])).toEqual([]);
	expect(changesOf([{ application_id: '' }])).toEqual([]);
});

it.each([...NEEDED.split(','), 'job_id', ...SHOWN])(
	'a sheet without a column %s says so',
	(name) => {
		const json: Record<string, unknown> = { ...IN_SHEET };
		delete json[name];
		const run = () => runCode('What Has Changed?', [{ json }], { example: SHEET });
		expect(run).toThrow(
			`These columns are missing in the sheet's first row, or Read The Sheet is deactivated – ${name}`,
		);
	},
);

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
	['problem', ['x: The invitation ended without a result: y'], '', undefined, ENDED],
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
			expectEach(values, found, isDone ? undefined : next || undefined);
		}
});

it('mails nobody, and says what to unpin, where samples and rows of people meet', () => {
	const found = (id: number) => ({
		...CATCH_UP,
		ran: { 'Find Open Applications': [[{ json: { id } }]] },
	});
	const sample = [{ json: { id: -1, status: 'invited' } }];
	expect(() => runCode('What Do They Need?', sample, found(7))).toThrow(
		'Unpin Look Up Candidates, which still has its sample data. Nobody was mailed.',
	);
	expect(runCode('What Do They Need?', sample, found(-1))).toHaveLength(1);
	const endWith = (example: string, ran: Record<string, number[]>) => {
		const items = Object.entries(ran).map(([node, ids]) => [
			node,
			[ids.map((id) => ({ json: { id } })), [], []],
		]);
		const options = { example, ran: Object.fromEntries(items) };
		return runCode('What Went Wrong?', [], options)[0]?.json.message ?? '';
	};
	const words = /^Invite Candidates still has its sample data: unpin it/;
	const invited = { 'Invite Candidates': [-1] };
	expect(endWith(LIST, { 'Read The Table': [7, 8], ...invited })).toMatch(words);
	expect(endWith(LIST, { 'Read The Table': [-1, -2], ...invited })).toBe('');
});

it("keeps the row's own address, name, and link, whatever the service answers", () => {
	const own = { email: 'own@people.example', first_name: 'Kim', invitation_link: LINK };
	const answer = { id: 7, email: 'old@people.example', first_name: 'K', invitation_link: 'other' };
	const ran = { 'Find Open Applications': [[{ json: { ...own, id: 7 } }]] };
	expect(runCode('What Do They Need?', [{ json: answer }], { ...CATCH_UP, ran })).toMatchObject([
		{ json: own },
	]);
	const kept = { own_email: own.email, own_name: 'Kim', own_link: LINK };
	expect(decide({ ...own, status: 'new' })).toMatchObject([kept]);
});

it('invites nobody about whom somebody has decided', () => {
	for (const status of ['', 'new', 'invited', 'Applied'])
		expect(decide({ status, decision: 'Reject' })).toEqual([]);
	expect(decide({ decision: ' ' })).toMatchObject([{ says: 'invite' }]);
});

const DECISION = { example: 'result-to-decision' };
const RESULT = { application_id: 'APP-1', job_id: JOB, invitation_link: LINK };
const INVITED = { ...RESULT, id: 1, status: 'invited' };

/** Returns what a result leads to, and for which row. */
const resultFor = (rows: object[], result: object = {}) => {
	const json = { ...RESULT, scores: { role_fit: 85 }, ...result };
	const ran = { 'Completed?': [[{ json }]] };
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
		expect(() => resultFor([...rows], result)).toThrow(
			/^Unpin Get The Result, Find .* beside people/,
		);
	// A deactivated Find The Row passes the result on.
	expect(resultFor([{ ...RESULT, scores: {} }])).toBeUndefined();
});

it.each<[invited: string[][], mails: string[], end: RegExp]>([
	[[[''], [], []], ['E', 'E'], /^No link was emailed\. E$/],
	[[[], [], ['X', 'E', 'F']], [], /^Nobody was invited\. E$/],
	[[[''], [], []], ['E', ''], /^$/],
	[[[''], [], ['E']], [''], /^$/],
	[[[], [''], ['E']], [], /^$/],
	[[[], [], ['X']], [], /^$/],
])('a run that invited, knew, and refused %j and mailed %j ends with %s', (invited, mails, end) => {
	const list = { 'Invite Candidates': invited, 'Send The Link': [mails] };
	expect(endOf(LIST, list)).toMatch(end);
	expect(endOf(LIST, {})).toBe('');
});

it.each<[ran: Record<string, string[][]>, end: RegExp]>([
	[{}, /^$/],
	[{ 'Look Up Candidates': [[], ['E', 'F']] }, /^No application could be looked up\. E$/],
	[{ 'Look Up Candidates': [[''], ['E']] }, /^$/],
	[{ 'Send The Reminder': [[], ['F', 'G']] }, /^No mail went out\. F$/],
	[{ 'Send The Link': [[], ['E']], 'Send The Reminder': [[''], []] }, /^$/],
])('a run of Catch up with %j ends with %s', (ran, end) => {
	expect(endOf('catch-up', ran)).toMatch(end);
});

it.each([
	[moments('2099-12-15'), /^2099-12-15T18|December 15\b/],
	[UNREADABLE, /^$|assessment: https|\/1">[^<]*<\/a>$/],
])('a last day given as one of %j is read, or left out, in every example', (values, day) => {
	const found = (end: unknown) => {
		const answer = { invitation_expired_at: end, invitation_link: LINK };
		const values = EXAMPLES.flatMap((example) =>
			evaluateAll(example, 'invitation_expired_at', answer),
		);
		return values.map((value) => (value as { open_until?: string }).open_until ?? value);
	};
	const wanted = found('').map(() => expect.stringMatching(day));
	expect(wanted.length).toBeGreaterThan(4);
	expectEach(values, found, wanted);
});

const APPLY = 'apply-and-be-invited';
const CV = 'cv-to-invitation';

/** The row that an applicant gets from this answer, and whether it is written. */
const rowFor = (answer: object) => {
	const [row] = evaluateAll(APPLY, '...$json.application', answer) as [Record<string, string>];
	return { ...row, isWritten: evaluateAll(APPLY, '$json.email && $json.status)', row)[0] };
};

it('a form sends and writes no sample for an applicant', async () => {
	const application = { email: 'kim@people.example' };
	for (const example of [APPLY, CV] as const) {
		const { pinData } = await readExample(example);
		const [{ json }] = pinData!['Invite The Applicant'] as [{ json: { invitation_link: string } }];
		const linkFor = (answer: object) =>
			evaluateAll(CV, '$json.application && $json.invitation_link', answer)[0] || '';
		expect([linkFor(json), rowFor(json).isWritten]).toEqual(['', false]);
		const own = { ...json, application };
		expect(linkFor(own)).toBe(json.invitation_link);
		const { invitation_link } = json;
		expect(rowFor(own)).toMatchObject({ ...application, invitation_link, isWritten: true });
	}
	// A deactivated Invite passes its input on. A mistake is the applicant's to correct.
	expect(rowFor({ application }).isWritten).toBe(false);
	const failed = { application, outcome: 'invalid', error: 'First Name: contains a link' };
	expect(rowFor(failed).isWritten).toBe(false);
	// A link is enough.
	const linked = { application, invitation_link: LINK };
	expect(rowFor(linked).isWritten).toBe(true);
	expect(evaluateAll(CV, '!$json.application ||', linked)).toEqual([false]);
	const refused = { application, outcome: 'refused', error: 'Job ID: unknown' };
	expect(rowFor(refused)).toMatchObject({
		status: 'refused',
		problem: refused.error,
		isWritten: true,
	});
});

it('a form takes an address with a blank for the same, and shows what was typed as text', () => {
	for (const Email of ['kim@people.example', `${'k'.repeat(50)}@people.example`]) {
		const idOf = (typed: string) => evaluateAll(APPLY, ".hash('sha1')", { Email: typed });
		expect(idOf(`${Email} `)).toEqual(idOf(Email));
		expect(evaluateAll(CV, "['Email']", {}, { Email: `${Email} ` })).toEqual([Email]);
	}
	const error = "Last Name: contains '<': Kim & <kim@people.example>";
	for (const example of [APPLY, CV]) {
		const own = { error, problem: error, email: 'k@people.example', status: 'invalid' };
		const shown = evaluateAll(example, '&lt;', { ...own, application: {} });
		expect(shown.join()).toContain("contains '&lt;': Kim & &lt;kim@people.example>");
	}
});
