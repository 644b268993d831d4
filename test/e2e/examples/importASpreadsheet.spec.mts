import { JOB, OTHER_JOB } from '../../support/example.mts';
import { csv, file, rowsIn, workbook, type ListFile } from '../../support/lists.mts';
import { SENT } from '../support/eachWay.mts';
import {
	expect,
	invitationOf,
	test as base,
	uploadList,
	type Imported,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'import-a-spreadsheet';
const CHECK = 'Only check the list';
const NEEDED = ['application_id', 'first_name', 'last_name', 'email'];
const KIM = ['Kim', 'Park', 'kim@people.example'];

const test = base.extend<{
	workflow: Imported;
	/** Uploads a list at the page, which then says these words. */
	says: (list: ListFile | string, what: string, ...words: string[]) => Promise<void>;
	/** Adds a list, and returns it as it comes back. */
	add: (list: ListFile | string) => Promise<{ path: string; rows: ReturnType<typeof rowsIn> }>;
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
	add: async ({ n8n: { client }, workflow, candidate }, use) =>
		await use(async (list) => {
			const { length } = await client.allExecutions(workflow.id);
			const downloaded = candidate.waitForEvent('download', { timeout: 60_000 });
			await uploadList(candidate, workflow.form, list);
			const [{ id }] = await client.waitForExecutions(workflow.id, length + 1);
			expect((await client.waitForExecution(id)).data.resultData.error).toBeUndefined();
			const path = await (await downloaded).path();
			return { path, rows: rowsIn(path) };
		}),
});

test(`${EXAMPLE}: while a row has a mistake, nothing is added; then everybody is added, invited, and mailed once, and the list comes back, however often it is uploaded`, async ({
	says,
	add,
	service,
	applications,
	mailServer: { mails },
}) => {
	const lines = Array.from({ length: 10 }, (_, index) => [
		...[`APP-${index}`, 'Person', `Number, ${index}`, `person${index}@people.example`],
		`0${index}`,
	]);
	const header = [...NEEDED.map((name) => name.toUpperCase()), 'phone'];
	const list = (rows: string[][]) => workbook('list.xlsx', [header, ...rows]);
	const wrong = structuredClone(lines);
	wrong[2][3] = 'nobody';
	wrong[4][0] = 'APP-3';
	const mistakes = [
		'Nothing was added',
		'Rows read: 10. To be corrected: 2.',
		'Row 4 (APP-2): Email: not an email address',
		'Row 6 (APP-3): person3@people.example has this ID, too.',
	];
	for (const what of [CHECK, undefined]) await says(list(wrong), what!, ...mistakes);
	await says(list(lines), CHECK, 'Checked: nothing was added', 'Rows read: 10. added: 10,');
	expect([service.requests, await applications.all()]).toEqual([[], []]);

	const first = await add(list([...lines, lines[0]]));
	const links = lines.map(([application_id]) => {
		return invitationOf(service, application_id).invitation_link;
	});
	expect(await applications.all()).toMatchObject(
		links.map((invitation_link) => ({ ...SENT, invitation_link, job_id: JOB })),
	);
	expect(first.rows).toMatchObject([
		...lines.map(([application_id, , last_name, email, phone], index) => ({
			...{ application_id, last_name, email, phone, imported: 'added' },
			...{ status: 'invited', invitation_link: links[index] },
		})),
		{ imported: 'listed twice', invitation_link: links[0] },
	]);
	const kept = await applications.all();
	const again = await add(first.path);
	expect(again.rows).toMatchObject(first.rows.map(({ invitation_link }) => ({ invitation_link })));
	expect(again.rows[1]).toMatchObject({ imported: 'unchanged', phone: '01' });
	expect(await applications.all()).toEqual(kept);
	expect(mails.map(({ to }) => to).sort()).toEqual(lines.map(([, , , email]) => email).sort());
});

