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
	type ListFile,
} from '../../support/lists.mts';
import { dayIn, isoDayIn, LOS_ANGELES } from '../support/timeZones.mts';
import { fillIn } from '../support/visitor.mts';
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
const HEADER = ['application_id', 'first_name', 'last_name', 'email', 'phone'];
const ROWS = 60;
const WRONG = 3;

const CORRECT = 'Correct the mistakes in the file that came back';

/** A list in which every twentieth row has no valid email address. Its column for a deadline isn't read. */
const LIST = [
	[...HEADER, 'Deadline'].join(','),
	...Array.from({ length: ROWS }, (_, index) => {
		const email = index % (ROWS / WRONG) === 7 ? 'nobody' : `person${index}@example.com`;
		return `APP-${index},Person,"Number, ${index}",${email},0${index},2027-01-31`;
	}),
].join('\n');

type Upload = (list: ListFile | string, what?: string, job?: string) => Promise<void>;

/** The list that comes back. */
const back = (name: string, path: string) => {
	const rows = rowsIn(path);
	const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
	return { name, path, rows, count };
};

const test = base.extend<{
	workflow: Imported;
	/** Uploads a list at the page. */
	send: Upload;
	/** Uploads a readable list, and waits until the run has succeeded. */
	upload: (...list: Parameters<Upload>) => Promise<ReturnType<typeof back>>;
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
});

