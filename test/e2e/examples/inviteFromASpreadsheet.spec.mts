import type { Locator, Page } from '@playwright/test';

import type { N8nClient, Workflow } from '../../../tools/n8n/client.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import { expect, formOf, invitationOf, jsonOf, openForm, test } from './fixtures.mts';

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
	name: 'list.csv',
	mimeType: 'text/csv',
	buffer: Buffer.from(text, encoding),
});

/** Publishes the example. Gives what a user does on its page: sends a list, or uploads one whose rows come back. */
async function publish(page: Page, client: N8nClient, workflow: Workflow) {
	await client.publish(workflow.id);
	const send = async (list: List, what = 'Invite everybody in it') => {
		await openForm(page, formOf(client.baseUrl, workflow));
		await page.locator('input[type=file]').setInputFiles(list);
		await page.getByLabel('Job ID').fill(JOB);
		await page.getByLabel('What To Do').selectOption(what);
		await page.getByRole('button', { name: 'Send' }).click();
	};
	const upload = async (list: List, what?: string) => {
		const earlier = await client.allExecutions(workflow.id);
		const download = page.waitForEvent('download', { timeout: 60_000 });
		await send(list, what);
		const [{ id }] = await client.waitForExecutions(workflow.id, earlier.length + 1);
		const execution = await client.waitForExecution(id);
		expect(execution.data.resultData.error).toBeUndefined();
		expect(execution.data.resultData.runData['Write An Excel File']).toHaveLength(1);
		const path = await (await download).path();
		const rows = jsonOf(execution, 'Leave Out The Numbers');
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
	const checked = await upload(csv(LIST), 'Only check the list');
	expect([checked.count('ready'), checked.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
	const ready = `Nobody was invited. Ready to be invited: ${ROWS - WRONG}.`;
	await expect(candidate.getByText(ready)).toBeVisible();
	expect(service.requests).toEqual([]);

	expect(checked.name).toBe('checked.xlsx');
	const first = await upload(checked.path);
	expect(service.invitations).toHaveLength(ROWS - WRONG);
	const links = service.invitations.map(({ invitation_link }) => invitation_link);
	const kept = (await applications.all()).map(({ invitation_link }) => invitation_link);
	expect(kept.sort()).toEqual(links.sort());
	expect([first.count('invited'), first.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
	expect(first.rows.map(({ phone }) => phone)).toEqual(first.rows.map((_, index) => `0${index}`));
	const sentence = `Invited: ${ROWS - WRONG}. Invited before, or listed twice: 0. Not invited: ${WRONG} (the first: Email: `;
	await expect(candidate.getByText(sentence)).toBeVisible();
	expect(first.rows[7]).toMatchObject({ phone: '07', problem: expect.stringMatching(/^Email/) });
	const { invitation_link } = service.invitations[0];
	expect(first.rows[0]).toMatchObject({ last_name: 'Number, 0', invitation_link });
	const columns = [...HEADER, 'job_id', 'outcome', 'invitation_link', 'open_until', 'problem'];
	expect(Object.keys(first.rows[0]).sort()).toEqual(columns.sort());

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
		{ application_id: 'APP-0', outcome: 'already invited' },
		{ application_id: 'APP-ODD', outcome: 'invalid' },
	]);
	const counts = 'Invited: 0. Invited before, or listed twice: 2. Not invited: 1';
	await expect(candidate.getByText(counts)).toBeVisible();
	expect(service.invitations).toHaveLength(ROWS - WRONG);
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
	const { send, upload } = await publish(candidate, client, await importExample(EXAMPLE));
	// As Excel saves it, in Windows-1252.
	const saved = await upload(csv(REAL_LIFE, 'latin1'));
	expect(saved.rows.map(({ outcome, problem }) => [outcome, problem])).toEqual([
		['invalid', expect.stringMatching(/wrong encoding.*CSV UTF-8/)],
		['invited', ''],
		['invalid', expect.stringMatching(/^Email: required, but empty/)],
		['already invited', expect.stringMatching(/^Listed twice: the row above/)],
		['invalid', expect.stringMatching(/a spreadsheet rounded.*as text/)],
	]);
	expect(saved.rows[1].open_until).toMatch(/^\d{4}-\d\d-\d\d$/);

	const corrected = REAL_LIFE.replace('Null;;', 'Null;ann@people.example;').replace(
		'1,23457E+14',
		'123456789012345',
	);
	const whole = await upload(csv(`\ufeff${corrected}`));
	expect([whole.count('invited'), whole.count('already invited')]).toEqual([3, 2]);
	expect(whole.rows[0]).toMatchObject({ first_name: 'Jörg', start: '01.02.2027' });
	const again = await upload(whole.path);
	expect(again.count('already invited')).toBe(5);
	expect(service.invitations).toHaveLength(4);

	for (const [list, names] of [
		[REAL_LIFE.replace('E-Mail', 'Mail').replace('last-', ''), 'last_name, email'],
		[HEADER.join(','), 'application_id, first_name, last_name, email'],
	]) {
		await send(csv(list));
		const sentence = `The list has no rows, or its first line lacks: ${names}.`;
		await expect(candidate.getByText(sentence)).toBeVisible();
	}
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
	const rows = (job: string) =>
		csv(
			`${HEADER},Job ID\nAPP-1,Kim,Park,kim@people.example,1,\nAPP-1,Kim,Park,kim@people.example,1,${job}`,
		);
	mailServer.isDown = true;
	const list = await upload(rows(OTHER_JOB));
	const invitations = [JOB, OTHER_JOB].map((job) => invitationOf(service, 'APP-1', job));
	expect(list.rows).toMatchObject(
		invitations.map(({ invitation_link, job_id }) => ({
			outcome: 'invited',
			invitation_link,
			job_id,
		})),
	);
	const problem = expect.stringMatching(/^The link was not emailed: \S/);
	expect(await applications.all()).toMatchObject(
		invitations.map(({ invitation_link, job_id }) => ({
			application_id: 'APP-1',
			job_id,
			status: 'invited',
			invitation_link,
			problem,
			link_sent_at: '',
		})),
	);
});
