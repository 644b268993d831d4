import fc from 'fast-check';
import { Settings } from 'luxon';

import { EXAMPLES, JOB, readExample } from '../support/example.mts';
import { evaluateAll, runCode, type Ran } from '../support/exampleCode.mts';

const IMPORT = 'import-a-spreadsheet';
const LIST = 'invite-from-a-list';
const SHEET = 'a-google-sheet';
const CATCH_UP = 'catch-up';
const DECISION = 'result-to-decision';
const APPLY = 'apply-and-be-invited';
const CV = 'cv-to-invitation';

const LINK = 'https://assessment.example.com/i/1';
const NEEDED = 'application_id first_name last_name email';
const DETAILS = `${NEEDED} job_id`;
const WRITTEN = 'status invitation_link open_until problem link_sent_at reminded_at';
const SHOWN = 'status invitation_link role_fit report_link problem';
const KIM = 'APP-1 Kim Park kim@people.example';

/** A row with these cells under these titles. */
const rowOf = (titles: string, cells: string | unknown[] = []) => {
	const values = typeof cells === 'string' ? cells.split(' ') : cells;
	const row = titles.split(' ').map((title, index) => [title, values[index] ?? null]);
	return Object.fromEntries(row) as Record<string, unknown>;
};

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

/** What *Import a spreadsheet* finds in lines of a list, which n8n has read. */
const columnsOf = (lines: object[], job = JOB, data = '') =>
	runCode(IMPORT, 'Check The List', lines, {
		'Read The Text': [[{ data }]],
		'Upload A List': [[{ 'Job ID': job }]],
	});

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
			const line = { ...own, ...rowOf(NEEDED, KIM) };
			expect(columnsOf([line])).toEqual([{ ...line, job_id: JOB }]);
		}),
	);
});

it.each([
	['Application ID ', 'FIRST NAME', 'last-name', ' E-Mail', ' 00123 ', 'Jörg'],
	['applicationid', 'First_Name', 'LastName', 'Email Address', 4711, 'JÃ¶rg'],
])('finds the columns %j, %j, %j, and %j', (id, first, last, email, number, name) => {
	const line = { [id]: number, [first]: name, [last]: 'Å\u0081uk ', [email]: 'j@people.example' };
	const found = [String(number).trim(), 'Jörg', 'Łuk', 'j@people.example', JOB];
	// The row's own job counts.
	const rows = columnsOf([{ ...line, 'Job ID': JOB.toUpperCase() }], 'other');
	expect(rows).toEqual([rowOf(DETAILS, found)]);
});

const NO_LIST = /^This file can't be read/;

it.each<[titles: string, says: RegExp | '', job?: string, data?: string]>([
	['ID Email', /first_name, last_name\. The first line has: ID, Email\. If you have no IDs/],
	['ID Name E-MAIL', /Split full names into two columns\./],
	[`${NEEDED} E-Mail`, /Keep only one of these columns: email, E-Mail\./],
	['__EMPTY', /^The list is empty/],
	[NEEDED, /^Enter the Job ID/, ''],
	[DETAILS, '', ''],
	['error', NO_LIST],
	[NEEDED, NO_LIST, JOB, 'J\ufffdrg'],
	[NEEDED, NO_LIST, JOB, '\ufffd\ufffda\0'],
	[NEEDED, '', JOB, 'PK\ufffd'],
	[NEEDED, '', JOB, '\ufffd\ufffd\u0011\ufffd'],
	[NEEDED, '', JOB, 'Jörg'],
])('says of a list with %j: %s', (titles, says, job = JOB, data = '') => {
	const [{ fault }] = columnsOf([rowOf(titles, 'A B C D E')], job, data);
	expect(fault ?? '').toMatch(says || /^$/);
});

const IN_TABLE = { ...rowOf(NEEDED, KIM), job_id: JOB.toUpperCase(), status: '' };
const LINKED = { ...IN_TABLE, invitation_link: LINK };
const MOVED = 'APP-1 Kim Park new@people.example';
const RENAMED = 'APP-1 Kim Lee kim@people.example';
const OTHER = 'APP-1 Bo Lind bo@people.example';
const TAKEN = /Row 2 \(APP-1\): in the table, kim@.* has this ID/;
const NO_MORE = /^Rows read: [^<]*$/;

