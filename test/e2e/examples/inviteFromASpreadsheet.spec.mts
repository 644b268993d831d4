import type { Locator, Page } from '@playwright/test';

import type { N8nClient, Workflow } from '../../../tools/n8n/client.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import { references } from '../../support/inviteList.mts';
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
import { dayIn, LOS_ANGELES, setTimeZone } from '../../support/timeZones.mts';
import { editNode } from '../../support/workflows.mts';
import { expect, formOf, invitationOf, openForm, test } from './fixtures.mts';

const EXAMPLE = 'invite-from-a-spreadsheet';
const CHECK = 'Only check the list';
const HEADER = ['application_id', 'first_name', 'last_name', 'email', 'phone'];
const ROWS = 200;
const WRONG = 10;

const CORRECT = 'Correct them in the file that came back';

type List = Parameters<Locator['setInputFiles']>[0];

/** A list in which every twentieth row has no valid email address. */
const LIST = [
	HEADER.join(','),
	...Array.from({ length: ROWS }, (_, index) => {
		const email = index % (ROWS / WRONG) === 7 ? 'nobody' : `person${index}@example.com`;
		return `APP-${index},Person,"Number, ${index}",${email},0${index}`;
	}),
].join('\n');

/** Publishes the example. Gives what a user does on its page: sends a list, or uploads one whose rows come back. */
async function publish(page: Page, client: N8nClient, workflow: Workflow) {
	await client.publish(workflow.id);
	const send = async (list: List, what = 'Invite everybody in it', job = JOB) => {
		await openForm(page, formOf(client.baseUrl, workflow));
		await page.locator('input[type=file]').setInputFiles(list);
		await page.getByLabel('Job ID').fill(job);
		await page.getByLabel('What To Do').selectOption(what);
		await page.getByRole('button', { name: 'Send' }).click();
	};
	const upload = async (list: List, what?: string, job?: string) => {
		const earlier = await client.allExecutions(workflow.id);
		const download = page.waitForEvent('download', { timeout: 60_000 });
		await send(list, what, job);
		const [{ id }] = await client.waitForExecutions(workflow.id, earlier.length + 1);
		const execution = await client.waitForExecution(id);
		expect(execution.data.resultData.error).toBeUndefined();
		const path = await (await download).path();
		const rows = rowsIn(path);
		const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
		return { name: (await download).suggestedFilename(), path, rows, count };
	};
	return { send, upload };
}

