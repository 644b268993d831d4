import type { ExecutionStatus } from '../../../tools/n8n/client.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import {
	apply,
	expect,
	formOf,
	invitationOf,
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

test(`${EXAMPLE}: whoever types another person's address changes nothing of theirs, and learns no more than that they applied`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importExample,
}) => {
	const workflow = await importExample(EXAMPLE);
	await client.publish(workflow.id);
	const form = formOf(baseUrl, workflow);
	const given = { first_name: 'Maya', last_name: 'Okafor', problem: 'on vacation', job_id: JOB };
	const others = ['invited', 'completed', 'unknown', 'withdrawn', null].map((status) => {
		const email = `maya.${status}@people.example`;
		return { ...given, application_id: email, email, status };
	});
	const elsewhere = { ...others[0], job_id: OTHER_JOB, application_id: 'kim@people.example' };
	await applications.add([...others, { ...elsewhere, email: 'kim@people.example' }]);
	const before = await applications.all();
	for (const { email } of others) {
		for (const firstName of ['Eve', 'see www.evil.example']) {
			await apply(candidate, form, email.toUpperCase(), { firstName });
			await expect(
				candidate.getByRole('heading', { name: "You've already applied" }),
			).toBeVisible();
			await expect(candidate.getByText('Maya')).toBeHidden();
		}
	}
	expect(service.requests).toEqual([]);
	expect(await applications.all()).toEqual(before);

	// An application for another job is another one.
	await apply(candidate, form, 'kim@people.example', { firstName: 'see www.evil.example' });
	await expect(candidate.getByText("First Name: contains 'www.'")).toBeVisible();
	expect(await applications.all()).toEqual(before);
	await apply(candidate, form, 'kim@people.example');
	await expect(candidate.getByRole('link', { name: 'Start your assessment' })).toBeVisible();
	const [added, ...rest] = (await applications.all()).reverse();
	expect(rest.reverse()).toEqual(before);
	expect(added).toMatchObject({ email: 'kim@people.example', first_name: 'Inês', job_id: JOB });
});

test(`${EXAMPLE}: what the service refuses can be sent again once the cause is gone; what may have been sent is kept for a human`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importExample,
}) => {
	const workflow = await importExample(EXAMPLE);
	await client.publish(workflow.id);
	const form = formOf(baseUrl, workflow);
	const email = 'ines.carvalho@example.com';
	service.faults.inject({ route: 'createInvitation', status: 401, times: 2 });
	for (let times = 1; times <= 2; times++) {
		await apply(candidate, form, email);
		await expect(candidate.getByText('fill in the form again later')).toBeVisible();
		const [{ id }] = await client.waitForExecutions(workflow.id, times);
		const { status, data } = await client.waitForExecution(id);
		const words = /refused.*Once the cause is gone, fill in the form again/s;
		expect([status, data.resultData.error?.message]).toEqual([
			'error',
			expect.stringMatching(words),
		]);
		const [row, ...others] = await applications.all();
		expect(row).toMatchObject({ email, first_name: 'Inês', status: 'refused', job_id: JOB });
		expect([row.problem, others]).toEqual([expect.stringMatching(/access token/), []]);
	}
	await apply(candidate, form, email);
	await expect(candidate.getByRole('link', { name: 'Start your assessment' })).toBeVisible();
	const { invitation_link } = invitationOf(service, email);
	const invited = { email, status: 'invited', invitation_link, problem: '' };
	expect(await applications.all()).toMatchObject([invited]);

	service.faults.inject({ route: 'createInvitation', status: 500, times: 1 });
	const other = 'maya.okafor@example.com';
	for (const answer of ["We've received your application", 'Please use the link you received']) {
		await apply(candidate, form, other);
		await expect(candidate.getByText(answer)).toBeVisible();
	}
	expect(await applications.all()).toMatchObject([
		invited,
		{ email: other, status: 'unknown', problem: expect.stringMatching(/confirm whether/) },
	]);
	expect(service.requests).toHaveLength(4);
});

test(`${EXAMPLE}: trying it with the sample data sends nothing, and leaves the table as it was`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importExample,
}) => {
	const { id } = await importExample(EXAMPLE);
	const ended: ExecutionStatus[] = [];
	for (const before of [[], [{ application_id: 'APP-1', email: 'maya.okafor@people.example' }]]) {
		if (before.length > 0) await applications.add(before);
		await client.run(id, FORM);
		const [waiting] = await waitForStatuses(client, id, ['waiting', ...ended]);
		await openForm(candidate, waitingForm(waiting, 'Show The Link', baseUrl));
		await expect(candidate.getByRole('heading', { name: 'Thank you, Maya' })).toBeVisible();
		expect((await client.waitForExecution(waiting.id)).status).toBe('success');
		ended.push('success');
		expect(await applications.all()).toMatchObject(before);
	}
	expect(service.requests).toEqual([]);
});

test(`${EXAMPLE}: the form mails nobody's words to a stranger, and the page says why`, async ({
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
		await apply(candidate, form, email, { firstName, lastName: "O'Neill" });
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
	expect(await applications.all()).toEqual([]);
	await applyAs('J. R.', 'jr@example.com', 'Thank you');
	await expect(candidate.getByRole('link', { name: 'Start your assessment' })).toBeVisible();
	expect(mailServer.mails.map(({ to }) => to)).toEqual(['jr@example.com']);
	expect(service.invitations).toHaveLength(1);
	// The applicants can mend it themselves. A page that was left at once may leave its run waiting (1.123).
	const executions = await client.allExecutions(workflow.id);
	expect(executions.map(({ status }) => status)).not.toContain('error');
});
