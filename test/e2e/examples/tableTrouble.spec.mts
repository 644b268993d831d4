import type { Page } from '@playwright/test';

import type { Workflow } from '../../../tools/n8n/client.mts';
import { JOB } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import { csv, rowsIn } from '../../support/lists.mts';
import {
	apply,
	expect,
	invitationOf,
	test as base,
	uploadList,
	type Row,
} from '../support/exampleFixtures.mts';

const SEND = 'Send The Link';
const LIMIT = 5_000_000;

base.beforeAll(async ({ n8n }) => {
	await n8n.restart({
		N8N_DATA_TABLES_MAX_SIZE_BYTES: `${LIMIT}`,
		N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
	});
});

const person = (name: string): Row => ({
	application_id: `APP-${name}`,
	first_name: name,
	last_name: 'Example',
	email: `${name.toLowerCase()}@people.example`,
	job_id: JOB,
});
const LIST = ['Ada', 'Ben', 'Cem'].map(person);

/** Troubles of the table while somebody is invited. */
const TROUBLES = ['is full', 'has a column of another name', 'is deleted while the list is sent'];
/** A trouble that a page doesn't notice at once. */
const MISSING = 'is missing';

const test = base.extend<{
	/** Begins a trouble, at once or with the next invitation. @returns its undo; a deleted table gets these rows */
	trouble: (what: string) => Promise<(rows?: Row[]) => Promise<void>>;
	/** Retries the newest failed execution in n8n, and expects success by default. */
	retry: (workflow: Workflow, status?: string) => Promise<void>;
	/** Expects each to have one mail with their own link. */
	expectMails: (...names: string[]) => void;
}>({
	trouble: async ({ service, applications }, use) =>
		await use(async (what) => {
			if (what === TROUBLES[0]) return await applications.fillUp(LIMIT + 100_000);
			if (what === TROUBLES[1]) return await applications.renameColumn('invitation_link');
			if (what === MISSING) return await applications.remove();
			let removed: ReturnType<typeof applications.remove> | undefined;
			let isGone = false;
			// Nobody is invited until the table is gone.
			const when = () => {
				removed ??= applications.remove().finally(() => (isGone = true));
				return !isGone;
			};
			const wait = { status: 429, retryAfter: 1, times: 10 };
			service.faults.inject({ route: 'createInvitation', ...wait, when });
			return async (rows) => await (await removed!)(rows);
		}),

	retry: async ({ n8n: { client } }, use) =>
		await use(async ({ id }, status = 'success') => {
			const executions = await client.allExecutions(id);
			const failed = executions.find((execution) => execution.status === 'error')!;
			await client.request('POST', `/rest/executions/${failed.id}/retry`, { loadWorkflow: true });
			const [retried] = await client.waitForExecutions(id, executions.length + 1);
			expect(retried.status).toBe(status);
		}),

	expectMails: async ({ service, mailServer }, use) =>
		await use((...names) => {
			const mails = names.map((name) => {
				const { email, invitation_link } = invitationOf(service, name);
				return { to: email, text: expect.stringContaining(`: ${invitation_link}\r\n`) };
			});
			expect(mailServer.mails).toEqual(mails);
			expect(service.invitations).toHaveLength(names.length);
		}),
});

for (const what of TROUBLES) {
	test(`invite-from-a-list: if the table ${what}, each candidate has one mail in the end, and a row`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		trouble,
		retry,
		expectMails,
	}) => {
		const workflow = await importExample('invite-from-a-list', { mails: [SEND], unpin: true });
		await applications.add(LIST);
		const mend = await trouble(what);
		const morning = async () => await client.runToEnd(workflow.id, 'Every Morning At 8');
		expect((await morning()).status).toBe('error');
		const everybody = LIST.map(({ application_id }) => application_id);
		// A missing column is noticed before anybody is invited.
		const isNoticed = what === TROUBLES[1];
		expectMails(...(isNoticed ? [] : everybody));

		await mend(LIST);
		expect((await morning()).status).toBe('success');
		expectMails(...everybody);
		if (!isNoticed) {
			for (const { problem } of await applications.all())
				expect(problem).toMatch(/under Executions, retry the run that failed/);
			await retry(workflow);
			expectMails(...everybody);
		}
		const rows = await applications.all();
		expect(rows).toMatchObject(
			LIST.map(({ application_id }) => {
				const { invitation_link } = invitationOf(service, application_id);
				return { application_id, job_id: JOB, status: 'invited', invitation_link };
			}),
		);
		for (const { link_sent_at } of rows) expect(link_sent_at).toMatch(/^20/);
	});
}

