import { JOB, OTHER_JOB } from '../../support/example.mts';
import {
	addSheet,
	csv,
	file,
	lockedWorkbook,
	rowsIn,
	textFile,
	workbook,
	zippedFile,
	type Cell,
	type ListFile,
} from '../../support/lists.mts';
import { dayIn, isoDayIn, LOS_ANGELES } from '../support/timeZones.mts';
import { fillIn } from '../support/visitor.mts';
import { SENT } from '../support/eachWay.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	PERSON,
	test as base,
	uploadList,
	type Imported,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'invite-from-a-spreadsheet';
const CHECK = 'Only check the list';
const NEEDED = ['application_id', 'first_name', 'last_name', 'email'];
const HEADER = [...NEEDED, 'phone'];
const matching = (problem: RegExp) => ({ problem: expect.stringMatching(problem) });

const person = (index: number) =>
	`APP-${index},Person,"Number, ${index}",person${index}@example.com`;
const LINES = Array.from({ length: 30 }, (_, index) => `${person(index)},0${index},2027-01-31`);
// Two have no address, two people share an ID, and one is there twice.
for (const index of [7, 27]) LINES[index] = LINES[index].replace(/person\d+@example.com/, 'nobody');
LINES[15] = LINES[15].replace('APP-15', 'APP-14');
LINES[21] = LINES[20].replace('person20@', 'PERSON20@');
const READY = LINES.length - 5;
const WRONG = { invalid: 4, duplicate: 1 };

/** Its column for a deadline isn't read. */
const LIST = [`${HEADER},Deadline`, ...LINES].join('\n');

type Upload = (list: ListFile | string, what?: string, job?: string) => Promise<void>;

/** The list that comes back. */
const back = (name: string, path: string) => {
	const rows = rowsIn(path);
	const counts: Record<string, number> = {};
	for (const { outcome } of rows) counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1;
	return { name, path, rows, counts };
};

const test = base.extend<{
	workflow: Imported;
	/** Uploads a list at the page. */
	send: Upload;
	/** Uploads a readable list, and waits until the run has succeeded. */
	upload: (...list: Parameters<Upload>) => Promise<ReturnType<typeof back>>;
	/** Expects all of this on the page. */
	says: (...texts: Array<string | RegExp>) => Promise<void>;
}>({
	workflow: async ({ importExample }, use) => {
		const mails = ['Send The Link'];
		await use(await importExample(EXAMPLE, { mails, isPublished: true, ...IN_LOS_ANGELES }));
	},
	send: async ({ candidate, workflow }, use) =>
		await use(async (...list) => await uploadList(candidate, workflow.form, ...list)),
	upload: async ({ n8n: { client }, candidate, workflow, send }, use) =>
		await use(async (...list) => {
			const { length: earlier } = await client.allExecutions(workflow.id);
			const download = candidate.waitForEvent('download', { timeout: 60_000 });
			await send(...list);
			const [{ id }] = await client.waitForExecutions(workflow.id, earlier + 1);
			expect((await client.waitForExecution(id)).data.resultData.error).toBeUndefined();
			return back((await download).suggestedFilename(), await (await download).path());
		}),
	says: async ({ candidate }, use) =>
		await use(async (...texts) => {
			for (const text of texts)
				await expect(candidate.locator('.card:visible')).toContainText(text);
		}),
});

