import { buffer as bufferOf } from 'node:stream/consumers';

import PdfDocument from 'pdfkit';

import { reply, startChatModel } from '../../support/chatModel.mts';
import { apply, expect, formOf, jsonOf, TEAM, test, waitForStatuses } from './fixtures.mts';

const EXAMPLE = 'cv-to-invitation';
const CV = 'Support at Example Ltd since May 2023. Speaks Portuguese.';
/** What the model finds in it. */
const FOUND = {
	skills: [{ name: 'Portuguese' }, { name: 'Customer support' }],
	work_experiences: [
		{ organization: 'Example Ltd', role: 'Support', is_current: true, start_date: '2023-05-01' },
	],
};

test(`${EXAMPLE}: an applicant is invited with what the CV says; otherwise recruiting hears of it`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	importExample,
}) => {
	const model = await startChatModel(client, [
		reply(`\`\`\`json\n${JSON.stringify(FOUND)}\n\`\`\``),
		reply('I have found nothing.'),
		reply('Still nothing.'),
	]);
	const credentials = { 'OpenAI Chat Model': model.credential };
	const workflow = await importExample(EXAMPLE, { credentials });
	await client.publish(workflow.id);
	const form = formOf(baseUrl, workflow);

	await apply(candidate, form, 'ines@example.com', { cv: await pdf() });
	await expect(candidate.getByRole('link', { name: 'Start your assessment' })).toBeVisible();
	// The page tells n8n that it was shown, which leaving it would cut off.
	await client.waitForExecutions(workflow.id, 1);
	expect(JSON.stringify(model.requests[0])).toContain(CV);
	expect(service.requests.map(({ body }) => body)).toMatchObject([
		{ ext_reference_id: 'ines@example.com', ...FOUND },
	]);

	await apply(candidate, form, 'maya@example.com', { cv: await pdf() });
	await expect(candidate.getByText('will send you a link')).toBeVisible();
	const [execution] = await waitForStatuses(client, workflow.id, ['success', 'success']);
	expect(jsonOf(execution, 'Write What Went Wrong').map(({ text }) => text)).toEqual([
		expect.stringMatching(/^Inês Carvalho \(maya@example\.com\) has applied, but .*: \S/),
	]);
	expect(service.invitations).toHaveLength(1);
	await model.close();
});

test(`${EXAMPLE}: an address that is too long for a reference is invited; who applies again is told so`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	importExample,
	mailServer,
}) => {
	const found = reply(`\`\`\`json\n${JSON.stringify(FOUND)}\n\`\`\``);
	const model = await startChatModel(client, [found, found, found]);
	const mail = await mailServer.sends(client, ['Send To Recruiting']);
	const workflow = await importExample(EXAMPLE, {
		...mail,
		parameters: { 'Send To Recruiting': TEAM },
		credentials: { ...mail.credentials, 'OpenAI Chat Model': model.credential },
	});
	await client.publish(workflow.id);
	const form = formOf(baseUrl, workflow);
	const email = `ines.carvalho.${'x'.repeat(30)}@example.com`;
	await apply(candidate, form, email, { cv: await pdf() });
	await expect(candidate.getByRole('link', { name: 'Start your assessment' })).toBeVisible();
	await client.waitForExecutions(workflow.id, 1);
	await apply(candidate, form, email, { cv: await pdf() });
	await expect(candidate.getByRole('heading', { name: "You've already applied" })).toBeVisible();
	expect(service.invitations.map((invitation) => invitation.email)).toEqual([email]);

	// Neither the applicant nor recruiting would know.
	mailServer.isDown = true;
	service.faults.inject({ route: 'createInvitation', status: 422 });
	await client.waitForExecutions(workflow.id, 2);
	await apply(candidate, form, 'maya@example.com', { cv: await pdf() });
	await expect(candidate.getByText("We couldn't process your application")).toBeVisible();
	await model.close();
});

async function pdf(): Promise<Buffer> {
	const cv = new PdfDocument().text(CV);
	cv.end();
	return await bufferOf(cv);
}
