import { JOB, OTHER_JOB } from '../../support/example.mts';
import { csv, file, rowsIn, workbook, type ListFile } from '../../support/lists.mts';
import { SENT } from '../support/scheduledExamples.mts';
import {
	expect,
	invitationOf,
	test as base,
	uploadList,
	type Imported,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'import-a-spreadsheet';
const CHECK = 'Only check the list';
const CHECKED = 'Checked: nothing was added';
const NEEDED = ['application_id', 'first_name', 'last_name', 'email'];

const test = base.extend<{
	workflow: Imported;
	/** Uploads a list at the page, which then says these words. */
	says: (list: ListFile, what: string | undefined, ...words: string[]) => Promise<void>;
}>({
	workflow: async ({ importExample }, use) => {
		const { id } = await importExample('invite-from-a-list', { mails: true, isPublished: true });
		await use(await importExample(EXAMPLE, { invitesWith: id, isPublished: true }));
	},
	says: async ({ workflow, candidate }, use) =>
		await use(async (list, what, ...words) => {
			await uploadList(candidate, workflow.form, list, what);
			for (const each of words)
				await expect(candidate.locator('.card:visible')).toContainText(each, { timeout: 60_000 });
		}),
});

test(`${EXAMPLE}: while a row has a mistake, nothing is added; then everybody is added or corrected, invited, and mailed once, and the list comes back, however often it is uploaded`, async ({
	n8n: { client },
	workflow,
	candidate,
	says,
	service,
	applications,
	mailServer: { mails },
}) => {
	/** Adds a list, and returns it as it comes back. */
	const add = async (list: ListFile | string) => {
		const { length } = await client.allExecutions(workflow.id);
		const downloaded = candidate.waitForEvent('download', { timeout: 60_000 });
		await uploadList(candidate, workflow.form, list);
		const [{ id }] = await client.waitForExecutions(workflow.id, length + 1);
		expect((await client.waitForExecution(id)).data.resultData.error).toBeUndefined();
		const path = await (await downloaded).path();
		return { path, rows: rowsIn(path) };
	};
	const people = [0, 1, 2, 3, 4].map((index) => ({
		...{ application_id: `APP-${index}`, first_name: 'Person', last_name: `Number, ${index}` },
		email: `person${index}@people.example`,
	}));
	// These rows have old addresses. For another job, an application is a new one.
	const old = { email: 'old@people.example', job_id: JOB.toUpperCase() };
	const withdrawn = { ...people[1], ...old, status: 'withdrawn' };
	const has = { status: 'invited', invitation_link: 'https://assessment.example.com/i/1' };
	const linked = { ...people[2], ...old, ...has, link_sent_at: '2026-11-02' };
	const elsewhere = { ...people[3], ...has, job_id: OTHER_JOB };
	await applications.add([{ ...people[0], ...old }, withdrawn, linked, elsewhere]);
	const before = await applications.all();

	const header = [...NEEDED.map((name) => name.toUpperCase()), 'phone'];
	const list = (rows: object[]) =>
		workbook('list.xlsx', [header, ...rows.map((row) => [...Object.values(row), '012'])]);
	const nobody = { ...people[0], email: 'nobody' };
	const wrong = people.with(0, nobody).with(4, { ...people[4], application_id: 'APP-3' });
	const mistakes = [
		'Nothing was added',
		'Rows read: 5. To be corrected: 2.',
		'Row 2 (APP-0): Email: not an email address',
		'Row 6 (APP-3): person3@people.example has this ID, too.',
	];
	const advice = 'Row 4 (APP-2): the invitation went to old@people.example. Correct it in';
	for (const what of [CHECK, undefined]) await says(list(wrong), what, ...mistakes);
	await says(
		list(people),
		CHECK,
		CHECKED,
		'Rows read: 5. added: 2, corrected: 2, unchanged: 1',
		advice,
	);
	expect([service.requests, await applications.all()]).toEqual([[], before]);

	const first = await add(list([...people, people[0]]));
	const sent = (index: number) => {
		const { invitation_link } = invitationOf(service, `APP-${index}`);
		return { ...people[index], ...SENT, invitation_link };
	};
	const rows = [sent(0), { ...people[1], status: 'withdrawn' }, linked, sent(3), sent(4)];
	const kept = await applications.all();
	expect(kept).toMatchObject(rows.toSpliced(3, 0, elsewhere));
	const back = (...imported: string[]) =>
		imported.map((each, index) => ({ ...rows[index % 5], phone: '012', imported: each }));
	const wanted = ['corrected', 'corrected', 'unchanged', 'added', 'added', 'listed twice'];
	expect(first.rows).toMatchObject(back(...wanted));
	const again = await add(first.path);
	expect(again.rows).toMatchObject(back(...Array(5).fill('unchanged'), 'listed twice'));
	expect(await applications.all()).toEqual(kept);
	const mailed = [0, 3, 4].map((index) => people[index].email);
	expect(mails.map(({ to }) => to).sort()).toEqual(mailed);
});

const NO_LIST = "This file can't be read. Save the list as .xlsx without a password";
const KIM = ['Kim', 'Park', 'kim@people.example'];
const GARBLED = `${NEEDED.join(';')}\r\nAPP-1;Jörg;Müller;joerg@people.example`;
const UMLAUTS = `sep=;\nApplication ID;FIRST NAME;last-name; E-Mail;note\n00123;Jörg;"Müller; Dr.";j@people.example;"a\nb"`;
const TITLED = [['Applicants'], NEEDED, ['APP-1', ...KIM]];
const BLANK = [NEEDED, [4711, ...KIM], [null, '', ' ', null]];

test(`${EXAMPLE}: the page says what is wrong with a list, and nothing is added; a list is read as it stands, whatever its file is called`, async ({
	says,
	service,
	applications,
}) => {
	const wrong: Array<[list: ListFile, words: string]> = [
		[file('list.xlsx', Buffer.from('PK\u0003\u0004')), NO_LIST],
		[file('list.xlsx', Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1')), NO_LIST],
		[file('list.csv', Buffer.from(`\ufeff${NEEDED}`, 'utf16le')), NO_LIST],
		[file('list.csv', Buffer.from(GARBLED, 'latin1')), NO_LIST],
		[csv(`${NEEDED}\n`), 'The list is empty.'],
		[workbook('list.xlsx', TITLED), 'first line has: Applicants.'],
	];
	for (const [list, words] of wrong) await says(list, CHECK, 'Nothing was added', words);
	const right = [
		csv(UMLAUTS),
		csv(`\ufeff${NEEDED}\nAPP-1,"Zoë ""Z""",Łuk,${KIM[2]}`),
		file('list.xlsx', Buffer.from(`${NEEDED.join('\t')}\nAPP-1\t${KIM.join('\t')}`)),
		workbook('list.xls', [NEEDED, ['APP-1', ...KIM]]),
		file('list.csv', workbook('list.xlsx', BLANK).buffer),
	];
	for (const list of right) await says(list, CHECK, CHECKED, 'Rows read: 1.');
	expect([service.requests, await applications.all()]).toEqual([[], []]);
});