test(`${EXAMPLE}: thirty rows, some of them wrong, come back with their outcomes, and can go in again`, async ({
	upload,
	says,
	service,
	candidate,
	applications,
	mailServer,
}) => {
	const page = candidate.locator('.card:visible');
	const problems = [
		'Row 16 (APP-14): Row 17 has this ID, too: give each person their own, or correct the email',
		'Row 17 (APP-14): Row 16 has this ID, too',
		'Row 23 (APP-20): The same as row 22',
		'Rows 9 (APP-7), 29 (APP-27): Email: not an email address',
	];
	const next = 'To invite those who are ready, upload the file that came back';
	const unread = "The column Deadline isn't read: everybody has the time";
	const checked = await upload(csv(LIST), CHECK);
	expect([checked.name, checked.counts]).toEqual(['checked.xlsx', { ready: READY, ...WRONG }]);
	const until = isoDayIn(LOS_ANGELES, new Date(Date.now() + 14 * 86_400_000));
	const ready = `list.csv: 30.Ready to be invited: ${READY}.Listed twice: 1.To be corrected: 4.`;
	const open = `their links are open until ${until}. ${unread}`;
	await says('Checked: nobody was invited', ready, ...problems, next, open);
	await expect(page.getByRole('listitem').first()).toHaveCSS('text-align', 'left');
	expect([service.requests, await applications.all()]).toEqual([[], []]);

	const first = await upload(checked.path);
	expect([first.name, first.counts]).toEqual(['invited.xlsx', { invited: READY, ...WRONG }]);
	const linkOf = (id: string) => invitationOf(service, id).invitation_link;
	const links = service.invitations.map(({ invitation_link }) => ({ ...SENT, invitation_link }));
	const kept = await applications.all();
	expect(kept).toHaveLength(READY);
	expect(kept).toEqual(expect.arrayContaining(links.map(expect.objectContaining)));
	const { invitation_link, invitation_expired_at } = invitationOf(service, 'APP-0');
	const last = isoDayIn(LOS_ANGELES, invitation_expired_at);
	const emailed = `Invited: ${READY}.Listed twice: 1.To be corrected: 4.Links emailed: ${READY}.`;
	const correct = 'Correct the mistakes in the file that came back';
	await says(emailed, ...problems, correct, `new links are open until ${last}. ${unread}`);
	await expect(page).not.toContainText(next);
	expect(first.rows.map(({ phone }) => phone)).toEqual(checked.rows.map(({ phone }) => phone));
	expect(first.rows[7]).toMatchObject({ phone: '07', ...matching(/^Email/) });
	expect(first.rows[21].invitation_link).toBe(linkOf('APP-20'));
	expect(first.rows[0]).toMatchObject({ last_name: 'Number, 0', invitation_link });
	const columns = [...HEADER, 'Deadline', 'outcome', 'invitation_link', 'open_until', 'problem'];
	expect(Object.keys(first.rows[0])).toEqual(columns);

	// Somebody chooses another job by mistake.
	const wrongJob = 'Has an invitation for another job: is the Job ID right?';
	const elsewhere = await upload(csv(LIST), CHECK, OTHER_JOB);
	expect(elsewhere.rows[0]).toMatchObject({ outcome: 'ready', problem: wrongJob });
	await says(`, and ${READY - 5} more: ${wrongJob}`);
	const again = await upload(first.path);
	expect(again.counts).toEqual({ 'already invited': READY, ...WRONG });
	expect(again.rows[0]).toMatchObject({ phone: '00', invitation_link, problem: '' });
	expect(await applications.all()).toEqual(kept);

	// Somebody copies a row with its link. An address was wrong. Others are corrected.
	const changed = [
		`${HEADER},invitation_link,outcome`,
		`APP-NEW,Kim,Park,kim@people.example,1,${invitation_link},ready`,
		`${person(0)},00,,invited`,
		'APP-ODD,Bo,Lind,nobody,2,none yet,ready',
		`APP-1,Person,"Number, 1",corrected@example.com,01,${linkOf('APP-1')},invited`,
		`APP-2,Bo,Lind,bo@people.example,02,${linkOf('APP-2')},invited`,
		`${person(15)},015,,invalid`,
	];
	const { rows } = await upload(csv(changed.join('\n')));
	const known = { outcome: 'already invited', open_until: last };
	const invited = (id: string) => ({ outcome: 'invited', invitation_link: linkOf(id) });
	expect(rows).toMatchObject([
		{ ...invited('APP-NEW'), ...matching(/is that of APP-0 .*: this row gets its own/) },
		// This row's link comes from the table.
		{ ...known, invitation_link, problem: '' },
		{ outcome: 'invalid', invitation_link: '' },
		{ ...known, invitation_link: linkOf('APP-1'), ...matching(/ went to person1@.* yourself/) },
		{ outcome: 'invalid', ...matching(/^In the table, person2@example.com has this ID/) },
		{ ...invited('APP-15'), problem: '' },
	]);
	await says('Invited: 2.Already invited: 2.To be corrected: 2.Links emailed: 2.');

	// Nobody to invite, and nothing to email.
	const all = await upload(csv(`${HEADER}\n${person(0)},00`));
	expect(all.rows).toMatchObject([{ ...known, invitation_link, phone: '00', problem: '' }]);
	await expect(page).toHaveText(/list\.csv: 1\.\s*Invited: 0\.\s*Already invited: 1\.\s*$/);
	const everybody = service.invitations.map(({ email }) => email);
	expect(new Set(everybody).size).toBe(READY + 2);
	expect(mailServer.mails.map(({ to }) => to)).toEqual(everybody);
	expect((await applications.all()).slice(0, READY)).toEqual(kept);
});