test(`${EXAMPLE}: sixty rows, three of them wrong, come back with their outcomes, and can go in again`, async ({
	upload,
	service,
	candidate,
	applications,
	mailServer,
}) => {
	const checked = await upload(csv(LIST), CHECK);
	expect(checked.count('invalid')).toBe(WRONG);
	const page = candidate.locator('.card');
	const named = 'Rows 9 (APP-7), 29 (APP-27), 49 (APP-47): Email: not an email address';
	await expect(page).toContainText('Checked: nobody was invited');
	const ready = `Rows read from list.csv: ${ROWS}.Ready to be invited: ${ROWS - WRONG}.To be corrected: ${WRONG}. ${named}`;
	await expect(page).toContainText(ready);
	await expect(page.getByRole('listitem').first()).toHaveCSS('text-align', 'left');
	const next = 'To invite those who are ready, upload the file that came back';
	await expect(page).toContainText(next);
	const until = isoDayIn(LOS_ANGELES, new Date(Date.now() + 14 * 86_400_000).toISOString());
	const unread = "The column Deadline isn't read: everybody has the time";
	await expect(page).toContainText(`their links are open until ${until}. ${unread}`);
	expect(service.requests).toEqual([]);

	expect(checked.name).toBe('checked.xlsx');
	const first = await upload(checked.path);
	expect(service.invitations).toHaveLength(ROWS - WRONG);
	const linkOf = (id: string) => invitationOf(service, id).invitation_link;
	const links = service.invitations.map(({ invitation_link }) => invitation_link);
	const kept = (await applications.all()).map(({ invitation_link }) => invitation_link);
	expect(kept.sort()).toEqual(links.sort());
	expect([first.count('invited'), first.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
	expect(first.rows.map(({ phone }) => phone)).toEqual(first.rows.map((_, index) => `0${index}`));
	await expect(page).toContainText(`Invited: 57.To be corrected: 3.Links emailed: 57. ${named}`);
	const { invitation_expired_at } = service.invitations[0];
	const last = isoDayIn(LOS_ANGELES, invitation_expired_at);
	await expect(page).toContainText(`The new links are open until ${last}. ${unread}`);
	await expect(page).toContainText(CORRECT);
	await expect(page).not.toContainText(next);
	expect(first.rows[7]).toMatchObject({ phone: '07', problem: expect.stringMatching(/^Email/) });
	const { invitation_link } = service.invitations[0];
	for (const { link_sent_at } of await applications.all()) expect(link_sent_at).toMatch(/^20/);
	expect(first.rows[0]).toMatchObject({ last_name: 'Number, 0', invitation_link });
	const columns = [...HEADER, 'Deadline', 'outcome', 'invitation_link', 'open_until', 'problem'];
	expect(Object.keys(first.rows[0])).toEqual(columns);

	// Somebody chooses another job by mistake.
	const wrongJob = 'Has an invitation for another job: is the Job ID right?';
	const elsewhere = await upload(csv(LIST), CHECK, OTHER_JOB);
	expect(elsewhere.rows[0]).toMatchObject({ outcome: 'ready', problem: wrongJob });
	await expect(page).toContainText(`, and 52 more: ${wrongJob}`);

	expect(first.name).toBe('invited.xlsx');
	const again = await upload(first.path);
	expect(service.invitations).toHaveLength(ROWS - WRONG);
	expect([again.count('already invited'), again.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
	expect(again.rows[0]).toMatchObject({ phone: '00', invitation_link, problem: '' });

	// Somebody copies a row with its link. An address was wrong.
	const changed = await upload(
		csv(
			[
				`${HEADER},invitation_link,outcome`,
				`APP-NEW,Kim,Park,kim@people.example,1,${invitation_link},ready`,
				'APP-0,Person,"Number, 0",person0@example.com,00,,invited',
				'APP-ODD,Bo,Lind,nobody,2,none yet,ready',
				`APP-1,Person,"Number, 1",corrected@example.com,01,${linkOf('APP-1')},invited`,
				`APP-2,Bo,Lind,bo@people.example,02,${linkOf('APP-2')},invited`,
			].join('\n'),
		),
	);
	const known = { outcome: 'already invited', open_until: last };
	const matching = (problem: RegExp) => ({ problem: expect.stringMatching(problem) });
	expect(changed.rows).toMatchObject([
		{
			outcome: 'invited',
			invitation_link: linkOf('APP-NEW'),
			...matching(/is that of APP-0 .*: this row gets its own/),
		},
		// This row's link comes from the table.
		{ ...known, invitation_link, problem: '' },
		{ outcome: 'invalid', invitation_link: '' },
		{ ...known, invitation_link: linkOf('APP-1'), ...matching(/ went to person1@.* yourself/) },
		{ outcome: 'invalid', ...matching(/^In the table, person2@example.com has this ID/) },
	]);
	const some = 'Invited: 1.Already invited: 2.To be corrected: 2.Links emailed: 1. Row 2 (APP-NEW)';
	await expect(page).toContainText(some);

	// Nobody to invite, and nothing to email.
	const all = await upload(csv(`${HEADER}\nAPP-0,Person,"Number, 0",person0@example.com,00`));
	expect(all.rows).toMatchObject([{ ...known, invitation_link, phone: '00', problem: '' }]);
	await expect(page).toHaveText(/list\.csv: 1\.\s*Invited: 0\.\s*Already invited: 1\.\s*$/);
	expect([service.invitations, mailServer.mails].map(({ length }) => length)).toEqual([58, 58]);
});

/** A real-life list: semicolons, umlauts, capitals, dates, and long numbers that Excel has changed. */
const REAL_LIFE = [
	'Application ID ;FIRST NAME;last-name; E-Mail;start',
	'APP-1;Jörg;Müller;joerg@people.example;01.02.2027',
	'APP-2;Maya;Okafor;MAYA@People.Example;15.12.2026',
	'APP-3;Ann;Null;;01.03.2027',
	'APP-2;Maya;Okafor;maya@people.example;15.12.2026',
	'1,23457E+14;Bo;Lind;bo@people.example;',
].join('\r\n');

test(`${EXAMPLE}: five rows of real life come back with what became of each`, async ({
	upload,
	service,
}) => {
	// Excel saves it in Windows-1252.
	const saved = await upload(csv(REAL_LIFE, 'latin1'));
	expect(saved.rows.map(({ outcome, problem }) => [outcome, problem])).toEqual([
		['invalid', expect.stringMatching(/CSV UTF-8/)],
		['invited', ''],
		['invalid', expect.stringMatching(/^Email: required, but empty/)],
		['duplicate', 'The same as row 3'],
		['invalid', expect.stringMatching(/a number that was rounded.*as text/)],
	]);
	expect(saved.rows[1]).toMatchObject({ 'FIRST NAME': 'Maya', start: '15.12.2026' });
	expect(service.invitations).toHaveLength(1);
});

const KIM = ['Kim', 'Park', 'kim@people.example'];
const NEEDED = HEADER.slice(0, 4);

const NO_LIST = 'This file is neither an Excel file that can be read nor a CSV file.';
const NO_JOB = `Enter the Job ID on the page, such as ${JOB}, or in a column job_id of the list, and upload the list again.`;
const document = (name: string, start: string) => textFile(name, `${start}\nKim,Park`);

/** Files that can't be read as a list, and the page's words. */
const BROKEN: Record<string, [list: ListFile, words: string, job?: string]> = {
	'a workbook with a password': [lockedWorkbook('list.xlsx'), NO_LIST],
	'a document of Word': [zippedFile('list.docx'), NO_LIST],
	'a workbook that is cut off': [
		file('list.xlsx', workbook('list.xlsx', [NEEDED]).buffer.subarray(0, 900)),
		NO_LIST,
	],
	'a PDF': [document('list.pdf', '%PDF-1.4'), NO_LIST],
	RTF: [document('list.rtf', '{\\rtf1\\ansi'), NO_LIST],
	JSON: [document('list.json', '[{"application_id": 1}]'), NO_LIST],
	'a web page as a workbook': [document('list.xls', '<html><table>'), NO_LIST],
	'XML as a workbook': [document('list.xls', '\ufeff<?xml version="1.0"?>'), NO_LIST],
	"Excel's Unicode text": [
		textFile('list.txt', `\ufeff${NEEDED.join('\t')}\r\n`, 'utf16le'),
		NO_LIST,
	],
	'an empty file': [csv(''), 'The list is empty. Correct the list and upload it again.'],
	'a wrong line': [
		csv(`${NEEDED}\nAPP-1,Kim,Park,"kim`),
		`The file can't be read: line 2 has a quotation mark (") out of place.`,
	],
	'no job': [csv(`${NEEDED}\nAPP-1,${KIM}`), NO_JOB, ''],
	'the name of a job': [csv(`${NEEDED}\nAPP-1,${KIM}`), NO_JOB, 'Sales Manager'],
};

test(`${EXAMPLE}: the page says what is wrong with a list, and nobody is invited`, async ({
	send,
	service,
	candidate,
}) => {
	for (const what of ['a workbook with a password', 'no job']) {
		await test.step(what, async () => {
			const [list, words, job] = BROKEN[what];
			await send(list, undefined, job);
			await expect(candidate.getByText(words)).toBeVisible();
			await expect(candidate.getByText('Nobody was invited')).toBeVisible();
		});
	}
	expect(service.requests).toEqual([]);
});

test(`${EXAMPLE}: whatever else is uploaded, its page says that it can't be read`, async ({
	workflow,
	service,
	candidate,
}) => {
	for (const [what, [list, words, job = JOB]] of Object.entries(BROKEN)) {
		for (const type of [list.mimeType, '']) {
			await test.step(`${what}, ${type}`, async () => {
				const upload = new File([new Uint8Array(list.buffer)], list.name, { type });
				const page = await fillIn(workflow.form, [upload, job, 'Invite everybody in it']);
				await candidate.setContent(page, { waitUntil: 'domcontentloaded' });
				await expect(candidate.getByText(words)).toBeVisible();
				await expect(candidate.getByText('Nobody was invited')).toBeVisible();
			});
		}
	}
	expect(service.requests).toEqual([]);
});

const ready = (application_id: unknown) => ({ application_id, outcome: 'ready', problem: '' });
const IDS = ['00123', '1-2', '1E5'];
const LINES = [NEEDED, ...IDS.map((id) => [id, ...KIM])];
const linesWith = (sign: string) => LINES.map((cells) => cells.join(sign)).join('\r\n');
const asTheyStand = IDS.map((id) => ready(id));

/** Odd but valid files, and the rows that come back. */
const ODD: Record<string, [list: ListFile, rows: object[]]> = {
	'a CSV file that is called .xlsx': [textFile('list.xlsx', linesWith(',')), asTheyStand],
	'a workbook that is called .csv': [workbook('list.csv', LINES, { format: 'xlsx' }), asTheyStand],
	'tabs between the cells': [textFile('list.tsv', linesWith('\t')), asTheyStand],
	'an old workbook': [workbook('list.xls', [NEEDED, ['APP-1', ...KIM]]), [ready('APP-1')]],
	"LibreOffice's": [workbook('list.ods', [NEEDED, ['APP-1', ...KIM]]), [ready('APP-1')]],
	'970 rows that are empty but for a box to tick': [
		workbook('list.xlsx', [
			[...NEEDED, 'called'],
			['APP-1', ...KIM, true],
			...Array.from({ length: 970 }, () => [null, '', ' ', null, false]),
		]),
		[{ ...ready('APP-1'), called: true }],
	],
	'a filter, a hidden sheet, and a second one': [
		workbook('list.xlsx', [NEEDED, ['APP-1', ...KIM], ['APP-2', ...KIM]], {
			change: (sheet, book) => {
				sheet['!autofilter'] = { ref: 'A1:D3' };
				sheet['!rows'] = [{}, { hidden: true }];
				addSheet(book, 'Others', [NEEDED, ['APP-3', ...KIM]]);
				book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] };
			},
		}),
		[ready('APP-1'), ready('APP-2')],
	],
};

test(`${EXAMPLE}: a list is read as it stands, whatever its file is called`, async ({
	upload,
	service,
	candidate,
}) => {
	for (const [what, [list, rows]] of Object.entries(ODD)) {
		await test.step(what, async () => {
			const back = await upload(list, CHECK);
			expect(back.rows, what).toMatchObject(rows);
			const read = `Rows read from ${list.name}: ${rows.length}.`;
			await expect(candidate.getByText(read)).toBeVisible();
		});
	}
	expect(service.requests).toEqual([]);
});

test(`${EXAMPLE}: two people with one ID are held back, and each is invited once they have their own`, async ({
	upload,
	service,
	candidate,
	applications,
}) => {
	const lines = Array.from(
		{ length: 20 },
		(_, index) => `${index},P${index},Ex,p${index}@people.example`,
	);
	// Two people share an ID, one person is listed twice, and one has no address.
	lines[5] = '4,P5,Ex,p5@people.example';
	lines[11] = lines[10].replace('p10@', 'P10@');
	lines[15] = '15,P15,Ex,';
	const list = () => csv([NEEDED, ...lines].join('\n'));
	const counts = ({ count }: Awaited<ReturnType<typeof upload>>, ...outcomes: string[]) =>
		outcomes.map(count);
	const problemOf = ({ problem }: Record<string, unknown>) => problem;
	const held = (row: number) =>
		`Row ${row} has this ID, too: give each person their own, or correct the email`;

	const checked = await upload(list(), CHECK);
	expect(counts(checked, 'ready', 'duplicate', 'invalid')).toEqual([16, 1, 3]);
	expect(checked.rows.slice(4, 6).map(problemOf)).toEqual([held(7), held(6)]);
	for (const line of [`Row 6 (4): ${held(7)}`, 'Row 13 (10): The same as row 12'])
		await expect(candidate.getByRole('listitem').filter({ hasText: line })).toBeVisible();
	expect([service.requests, await applications.all()]).toEqual([[], []]);

	const first = await upload(list());
	expect(counts(first, 'invited', 'duplicate', 'invalid')).toEqual([16, 1, 3]);
	expect(first.rows[11].invitation_link).toBe(first.rows[10].invitation_link);
	const before = await applications.all();
	expect(before).toHaveLength(16);

	// The address is there now. Somebody new has the ID of a row of the table.
	lines[15] += 'p15@people.example';
	lines[5] = '5,P5,Ex,p5@people.example';
	lines.push('0,P20,Ex,p20@people.example');
	const second = await upload(list());
	expect(counts(second, 'invited', 'already invited', 'invalid')).toEqual([3, 16, 1]);
	expect(second.rows.map(problemOf).filter(Boolean)).toEqual([
		'The same as row 12',
		expect.stringMatching(/^In the table, p0@people.example has this ID/),
	]);
	expect((await applications.all()).slice(0, 16)).toEqual(before);
	expect(new Set(service.invitations.map(({ email }) => email)).size).toBe(19);
	expect(service.invitations).toHaveLength(19);
});

test(`${EXAMPLE}: a link that can't be emailed is in the list and in the table, for each job, and goes out with the next upload; the last day is that of the workflow's time zone`, async ({
	upload,
	service,
	candidate,
	applications,
	mailServer,
}) => {
	const page = candidate.locator('.card');
	const listWith = (id: string, number: string) =>
		workbook('list.xlsx', [
			[...HEADER, 'Job ID'],
			// Excel takes the ID for a number.
			[Number(id), ...KIM, number, JOB],
			[Number(id), ...KIM, number, OTHER_JOB],
		]);
	mailServer.isDown = true;
	const list = await upload(listWith('4711', '1'), undefined, '');
	const invitations = [JOB, OTHER_JOB].map((job) => invitationOf(service, '4711', job));
	const links = invitations.map(({ invitation_link, job_id }) => ({ invitation_link, job_id }));
	// The day ends within UTC's next day.
	const [{ invitation_expired_at }] = invitations;
	const open_until = isoDayIn(LOS_ANGELES, invitation_expired_at);
	expect(invitation_expired_at.slice(0, 10) > open_until).toBe(true);
	const problem = expect.stringMatching(/^The link was not emailed: \S/);
	expect(list.rows).toMatchObject(
		links.map(({ job_id, ...link }) => ({ ...link, open_until, 'Job ID': job_id, problem })),
	);
	expect(list.count('invited')).toBe(2);
	await expect(page).toContainText(
		'Invited: 2.Links not emailed: 2. Rows 2 (4711), 3 (4711): The link',
	);
	const kept = { application_id: '4711', status: 'invited', link_sent_at: '' };
	const rows = await applications.all();
	expect(rows).toMatchObject(links.map((link) => ({ ...kept, ...link, problem })));
	expect(rows[0].open_until).toMatch(new RegExp(`^${open_until}T`));
	expect(new Date(rows[0].open_until)).toEqual(new Date(invitation_expired_at));

	mailServer.isDown = false;
	await upload(list.path, CHECK, '');
	expect(mailServer.mails).toEqual([]);
	const again = await upload(list.path, undefined, '');
	expect(again.rows.map(({ outcome, problem }) => [outcome, problem])).toEqual(
		Array(2).fill(['already invited', '']),
	);
	await expect(page).toContainText('Already invited: 2.Links emailed: 2.');
	const sent = { status: 'invited', problem: '', link_sent_at: expect.stringMatching(/^20/) };
	expect(await applications.all()).toMatchObject(links.map((link) => ({ ...link, ...sent })));
	await upload(again.path, undefined, '');
	expect(mailServer.mails).toMatchObject(
		invitations.map(({ invitation_link }) => ({
			to: 'kim@people.example',
			text: expect.stringContaining(
				`complete your assessment by ${dayIn(LOS_ANGELES, invitation_expired_at)}: ${invitation_link}`,
			),
		})),
	);
});

test(`${EXAMPLE}: what keeps several rows from being sent is said once; who may have been invited can be sent again`, async ({
	upload,
	service,
	candidate,
	applications,
}) => {
	const page = candidate.locator('.card');
	const people = ['Ann', 'Ben', 'Cem', 'Dan', 'Eve'];
	const lines = people.map((name) => `${name},${name},Ex,${name}@people.example`);
	const list = csv([NEEDED, ...lines, 'Fay,Fay,Ex,'].join('\n'));
	const own = 'Row 7 (Fay): Email: required, but empty';
	const all = 'Rows 2 (Ann), 3 (Ben), 4 (Cem), 5 (Dan), 6 (Eve): ';
	const advice = 'If the reason is the job or the credential, your list can stay as it is';
	for (const [status, words] of [
		[401, 'The access token was refused.'],
		[404, 'No job with this ID exists.'],
	] as const) {
		service.faults.inject({ route: 'createInvitation', status, times: 5 });
		await upload(list);
		await expect(page).toContainText(
			new RegExp(`${own}\\s*${all}${words}`.replace(/[()]/g, '\\$&')),
		);
		await expect(page).toContainText(advice);
		service.faults.clear();
	}

	service.faults.inject({ route: 'createInvitation', status: 504, times: 1 });
	const inDoubt = await upload(list);
	await expect(page).toContainText('To be corrected: 1.May have been invited: 1.');
	const toDo = 'Row 2 (Ann): May have been invited: look in the service.';
	await expect(page).toContainText(toDo);
	const still = await upload(inDoubt.path);
	await expect(page).toContainText(toDo);
	expect(service.invitations).toHaveLength(4);

	const [titles, ...cells] = [Object.keys(still.rows[0]), ...still.rows.map(Object.values)];
	cells[0][titles.indexOf('outcome')] = 'new';
	const settled = await upload(workbook('list.xlsx', [titles, ...cells]));
	expect(settled.rows[0]).toMatchObject({ application_id: 'Ann', outcome: 'invited' });
	expect(service.invitations).toHaveLength(5);
	expect(await applications.all()).toHaveLength(5);
});

test(`${EXAMPLE}: a link that somebody has put into the file gets into the table and is emailed, once; a job in capitals is no other`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id, form } = await importExample(EXAMPLE, {
		mails: ['Send The Link'],
		isPublished: true,
	});
	const link = (name: string) => `https://assessment.example.com/i/${name}`;
	const person = (name: string) => ({
		...PERSON,
		application_id: name,
		email: `${name}@people.example`,
	});
	const job_id = JOB.toUpperCase();
	await applications.add([
		// Entered by hand, as the documents say.
		{ ...person('table'), job_id, status: 'Invited', invitation_link: link('table') },
		{ ...person('new'), job_id, status: null },
	]);
	const names = ['table', 'file', 'new', 'mailed'];
	const lines = names.map((name) => {
		const { application_id, first_name, last_name, email } = person(name);
		const written = { file: ['unknown', link(name)], mailed: ['invited', link(name)] } as const;
		const [outcome = '', own = ''] = written[name as 'file'] ?? [];
		return [application_id, first_name, last_name, email, outcome, own].join();
	});
	const list = ['application_id,first_name,last_name,email,outcome,invitation_link', ...lines];
	for (const times of [1, 2]) {
		const file = new File([list.join('\n')], 'list.csv', { type: 'text/csv' });
		await fillIn(form, [file, JOB, 'Invite everybody in it']);
		await client.waitForExecutions(id, times);
	}
	const invited = service.invitations.map((each) => each.ext_reference_id);
	expect(invited).toEqual(['new']);
	const rows = await applications.all();
	expect(rows.map(({ application_id }) => application_id)).toEqual(['table', 'new', 'file']);
	expect(mailServer.mails.map(({ to }) => to).sort()).toEqual(
		['file', 'new', 'table'].map((name) => `${name}@people.example`),
	);
	for (const row of rows) {
		expect(row).toMatchObject({
			status: 'invited',
			job_id: JOB,
			link_sent_at: expect.stringMatching(/^20/),
		});
		expect(mailServer.mails.find(({ to }) => to === row.email)?.text).toContain(
			row.invitation_link,
		);
	}
});
