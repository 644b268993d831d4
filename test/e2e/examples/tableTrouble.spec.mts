import type { Page } from '@playwright/test';

import { JOB } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import { csv, rowsIn } from '../../support/lists.mts';
import { SENT, test as base } from '../support/eachWay.mts';
import { apply, expect, invitationOf, uploadList, type Row } from '../support/exampleFixtures.mts';

const LIMIT = 5_000_000;
const MAILED = { mails: ['Send The Link'] };

base.beforeAll(async ({ n8n }) => {
	await n8n.restart({
		N8N_DATA_TABLES_MAX_SIZE_BYTES: `${LIMIT}`,
		N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
	});
});

const LIST = ['Ada', 'Ben', 'Cem'].map((name): Row => {
	const email = `${name.toLowerCase()}@people.example`;
	return { application_id: name, first_name: name, last_name: 'Example', email, job_id: JOB };
});
const EMAIL = 'ines.carvalho@example.com';
const INES = { application_id: EMAIL, email: EMAIL, first_name: 'Inês', job_id: JOB };

/** Troubles of the table while somebody is invited. */
const [FULL, RENAMED, DELETED, MISSING] = [
	...['is full', 'has a column of another name', 'is deleted while the list is sent', 'is missing'],
];

const test = base.extend<{
	/** Begins a trouble, at once or with the next invitation. @returns its undo; a deleted table gets these rows */
	trouble: (what: string) => Promise<(rows?: Row[]) => Promise<void>>;
}>({
	trouble: async ({ service, applications }, use) =>
		await use(async (what) => {
			if (what === FULL) return await applications.fillUp(LIMIT + 100_000);
			if (what === RENAMED) return await applications.renameColumn('invitation_link');
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
});

/** Each is given people, and returns the links that come back. */
const STARTS: {
	[example: string]: undefined | ((page: Page, form: string) => Promise<unknown[]>);
} = {
	'apply-and-be-invited': async (page, form) => {
		await apply(page, form, EMAIL);
		return [await page.getByRole('link', { name: 'Start your assessment' }).getAttribute('href')];
	},
	'invite-from-a-spreadsheet': async (page, form) => {
		const download = page.waitForEvent('download', { timeout: 60_000 });
		const lines = [Object.keys(LIST[0]), ...LIST.map((row) => Object.values(row))];
		await uploadList(page, form, csv(lines.join('\n')), undefined, '');
		const back = rowsIn(await (await download).path());
		await expect(page.getByText("Links that the table didn't take: 3.")).toBeVisible();
		return back.map((row) => row.invitation_link);
	},
};

for (const [example, people, troubles] of [
	['invite-from-a-list', LIST, [FULL, RENAMED, DELETED]],
	['apply-and-be-invited', [INES], [FULL, RENAMED, DELETED, MISSING]],
	['invite-from-a-spreadsheet', LIST, [FULL, RENAMED, DELETED, MISSING]],
] as const) {
	for (const what of troubles)
		test(`${example}: if the table ${what}, each has one mail, links are on the page, and a retry writes the rows`, async ({
			n8n: { client },
			service,
			candidate,
			applications,
			importExample,
			mailServer,
			trouble,
		}) => {
			const start = STARTS[example];
			const { id, form } = await importExample(example, {
				...MAILED,
				unpin: true,
				isPublished: Boolean(start),
			});
			if (!start) await applications.add(LIST);
			const morning = async () => (await client.runToEnd(id, 'Every Morning At 8')).status;
			const linkOf = ({ application_id }: Row) =>
				invitationOf(service, application_id).invitation_link;
			const expectMails = (some: readonly Row[]) => {
				const mails = some.map((row) => ({
					to: row.email,
					text: expect.stringContaining(`: ${linkOf(row)}\r\n`),
				}));
				expect(mailServer.mails).toEqual(mails);
				expect(service.invitations).toHaveLength(some.length);
			};
			const mend = await trouble(what);
			if (start) expect(await start(candidate, form)).toEqual(people.map(linkOf));
			else expect(await morning()).toBe('error');
			const [{ id: failed, status }] = await client.waitForExecutions(id, 1);
			expect(status).toBe('error');
			// A list's missing column is noticed before anybody is invited.
			const isNoticed = !start && what === RENAMED;
			expectMails(isNoticed ? [] : people);

			await mend(start ? [] : LIST);
			if (!start) {
				expect(await morning()).toBe('success');
				const problem = expect.stringMatching(/under Executions, retry the run that failed/);
				const said = isNoticed ? SENT : { problem };
				expect(await applications.all()).toMatchObject(people.map(() => said));
			}
			if (!isNoticed) {
				const path = `/rest/executions/${failed}/retry`;
				await client.request('POST', path, { loadWorkflow: true });
				const [retried] = await client.waitForExecutions(id, start ? 2 : 3);
				expect(retried.status).toBe('success');
			}
			expectMails(people);
			const rows = people.map((row) => ({ ...row, ...SENT, invitation_link: linkOf(row) }));
			expect(await applications.all()).toMatchObject(rows);
		});
}

test('catch-up: while the table is full, nobody is mailed, night after night', async ({
	service,
	schedule,
	mailServer,
	trouble,
}) => {
	const { ext_reference_id: application_id, invitation_link } = await inviteAt(service, JOB);
	const row = { ...LIST[0], application_id, status: 'invited', invitation_link };
	const night = await schedule('catch-up', [row], { ...MAILED, handsOverTo: 'none' });
	const mend = await trouble(FULL);
	for (const _ of [1, 2]) await night(/full|limit|size/i);
	expect(mailServer.mails).toEqual([]);
	await mend();
	for (const _ of [1, 2]) await night();
	expect(mailServer.mails.map(({ to }) => to)).toEqual([LIST[0].email]);
});

test('apply-and-be-invited: if the table is full and the invitation fails, the page and the run say so', async ({
	n8n: { client },
	service,
	candidate,
	importExample,
	trouble,
}) => {
	const { id, form } = await importExample('apply-and-be-invited', { isPublished: true });
	const mend = await trouble(FULL);
	service.faults.inject({ route: 'createInvitation', status: 401, times: 1 });
	await apply(candidate, form, EMAIL);
	await expect(candidate.getByText('fill in the form again later')).toBeVisible();
	expect((await client.waitForExecutions(id, 1))[0].status).toBe('error');
	await mend();
});