const KIM = ['Kim', 'Park', 'kim@people.example'];
const NO_LIST = 'This file is neither an Excel file that can be read nor a CSV file.';
const NO_JOB = `Enter the Job ID on the page, such as ${JOB}, or in a column job_id of the list, and upload the list again.`;
const ONE = `${NEEDED}\nAPP-1,${KIM}`;
const PARTS = workbook('list.xlsx', [NEEDED]).buffer.subarray(0, 900);
const UNICODE = `\ufeff${NEEDED.join('\t')}\r\n`;

/** Lists and job IDs that can't be read, and the page's words. */
const NO_LISTS: Array<[list: ListFile, words: string, job?: string]> = [
	[lockedWorkbook('list.xlsx'), NO_LIST],
	[csv(ONE), NO_JOB, ''],
	[csv(ONE), NO_JOB, 'Sales Manager'],
	[csv(`${ONE},"kim`), `The file can't be read: line 2 has a quotation mark (") out of place.`],
	[zippedFile('list.docx'), NO_LIST],
	[file('list.xlsx', PARTS), NO_LIST],
	[textFile('list.pdf', '%PDF-1.4\nKim,Park'), NO_LIST],
	[textFile('list.xls', '<html><table>\nKim,Park'), NO_LIST],
	[textFile('list.json', '[{"application_id": 1}]'), NO_LIST],
	[textFile('list.txt', UNICODE, 'utf16le'), NO_LIST],
	[csv(''), 'The list is empty. Correct the list and upload it again.'],
];

test(`${EXAMPLE}: the page says what is wrong with a list, and nobody is invited`, async ({
	send,
	says,
	service,
}) => {
	for (const [list, words, job] of NO_LISTS.slice(0, 2)) {
		await send(list, undefined, job);
		await says(words, 'Nobody was invited');
	}
	expect(service.requests).toEqual([]);
});

test(`${EXAMPLE}: whatever else is uploaded, its page says that it can't be read`, async ({
	workflow,
	says,
	service,
	candidate,
}) => {
	for (const [{ name, mimeType, buffer }, words, job = JOB] of NO_LISTS)
		// A browser may not know the type.
		for (const type of [mimeType, '']) {
			const upload = new File([new Uint8Array(buffer)], name, { type });
			const page = await fillIn(workflow.form, [upload, job, 'Invite everybody in it']);
			await candidate.setContent(page, { waitUntil: 'domcontentloaded' });
			await says(words, 'Nobody was invited');
		}
	expect(service.requests).toEqual([]);
});

const ready = (application_id: unknown) => ({ application_id, outcome: 'ready', problem: '' });
const IDS = ['00123', '1-2', '1E5'];
const CELLS = [NEEDED, ...IDS.map((id) => [id, ...KIM])];
const [COMMAS, TABS] = [',', '\t'].map((sign) =>
	CELLS.map((cells) => cells.join(sign)).join('\r\n'),
);
const [ANN, BEN] = ['APP-1', 'APP-2'].map((id) => [id, ...KIM]);

/** Semicolons, umlauts in Windows-1252, capitals, dates, and long numbers that Excel has changed. */
const REAL_LIFE = [
	'Application ID ;FIRST NAME;last-name; E-Mail;start',
	'APP-1;Jörg;Müller;joerg@people.example;01.02.2027',
	'APP-2;Maya;Okafor;MAYA@People.Example;15.12.2026',
	'APP-3;Ann;Null;;01.03.2027',
	'APP-2;Maya;Okafor;maya@people.example;15.12.2026',
	'1,23457E+14;Bo;Lind;bo@people.example;',
].join('\r\n');
const SAID = [
	{ outcome: 'invalid', ...matching(/CSV UTF-8/) },
	{ outcome: 'ready', problem: '', 'FIRST NAME': 'Maya', start: '15.12.2026' },
	{ outcome: 'invalid', ...matching(/^Email: required, but empty/) },
	{ outcome: 'duplicate', problem: 'The same as row 3' },
	{ outcome: 'invalid', ...matching(/a number that was rounded.*as text/) },
];