it.each<[what: string, list: string[], imported: string, says: RegExp, ...table: object[]]>([
	['nobody is known', [KIM], 'added', NO_MORE],
	['a row is there twice', [KIM, KIM.replace('kim@', 'KIM@')], 'added, listed twice', NO_MORE],
	['two have one ID', [KIM, OTHER], 'said', /Row 3 \(APP-1\): kim@.* has this ID, too/],
	['nothing has changed', [KIM], 'unchanged', NO_MORE, IN_TABLE],
	['an address is new', [MOVED], 'corrected', NO_MORE, IN_TABLE],
	['a name is new', [RENAMED], 'corrected', NO_MORE, IN_TABLE],
	['a name is new, and there is a link', [RENAMED], 'unchanged', NO_MORE, LINKED],
	['an address is, and there is a link', [MOVED], 'unchanged', /invitation went to kim@/, LINKED],
	['somebody else has the ID', [OTHER], 'said', TAKEN, LINKED],
	['the job is another', [OTHER], 'added', NO_MORE, { ...LINKED, job_id: 'other' }],
	['two rows of the table have the ID', [MOVED], 'said', TAKEN, LINKED, IN_TABLE],
])('an import tells what becomes of a list if %s', (_, list, imported, says, ...table) => {
	const found = runCode(IMPORT, 'What Was Found?', [], {
		'Check The List': [list.map((cells) => ({ ...rowOf(NEEDED, cells), job_id: JOB }))],
		'Check The Rows': [[], [], []],
		'Read The Table First': [table.length > 0 ? table : [{}]],
	});
	const each = found.flatMap((row) => row.imported ?? []);
	expect([each.join(', '), found.at(-1)!.message]).toEqual([imported, expect.stringMatching(says)]);
});

const ROW = { ...rowOf(`${WRITTEN} ${DETAILS}`), ...rowOf(NEEDED, KIM), job_id: JOB };

/** What *Invite from a list* decides on rows with all columns, and the words that it says. */
const decide = (...rows: object[]) => {
	const all = rows.map((row) => ({ ...ROW, ...row }));
	return runCode(LIST, 'Check The Rows', all).map((row): typeof row => {
		return { ...row, says: row.next === 'tell' ? row.error : row.next };
	});
};

it.each<[statuses: unknown[], says: string, noted: string, withLink: string]>([
	[EMPTY, 'invite', 'invite', 'nothing'],
	[['new', ' NEW ', 'Invalid', 'refused', 'notSent', 'NOTSENT '], 'invite', 'invite', 'invite'],
	[['invited', ' INVITED', 'unknown', 'Unknown '], 'No link is in this row', 'nothing', 'nothing'],
	[['Applied', 'Completed ', true, false, 0, '0', 7, new Date(0)], 'Not inv', 'nothing', 'nothing'],
])('decides on a row with a status of %j', (statuses, words, noted, withLink) => {
	const decided = (more: object) => (status: unknown) =>
		decide({ status, ...more })[0]?.says ?? 'nothing';
	expectEach(statuses, decided({ decision: ' ' }), expect.stringMatching(`^${words}`));
	// The user's own words stay.
	expectEach(statuses, decided({ problem: 'on vacation' }), noted);
	expectEach(statuses, decided({ invitation_link: LINK }), withLink);
	// Somebody has decided.
	expectEach(statuses, decided({ decision: 'Reject' }), 'nothing');
});

it("hands on every column, whatever is in it, but no old link; the row's own stay its own", () => {
	for (const value of [4711, true, new Date(0), ' X ', 'ÄÖ', '2026-12-15', '=1', '00123']) {
		const columns = rowOf(`${DETAILS} open_until`, Array(6).fill(value));
		const row = { ...columns, status: 'new', invitation_link: LINK };
		const own = { own_email: value, own_name: value, own_link: LINK };
		const wanted = { ...row, ...own, says: 'invite', invitation_link: '' };
		expect(decide(row)).toMatchObject([JSON.parse(JSON.stringify(wanted))]);
	}
});

const BO = { email: 'bo@people.example' };
const BOTH = 'bo@people.example kim@people.example';
const NOBODY = 'invite invite';