test(`${EXAMPLE}: a row that has a link stays as it is, one without is corrected, and another person gets no ID that is taken`, async ({
	says,
	add,
	service,
	applications,
}) => {
	const row = { first_name: 'Kim', last_name: 'Park', job_id: JOB.toUpperCase() };
	const known = ['with', 'without', 'withdrawn'].map((name) => {
		return { ...row, application_id: name, email: `${name}@people.example`, status: '' };
	});
	const invitation_link = 'https://assessment.example.com/i/1';
	Object.assign(known[0], { status: 'invited', invitation_link, link_sent_at: '2026-11-02' });
	known[2].status = 'withdrawn';
	// For another job, an application is a new one.
	const elsewhere = { ...known[1], job_id: OTHER_JOB, status: 'invited', invitation_link };
	await applications.add([...known, elsewhere]);
	const moved = known.map((each) => [each.application_id, 'Kim', 'Park', `new-${each.email}`]);
	await says(
		csv([NEEDED, ['with', 'Bo', 'Lind', 'bo@people.example'], ...moved.slice(1)].join('\n')),
		CHECK,
		'Row 2 (with): in the table, with@people.example has this ID.',
	);
	const advice = 'Row 2 (with): the invitation went to with@people.example. Correct it in';
	await says(csv([NEEDED, ...moved].join('\n')), CHECK, 'corrected: 2, unchanged: 1', advice);
	const { rows } = await add(csv([NEEDED, ...moved].join('\n')));
	expect(rows.map(({ imported }) => imported)).toEqual(['unchanged', 'corrected', 'corrected']);
	const email = 'new-without@people.example';
	const all = await applications.all();
	expect(all).toMatchObject([
		...[known[0], { email, status: 'invited' }],
		...[{ email: 'new-withdrawn@people.example', status: 'withdrawn' }, elsewhere],
	]);
	expect(service.invitations.map((each) => each.email)).toEqual([email]);
});

const NO_LIST = "This file can't be read. Save the list as .xlsx without a password";
const GARBLED = Buffer.from(
	`${NEEDED.join(';')}\r\nAPP-1;Jörg;Müller;joerg@people.example`,
	'latin1',
);

test(`${EXAMPLE}: the page says what is wrong with a list, and nothing is added; a list is read as it stands, whatever its file is called`, async ({
	says,
	service,
	applications,
}) => {
	const wrong: Array<[list: ListFile, words: string]> = [
		[file('list.xlsx', Buffer.from('PK\u0003\u0004')), NO_LIST],
		[file('list.xlsx', Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1')), NO_LIST],
		[file('list.csv', Buffer.from(`\ufeff${NEEDED}`, 'utf16le')), NO_LIST],
		[file('list.csv', GARBLED), NO_LIST],
		[csv(`${NEEDED}\n`), 'The list is empty.'],
		[
			workbook('list.xlsx', [['Applicants'], NEEDED, ['APP-1', ...KIM]]),
			'first line has: Applicants.',
		],
		[csv('ID,Name,E-Mail\n1,Kim Park,k@people.example'), 'Split full names into two columns.'],
		[
			csv(`${NEEDED},E-Mail\nAPP-1,${KIM},k@people.example`),
			'Keep only one of these columns: email',
		],
	];
	for (const [list, words] of wrong) await says(list, CHECK, 'Nothing was added', words);

	const umlauts = `sep=;\nID;FIRST NAME;last-name; E-Mail;note\n00123;Jörg;"Müller; Dr.";j@people.example;"a\nb"`;
	const right: ListFile[] = [
		csv(umlauts.replace('ID;', 'Application ID;')),
		csv(`\ufeff${NEEDED}\nAPP-1,"Zoë ""Z""",Łuk,${KIM[2]}`),
		file('list.xlsx', Buffer.from(`${NEEDED.join('\t')}\nAPP-1\t${KIM.join('\t')}`)),
		workbook('list.xls', [NEEDED, ['APP-1', ...KIM]]),
		file('list.csv', workbook('list.xlsx', [NEEDED, [4711, ...KIM], [null, '', ' ', null]]).buffer),
	];
	for (const list of right) await says(list, CHECK, 'Checked: nothing was added', 'Rows read: 1.');
	expect([service.requests, await applications.all()]).toEqual([[], []]);
});
