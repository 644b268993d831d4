import type { Locator, Page } from '@playwright/test';

import type { N8nClient, Workflow } from '../../../tools/n8n/client.mts';
import { expect, formOf, jsonOf, openForm, test } from './fixtures.mts';

const EXAMPLE = 'invite-from-a-spreadsheet';
const HEADER = ['application_id', 'first_name', 'last_name', 'email', 'phone'];
const ROWS = 200;
const WRONG = 10;

type List = Parameters<Locator['setInputFiles']>[0];

/** A list in which every twentieth row has no valid email address. */
const LIST = [
	HEADER.join(','),
	...Array.from({ length: ROWS }, (_, index) => {
		const email = index % (ROWS / WRONG) === 7 ? 'nobody' : `person${index}@example.com`;
		return `APP-${index},Person,"Number, ${index}",${email},0${index}`;
	}),
].join('\n');

const csv = (text: string, encoding: BufferEncoding = 'utf8') => ({
	...{ name: 'list.csv', mimeType: 'text/csv' },
	buffer: Buffer.from(text, encoding),
});

/** Uploads a list to the page of the published example. */
async function send(page: Page, { baseUrl }: N8nClient, workflow: Workflow, list: List) {
	await openForm(page, formOf(baseUrl, workflow));
	await page.locator('input[type=file]').setInputFiles(list);
	await page.getByRole('button', { name: 'Invite' }).click();
}

/** The same for a list that comes back; gives its rows. */
async function upload(page: Page, client: N8nClient, workflow: Workflow, list: List) {
	const earlier = await client.allExecutions(workflow.id);
	const download = page.waitForEvent('download', { timeout: 60_000 });
	await send(page, client, workflow, list);
	const path = await (await download).path();
	const [{ id }] = await client.waitForExecutions(workflow.id, earlier.length + 1);
	const execution = await client.waitForExecution(id);
	const rows = jsonOf(execution, 'Sort By Row');
	const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
	return { name: (await download).suggestedFilename(), path, rows, count };
}

test(`${EXAMPLE}: 200 rows, ten of them wrong, come back with their outcomes, and can go in again`, async ({
	n8n: { client },
	service,
	candidate,
	importFile,
}) => {
	const workflow = await importFile(EXAMPLE);
	await client.publish(workflow.id);
	const first = await upload(candidate, client, workflow, csv(LIST));
	expect(service.invitations).toHaveLength(ROWS - WRONG);
	expect([first.count('invited'), first.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
	expect(first.rows.map(({ row }) => row)).toEqual(first.rows.map((_, index) => index + 2));
	expect(first.rows[7]).toMatchObject({ phone: '07', problem: expect.stringMatching(/^Email/) });
	const { invitation_link } = service.invitations[0];
	expect(first.rows[0]).toMatchObject({ last_name: 'Number, 0', invitation_link });
	const columns = [...HEADER, 'row', 'outcome', 'invitation_link', 'open_until', 'problem'];
	expect(Object.keys(first.rows[0]).sort()).toEqual(columns.sort());

	expect(first.name).toBe('invited.xlsx');
	const again = await upload(candidate, client, workflow, first.path);
	expect(service.invitations).toHaveLength(ROWS - WRONG);
	expect([again.count('already invited'), again.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
	expect(again.rows[0]).toMatchObject({ phone: '00', invitation_link, problem: '' });
});

test(`${EXAMPLE}: reads what Excel writes, and says what is wrong with a list`, async ({
	n8n: { client },
	service,
	candidate,
	importFile,
}) => {
	const workflow = await importFile(EXAMPLE);
	await client.publish(workflow.id);
	const rows = [
		HEADER.join(';'),
		'APP-1;José;Müller;jose@example.com;1',
		...Array.from({ length: 2 }, () => 'APP-2;Maya;Okafor;maya@example.com;'),
	];
	const text = rows.join('\r\n');
	const windows = await upload(candidate, client, workflow, csv(text, 'latin1'));
	expect(windows.rows.map(({ outcome, problem }) => [outcome, problem])).toEqual([
		['invalid', expect.stringMatching(/wrong encoding.*CSV UTF-8/)],
		['invited', ''],
		['already invited', expect.stringContaining('twice in this list')],
	]);
	const utf8 = await upload(candidate, client, workflow, csv(`\ufeff${text}`));
	expect(utf8.rows[0]).toMatchObject({ outcome: 'invited', first_name: 'José', phone: '1' });

	for (const [list, missing] of [
		[text.replace('email', 'e-mail').replace('last_', ''), 'last_name, email'],
		[HEADER.join(','), 'application_id, first_name, last_name, email'],
	]) {
		await send(candidate, client, workflow, csv(list));
		const sentence = `The list has no rows, or its first line lacks: ${missing}.`;
		await expect(candidate.getByText(sentence)).toBeVisible();
	}
	expect(service.invitations).toHaveLength(2);
});