/** A box to tick in rows that are empty otherwise. */
const BOXES = [
	[...NEEDED, 'called'],
	[...ANN, true],
	...Array(970).fill([null, '', ' ', null, false]),
];

/** A filter, a hidden sheet, and a second one. */
const HIDDEN = workbook('list.xlsx', [NEEDED, ANN, BEN], {
	change: (sheet, book) => {
		sheet['!autofilter'] = { ref: 'A1:D3' };
		sheet['!rows'] = [{}, { hidden: true }];
		addSheet(book, 'Others', [NEEDED, ['APP-3', ...KIM]]);
		book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] };
	},
});

/** Odd but valid files, and the rows that come back. */
const ODD: Array<[list: ListFile, rows: object[]]> = [
	[csv(REAL_LIFE, 'latin1'), SAID],
	[textFile('list.xlsx', COMMAS), IDS.map(ready)],
	[textFile('list.tsv', TABS), IDS.map(ready)],
	[workbook('list.csv', CELLS, { format: 'xlsx' }), IDS.map(ready)],
	[workbook('list.xls', [NEEDED, ANN]), [ready('APP-1')]],
	[workbook('list.ods', [NEEDED, ANN]), [ready('APP-1')]],
	[workbook('list.xlsx', BOXES), [{ ...ready('APP-1'), called: true }]],
	[HIDDEN, [ready('APP-1'), ready('APP-2')]],
];

test(`${EXAMPLE}: a list is read as it stands, whatever its file is called`, async ({
	upload,
	says,
	service,
}) => {
	for (const [list, rows] of ODD) {
		expect((await upload(list, CHECK)).rows, list.name).toMatchObject(rows);
		await says(`Rows read from ${list.name}: ${rows.length}.`);
	}
	expect(service.requests).toEqual([]);
});