test('catch-up: while the table is full, nobody is mailed, night after night', async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
	trouble,
}) => {
	const { id } = await importExample('catch-up', {
		mails: [SEND],
		handsOverTo: 'none',
		unpin: true,
	});
	const { ext_reference_id, invitation_link } = await inviteAt(service, JOB);
	await applications.add([
		{ ...LIST[0], application_id: ext_reference_id, status: 'invited', invitation_link },
	]);
	const night = async () => (await client.runToEnd(id, 'Every Night At 3')).status;
	const mend = await trouble(TROUBLES[0]);
	for (const _ of [1, 2]) expect(await night()).toBe('error');
	expect(mailServer.mails).toEqual([]);
	await mend();
	for (const _ of [1, 2]) expect(await night()).toBe('success');
	expect(mailServer.mails.map(({ to }) => to)).toEqual([LIST[0].email]);
});

const EMAIL = 'ines.carvalho@example.com';
const INES = { application_id: EMAIL, email: EMAIL, first_name: 'Inês', job_id: JOB };
const LINK = 'Start your assessment';

/** Each submits a form, and returns the links that come back. */
const PAGES = {
	'apply-and-be-invited': async (page: Page, form: string) => {
		await apply(page, form, EMAIL);
		return [await page.getByRole('link', { name: LINK }).getAttribute('href')];
	},
	'invite-from-a-spreadsheet': async (page: Page, form: string) => {
		const download = page.waitForEvent('download', { timeout: 60_000 });
		const lines = [Object.keys(LIST[0]), ...LIST.map((row) => Object.values(row))];
		await uploadList(page, form, csv(lines.join('\n')), undefined, '');
		const back = rowsIn(await (await download).path());
		await expect(page.getByText("Links that the table didn't take: 3.")).toBeVisible();
		return back.map((row) => row.invitation_link);
	},
};

for (const what of [...TROUBLES, MISSING]) {
	for (const [example, people] of [
		['apply-and-be-invited', [INES]],
		['invite-from-a-spreadsheet', LIST],
	] as const) {
		test(`${example}: if the table ${what}, the page and the mails have the links, and a retry writes the rows`, async ({
			n8n: { client },
			service,
			candidate,
			applications,
			importExample,
			trouble,
			retry,
			expectMails,
		}) => {
			const workflow = await importExample(example, { mails: [SEND], isPublished: true });
			const mend = await trouble(what);
			const links = await PAGES[example](candidate, workflow.form);
			const names = people.map(({ application_id }) => application_id);
			expect(links).toEqual(names.map((name) => invitationOf(service, name).invitation_link));
			expectMails(...names);
			const [{ status }] = await client.waitForExecutions(workflow.id, 1);
			expect(status).toBe('error');

			await mend();
			await retry(workflow);
			expectMails(...names);
			const invited = { status: 'invited', problem: '' };
			const link_sent_at = expect.stringMatching(/^20/);
			expect(await applications.all()).toMatchObject(
				people.map((row, index) => {
					return { ...row, ...invited, link_sent_at, invitation_link: links[index] };
				}),
			);
		});
	}
}

test('apply-and-be-invited: if the table is full and the invitation fails, the page and the run say so', async ({
	n8n: { client },
	service,
	candidate,
	importExample,
	trouble,
}) => {
	const { id, form } = await importExample('apply-and-be-invited', { isPublished: true });
	const mend = await trouble(TROUBLES[0]);
	service.faults.inject({ route: 'createInvitation', status: 401, times: 1 });
	await apply(candidate, form, EMAIL);
	await expect(candidate.getByText('fill in the form again later')).toBeVisible();
	const [{ status }] = await client.waitForExecutions(id, 1);
	expect(status).toBe('error');
	await mend();
});
