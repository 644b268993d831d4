import { JOB, OTHER_JOB } from '../../support/example.mts';
import { csv, file, rowsIn, workbook, type ListFile } from '../../support/lists.mts';
import { dayIn, isoDayIn, LOS_ANGELES } from '../support/timeZones.mts';
import { SENT } from '../support/eachWay.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	test as base,
	uploadList,
	type Imported,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'invite-from-a-spreadsheet';
const CHECK = 'Only check the list';
const NEEDED = ['application_id', 'first_name', 'last_name', 'email'];
const HEADER = [...NEEDED, 'phone'];
const matching = (problem: RegExp) => ({ problem: expect.stringMatching(problem) });

const person = (n: number) => `APP-${n},Person,"Number, ${n}",person${n}@example.com`;
const LINES = Array.from({ length: 30 }, (_, index) => `${person(index)},0${index},2027-01-31`);
// Two have no address, two people share an ID, and one is there twice.
for (const index of [7, 27]) LINES[index] = LINES[index].replace(/person\d+@example.com/, 'nobody');
LINES[15] = LINES[15].replace('APP-15', 'APP-14');
LINES[21] = LINES[20].replace('person20@', 'PERSON20@');
const READY = LINES.length - 5;

/** Its column for a deadline isn't read. */
const LIST = [`${HEADER},Deadline`, ...LINES].join('\n');