test(`${EXAMPLE}: 200 rows, ten of them wrong, come back with their outcomes, and can go in again`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importExample,
}) => {
	const { upload } = await publish(candidate, client, await importExample(EXAMPLE));
	const checked = await upload(csv(LIST), CHECK);
	expect([checked.count('ready'), checked.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
	const ready = `Nobody was invited. Ready to be invited: ${ROWS - WRONG}.`;
	await expect(candidate.getByText(ready)).toBeVisible();
	await expect(candidate.getByText(`Rows read from list.csv: ${ROWS}.`)).toBeVisible();
	const named = /Row 9 \(APP-7\): Email: .*Row 29 \(APP-27\): .*Row 189 \(APP-187\): Email: /s;
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
	for (const sentence of [
		`Invited: ${ROWS - WRONG}.`,
		'Already invited, or listed twice: 0.',
		`Not invited: ${WRONG}.`,
	]) {
		await expect(candidate.getByText(sentence)).toBeVisible();
	}
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

test(`${EXAMPLE}: five rows of real life become a list that is whole, and can be run again`, async ({
	n8n: { client },
	service,
	candidate,
	importExample,
}) => {
	const { upload } = await publish(candidate, client, await importExample(EXAMPLE));
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

	const corrected = REAL_LIFE.replace('Null;;', 'Null;ann@people.example;').replace(
		'1,23457E+14',
		'123456789012345',
	);
	const whole = await upload(csv(`\ufeff${corrected}`));
	expect([whole.count('invited'), whole.count('already invited')]).toEqual([3, 2]);
	expect(whole.rows[0]).toMatchObject({ 'FIRST NAME': 'Jörg', start: '01.02.2027' });
	const again = await upload(whole.path);
	expect(again.count('already invited')).toBe(5);
	expect(service.invitations).toHaveLength(4);
});

const KIM = ['Kim', 'Park', 'kim@people.example'];
const NEEDED = HEADER.slice(0, 4);
const AGAIN = 'Correct the list and upload it again.';

/** Files that can't be read as a list, and what the page says. */
const BROKEN: Record<string, [list: ListFile, words: string, job?: string]> = {
	'a quotation mark within a cell': [
		csv(`${NEEDED}\nAPP-1,${KIM}\n\nAPP-2,O"Neil,Lee,lee@people.example`),
		'The file can\'t be read: line 4 has a quotation mark (") out of place.',
	],
	'a workbook with a password': [lockedWorkbook('list.xlsx'), 'is password-protected'],
	'a zipped file that is no workbook': [zippedFile('list.xlsx'), "The file can't be read: "],
	'no workbook and no list': [
		file('list.xlsx', Buffer.from('%PDF-1.4\n%\u00e2\u00e3')),
		'These columns are missing: application_id, first_name, last_name, email. The first line has: %PDF-1.4.',
	],
	'an empty workbook': [workbook('list.xlsx', []), 'The list is empty.'],
	'no job': [
		csv(`${NEEDED}\nAPP-1,${KIM}`),
		'Enter the Job ID on the page, or in a column job_id of the list, and upload the list again.',
		'',
	],
};

test(`${EXAMPLE}: the page says what is wrong with a list, and nobody is invited`, async ({
	n8n: { client },
	service,
	candidate,
	importExample,
}) => {
	const { send } = await publish(candidate, client, await importExample(EXAMPLE));
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

const ready = (application_id: unknown, more: object = {}) => ({
	application_id,
	outcome: 'ready',
	problem: '',
	...more,
});
const IDS = ['00123', '1-2', '1E5'];
const linesWith = (sign: string, ids = IDS) =>
	[NEEDED, ...ids.map((id) => [id, ...KIM])].map((cells) => cells.join(sign)).join('\r\n');
const asTheyStand = IDS.map((id) => ready(id));

/** Files with oddities that are none, and the rows that come back. */
const ODD: Record<string, [list: ListFile, rows: object[], job?: string]> = {
	'a CSV file that is called .xlsx': [textFile('list.xlsx', linesWith(',')), asTheyStand],
	'a workbook that is called .csv': [
		workbook('list.csv', [NEEDED, ...IDS.map((id) => [id, ...KIM])], { format: 'xlsx' }),
		asTheyStand,
	],
	'an old workbook': [workbook('list.xls', [NEEDED, ['APP-1', ...KIM]]), [ready('APP-1')]],
	'a workbook of LibreOffice': [
		workbook('list.ods', [NEEDED, ['APP-1', ...KIM]]),
		[ready('APP-1')],
	],
	'970 rows that are empty but for a box to tick': [
		workbook('list.xlsx', [
			[...NEEDED, 'called'],
			['APP-1', ...KIM, true],
			...Array.from({ length: 970 }, () => [null, '', ' ', null, false]),
		]),
		[ready('APP-1', { called: true })],
	],
	'a job that stands once for several rows': [
		workbook(
			'list.xlsx',
			[
				[...NEEDED, 'job_id'],
				['APP-1', ...KIM, JOB],
				['APP-2', ...KIM],
			],
			{ change: (sheet) => (sheet['!merges'] = [{ s: { r: 1, c: 4 }, e: { r: 2, c: 4 } }]) },
		),
		[
			ready('APP-1', { job_id: JOB }),
			{ outcome: 'invalid', problem: expect.stringMatching(/^Job ID: required/) },
		],
		'',
	],
	'columns of its own, some of them with the names of others': [
		csv(
			`${NEEDED},status,created_at,row,error,number,notes,notes,,list\nAPP-1,${KIM},new,May,7,none,3,a,b,c,d`,
		),
		[
			ready('APP-1', {
				...{ status: 'new', created_at: 'May', row: '7', error: 'none', number: '3' },
				...{ notes: 'a', 'notes 2': 'b', 'No name': 'c', list: 'd' },
			}),
		],
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
	n8n: { client },
	service,
	candidate,
	importExample,
}) => {
	const { upload } = await publish(candidate, client, await importExample(EXAMPLE));
	for (const [what, [list, rows, job]] of Object.entries(ODD)) {
		await test.step(what, async () => {
			const back = await upload(list, CHECK, job);
			expect(back.rows, what).toMatchObject(rows);
			const read = `Rows read from ${list.name}: ${rows.length}.`;
			await expect(candidate.getByText(read)).toBeVisible();
		});
	}
	expect(service.requests).toEqual([]);
});

test(`${EXAMPLE}: two people with one ID are held back, and each is invited once they have their own`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importExample,
}) => {
	const workflow = await importExample(EXAMPLE);
	const { upload } = await publish(candidate, client, workflow);
	const lines = Array.from(
		{ length: 20 },
		(_, index) => `${index},P${index},Ex,p${index}@people.example`,
	);
	// Two people with one ID, one person twice, and somebody without an address.
	lines[5] = '4,P5,Ex,p5@people.example';
	lines[11] = lines[10].replace('p10@', 'P10@');
	lines[15] = '15,P15,Ex,';
	const list = () => csv([NEEDED, ...lines].join('\n'));
	const told = async (
		outcomes: Record<string, number>,
		back: Awaited<ReturnType<typeof upload>>,
	) => {
		for (const [outcome, count] of Object.entries(outcomes)) {
			expect([outcome, back.count(outcome)]).toEqual([outcome, count]);
		}
		return back.rows.map(({ problem }) => problem);
	};
	const held = (name: string) =>
		`This ID is also that of ${name}@people.example: give each person their own, or correct the email in the list and in the table`;

	const problems = await told(
		{ ready: 16, 'already invited': 1, invalid: 3 },
		await upload(list(), CHECK),
	);
	expect([problems[4], problems[5]]).toEqual([held('p5'), held('p4')]);
	await expect(candidate.getByRole('listitem').filter({ hasText: held('p5') })).toBeVisible();
	expect([service.requests, await applications.all()]).toEqual([[], []]);

	const first = await upload(list());
	await told({ invited: 16, 'already invited': 1, invalid: 3 }, first);
	expect(first.rows[11].invitation_link).toBe(first.rows[10].invitation_link);
	const before = await applications.all();
	expect(before).toHaveLength(16);

	// The address is there now. Somebody new has the ID of a row of the table.
	lines[15] += 'p15@people.example';
	lines[5] = '5,P5,Ex,p5@people.example';
	lines.push('0,P20,Ex,p20@people.example');
	const second = await upload(list());
	const last = await told({ invited: 3, 'already invited': 17, invalid: 1 }, second);
	expect(last.filter(Boolean)).toEqual([held('p0')]);
	expect((await applications.all()).slice(0, 16)).toEqual(before);
	expect(new Set(service.invitations.map(({ email }) => email)).size).toBe(19);
	expect(service.invitations).toHaveLength(19);
});

test(`${EXAMPLE}: a link that can't be emailed is in the list and in the table, for each job`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importExample,
	mailServer,
}) => {
	const workflow = await importExample(EXAMPLE, await mailServer.sends(client, ['Send The Link']));
	const { upload } = await publish(candidate, client, workflow);
	const rows = (id: string, number: string) =>
		workbook('list.xlsx', [
			[...HEADER, 'Job ID'],
			// Excel takes it for a number.
			[Number(id), ...KIM, number, JOB],
			[Number(id), ...KIM, number, OTHER_JOB],
		]);
	mailServer.isDown = true;
	const list = await upload(rows('4711', '1'), undefined, '');
	const invitations = [JOB, OTHER_JOB].map((job) => invitationOf(service, '4711', job));
	expect(list.rows).toMatchObject(
		invitations.map(({ invitation_link, job_id }) => ({
			outcome: 'invited',
			invitation_link,
			'Job ID': job_id,
		})),
	);
	const problem = expect.stringMatching(/^The link was not emailed: \S/);
	// The mails come after the page.
	await expect
		.poll(async () => await applications.all())
		.toMatchObject(
			invitations.map(({ invitation_link, job_id }) => ({
				application_id: '4711',
				job_id,
				status: 'invited',
				invitation_link,
				problem,
				link_sent_at: '',
			})),
		);

	mailServer.isDown = false;
	await upload(rows('4712', '2'), undefined, '');
	const { invitation_link } = invitationOf(service, '4712', JOB);
	const sent = expect.stringContaining(`: ${invitation_link}`);
	expect(mailServer.mails.map(({ text }) => text)).toContainEqual(sent);
});

