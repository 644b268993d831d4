import type { Page } from '@playwright/test';

import { reply, startChatModel } from '../support/chatModel.mts';
import { JOB, readExample, type ExampleName } from '../../support/example.mts';
import { csv } from '../../support/lists.mts';
import {
	apply,
	cv,
	decide,
	expect,
	nodesRun,
	openForm,
	PERSON,
	test,
	uploadList,
	waitForStatuses,
	waitingForm,
} from '../support/exampleFixtures.mts';

// Follows the note Setup up to where accounts and real data come in.

/** The model's findings in a CV. */
const FOUND = '```json\n{"skills":[],"work_experiences":[]}\n```';

type OnPage = (page: Page, address: string, times: number) => Promise<void>;

const reject: OnPage = async (page, address) => {
	await openForm(page, address);
	await expect(page.getByRole('link', { name: 'Open the report' })).toBeVisible();
	for (const score of ['Role fit: 85', 'Verbal reasoning: 77', 'Logical reasoning: 81']) {
		await expect(page.getByText(score)).toBeVisible();
	}
	await decide(page, address, 'Reject');
};

const seeTheLink: OnPage = async (page, address) => {
	await openForm(page, address);
	await expect(page.getByRole('heading', { name: 'Thank you, Maya' })).toBeVisible();
};

const applyWithCv: OnPage = async (page, address, times) => {
	// The second time, the file isn't really a PDF.
	const file = times === 1 ? await cv() : Buffer.from('Word');
	await apply(page, address, PERSON.email, { cv: file });
	await expect(page.getByRole('link', { name: 'Start your assessment' })).toBeVisible();
};

const checkAList: OnPage = async (page, address) => {
	const list = csv('application_id,first_name,last_name,email\nNEW,Kim,Park,kim@people.example');
	await uploadList(page, address, list, 'Only check the list');
	await expect(page.getByText('Ready to be invited: 1.')).toBeVisible();
};

const TRIALS: Array<[name: ExampleName, start: string, reaches: string, onPage?: OnPage]> = [
	['invite-from-a-list', 'Every Morning At 8', 'Note When It Was Sent'],
	['catch-up', 'Every Night At 3', 'Note When It Was Sent'],
	['google-sheets-and-gmail', 'Every Morning At 8', 'Note When It Was Sent'],
	['monitor-the-trigger', 'Every Hour', 'Is It Lost?'],
	['apply-and-be-invited', 'Application Form', 'Show The Link', seeTheLink],
	['result-to-decision', 'When A Result Is Ready', 'Send Rejection', reject],
	['cv-to-invitation', 'Application Form', 'Invite The Applicant', applyWithCv],
	['invite-from-a-spreadsheet', 'Upload A List', 'Give The List Back', checkAList],
];

/** Rows for other examples: somebody to invite, to send a link to, and to remind. */
const IN_USE = [{}, { status: 'invited' }, { status: 'invited', link_sent_at: '2026-11-02' }].map(
	(more, index) => ({
		...{ ...PERSON, application_id: `APP-${index}`, job_id: JOB, ...more },
		invitation_link: 'status' in more ? 'https://assessment.example.com/i/1' : '',
		open_until: new Date(Date.now() + 24 * 3_600_000).toISOString(),
	}),
);

for (const [name, start, reaches, onPage] of TRIALS) {
	test(`${name}: a trial sends nothing, and leaves the table as it was, empty or in use`, async ({
		n8n: { client, baseUrl },
		service,
		candidate,
		applications,
		importExample,
	}) => {
		const { pinData = {}, nodes } = await readExample(name);
		const hasTable = nodes.some((node) => node.name === 'Set Up Once');
		const rows = async () => (hasTable ? await applications.all() : []);
		const model = await startChatModel(client, Array(2).fill(reply(FOUND)));
		const credentials = { 'OpenAI Chat Model': model.credential };
		const { id, form } = await importExample(
			name,
			name === 'cv-to-invitation' ? { credentials } : {},
		);
		for (const times of [1, 2]) {
			if (times === 2 && hasTable) await applications.add(IN_USE);
			const before = await rows();
			if (!onPage) {
				await client.run(id, start);
			} else if (start in pinData) {
				await client.run(id, start);
				const ended = times === 2 ? (['success'] as const) : [];
				const [waiting] = await waitForStatuses(client, id, ['waiting', ...ended]);
				await onPage(candidate, waitingForm(waiting, nodesRun(waiting).at(-1)!, baseUrl), times);
			} else {
				await client.listen(id, start);
				await onPage(candidate, form.replace('/form/', '/form-test/'), times);
			}
			const [execution] = await client.waitForExecutions(id, times);
			const { status, data } = await client.getExecution(execution.id);
			expect([status, data.resultData.error?.message]).toEqual(['success', undefined]);
			expect(Object.keys(data.resultData.runData)).toContain(reaches);
			expect(await rows()).toEqual(before);
		}
		await model.close();
		expect(service.requests).toEqual([]);
	});
}
