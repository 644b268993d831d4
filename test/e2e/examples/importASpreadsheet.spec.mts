import type { Page } from '@playwright/test';
import XLSX from 'xlsx';

import { OTHER_JOB } from '../../support/example.mts';
import { expect, test } from '../support/exampleFixtures.mts';
import { JOB, linkOf, rowOf, says, type Row } from '../support/rows.mts';
import { fillIn } from '../support/visitor.mts';

const EXAMPLE = 'import-a-spreadsheet';
const CHECK = 'Only check the list';
const INVITE = 'Invite everybody';
const NEEDED = ['application_id', 'first_name', 'last_name', 'email'];

type Lines = string[][];

/** A file as a browser uploads it: it guesses the type from the name. */
const file = (name: string, content: Buffer | string) => ({
	...{ name, mimeType: '' },
	buffer: Buffer.from(content as string),
});
const separated = (lines: Lines, by: string) => lines.map((line) => line.join(by)).join('\n');

/** A workbook, written by the library with which n8n reads files. The extension of `name` sets the format. */
function workbook(name: string, lines: Lines) {
	const book = { SheetNames: ['List'], Sheets: { List: XLSX.utils.aoa_to_sheet(lines) } };
	const bookType = name.split('.').at(-1) as XLSX.BookType;
	return file(name, XLSX.write(book, { type: 'buffer', bookType }) as Buffer);
}
type ListFile = ReturnType<typeof file>;

/** Uploads a list at the page, which then has these words. */
async function upload(page: Page, form: string, list: ListFile, what: string, words: string[]) {
	// Doesn't wait for n8n's font, which is on another server.
	await page.goto(form, { waitUntil: 'domcontentloaded' });
	await page.locator('input[type=file]').setInputFiles(list);
	await page.getByLabel('Job ID').fill(JOB.toUpperCase());
	await page.getByLabel('What To Do').selectOption(what);
	await page.getByRole('button', { name: 'Upload' }).click();
	for (const each of words)
		await expect(page.locator('.card:visible')).toContainText(each, { timeout: 60_000 });
}

test('a list comes back with links', async ({ service, candidate: page, table, example }) => {
	const { form } = await example(EXAMPLE);
	const ada = { first_name: 'Ada', last_name: 'Ng' };
	const list = (name: string, ...lines: Array<[id: string, email?: string, status?: string]>) => {
		const written = lines.map(([id, email = `${id}@People.example`, status = `about ${id}`]) => {
			return [id, 'Ada', 'Ng', email, status];
		});
		return workbook(name, [[...NEEDED, 'status'], ...written]);
	};
	// One in the table as written here, one in lower case; both ways for a different job.
	const [kim, lee] = ['Kim@people.example', 'Lee@people.example'];
	const [job_id, email] = [OTHER_JOB, 'A@People.example'];
	const others = [rowOf('A', { job_id, email }), rowOf('B', { job_id })];
	await table.add(rowOf('X', { email: kim }), rowOf('lee'), ...others);
	const before = await table.all();
	const wrong = list(
		'list.xlsx',
		['K', kim],
		['L', lee],
		['A'],
		['B'],
		['C', 'nobody'],
		['A', 'A@people.example', ''],
	);
	await upload(page, form, wrong, CHECK, [
		'Checked: nobody was invited',
		'New: 4. Rows read: 6. Invited: 0. In the table: 2. Invited before: 0. To correct: 1.',
		'C: Email: not an email address',
	]);
	expect([service.requests, await table.all()]).toEqual([[], before]);

	const give = async (list: ListFile) => {
		const download = page.waitForEvent('download', { timeout: 60_000 });
		await upload(page, form, list, INVITE, ["Here's your list"]);
		const { SheetNames, Sheets } = XLSX.readFile(await (await download).path());
		return XLSX.utils.sheet_to_json(Sheets[SheetNames[0]!]!, { defval: '' });
	};
	const back = (id: string, more: Row = {}) => ({
		...{ application_id: id, ...ada, email: `${id}@People.example`, status: `about ${id}` },
		...{ invitation_link: '', outcome: '', error: '', ...more },
	});
	expect(await give(wrong)).toEqual([
		back('A', linkOf(service, 'A')),
		back('B', linkOf(service, 'B')),
		back('A', { email: 'A@people.example', status: '' }),
		back('C', { email: 'nobody', outcome: 'invalid', error: says(/^Email: not/) }),
	]);
	const added = (id: string) => rowOf(id, { ...ada, status: 'invited', ...linkOf(service, id) });
	expect(await table.all()).toMatchObject([...before, added('A'), added('B')]);

	const corrected = list('list.ods', ['A'], ['B'], ['C']);
	expect(await give(corrected)).toEqual([back('C', linkOf(service, 'C'))]);
	const none = 'New: 0. Rows read: 3. Invited: 0. In the table: 3. Invited before: 0.';
	await upload(page, form, corrected, INVITE, ['Checked: nobody was invited', none]);
	expect(service.invitations).toHaveLength(3);
	expect((await table.all()).slice(6)).toMatchObject([added('C')]);
});

test('a list is read as it stands, in any format', async ({ service, table, example }) => {
	const { form } = await example(EXAMPLE);
	const send = async ({ name, buffer }: ListFile) =>
		await fillIn(form, [new File([new Uint8Array(buffer)], name), JOB, INVITE]);
	const formats: Array<(lines: Lines) => ListFile> = [
		...[',', ';', '\t'].map((by) => (lines: Lines) => file('list.csv', separated(lines, by))),
		(lines) => file('list.csv', `\ufeff${separated(lines, ';')}`),
		(lines) => file('list.tsv', separated(lines, '\t')),
		...['xlsx', 'xls', 'ods'].map((type) => (lines: Lines) => workbook(`list.${type}`, lines)),
	];
	const rows = formats.map((_, index) => {
		const email = `kim${index}@people.example`;
		return { application_id: '00123', first_name: 'Kim', last_name: 'Łuk', email };
	});
	for (const [index, format] of formats.entries())
		expect(await send(format([NEEDED, Object.values(rows[index]!)]))).toContain('your list');
	const before = await table.all();
	expect(before).toMatchObject(rows);
	const windows = Buffer.from(`${NEEDED}\nAPP-1,Jörg,Müller,j@people.example`, 'latin1');
	const wrong: Array<[list: ListFile, words: string]> = [
		[file('list.xlsx', 'PK\u0003\u0004'), 'Save the list as .xlsx'],
		[file('list.pdf', Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1')), 'To correct: 1.'],
		// The page then shows the text of *Upload A List*.
		[file('list.csv', `${NEEDED}\n`), 'success'],
		[file('list.csv', windows), 'APP-1: First Name'],
		[file('list.csv', 'Applicants\nKim'), 'To correct: 1.'],
	];
	for (const [list, words] of wrong) expect(await send(list)).toContain(words);
	expect([service.invitations.length, await table.all()]).toEqual([formats.length, before]);
});