test(`${EXAMPLE}: a list whose run is stopped, uploaded again, comes back with all links, and nobody is invited twice`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importExample,
}) => {
	const workflow = await importExample(EXAMPLE);
	const { send, upload } = await publish(candidate, client, workflow);
	const everybody = references(12);
	const list = csv([NEEDED, ...everybody.map((each) => [each, ...KIM])].join('\n'));
	const held = service.faults.inject({
		route: 'createInvitation',
		every: 1,
		delayMs: 600_000,
		when: () => service.invitations.length >= 6,
	});
	await send(list);
	await expect.poll(() => held.seen).toBeGreaterThan(0);
	const [{ id }] = await client.allExecutions(workflow.id);
	await client.stopExecution(id);
	service.faults.clear();
	await client.waitForExecution(id);
	await expect
		.poll(() => service.invitations.length)
		.toBe(service.requests.filter(({ method }) => method === 'POST').length);
	expect(await applications.all()).toEqual([]);

	const { rows } = await upload(list);
	const links = everybody.map((each) => invitationOf(service, each).invitation_link);
	expect(service.invitations).toHaveLength(everybody.length);
	expect(rows).toMatchObject(links.map((link) => ({ outcome: 'invited', invitation_link: link })));
	const kept = (await applications.all()).map(({ invitation_link }) => invitation_link);
	expect(kept.sort()).toEqual(links.sort());
});

