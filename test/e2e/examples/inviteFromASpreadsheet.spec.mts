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
import { dayIn, isoDayIn, LOS_ANGELES } from '../../support/timeZones.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	test as base,
	uploadList,
	type Imported,
} from './fixtures.mts';

const EXAMPLE = 'invite-from-a-spreadsheet';
const CHECK = 'Only check the list';
const HEADER = ['application_id', 'first_name', 'last_name', 'email', 'phone'];
const ROWS = 60;
const WRONG = 3;

const CORRECT = 'Correct them in the file that came back';

/** A list in which every twentieth row has no valid email address. */
const LIST = [
	HEADER.join(','),
	...Array.from({ length: ROWS }, (_, index) => {
		const email = index % (ROWS / WRONG) === 7 ? 'nobody' : `person${index}@example.com`;
		return `APP-${index},Person,"Number, ${index}",${email},0${index}`;
	}),
].join('\n');

type Upload = (list: ListFile | string, what?: string, job?: string) => Promise<void>;

/** What comes back. */
const back = (name: string, path: string) => {
	const rows = rowsIn(path);
	const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
	return { name, path, rows, count };
};

const test = base.extend<{
	workflow: Imported;
	/** Uploads a list at the page. */
	send: Upload;
	/** The same, with a list that can be read: waits until the run has succeeded. */
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
}) => {
	const checked = await upload(csv(LIST), CHECK);
	expect(checked.count('invalid')).toBe(WRONG);
	const ready = `Nobody was invited. Ready to be invited: ${ROWS - WRONG}.`;
	await expect(candidate.getByText(ready)).toBeVisible();
	await expect(candidate.getByText(`Rows read from list.csv: ${ROWS}.`)).toBeVisible();
	const named = /Row 9 \(APP-7\): Email: .*Row 29 \(APP-27\): .*Row 49 \(APP-47\): Email: /s;
	await expect(candidate.getByText(named)).toBeVisible();
	expect(service.requests).toEqual([]);

	expect(checked.name).toBe('checked.xlsx');
	const first = await upload(checked.path);
	expect(service.invitations).toHaveLength(ROWS - WRONG);
	const links = service.invitations.map(({ invitation_link }) => invitation_link);
	const kept = (await applications.all()).map(({ invitation_link }) => invitation_link);
	expect(kept.sort()).toEqual(links.sort());
	expect([first.count('invited'), first.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
	expect(first.rows.map(({ phone }) => phone)).toEqual(first.rows.map((_, index) => `0${index}`));
	const told = new RegExp(
		`Invited: 57\\..*Already invited, or listed twice: 0\\..*Not invited: 3\\.`,
		's',
	);
	await expect(candidate.getByText(told)).toBeVisible();
	await expect(candidate.getByText(CORRECT)).toBeVisible();
	expect(first.rows[7]).toMatchObject({ phone: '07', problem: expect.stringMatching(/^Email/) });
	const { invitation_link } = service.invitations[0];
	expect(first.rows[0]).toMatchObject({ last_name: 'Number, 0', invitation_link });
	const columns = [...HEADER, 'outcome', 'invitation_link', 'open_until', 'problem'];
	expect(Object.keys(first.rows[0])).toEqual(columns);

	expect(first.name).toBe('invited.xlsx');
	const again = await upload(first.path);
	expect(service.invitations).toHaveLength(ROWS - WRONG);
	expect([again.count('already invited'), again.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
	expect(again.rows[0]).toMatchObject({ phone: '00', invitation_link, problem: '' });

	// In a copy of the workflow, the node would remember nobody.
	const left = await upload(
		csv(
			[
				`${HEADER},invitation_link,outcome`,
				`APP-NEW,Kim,Park,kim@people.example,1,${invitation_link},ready`,
				'APP-0,Person,"Number, 0",person0@example.com,00,,invited',
				'APP-ODD,Bo,Lind,nobody,2,none yet,ready',
			].join('\n'),
		),
	);
	expect(left.rows).toMatchObject([
		{ application_id: 'APP-NEW', outcome: 'already invited', invitation_link },
		// Its link is in the table.
		{ application_id: 'APP-0', outcome: 'already invited', invitation_link, problem: '' },
		{ application_id: 'APP-ODD', outcome: 'invalid' },
	]);
	const counts =
		/Invited: 0\..*Already invited, or listed twice: 2\..*Not invited: 1\..*Row 4 \(APP-ODD\)/s;
	await expect(candidate.getByText(counts)).toBeVisible();
	expect(service.invitations).toHaveLength(ROWS - WRONG);

	// With nobody to invite.
	const all = await upload(
		csv(`${HEADER},invitation_link\nAPP-0,Kim,Park,k@p.example,1,${invitation_link}`),
	);
	expect(all.rows).toMatchObject([{ outcome: 'already invited', invitation_link }]);
	await expect(candidate.getByText('Not invited: 0.')).toBeVisible();
	await expect(candidate.getByText(CORRECT)).toHaveCount(0);
});

/** What people have: semicolons, umlauts, capitals, dates, and what Excel makes of long numbers. */
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
	// As Excel saves it, in Windows-1252.
	const saved = await upload(csv(REAL_LIFE, 'latin1'));
	expect(saved.rows.map(({ outcome, problem }) => [outcome, problem])).toEqual([
		['invalid', expect.stringMatching(/CSV UTF-8/)],
		['invited', ''],
		['invalid', expect.stringMatching(/^Email: required, but empty/)],
		// The link is that of the row above.
		['already invited', ''],
		['invalid', expect.stringMatching(/a number that was rounded.*as text/)],
	]);
	expect(saved.rows[1]).toMatchObject({ 'FIRST NAME': 'Maya', start: '15.12.2026' });
	expect(service.invitations).toHaveLength(1);
});

const KIM = ['Kim', 'Park', 'kim@people.example'];
const NEEDED = HEADER.slice(0, 4);
const AGAIN = 'Correct the list and upload it again.';

/** Files that can't be read as a list, and what the page says. */
const BROKEN: Record<string, [list: ListFile, words: string, job?: string]> = {
	'a workbook with a password': [lockedWorkbook('list.xlsx'), 'is password-protected'],
	'a zipped file that is no workbook': [zippedFile('list.xlsx'), "The file can't be read: "],
	'no workbook and no list': [
		file('list.xlsx', Buffer.from('%PDF-1.4\n%\u00e2\u00e3')),
		'These columns are missing: application_id, first_name, last_name, email. The first line has: %PDF-1.4.',
	],
	"Excel's Unicode text": [
		textFile('list.txt', `\ufeff${NEEDED.join('\t')}\r\n`, 'utf16le'),
		"it isn't in UTF-8 (save it as .xlsx or CSV UTF-8)",
	],
	'no job': [
		csv(`${NEEDED}\nAPP-1,${KIM}`),
		'Enter the Job ID on the page, or in a column job_id of the list, and upload the list again.',
		'',
	],
};

test(`${EXAMPLE}: the page says what is wrong with a list, and nobody is invited`, async ({
	send,
	service,
	candidate,
}) => {
	for (const [what, [list, words, job]] of Object.entries(BROKEN)) {
		await test.step(what, async () => {
			await send(list, undefined, job);
			await expect(candidate.getByText(words)).toBeVisible();
			await expect(candidate.getByText(AGAIN)).toHaveCount(what === 'no job' ? 0 : 1);
			await expect(candidate.getByText('Nobody was invited')).toBeVisible();
		});
	}
	expect(service.requests).toEqual([]);
});

const ready = (application_id: unknown) => ({ application_id, outcome: 'ready', problem: '' });
const IDS = ['00123', '1-2', '1E5'];
const LINES = [NEEDED, ...IDS.map((id) => [id, ...KIM])];
const linesWith = (sign: string) => LINES.map((cells) => cells.join(sign)).join('\r\n');
const asTheyStand = IDS.map((id) => ready(id));

/** Files with oddities that are none, and the rows that come back. */
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
	// Two people with one ID, one person twice, and somebody without an address.
	lines[5] = '4,P5,Ex,p5@people.example';
	lines[11] = lines[10].replace('p10@', 'P10@');
	lines[15] = '15,P15,Ex,';
	const list = () => csv([NEEDED, ...lines].join('\n'));
	const counts = ({ count }: Awaited<ReturnType<typeof upload>>, ...outcomes: string[]) =>
		outcomes.map(count);
	const problemOf = ({ problem }: Record<string, unknown>) => problem;
	const held = (name: string) =>
		`This ID is also that of ${name}@people.example: give each person their own, or correct the email in the list and in the table`;

	const checked = await upload(list(), CHECK);
	expect(counts(checked, 'ready', 'already invited', 'invalid')).toEqual([16, 1, 3]);
	expect(checked.rows.slice(4, 6).map(problemOf)).toEqual([held('p5'), held('p4')]);
	await expect(candidate.getByRole('listitem').filter({ hasText: held('p5') })).toBeVisible();
	expect([service.requests, await applications.all()]).toEqual([[], []]);

	const first = await upload(list());
	expect(counts(first, 'invited', 'already invited', 'invalid')).toEqual([16, 1, 3]);
	expect(first.rows[11].invitation_link).toBe(first.rows[10].invitation_link);
	const before = await applications.all();
	expect(before).toHaveLength(16);

	// The address is there now. Somebody new has the ID of a row of the table.
	lines[15] += 'p15@people.example';
	lines[5] = '5,P5,Ex,p5@people.example';
	lines.push('0,P20,Ex,p20@people.example');
	const second = await upload(list());
	expect(counts(second, 'invited', 'already invited', 'invalid')).toEqual([3, 17, 1]);
	expect(second.rows.map(problemOf).filter(Boolean)).toEqual([held('p0')]);
	expect((await applications.all()).slice(0, 16)).toEqual(before);
	expect(new Set(service.invitations.map(({ email }) => email)).size).toBe(19);
	expect(service.invitations).toHaveLength(19);
});