it.each<[kim: object, other: object, held: string]>([
	[{}, { ...BO, application_id: ' APP-1 ' }, BOTH],
	[{}, { ...BO, job_id: ` ${JOB.toUpperCase()}` }, BOTH],
	[{}, { ...BO, status: 'Refused' }, BOTH],
	[{ application_id: 4711 }, { ...BO, application_id: '4711' }, BOTH],
	// Somebody who was invited keeps the link.
	[{}, { ...BO, status: 'invited', invitation_link: LINK }, BO.email],
	[{}, { ...BO, job_id: 'other' }, NOBODY],
	[{}, { ...BO, application_id: 'APP-2' }, NOBODY],
	[{}, { email: null }, 'invite kim@people.example'],
	[{}, { email: ' Kim@People.example', application_id: ' APP-1 ' }, NOBODY],
])('of two people with one ID, %j and %j, holds back %s', (kim, other, held) => {
	const words = /^This ID is also that of (\S+): give each person their own$/;
	const found = decide(kim, other).map(({ says, outcome }) => {
		return outcome === 'invalid' ? words.exec(says)?.[1] : says;
	});
	expect(found.join(' ')).toBe(held);
});

it.each([
	[LIST, 'Check The Rows', `${DETAILS} ${WRITTEN}`, /^Nobody was invited\. .* \((\w+)\)\.$/],
	[SHEET, 'What Has Changed?', `${DETAILS} ${SHOWN}`, /^These columns are missing .* – (\w+)$/],
])('%s: %s names each column that is missing', (example, node, titles, words) => {
	for (const missing of titles.split(' ')) {
		const found = () => runCode(example, node, [rowOf(titles.replace(missing, 'other'))]);
		expect(found).toThrow(words);
		expect(found).toThrow(missing);
	}
});

const IN_SHEET = {
	...rowOf(SHOWN, Array(5).fill('')),
	...{ ...rowOf(NEEDED, KIM), job_id: JOB, notes: 'x', row_number: 2 },
};

/** What becomes of rows of a sheet, with these rows in the table. */
const changesOf = (rows: object[], table: object[] = []) => {
	const sheet = [{}, ...rows].map((row) => ({ ...IN_SHEET, ...row }));
	return runCode(SHEET, 'What Has Changed?', sheet, { 'Read The Table': [table] });
};

const adds = (cells: object) => expect.objectContaining({ _next: 'add', ...cells });
/** Other cells would cost a write. */
const writes = (cells: object) => ({ _next: 'write', application_id: 'APP-1', ...cells });

const SPACES = { application_id: ' APP-1 ', job_id: ` ${JOB.toUpperCase()}` };
const OTHER_JOB = { job_id: 'other' };
const NEW_EMAIL = { email: 'n@x.example' };
const HAS_LINK = { invitation_link: LINK };
const OURS = { status: 'invited' };
const WORD = { status: 'withdrawn' };

it.each<[what: string, row: object, known: object, ...changes: object[]]>([
	['nothing has changed', {}, {}],
	['there are spaces', SPACES, {}],
	['the job is another', OTHER_JOB, {}, adds(OTHER_JOB)],
	['an address is new', NEW_EMAIL, {}, adds(NEW_EMAIL)],
	['it has a link', { ...NEW_EMAIL, ...HAS_LINK }, HAS_LINK],
	['the table has more', {}, { ...OURS, ...HAS_LINK }, writes({ ...OURS, ...HAS_LINK })],
	['a number comes', { role_fit: '85' }, { role_fit: 85 }],
	['ours is older', { status: 'new' }, OURS, writes(OURS)],
	['a person wrote', WORD, OURS, adds({ ...WORD, email: 'kim@people.example' })],
	['it is in both', WORD, WORD],
	['a person wrote in the table', {}, WORD, writes(WORD)],
	['only a problem is new', WORD, { ...WORD, problem: 'x' }, writes({ problem: 'x' })],
])('a sheet and the table are brought together if %s', (_, row, known, ...changes) => {
	expect(changesOf([row], [{ ...IN_TABLE, ...known }])).toEqual(changes);
});

