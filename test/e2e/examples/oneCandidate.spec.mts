import type { Page } from '@playwright/test';

import {
	expect,
	decide,
	formOf,
	jsonOf,
	lastDay,
	nodesRun,
	openForm,
	test,
	waitForStatuses,
} from './fixtures.mts';

const EXAMPLE = 'one-candidate';
const SECONDS = { 'Wait A Day': { resume: 'timeInterval', amount: 1, unit: 'seconds' } };

async function invite(page: Page, form: string, application = 'APP-2026-0815') {
	await openForm(page, form);
	await page.getByLabel('Application').fill(application);
	await page.getByLabel('First Name').fill('Maya');
	await page.getByLabel('Last Name').fill('Okafor');
	await page.getByLabel('Email').fill('maya.okafor@people.example');
	await page.getByRole('button', { name: 'Invite' }).click();
}

test(`${EXAMPLE}: each page says what happened; then over one reminder to the decision`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	importExample,
}) => {
	const workflow = await importExample(EXAMPLE, { parameters: SECONDS });
	await client.publish(workflow.id);
	const form = formOf(baseUrl, workflow);
	await invite(candidate, form, 'A'.repeat(51));
	await expect(candidate.getByRole('heading', { name: 'Nobody was invited' })).toBeVisible();
	await expect(candidate.getByText(/^External Reference ID: /)).toBeVisible();
	// The page tells n8n that it was shown, which leaving it would cut off.
	await client.waitForExecutions(workflow.id, 1);

	await invite(candidate, form);
	await expect(candidate.getByRole('heading', { name: 'Maya Okafor was invited' })).toBeVisible();
	const [{ invitation_link, invitation_code }] = service.invitations;
	await expect(candidate.getByRole('link', { name: invitation_link })).toBeVisible();
	await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBeGreaterThan(5);
	await service.finish(invitation_code);
	const [waiting] = await waitForStatuses(client, workflow.id, ['waiting', 'success']);
	await expect
		.poll(async () => nodesRun(await client.getExecution(waiting.id)), { timeout: 60_000 })
		.toContain('Wait For The Decision');

	await invite(candidate, form);
	await expect(candidate.getByRole('heading', { name: 'Nothing was sent' })).toBeVisible();
	await expect(candidate.getByText('Maya Okafor has already been invited')).toBeVisible();

	const asked = await client.getExecution(waiting.id);
	expect(jsonOf(asked, 'Send The Reminder')).toHaveLength(1);
	const [{ text }] = jsonOf(asked, 'Write The Question');
	await decide(candidate, String(text).split('Please decide: ')[1], 'Reject');
	const ended = await client.waitForExecution(waiting.id);
	expect(jsonOf(ended, 'Note The Decision')).toEqual([
		{ application_id: 'APP-2026-0815', decision: 'Reject' },
	]);
	expect(service.invitations).toHaveLength(1);
});

test(`${EXAMPLE}: names the last day as it is here, and goes on while mails and the service fail`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	importExample,
	mailServer,
}) => {
	const mail = await mailServer.sends(client, ['Send The Link', 'Send The Reminder']);
	const workflow = await importExample(EXAMPLE, {
		...mail,
		parameters: { ...mail.parameters, ...SECONDS },
		settings: { timezone: 'America/Los_Angeles' },
	});
	await client.publish(workflow.id);
	service.faults.inject({ route: 'getCandidate', status: 403, times: 4 });
	await invite(candidate, formOf(baseUrl, workflow));
	await expect(candidate.getByText('The link was emailed.')).toBeVisible();
	const [invitation] = service.invitations;
	const day = lastDay(invitation);
	await expect(candidate.getByText(`The assessment is open until ${day}: http`)).toBeVisible();
	await expect.poll(() => mailServer.mails.length, { timeout: 60_000 }).toBe(2);
	expect(mailServer.mails.map(({ text }) => text)).toEqual([
		expect.stringContaining(`complete your assessment by ${day}: ${invitation.invitation_link}`),
		expect.stringContaining(`complete your assessment by ${day}: ${invitation.invitation_link}`),
	]);
	await service.finish(invitation.invitation_code);
	await waitForStatuses(client, workflow.id, ['waiting']);
});

test(`${EXAMPLE}: ends when the invitation has expired`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	importExample,
}) => {
	const soon = { deadline: '={{ $now.plus({ seconds: 6 }) }}' };
	const parameters = { ...SECONDS, 'Invite The Candidate': { additionalFields: soon } };
	const workflow = await importExample(EXAMPLE, { parameters });
	await client.publish(workflow.id);
	await invite(candidate, formOf(baseUrl, workflow));
	const [{ id }] = await client.waitForExecutions(workflow.id, 1);
	const { lastNodeExecuted } = (await client.getExecution(id)).data.resultData;
	expect(lastNodeExecuted).toBe('Still Open?');
	expect(service.invitations).toHaveLength(1);
});
