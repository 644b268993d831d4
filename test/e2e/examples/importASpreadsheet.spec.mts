import type { Page } from '@playwright/test';

import { OTHER_JOB } from '../../support/example.mts';
import { csv, file, rowsIn, workbook, type ListFile } from '../../support/lists.mts';
import { fillIn } from '../support/visitor.mts';
import { expect, invitationOf, JOB, rowOf, test, type Row } from '../support/exampleFixtures.mts';

const EXAMPLE = 'import-a-spreadsheet';
const CHECK = 'Only check the list';
const INVITE = 'Invite everybody';
const NEEDED = ['application_id', 'first_name', 'last_name', 'email'];

/** Uploads a list at the page. */
async function upload(page: Page, form: string, list: ListFile | string, what: string) {
	// Doesn't wait for n8n's font, which is on another server.
	await page.goto(form, { waitUntil: 'domcontentloaded' });
	await page.locator('input[type=file]').setInputFiles(list);
	await page.getByLabel('Job ID').fill(JOB.toUpperCase());
	await page.getByLabel('What To Do').selectOption(what);
	await page.getByRole('button', { name: 'Upload' }).click();
}

test('a list is checked, invited, and comes back with its own columns and links; uploaded again, corrected, it invites only who is new', async ({
	service,
	candidate,
	applications,
	importExample,
}) => {
	const { form } = await importExample(EXAMPLE);
	const says = async (...words: string[]) => {
		for (const each of words)
			await expect(candidate.locator('.card:visible')).toContainText(each, { timeout: 60_000 });
	};
	const person = (id: string, email = `${id.toLowerCase()}@people.example`) => [
		id,
		'Ada',
		`<${id}`,
		email,
		`about ${id}`,
	];
	const header = [...NEEDED, 'status'];
	// One in the table as written here, one in lower case, one for another job.
	const inTable = ['Kim@people.example', 'lee@people.example'].map((email) =>
		rowOf(email, { email, status: 'withdrawn' }),
	);
	await applications.add(...inTable, rowOf('B', { job_id: OTHER_JOB }));
	const wrong = workbook('list.xlsx', [
		header,
		person('K', 'Kim@people.example'),
		person('L', 'Lee@people.example'),
		...['A', 'B', 'C'].map((id) => [
			id,
			'Ada',
			'Ng',
			id === 'C' ? 'nobody' : `${id}@People.example`,
			`about ${id}`,
		]),
		['A', 'Ada', 'Ng', 'A@people.example', ''],
	]);
	const before = await applications.all();
	await upload(candidate, form, wrong, CHECK);
	await says(
		'Checked: nobody was invited',
		'New: 4. Rows read: 6. Invited: 0. Invited before: 2. To correct: 1.',
		'C: Email: not an email address',
	);
	expect([service.requests, await applications.all()]).toEqual([[], before]);

	const give = async (list: ListFile | string) => {
		const downloaded = candidate.waitForEvent('download', { timeout: 60_000 });
		await upload(candidate, form, list, INVITE);
		const path = await (await downloaded).path();
		await says("Here's your list");
		return rowsIn(path);
	};
	const back = (id: string, more: Row) => ({
		application_id: id,
		first_name: 'Ada',
		last_name: 'Ng',
		status: `about ${id}`,
		...more,
	});
	const link = (id: string) => ({
		invitation_link: invitationOf(service, id).invitation_link,
		outcome: '',
		error: '',
	});
	const first = await give(wrong);
	expect(first).toEqual([
		back('A', { email: 'A@People.example', ...link('A') }),
		back('B', { email: 'B@People.example', ...link('B') }),
		back('A', { email: 'A@people.example', status: '', ...link('A'), invitation_link: '' }),
		back('C', {
			email: 'nobody',
			invitation_link: '',
			outcome: 'invalid',
			error: expect.stringMatching(/^Email: not/),
		}),
	]);
	const added = (id: string) => ({
		...rowOf(id, { first_name: 'Ada', last_name: 'Ng', status: 'invited' }),
		invitation_link: link(id).invitation_link,
	});
	expect(await applications.all()).toMatchObject([...before, added('A'), added('B')]);

	const corrected = workbook('list.ods', [
		header,
		...['A', 'B', 'C'].map((id) => [
			id,
			'Ada',
			'Ng',
			`${id.toLowerCase()}@people.example`,
			`about ${id}`,
		]),
	]);
	expect(await give(corrected)).toMatchObject([back('C', link('C'))]);
	await upload(candidate, form, corrected, INVITE);
	await says(
		'Checked: nobody was invited',
		'New: 0. Rows read: 3. Invited: 0. Invited before: 3. To correct: 0.',
	);
	expect(service.invitations).toHaveLength(3);
	expect((await applications.all()).slice(5)).toMatchObject([added('C')]);
});

const read = (lines: string[][], separator: string) =>
	lines.map((line) => line.join(separator)).join('\n');

test('a list is read as it stands, whatever its format; a file that is no list gets words', async ({
	service,
	applications,
	importExample,
}) => {
	const { form } = await importExample(EXAMPLE);
	const send = async ({ name, buffer }: ListFile) =>
		await fillIn(form, [new File([new Uint8Array(buffer)], name), JOB, INVITE]);
	const right: Array<(lines: string[][]) => ListFile> = [
		...[',', ';', '\t'].map((separator) => (lines: string[][]) => csv(read(lines, separator))),
		(lines) => csv(`\ufeff${read(lines, ';')}`),
		(lines) => file('list.tsv', Buffer.from(read(lines, '\t'))),
		...['list.xlsx', 'list.xls', 'list.ods'].map(
			(name) => (lines: string[][]) => workbook(name, lines),
		),
	];
	for (const [index, format] of right.entries()) {
		const email = `kim${index}@people.example`;
		expect(await send(format([NEEDED, ['00123', 'Kim', 'Łuk', email]]))).toContain('your list');
		const { ext_reference_id, last_name } = service.invitations[index]!;
		expect([index, ext_reference_id, last_name]).toEqual([index, '00123', 'Łuk']);
	}
	const before = await applications.all();
	expect(before).toMatchObject(
		right.map((_, index) => ({ application_id: '00123', email: `kim${index}@people.example` })),
	);
	const windows = Buffer.from(`${NEEDED}\nAPP-1,Jörg,Müller,j@people.example`, 'latin1');
	const wrong: Array<[ListFile, string]> = [
		[file('list.xlsx', Buffer.from('PK\u0003\u0004')), 'Save the list as .xlsx'],
		[file('list.pdf', Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1')), 'To correct: 1.'],
		// The page then shows the text of *Upload A List*.
		[csv(`${NEEDED}\n`), 'success'],
		[file('list.csv', windows), 'APP-1: First Name'],
		[csv('Applicants\nKim'), 'To correct: 1.'],
	];
	for (const [list, words] of wrong) expect(await send(list)).toContain(words);
	expect([service.invitations.length, await applications.all()]).toEqual([right.length, before]);
});