it('adds no two rows of a sheet with one ID, and changes no two of the table', () => {
	const rows = [{ row_number: 2 }, { row_number: 5, first_name: 'Bo' }];
	const problem = 'Rows 2, 5 have this application_id: give each its own.';
	const told = [2, 5].map((row_number) => ({ _next: 'tell', row_number, problem }));
	expect(changesOf(rows)).toEqual(told);
	expect(changesOf(rows.map((row) => ({ ...row, problem })))).toEqual([]);
	expect(changesOf([{ first_name: 'Bo' }], [IN_TABLE, IN_TABLE])).toEqual([]);
	expect(changesOf([{ application_id: '' }])).toEqual([]);
});

/** What *Catch up* does about an application, as the service knows it, whose row is `row`. */
const night = (json: object, row: object = {}) =>
	runCode(CATCH_UP, 'What Do They Need?', [json], { 'Find Open Applications': [[row]] })[0]!;
const at = (day: string) => expect.stringMatching(`^${day}, \\d\\d:\\d\\d$`);

const SCORES = [{ score_type: 'role_fit', score_value: 85 }];
const NO_SCORES = [null, undefined, [], {}, { role_fit: null }];
const COMPLETED = { status: 'COMPLETED', scores: SCORES };
const ENDED = { open_until: '2099-11-30' };
const TOLD = ['x: The invitation ended without a result: y'];

it.each<[column: string, values: unknown[], next: string, day: unknown, more?: object]>([
	['open_until', UNREADABLE, 'send', ''],
	['open_until', dates('2099-12-15'), 'send', at('December 15')],
	['open_until', dates('2099-12-03'), 'remind', at('December 3')],
	// A day alone lasts until its end.
	['open_until', ['2099-12-01'], 'remind', at('December 1')],
	['open_until', dates('2099-11-30'), 'tell', undefined],
	['problem', TOLD, '', undefined, ENDED],
	['status', [...EMPTY, 'invited', 'INVITED', []], 'send', ''],
	['status', ['withdrawn', 'Expired', 'cancelled', 7, true, {}], 'tell', undefined],
	['status', ['completed', 'COMPLETED', ' Completed '], 'result', undefined, { scores: SCORES }],
	['scores', NO_SCORES, 'send', ''],
	['scores', [SCORES, { role_fit: 85 }], 'tell', undefined],
	['status', ['scored', null, 7], 'tell', undefined, { scores: SCORES, ...ENDED }],
	['scores', NO_SCORES, 'tell', undefined, COMPLETED],
	['scores', ['x', { ROLE_FIT: 85 }, { role_fit: 0 }], 'result', undefined, COMPLETED],
	['open_until', [null, '2099-11-30', '2099-12-15'], 'result', undefined, COMPLETED],
])('in Catch up, %s with any of %j leads to %s %s', (column, values, next, day, more = {}) => {
	const found = (noted: object) => (value: unknown) => {
		const need = night({ status: 'invited', ...more, ...noted, [column]: value });
		return [need.next ?? '', need.day];
	};
	expectEach(values, found({}), [next, day]);
	// Nobody is mailed or reminded twice.
	for (const [noted, mail] of Object.entries({ link_sent_at: 'send', reminded_at: 'remind' }))
		for (const mailed of [...EMPTY, ...SENT]) {
			const isDone = mail === next && SENT.includes(mailed as string);
			expectEach(values, found({ [noted]: mailed }), isDone ? ['', undefined] : [next, day]);
		}
});

it("keeps the row's own address, name, and link, whatever the service answers", () => {
	const own = { email: 'own@people.example', first_name: 'Kim', invitation_link: LINK };
	const answer = { email: 'old@people.example', first_name: 'K', invitation_link: 'other' };
	expect(night({ id: 7, ...answer }, { id: 7, ...own })).toMatchObject(own);
});

const RESULT = { application_id: 'APP-1', job_id: JOB, invitation_link: LINK };
const INVITED = { ...RESULT, id: 1, status: 'invited' };

/** What a result leads to, and for which row. */
const resultFor = (rows: object[], result: object = {}) => {
	const json = { ...RESULT, scores: { role_fit: 85 }, ...result };
	const found = rows.length > 0 ? rows : [{}];
	return runCode(DECISION, 'Match The Row', found, { 'Completed?': [[json]] })[0];
};