test(`${EXAMPLE}: a link, new or put in by hand, that can't be emailed is in the list and in the table, for each job, and goes out once, with the next upload`, async ({
	upload,
	says,
	service,
	applications,
	mailServer,
}) => {
	const byHand = (name: string) => {
		const own = { application_id: name, email: `${name}@people.example`, job_id: JOB };
		return { ...PERSON, ...own, invitation_link: `https://assessment.example.com/i/${name}` };
	};
	const [table, unsent, mailed] = ['table', 'file', 'mailed'].map(byHand);
	const { invitation_link: _, ...added } = byHand('new');
	// Entered by hand, as the documents say. A job in capitals is no other.
	const job_id = JOB.toUpperCase();
	await applications.add([
		{ ...table, job_id, status: 'Invited' },
		{ ...added, job_id, status: null },
	]);
	const line = (row: object, ...more: Cell[]) => [
		...[...NEEDED, 'job_id'].map((name) => (row as Record<string, string>)[name]),
		...more,
	];
	// Excel takes the ID for a number.
	const kim = (job: string) => [4711, ...KIM, job];
	const list = workbook('list.xlsx', [
		[...NEEDED, 'Job ID', 'outcome', 'invitation_link'],
		...[kim(job_id), kim(OTHER_JOB), line(added), line(table)],
		line(unsent, 'unknown', unsent.invitation_link),
		line(mailed, 'invited', mailed.invitation_link),
	]);
	mailServer.isDown = true;
	const failed = await upload(list, undefined, '');
	expect(service.invitations).toHaveLength(3);
	const made = [job_id, OTHER_JOB].map((job) => invitationOf(service, '4711', job));
	const links = [
		...[...made, invitationOf(service, 'new')].map((each) => {
			const { ext_reference_id: application_id, job_id: job, email, invitation_link } = each;
			const inAnyCase = expect.stringMatching(new RegExp(`^${job}$`, 'i'));
			return { application_id, job_id: inAnyCase, email, invitation_link };
		}),
		...[table, unsent],
	];
	// The day ends within UTC's next day.
	const [{ invitation_expired_at }] = made;
	const open_until = isoDayIn(LOS_ANGELES, invitation_expired_at);
	expect(invitation_expired_at.slice(0, 10) > open_until).toBe(true);
	const problem = expect.stringMatching(/^The link was not emailed: \S/);
	const known = { outcome: 'already invited' };
	expect(failed.rows).toMatchObject([
		...links.map(({ job_id: job, invitation_link }, index) => ({
			...{ 'Job ID': job, invitation_link, problem },
			...(index < 3 ? { outcome: 'invited', open_until } : known),
		})),
		{ ...known, problem: '', invitation_link: mailed.invitation_link },
	]);
	await says(
		'Invited: 3.Already invited: 3.Links not emailed: 5. Rows 2 (4711), 3 (4711), 4 (new), 5 (table), 6 (file): The link',
	);
	const expectRows = async (more: object) => {
		const rows = await applications.all();
		expect(rows).toHaveLength(links.length);
		const wanted = links.map((each) => expect.objectContaining({ ...each, ...more }));
		expect(rows).toEqual(expect.arrayContaining(wanted));
		return rows.find(({ job_id: job }) => job === OTHER_JOB)!;
	};
	const kept = await expectRows({ status: 'invited', link_sent_at: '', problem });
	expect(kept.open_until).toMatch(new RegExp(`^${open_until}T`));
	expect(new Date(kept.open_until)).toEqual(new Date(made[1].invitation_expired_at));

	mailServer.isDown = false;
	await upload(failed.path, CHECK, '');
	expect(mailServer.mails).toEqual([]);
	const again = await upload(failed.path, undefined, '');
	expect(again.rows).toMatchObject(Array(6).fill({ ...known, problem: '' }));
	await says('Already invited: 6.Links emailed: 5.');
	await expectRows(SENT);
	await upload(again.path, undefined, '');
	const by = ` by ${dayIn(LOS_ANGELES, invitation_expired_at)}`;
	const mails = links.map(({ email, invitation_link }, index) => {
		const words = `complete your assessment${index < 3 ? by : ''}: ${invitation_link}\r\n`;
		return { to: email, text: expect.stringContaining(words) };
	});
	expect(mailServer.mails).toHaveLength(mails.length);
	expect(mailServer.mails).toEqual(expect.arrayContaining(mails));
});

test(`${EXAMPLE}: what keeps several rows from being sent is said once; who may have been invited can be sent again`, async ({
	upload,
	says,
	service,
	applications,
}) => {
	const people = ['Ann', 'Ben', 'Cem', 'Dan', 'Eve'];
	const lines = people.map((name) => `${name},${name},Ex,${name}@people.example`);
	const list = csv([NEEDED, ...lines, 'Fay,Fay,Ex,'].join('\n'));
	service.faults.inject({ route: 'createInvitation', status: 404, times: 5 });
	await upload(list);
	await says('Row 7 (Fay): Email: required, but empty', 'If the reason is the job');
	await says('Rows 2 (Ann), 3 (Ben), 4 (Cem), 5 (Dan), 6 (Eve): No job with this ID exists.');

	service.faults.clear();
	service.faults.inject({ route: 'createInvitation', status: 504, times: 1 });
	const inDoubt = await upload(list);
	const toDo = 'Row 2 (Ann): May have been invited: look in the service.';
	await says('To be corrected: 1.May have been invited: 1.', toDo);
	const still = await upload(inDoubt.path);
	await says(toDo);
	expect(service.invitations).toHaveLength(4);
	const [titles, ...cells] = [Object.keys(still.rows[0]), ...still.rows.map(Object.values)];
	cells[0][titles.indexOf('outcome')] = 'new';
	const settled = await upload(workbook('list.xlsx', [titles, ...cells]));
	expect(settled.rows[0]).toMatchObject({ application_id: 'Ann', outcome: 'invited' });
	const counts = [service.invitations, await applications.all()].map(({ length }) => length);
	expect(counts).toEqual([5, 5]);
});
