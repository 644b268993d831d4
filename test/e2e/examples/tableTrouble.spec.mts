import type { N8nClient, Workflow } from '../../../tools/n8n/client.mts';
import { JOB } from '../../support/example.mts';
import { csv, rowsIn } from '../../support/lists.mts';
import {
	apply,
	expect,
	formOf,
	invitationOf,
	openForm,
	test as base,
	type Row,
} from './fixtures.mts';

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

/** What is wrong with the table while somebody is invited. */
const TROUBLES = ['is full', 'has a column of another name', 'is deleted while the list is sent'];

const test = base.extend<{
	/** Begins a trouble, at once or with the next invitation. Gives the way back, which may select the table anew. */
	trouble: (what: string) => Promise<(workflow: Workflow, rows?: Row[]) => Promise<void>>;
	/** n8n's own, of the newest execution that failed. It succeeds, unless it's said otherwise. */
	retry: (workflow: Workflow, status?: string) => Promise<void>;
	/** Each has been told of their own link once, by a mail. */
	expectMails: (...names: string[]) => void;
}>({
	trouble: async ({ n8n: { client }, service, applications }, use) =>
		await use(async (what) => {
			if (what === TROUBLES[0]) return await applications.fillUp(LIMIT + 100_000);
			if (what === TROUBLES[1]) return await applications.renameColumn('invitation_link');
			let removed: ReturnType<typeof applications.remove> | undefined;
			let isGone = false;
			// Until then, nobody is invited.
			const when = () => {
				removed ??= applications.remove().finally(() => (isGone = true));
				return !isGone;
			};
			const wait = { status: 429, retryAfter: 1, times: 10 };
			service.faults.inject({ route: 'createInvitation', ...wait, when });
			return async (workflow, rows = []) => {
				const id = await (await removed!)(rows);
				await selectTable(client, workflow, id);
			};
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
	for (const [example, parameters] of [
		['invite-from-a-list', { 'In Groups Of Fifty': { batchSize: 2 } }],
		['end-to-end', {}],
	] as const) {
		test(`${example}: if the table ${what}, each candidate has one mail, and a retry writes the rows`, async ({
			n8n: { client },
			service,
			applications,
			importExample,
			mailServer,
			trouble,
			retry,
			expectMails,
		}) => {
			const isInGroups = example === 'invite-from-a-list';
			const { parameters: mail, ...sends } = await mailServer.sends(client, [SEND]);
			const handOver = { workflowId: { __rl: true, mode: 'list', value: 'none' } };
			const workflow = await importExample(example, {
				...sends,
				unpin: true,
				parameters: {
					...mail,
					...parameters,
					...(!isInGroups && { 'Hand Over The Result': handOver }),
				},
			});
			await applications.add(LIST);
			const mend = await trouble(what);
			const morning = async () => await client.runToEnd(workflow.id, 'Every Morning At 8');
			expect((await morning()).status).toBe('error');
			const everybody = LIST.map(({ application_id }) => application_id);
			const first = isInGroups ? everybody.slice(0, 2) : everybody;
			expectMails(...first);

			await mend(workflow, LIST);
			expect((await morning()).status).toBe('success');
			expectMails(...everybody);
			for (const { application_id, problem } of await applications.all()) {
				const isMissing = first.includes(application_id);
				expect(problem).toMatch(isMissing ? /under Executions, retry the run that failed/ : /^$/);
			}

			await retry(workflow);
			expectMails(...everybody);
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

	test(`apply-and-be-invited: if the table ${what}, the page and the mail have the link, and a retry writes the row`, async ({
		n8n: { client, baseUrl },
		service,
		candidate,
		applications,
		importExample,
		mailServer,
		trouble,
		retry,
		expectMails,
	}) => {
		const sends = await mailServer.sends(client, [SEND]);
		const workflow = await importExample('apply-and-be-invited', sends);
		await client.publish(workflow.id);
		const mend = await trouble(what);
		const email = 'ines.carvalho@example.com';
		await apply(candidate, formOf(baseUrl, workflow), email);
		await expect(candidate.getByRole('heading', { name: 'Thank you, Inês' })).toBeVisible();
		const { invitation_link } = invitationOf(service, email);
		const link = candidate.getByRole('link', { name: 'Start your assessment' });
		await expect(link).toHaveAttribute('href', invitation_link);
		expectMails(email);
		expect(await statusOf(client, workflow)).toBe('error');

		await mend(workflow);
		await retry(workflow);
		expectMails(email);
		expect(await applications.all()).toEqual([
			expect.objectContaining({
				...{ application_id: email, email, first_name: 'Inês', status: 'invited', job_id: JOB },
				...{ invitation_link, link_sent_at: expect.stringMatching(/^20/), problem: '' },
			}),
		]);
	});

	test(`invite-from-a-spreadsheet: if the table ${what}, the file and the mails have the links, and a retry writes the rows`, async ({
		n8n: { client, baseUrl },
		service,
		candidate,
		applications,
		importExample,
		mailServer,
		trouble,
		retry,
		expectMails,
	}) => {
		const sends = await mailServer.sends(client, [SEND]);
		const workflow = await importExample('invite-from-a-spreadsheet', sends);
		await client.publish(workflow.id);
		const mend = await trouble(what);
		await openForm(candidate, formOf(baseUrl, workflow));
		const names = Object.keys(LIST[0]).join(',');
		const list = csv([names, ...LIST.map((row) => Object.values(row).join(','))].join('\n'));
		await candidate.locator('input[type=file]').setInputFiles(list);
		await candidate.getByLabel('What To Do').selectOption('Invite everybody in it');
		const download = candidate.waitForEvent('download', { timeout: 60_000 });
		await candidate.getByRole('button', { name: 'Send' }).click();
		const back = rowsIn(await (await download).path());
		const everybody = LIST.map(({ application_id }) => application_id);
		const links = everybody.map((name) => invitationOf(service, name).invitation_link);
		expect(back.map((row) => row.invitation_link)).toEqual(links);
		await expect(candidate.getByText("Links that the table didn't take: 3.")).toBeVisible();
		expectMails(...everybody);
		expect(await statusOf(client, workflow)).toBe('error');

		await mend(workflow);
		await retry(workflow);
		expectMails(...everybody);
		expect(await applications.all()).toMatchObject(
			LIST.map((row, index) => ({
				...{ ...row, status: 'invited', invitation_link: links[index], problem: '' },
				link_sent_at: expect.stringMatching(/^20/),
			})),
		);
	});
}

test('apply-and-be-invited: if the table is full and the invitation fails, the page and the run say so', async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	importExample,
	trouble,
}) => {
	const workflow = await importExample('apply-and-be-invited');
	await client.publish(workflow.id);
	const mend = await trouble(TROUBLES[0]);
	service.faults.inject({ route: 'createInvitation', status: 401, times: 1 });
	await apply(candidate, formOf(baseUrl, workflow), 'ines.carvalho@example.com');
	await expect(candidate.getByText('fill in the form again later')).toBeVisible();
	expect(await statusOf(client, workflow)).toBe('error');
	await mend(workflow);
});

/** How the only execution ended. */
async function statusOf(client: N8nClient, { id }: Workflow) {
	const [{ status }] = await client.waitForExecutions(id, 1);
	return status;
}

/** Where a table is selected by its ID (1.x), a user selects the new one. */
async function selectTable(client: N8nClient, { id, nodes }: Workflow, tableId: string) {
	const old = nodes.flatMap(({ parameters }) => {
		const table = parameters.dataTableId as { mode: string; value: string } | undefined;
		return table?.mode === 'id' ? table.value : [];
	});
	if (old.length === 0) return;
	const { versionId } = await client.getWorkflow(id);
	const changed = JSON.parse(JSON.stringify(nodes).replaceAll(old[0], tableId));
	await client.request('PATCH', `/rest/workflows/${id}`, { nodes: changed, versionId });
}