it.each<[what: string, result: object, row?: object]>([
	...['app-1', 'APP', 'APP-1\u200b', '', 1].map((application_id): [string, object] => {
		return [`the ID comes back as ${application_id}`, { application_id }];
	}),
	['the job comes back otherwise', { job_id: null }],
	['no row has the link', { invitation_link: 'other' }],
	['the answer has no link', { invitation_link: null, job_id: ` ${JOB.toUpperCase()}` }],
	['the row has no link', {}, { invitation_link: null, application_id: ' APP-1 ' }],
])('a result goes into its row, whose ID stays, if %s', (_, result, row = {}) => {
	const own = { ...INVITED, email: 'own@people.example', ...row };
	// Another job's, and another person's.
	const others = [
		{ ...INVITED, id: 2, job_id: 'other', invitation_link: 'x' },
		{ ...INVITED, id: 3, application_id: 'APP-3', invitation_link: null },
	];
	const { id, application_id, email } = own;
	for (const rows of [[own, ...others], others.concat(own)]) {
		const found = resultFor(rows, { email: 'old@people.example', ...result });
		expect(found).toMatchObject({ id, application_id, email, next: 'ask' });
	}
});

it('takes no row by a link that several have, adds one for an ID that is unknown, and fails without either', () => {
	const login = [2, 3].map((id) => ({ ...INVITED, id, application_id: `APP-${id}` }));
	expect(resultFor(login)).toMatchObject({ application_id: 'APP-1', next: 'add' });
	expect(resultFor([...login, INVITED])).toMatchObject({ id: 1, next: 'ask' });
	const nameless = { application_id: null, invitation_link: null };
	for (const rows of [[], [{ ...INVITED, ...nameless }]])
		expect(() => resultFor(rows, nameless)).toThrow('no application ID, and no row has its link');
});