const test = base.extend<{
	workflow: Imported;
	/** Uploads a readable list at the page, and waits until the run has succeeded. */
	upload: (
		list: ListFile | string,
		what?: string,
		job?: string,
	) => Promise<{ name: string; path: string; rows: ReturnType<typeof rowsIn> }>;
	/** Expects all of this on the page. */
	says: (...texts: string[]) => Promise<void>;
}>({
	workflow: async ({ importExample }, use) => {
		const mails = ['Send The Link'];
		await use(await importExample(EXAMPLE, { mails, isPublished: true, ...IN_LOS_ANGELES }));
	},
	upload: async ({ n8n: { client }, candidate, workflow }, use) =>
		await use(async (...list) => {
			const { length: earlier } = await client.allExecutions(workflow.id);
			const downloaded = candidate.waitForEvent('download', { timeout: 60_000 });
			await uploadList(candidate, workflow.form, ...list);
			const [{ id }] = await client.waitForExecutions(workflow.id, earlier + 1);
			expect((await client.waitForExecution(id)).data.resultData.error).toBeUndefined();
			const download = await downloaded;
			const path = await download.path();
			return { name: download.suggestedFilename(), path, rows: rowsIn(path) };
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
	const problems = [
		'Row 16 (APP-14): Row 17 has this ID, too: give each person their own, or correct the email',
		'Row 23 (APP-20): The same as row 22',
		'Rows 9 (APP-7), 29 (APP-27): Email: not an email address',
	];
	const next = 'To invite those who are ready, upload the file that came back';
	const unread = "The column Deadline isn't read: everybody has the time";
	const checked = await upload(csv(LIST), CHECK);
	expect(checked.name).toBe('checked.xlsx');
	const until = isoDayIn(LOS_ANGELES, new Date(Date.now() + 14 * 86_400_000));
	const ready = `list.csv: 30.Ready to be invited: ${READY}.Listed twice: 1.To be corrected: 4.`;
	const open = `their links are open until ${until}. ${unread}`;
	await says('Checked: nobody was invited', ready, ...problems, next, open);
	expect([service.requests, await applications.all()]).toEqual([[], []]);

	const first = await upload(checked.path);
	expect(first.name).toBe('invited.xlsx');
	const links = service.invitations.map(({ invitation_link }) => ({ ...SENT, invitation_link }));
	const kept = await applications.all();
	expect(kept).toMatchObject(links);
	const { invitation_link, invitation_expired_at } = invitationOf(service, 'APP-0');
	const last = isoDayIn(LOS_ANGELES, invitation_expired_at);
	const emailed = `Invited: ${READY}.Listed twice: 1.To be corrected: 4.Links emailed: ${READY}.`;
	const correct = 'Correct the mistakes in the file that came back';
	await says(emailed, ...problems, correct, `new links are open until ${last}. ${unread}`);
	const linkOf = (id: string) => invitationOf(service, id).invitation_link;
	expect(first.rows[0]).toMatchObject({ last_name: 'Number, 0', invitation_link, problem: '' });
	expect(first.rows[7]).toMatchObject({ phone: '07', outcome: 'invalid', ...matching(/^Email/) });
	expect(first.rows[21]).toMatchObject({ outcome: 'duplicate', invitation_link: linkOf('APP-20') });
	const columns = [...HEADER, 'Deadline', 'outcome', 'invitation_link', 'open_until', 'problem'];
	expect(Object.keys(first.rows[0])).toEqual(columns);

	// Somebody chooses another job by mistake.
	const wrongJob = 'Has an invitation for another job: is the Job ID right?';
	const elsewhere = await upload(csv(LIST), CHECK, OTHER_JOB);
	expect(elsewhere.rows[0]).toMatchObject({ outcome: 'ready', problem: wrongJob });
	await says(`, and ${READY - 5} more: ${wrongJob}`);
	const again = await upload(first.path);
	await says(`Invited: 0.Already invited: ${READY}.Listed twice: 1.To be corrected: 4.`);
	expect(again.rows[0]).toMatchObject({ phone: '00', invitation_link, problem: '' });
	expect(await applications.all()).toEqual(kept);

	// Somebody corrects an ID, and copies the row with its link.
	const corrected = `${person(15)},${invitation_link},invalid`;
	const { rows } = await upload(csv(`${NEEDED},invitation_link,outcome\n${corrected}`));
	const own = { outcome: 'invited', invitation_link: linkOf('APP-15') };
	expect(rows).toMatchObject([{ ...own, ...matching(/is that of APP-0 .*: this row gets its/) }]);

	// Nobody to invite, and nothing to email.
	await upload(csv(`${HEADER}\n${person(0)},00`));
	await expect(candidate.locator('.card:visible')).toHaveText(
		/list\.csv: 1\.\s*Invited: 0\.\s*Already invited: 1\.\s*$/,
	);
	const everybody = service.invitations.map(({ email }) => email);
	expect(new Set(everybody).size).toBe(READY + 1);
	expect(mailServer.mails.map(({ to }) => to)).toEqual(everybody);
	expect((await applications.all()).slice(0, READY)).toEqual(kept);
});

const KIM = ['Kim', 'Park', 'kim@people.example'];
const NO_LIST = 'This file is neither an Excel file that can be read nor a CSV file.';
const NO_JOB = `Enter the Job ID on the page, such as ${JOB}, or in a column job_id of the list, and upload the list again.`;

/** Lists and job IDs that can't be used, and the page's words. n8n drops an empty file. */
const NO_LISTS: Array<[list: ListFile, job: string, words: string]> = [
	[file('list.xlsx', Buffer.from('PK\u0003\u0004')), JOB, NO_LIST],
	[csv(''), JOB, 'The list is empty. Correct the list and upload it again.'],
	[csv(`${NEEDED}\nAPP-1,${KIM}`), 'Sales Manager', NO_JOB],
];

test(`${EXAMPLE}: the page says what is wrong with a list, and nobody is invited`, async ({
	workflow,
	candidate,
	says,
	service,
}) => {
	for (const [list, job, words] of NO_LISTS) {
		await uploadList(candidate, workflow.form, list, undefined, job);
		await says(words, 'Nobody was invited');
	}
	expect(service.requests).toEqual([]);
});

test(`${EXAMPLE}: a list is read as it stands, whatever its file is called`, async ({
	upload,
	says,
}) => {
	const ready = { outcome: 'ready', problem: '' };
	// Windows-1252, as Excel saves a CSV file.
	const text = [
		'Application ID ;FIRST NAME;last-name; E-Mail;start',
		'APP-1;Jörg;Müller;joerg@people.example;01.02.2027',
		'00123;Maya;Okafor;MAYA@People.Example;15.12.2026',
	].join('\r\n');
	const fromText = await upload(file('list.xlsx', Buffer.from(text, 'latin1')), CHECK);
	const garbled = { outcome: 'invalid', ...matching(/CSV UTF-8/) };
	const asWritten = { ...ready, 'Application ID': '00123', start: '15.12.2026' };
	expect(fromText.rows).toMatchObject([garbled, asWritten]);

	const { buffer } = workbook('list.xlsx', [
		[...NEEDED, 'called'],
		['APP-1', ...KIM, true],
		['00123', ...KIM, null],
		// A box to tick goes on below the last candidate.
		...Array(9).fill([null, '', ' ', null, false]),
	]);
	const { rows } = await upload(file('list.csv', buffer), CHECK);
	expect(rows).toMatchObject([{ called: true }, { ...ready, application_id: '00123' }]);
	await upload(workbook('list.xls', [NEEDED, ['APP-1', ...KIM]]), CHECK);
	await says('Rows read from list.xls: 1.', 'Ready to be invited: 1.');
});

test(`${EXAMPLE}: a link, new or put in by hand, that can't be emailed is in the list and in the table, for each job, and goes out once, with the next upload`, async ({
	upload,
	says,
	service,
	applications,
	mailServer,
}) => {
	const byHand = (name: string) => ({
		...{ application_id: name, job_id: JOB, email: `${name}@people.example` },
		invitation_link: `https://assessment.example.com/i/${name}`,
	});
	const [inTable, inFile] = ['table', 'file'].map(byHand);
	// A job in capitals is no other.
	const CAPITALS = JOB.toUpperCase();
	await applications.add([{ ...inTable, job_id: CAPITALS, status: 'Invited' }]);
	const list = workbook('list.xlsx', [
		[...NEEDED, 'Job ID', 'outcome', 'invitation_link'],
		['table', 'Maya', 'Okafor', inTable.email, JOB],
		// Excel takes the ID for a number.
		[4711, ...KIM, CAPITALS],
		[4711, ...KIM, OTHER_JOB],
		['file', 'Maya', 'Okafor', inFile.email, JOB, 'unknown', inFile.invitation_link],
	]);
	mailServer.isDown = true;
	const failed = await upload(list, undefined, '');
	const [own, other] = [CAPITALS, OTHER_JOB].map((job) => invitationOf(service, '4711', job));
	const open_until = isoDayIn(LOS_ANGELES, own.invitation_expired_at);
	const day = expect.stringMatching(`^${open_until}T`);
	const kim = { application_id: '4711', email: own.email, open_until: day };
	const links = [
		inTable,
		{ ...kim, job_id: JOB, invitation_link: own.invitation_link },
		{ ...kim, job_id: OTHER_JOB, invitation_link: other.invitation_link },
		inFile,
	];
	const problem = expect.stringMatching(/^The link was not emailed: \S/);
	const said = links.map(({ invitation_link }) => ({ invitation_link, problem }));
	expect(failed.rows).toMatchObject(said);
	expect(failed.rows[1]).toMatchObject({ outcome: 'invited', open_until });
	await says(
		'Invited: 2.Already invited: 2.Links not emailed: 4. Rows 2 (table), 3 (4711), 4 (4711), 5 (file): The link',
	);
	const unsent = { status: 'invited', link_sent_at: '', problem };
	expect(await applications.all()).toMatchObject(links.map((link) => ({ ...link, ...unsent })));

	mailServer.isDown = false;
	const again = await upload(failed.path, undefined, '');
	expect(again.rows).toMatchObject(Array(4).fill({ outcome: 'already invited', problem: '' }));
	await says('Already invited: 4.Links emailed: 4.');
	expect(await applications.all()).toMatchObject(links.map((link) => ({ ...link, ...SENT })));
	await upload(again.path, undefined, '');
	const by = ` by ${dayIn(LOS_ANGELES, own.invitation_expired_at)}`;
	const mails = links.map(({ email, invitation_link }, index) => {
		const words = `your assessment${['', by, by, ''][index]}: ${invitation_link}\r\n`;
		return { to: email, text: expect.stringContaining(words) };
	});
	expect(mailServer.mails).toEqual(mails);
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
	await upload(inDoubt.path);
	await says(toDo);
	expect(service.invitations).toHaveLength(4);
	const settled = await upload(csv(`${NEEDED},outcome\n${lines[0]},new`));
	expect(settled.rows[0]).toMatchObject({ application_id: 'Ann', outcome: 'invited' });
	const counts = [service.invitations, await applications.all()].map(({ length }) => length);
	expect(counts).toEqual([5, 5]);
});
