import { JOB } from '../../support/example.mts';
import {
	apply,
	expect,
	formOf,
	lastDay,
	openForm,
	test,
	waitForStatuses,
	waitingForm,
} from './fixtures.mts';

const EXAMPLE = 'apply-and-be-invited';
const FORM = 'Application Form';

test(`${EXAMPLE}: an applicant has a row and is invited once, however often the form is sent`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importExample,
}) => {
	const workflow = await importExample(EXAMPLE);
	await client.publish(workflow.id);
	const form = formOf(baseUrl, workflow);
	await apply(candidate, form, 'ines.carvalho@example.com');
	await expect(candidate.getByRole('heading', { name: 'Thank you, Inês' })).toBeVisible();
	await candidate.getByRole('link', { name: 'Start your assessment' }).click();
	await expect(candidate.getByRole('button', { name: 'Finish Assessment' })).toBeVisible();

	expect(service.invitations).toHaveLength(1);
	const [invitation] = service.invitations;
	expect(candidate.url()).toBe(invitation.invitation_link);
	await apply(candidate, form, 'Ines.Carvalho@Example.com');
	await expect(candidate.getByRole('heading', { name: "You've already applied" })).toBeVisible();
	await expect(candidate.getByText('If it has expired or you can')).toBeVisible();
	expect(service.invitations).toHaveLength(1);
	expect(await applications.rows()).toEqual({
		'ines.carvalho@example.com': expect.objectContaining({
			first_name: 'Inês',
			last_name: 'Carvalho',
			email: invitation.email,
			status: 'invited',
			invitation_link: invitation.invitation_link,
			open_until: invitation.invitation_expired_at,
			problem: '',
			job_id: JOB,
		}),
	});
});

test(`${EXAMPLE}: an address that is too long for a reference is invited, and its email names the last day here`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importExample,
	mailServer,
}) => {
	const workflow = await importExample(EXAMPLE, {
		...(await mailServer.sends(client, ['Send The Link'])),
		settings: { timezone: 'America/Los_Angeles' },
	});
	await client.publish(workflow.id);
	const email = `ines.carvalho.${'x'.repeat(30)}@example.com`;
	for (const heading of ['Thank you, Inês', "You've already applied"]) {
		await apply(candidate, formOf(baseUrl, workflow), email);
		await expect(candidate.getByRole('heading', { name: heading })).toBeVisible();
	}
	const [invitation, ...others] = service.invitations;
	expect([invitation.email, others]).toEqual([email, []]);
	expect(Object.values(await applications.rows())).toEqual([
		expect.objectContaining({ email, status: 'invited', job_id: JOB }),
	]);
	expect(mailServer.mails).toEqual([
		{ to: email, text: expect.stringContaining(`by ${lastDay(invitation)}: http`) },
	]);
});

test(`${EXAMPLE}: if nobody can tell whether the invitation was sent, the row and the run say so`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importExample,
}) => {
	const { id } = await importExample(EXAMPLE, { unpin: ['Invite The Applicant'] });
	service.faults.inject({ route: 'createInvitation', status: 500, times: 1 });
	await client.run(id, FORM);
	const [execution] = await waitForStatuses(client, id, ['waiting']);
	const [row] = Object.values(await applications.rows());
	expect(row).toMatchObject({ first_name: 'Maya', status: 'unknown', invitation_link: null });
	expect(row.problem).toBeTruthy();

	await openForm(candidate, waitingForm(execution, 'Say That The Link Follows', baseUrl));
	await expect(candidate.getByText("We've received your application")).toBeVisible();
	const { status, data } = await client.waitForExecution(execution.id);
	expect([status, data.resultData.error?.message]).toEqual(['error', row.problem]);
});

test(`${EXAMPLE}: the form mails nobody's words to a stranger, and the page and the row say why`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importExample,
	mailServer,
}) => {
	const sending = await mailServer.sends(client, ['Send The Link']);
	const workflow = await importExample(EXAMPLE, sending);
	await client.publish(workflow.id);
	const form = formOf(baseUrl, workflow);
	const applyAs = async (firstName: string, email: string, answer: string) => {
		await openForm(candidate, form);
		await candidate.getByLabel('First Name').fill(firstName);
		await candidate.getByLabel('Last Name').fill("O'Neill");
		await candidate.getByLabel('Email').fill(email);
		await candidate.getByRole('button', { name: 'Apply' }).click();
		await expect(candidate.getByRole('heading', { name: answer })).toBeVisible();
	};
	const relayed = {
		'You won, see https://evil.example/claim': "First Name: contains '://', which belongs",
		'<a href="https://evil.example">You won</a>': "First Name: contains '",
		'You won, see www.evil.example': "First Name: contains 'www.', which belongs",
	};
	for (const [index, [name, words]] of Object.entries(relayed).entries()) {
		await applyAs(name, `stranger-${index}@example.com`, 'Please correct your application');
		await expect(candidate.getByText(words)).toBeVisible();
		await expect(candidate.getByRole('link', { name: 'Start your assessment' })).toBeHidden();
	}
	expect(service.requests).toEqual([]);
	const rows = Object.values(await applications.rows());
	const problems = Object.values(relayed).map((words) => expect.stringContaining(words));
	expect(rows.map(({ problem }) => problem).sort()).toEqual(problems.sort());
	await applyAs('J. R.', 'jr@example.com', 'Thank you');
	await expect(candidate.getByRole('link', { name: 'Start your assessment' })).toBeVisible();
	expect(mailServer.mails.map(({ to }) => to)).toEqual(['jr@example.com']);
	expect(service.invitations).toHaveLength(1);
	// The applicants can mend it themselves. A page that was left at once may leave its run waiting (1.123).
	const executions = await client.allExecutions(workflow.id);
	expect(executions.map(({ status }) => status)).not.toContain('error');
});