it.each<[column: string, values: unknown[], next: string]>([
	['status', [...EMPTY, 'new', ' INVITED ', 'unknown', 'refused', 'notSent'], 'ask'],
	['status', ['withdrawn', 'Rejected', 'hired', 'do not contact', 7, true], 'scores'],
	['decision', EMPTY, 'ask'],
	['decision', ['Reject', 'yes', 1, true], 'scores'],
])('a row with %s as one of %j leads to %s, and its scores are written', (column, values, next) => {
	const found = (value: unknown) => resultFor([{ ...INVITED, [column]: value }]);
	expectEach(values, found, expect.objectContaining({ next, role_fit: '85' }));
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

it.each<[scores: unknown[], isThere: boolean, after?: number]>([
	[[[], {}, { role_fit: null }, 'x', null, undefined], false],
	[[[], {}, { role_fit: null }, 'x'], true, 12],
	// Get The Result is deactivated.
	[[undefined], false, 12],
	[[{ role_fit: 0 }, { ROLE_FIT: 85 }, { other: '7' }], true],
])('a result with scores as one of %j is there: %s', (values, isThere, $runIndex = 0) => {
	const found = (scores: unknown) =>
		evaluateAll(DECISION, '$runIndex >= 12', { scores }, {}, { $runIndex })[0];
	expectEach(values, found, isThere);
});

it('lets no sample meet a person', () => {
	const sample = { ...INVITED, id: -1 };
	expect(resultFor([sample], { id: -1 })).toMatchObject({ id: -1, next: 'ask' });
	const mixed = [[[sample]], [[], { id: -1 }], [[INVITED], { id: -1 }]] as const;
	for (const [rows, result] of mixed)
		expect(() => resultFor([...rows], result)).toThrow(
			/^Unpin Get The Result, Find .* beside people/,
		);
	// A deactivated Find The Row passes the result on.
	expect(resultFor([{ ...RESULT, scores: {} }])).toBeUndefined();
	expect(night({ id: -1 }, { id: -1 })).toBeDefined();
	expect(() => night({ id: -1 }, { id: 7 })).toThrow(/^Unpin Look Up Cand.* Nobody was mailed\.$/);
});

const OK = {};
const E = { error: 'E', outcome: 'refused' };
const MIXED = 'Invite Candidates still has its sample data: unpin it.';
const WRONG = { error: 'W', outcome: 'invalid' };
const invited = (...outputs: object[][]): Ran => ({ 'Invite Candidates': outputs });
const looked = (...outputs: object[][]): Ran => ({ 'Look Up Candidates': outputs });
const sent = (...outputs: object[][]): Ran => ({ 'Send The Link': outputs });
const read = (...ids: number[]): Ran => ({ 'Read The Table': [ids.map((id) => ({ id }))] });

it.each<[example: string, ran: Ran, end: string]>([
	[LIST, {}, ''],
	[LIST, { ...invited([OK], [], []), ...sent([E, E]) }, 'No link was emailed. E'],
	[LIST, { ...invited([OK], [], []), ...sent([E, OK]) }, ''],
	[LIST, invited([], [], [WRONG, E]), 'Nobody was invited. E'],
	[LIST, { ...invited([OK], [], [E]), ...sent([OK]) }, ''],
	[LIST, invited([], [OK], [E]), ''],
	[LIST, invited([], [], [WRONG]), ''],
	[LIST, { ...read(-1, -2), ...invited([{ id: -1 }], [], []) }, ''],
	[LIST, { ...read(7, 8), ...invited([{ id: -1 }], [], []) }, MIXED],
	[CATCH_UP, {}, ''],
	[CATCH_UP, looked([], [E]), 'No application could be looked up. E'],
	[CATCH_UP, looked([OK], [E]), ''],
	[CATCH_UP, { 'Send The Reminder': [[], [E]] }, 'No mail went out. E'],
	[CATCH_UP, { ...sent([], [E]), 'Send The Reminder': [[OK], []] }, ''],
])('a run of %s with %j ends with %j', (example, ran, end) => {
	expect(runCode(example, 'What Went Wrong?', [], ran)).toEqual(end ? [{ message: end }] : []);
});

it.each([
	[moments('2099-12-15'), /^2099-12-15T18|December 15\b/],
	[UNREADABLE, /^$|assessment: https|\/1">[^<]*<\/a>$/],
])('a last day given as one of %j is read, or left out, in every example', (values, day) => {
	const found = (invitation_expired_at: unknown) => {
		const answer = { invitation_expired_at, invitation_link: LINK };
		return EXAMPLES.flatMap((example) => evaluateAll(example, 'invitation_expired_at', answer)).map(
			(value) => (value as { open_until?: string }).open_until ?? value,
		);
	};
	const wanted = found('').map(() => expect.stringMatching(day));
	expect(wanted.length).toBeGreaterThan(4);
	expectEach(values, found, wanted);
});

/** The row that an applicant gets from this answer, and whether it is written. */
const rowFor = (answer: object) => {
	const [row] = evaluateAll(APPLY, '...$json.application', answer) as [object];
	return { ...row, isWritten: evaluateAll(APPLY, '$json.email && $json.status)', row)[0] };
};

it('a form sends and writes no sample for an applicant', async () => {
	const linkFor = (answer: object) =>
		evaluateAll(CV, '$json.application && $json.invitation_link', answer)[0] || '';
	for (const example of [APPLY, CV] as const) {
		const { pinData } = await readExample(example);
		const [{ json }] = pinData!['Invite The Applicant'] as [{ json: object }];
		expect([linkFor(json), rowFor(json).isWritten]).toEqual(['', false]);
	}
	const application = { email: 'kim@people.example' };
	// A deactivated Invite passes its input on. A mistake is the applicant's to correct.
	const wrong = { application, outcome: 'invalid', error: 'First Name: contains a link' };
	for (const answer of [{ application }, wrong]) expect(rowFor(answer).isWritten).toBe(false);
	// A link is enough.
	const linked = { application, invitation_link: LINK };
	expect(linkFor(linked)).toBe(LINK);
	expect(evaluateAll(CV, '!$json.application ||', linked)).toEqual([false]);
	const row = { ...application, status: 'invited', invitation_link: LINK, isWritten: true };
	expect(rowFor(linked)).toMatchObject(row);
	const refused = { application, outcome: 'refused', error: 'Job ID: unknown' };
	const told = { status: 'refused', problem: refused.error, isWritten: true };
	expect(rowFor(refused)).toMatchObject(told);
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