test(`${EXAMPLE}: nobody counts as invited where n8n has no credential`, async ({
	n8n: { client },
	service,
	candidate,
	importExample,
}) => {
	const workflow = await importExample(EXAMPLE);
	await editNode(client, workflow.id, 'Invite Everybody', {
		credentials: { candidateAssessmentApi: { id: 'gone', name: 'gone' } },
	});
	const { send } = await publish(candidate, client, workflow);
	await send(csv(`${NEEDED}\nAPP-1,${KIM}`));
	await expect(candidate.getByText(/Row 2 \(APP-1\): Credential/)).toBeVisible();
	expect(service.requests).toEqual([]);
});

test(`${EXAMPLE}: the last day is the day in the workflow's time zone`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importExample,
	mailServer,
}) => {
	const workflow = await importExample(EXAMPLE, await mailServer.sends(client, ['Send The Link']));
	await setTimeZone(client, workflow, LOS_ANGELES);
	const { upload } = await publish(candidate, client, workflow);
	const { rows } = await upload(csv(`${NEEDED}\nAPP-1,${KIM}`));
	const { invitation_expired_at } = invitationOf(service, 'APP-1');
	const iso = new Intl.DateTimeFormat('sv', { timeZone: LOS_ANGELES }).format(
		new Date(invitation_expired_at),
	);
	// It ends within the next day of UTC.
	expect(invitation_expired_at.slice(0, 10) > iso).toBe(true);
	expect(rows).toMatchObject([{ open_until: iso }]);
	const [{ open_until }] = await applications.all();
	expect(open_until).toMatch(new RegExp(`^${iso}T`));
	expect(new Date(open_until)).toEqual(new Date(invitation_expired_at));
	const words = `complete your assessment by ${dayIn(LOS_ANGELES, invitation_expired_at)}: `;
	expect(mailServer.mails[0].text).toContain(words);
});