test(`${EXAMPLE}: a link that can't be emailed is in the list and in the table, for each job; the last day is that of the workflow's time zone`, async ({
	upload,
	service,
	applications,
	mailServer,
}) => {
	const listWith = (id: string, number: string) =>
		workbook('list.xlsx', [
			[...HEADER, 'Job ID'],
			// Excel takes it for a number.
			[Number(id), ...KIM, number, JOB],
			[Number(id), ...KIM, number, OTHER_JOB],
		]);
	mailServer.isDown = true;
	const list = await upload(listWith('4711', '1'), undefined, '');
	const invitations = [JOB, OTHER_JOB].map((job) => invitationOf(service, '4711', job));
	const links = invitations.map(({ invitation_link, job_id }) => ({ invitation_link, job_id }));
	// It ends within the next day of UTC.
	const [{ invitation_expired_at }] = invitations;
	const open_until = isoDayIn(LOS_ANGELES, invitation_expired_at);
	expect(invitation_expired_at.slice(0, 10) > open_until).toBe(true);
	expect(list.rows).toMatchObject(
		links.map(({ job_id, ...link }) => ({ ...link, open_until, 'Job ID': job_id })),
	);
	expect(list.count('invited')).toBe(2);
	const kept = { application_id: '4711', status: 'invited', link_sent_at: '' };
	const problem = expect.stringMatching(/^The link was not emailed: \S/);
	const rows = await applications.all();
	expect(rows).toMatchObject(links.map((link) => ({ ...kept, ...link, problem })));
	expect(rows[0].open_until).toMatch(new RegExp(`^${open_until}T`));
	expect(new Date(rows[0].open_until)).toEqual(new Date(invitation_expired_at));

	mailServer.isDown = false;
	await upload(listWith('4712', '2'), undefined, '');
	const sent = invitationOf(service, '4712', JOB);
	const words = `complete your assessment by ${dayIn(LOS_ANGELES, sent.invitation_expired_at)}: `;
	expect(mailServer.mails[0].text).toContain(words + sent.invitation_link);
});
