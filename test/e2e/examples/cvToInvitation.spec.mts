import { reply, startChatModel } from '../support/chatModel.mts';
import { fillIn } from '../support/visitor.mts';
import { apply, cv, cvFile, expect, jsonOf, TEAM, test } from '../support/exampleFixtures.mts';

const EXAMPLE = 'cv-to-invitation';
const CV = 'Support at Example Ltd since May 2023. Speaks Portuguese.';
/** The model's findings in it. */
const FOUND = {
	skills: [{ name: 'Portuguese' }, { name: 'Customer support' }],
	work_experiences: [
		{ organization: 'Example Ltd', role: 'Support', is_current: true, start_date: '2023-05-01' },
	],
};

const [position] = FOUND.work_experiences;
const many = <T,>(count: number, each: T) => Array.from({ length: count }, () => each);

/** Findings of generous models, which the service would refuse. */
const GENEROUS = {
	'eighteen skills': { ...FOUND, skills: many(18, FOUND.skills[0]) },
	'a skill without a name': { ...FOUND, skills: [{ name: '' }] },
	'eleven positions': { ...FOUND, work_experiences: many(11, position) },
	...Object.fromEntries(
		['Present', '2019', 'May 2019'].map((end_date) => [
			end_date,
			{ ...FOUND, work_experiences: [{ ...position, end_date }] },
		]),
	),
};
const answer = (found: object) => reply(`\`\`\`json\n${JSON.stringify(found)}\n\`\`\``);

test(`${EXAMPLE}: an applicant is invited with what the CV says, and without it if nobody can read it`, async ({
	n8n: { client },
	service,
	candidate,
	importExample,
}) => {
	const model = await startChatModel(client, [
		...Object.values(GENEROUS).flatMap((found) => [answer(found), answer(FOUND)]),
		...many(2, answer(GENEROUS['eighteen skills'])),
	]);
	const credentials = { 'OpenAI Chat Model': model.credential };
	const { id: workflowId, form } = await importExample(EXAMPLE, { credentials, isPublished: true });
	let applied = 0;
	const applyAndStart = async (file: Buffer) => {
		await apply(candidate, form, `ines${applied}@example.com`, { cv: file });
		await expect(candidate.getByRole('link', { name: 'Start your assessment' })).toBeVisible();
		// Stays until the page has told n8n that it was shown.
		const [{ id }] = await client.waitForExecutions(workflowId, ++applied);
		return await client.waitForExecution(id);
	};
	for (const what of Object.keys(GENEROUS)) {
		await test.step(what, async () => {
			await applyAndStart(await cv(CV));
			expect(service.requests.at(-1)?.body).toMatchObject(FOUND);
		});
	}
	expect(JSON.stringify(model.requests[0])).toContain(CV);

	// First the model repeats its mistake; then the file isn't really a PDF.
	for (const file of [await cv(CV), Buffer.from('Word')]) {
		const name = `Inês Carvalho \\(ines${applied}@example\\.com\\)`;
		const execution = await applyAndStart(file);
		expect(service.requests.at(-1)?.body).not.toHaveProperty('skills');
		expect(jsonOf(execution, 'Write What Went Wrong').map(({ text }) => text)).toEqual([
			expect.stringMatching(`^${name} was invited without .*: \\S`),
		]);
	}
	expect(service.invitations).toHaveLength(applied);
	await model.close();
});

test(`${EXAMPLE}: an address that is too long for a reference is invited; who applies again is told so`, async ({
	n8n: { client },
	service,
	candidate,
	importExample,
	mailServer,
}) => {
	const model = await startChatModel(client, many(4, answer(FOUND)));
	const { id, form } = await importExample(EXAMPLE, {
		mails: ['Send To Recruiting'],
		parameters: { 'Send To Recruiting': TEAM },
		credentials: { 'OpenAI Chat Model': model.credential },
		isPublished: true,
	});
	const file = await cv(CV);
	const email = `ines.carvalho.${'x'.repeat(30)}@example.com`;
	await apply(candidate, form, email, { cv: file });
	await expect(candidate.getByRole('link', { name: 'Start your assessment' })).toBeVisible();
	await client.waitForExecutions(id, 1);
	await apply(candidate, form, email, { cv: file });
	await expect(candidate.getByRole('heading', { name: "You've already applied" })).toBeVisible();
	expect(service.invitations.map((invitation) => invitation.email)).toEqual([email]);

	await client.waitForExecutions(id, 2);
	await apply(candidate, form, 'maya@example.com', { cv: file, firstName: 'www.evil.example' });
	await expect(candidate.getByText("First Name: contains 'www.'")).toBeVisible();
	await client.waitForExecutions(id, 3);

	// If this succeeded, neither the applicant nor recruiting would know.
	mailServer.isDown = true;
	service.faults.inject({ route: 'createInvitation', status: 422 });
	await apply(candidate, form, 'maya@example.com', { cv: file });
	await expect(candidate.getByText("We couldn't process your application")).toBeVisible();
	await model.close();
});

test(`${EXAMPLE}: the page says until when, and the link is emailed; where nobody at the company would hear of an applicant, the page and the run say so`, async ({
	n8n: { client },
	service,
	importExample,
	mailServer,
}) => {
	const model = await startChatModel(client, many(6, answer(FOUND)));
	const credentials = { 'OpenAI Chat Model': model.credential };
	const parameters = { 'Send To Recruiting': TEAM };
	const both = ['Send The Link', 'Send To Recruiting'];
	const pdf = cvFile(await cv(CV));
	const applyTo = async (mails: string[]) => {
		const { id, form } = await importExample(EXAMPLE, {
			mails,
			parameters,
			credentials,
			isPublished: true,
		});
		const page = await fillIn(form, ['Inês', 'Carvalho', 'ines@people.example', pdf]);
		const [{ id: executionId }] = await client.waitForExecutions(id, 1);
		const { status, data } = await client.waitForExecution(executionId);
		return { page, status, error: data.resultData.error?.message };
	};
	const invited = await applyTo(both);
	const { invitation_link } = service.invitations[0];
	expect(invited.status).toBe('success');
	expect(invited.page).toContain(invitation_link);
	expect(invited.page).toMatch(/It is open until \w+ \d+\./);
	expect(mailServer.mails).toEqual([
		{ to: 'ines@people.example', text: expect.stringMatching(/ by \w+ \d+: http/) },
	]);

	service.faults.inject({ route: 'createInvitation', status: 422, times: 3 });
	// Unchanged, and with a mail server that is down.
	const asItComes = await applyTo([]);
	mailServer.isDown = true;
	const isDown = await applyTo(both);
	for (const { page, status, error } of [asItComes, isDown]) {
		expect(page).toContain("We couldn't process your application. Please contact us.");
		expect([status, error]).toEqual([
			'error',
			expect.stringMatching(/^Inês Carvalho .* has applied, but/),
		]);
	}
	mailServer.isDown = false;
	const told = await applyTo(both);
	expect(told.page).toContain('received your application');
	expect([told.status, mailServer.mails.at(-1)?.to]).toEqual(['success', TEAM.toEmail]);
	// If the mail to the applicant fails, the page still shows everything.
	mailServer.isDown = true;
	const unmailed = await applyTo(both);
	expect(unmailed.page).toContain(service.invitations.at(-1)?.invitation_link);
	await model.close();
});
