import { JOB, OTHER_JOB } from '../../support/example.mts';
import { expect, jsonOf, test } from './fixtures.mts';

const EXAMPLE = 'weekly-ranking';
const DAY_MS = 24 * 3_600_000;

test(`${EXAMPLE}: one email for each job has the results of the week, the best first`, async ({
	n8n: { client },
	applications,
	importExample,
}) => {
	const { id } = await importExample(EXAMPLE, { unpin: true });
	const completed = (first_name: string, role_fit: number, daysAgo: number, job_id = JOB) => ({
		application_id: first_name,
		first_name,
		last_name: 'Example',
		job_id,
		role_fit,
		status: 'completed',
		completed_at: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
		report_link: 'https://assessment.example.com/report',
	});
	await applications.add([
		completed('Maya', 72, 1),
		completed('Amir', 99, 8),
		completed('Inês', 91, 6),
		completed('Jonas', 50, 2, OTHER_JOB),
		// Entered by hand.
		{ ...completed('Ada', 0, 0), completed_at: null },
		{ ...completed('Bo', 0, 0), completed_at: 'yesterday' },
		{ ...completed('Cy', 0, 2), role_fit: null },
	]);
	const execution = await client.runToEnd(id, 'Every Monday At 8');
	const emails = jsonOf(execution, 'Send The Ranking');
	expect(emails.map((email) => email.count_line)).toEqual([3, 1]);
	expect(emails.map((email) => String(email.concatenated_line).split('\n'))).toEqual([
		[
			expect.stringMatching(/^91 {2}Inês/),
			expect.stringMatching(/^72 {2}Maya/),
			expect.stringMatching(/^ {2}Cy/),
		],
		[expect.stringMatching(/^50 {2}Jonas/)],
	]);
});
