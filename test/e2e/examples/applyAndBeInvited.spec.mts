import { JOB, OTHER_JOB } from '../../support/example.mts';
import { fillIn } from '../support/visitor.mts';
import { dayIn, isoDayIn, LOS_ANGELES } from '../support/timeZones.mts';
import {
	apply,
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	PERSON,
	test as base,
	type Imported,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'apply-and-be-invited';
const EMAIL = 'ines.carvalho@example.com';
const LINK = 'Start your assessment';
const APPLIED = "You've already applied";

const test = base.extend<{ workflow: Imported }>({
	workflow: async ({ importExample }, use) => {
		const mails = ['Send The Link'];
		await use(await importExample(EXAMPLE, { mails, isPublished: true, ...IN_LOS_ANGELES }));
	},
});

test(`${EXAMPLE}: an applicant has a row and a mail, and is invited once, however often the form is sent`, async ({
	workflow: { form },
	service,
	candidate,
	applications,
	mailServer,
}) => {
	await apply(candidate, form, EMAIL);
	await expect(candidate.getByRole('heading', { name: 'Thank you, Inês' })).toBeVisible();
	await candidate.getByRole('link', { name: LINK }).click();
	await expect(candidate.getByRole('button', { name: 'Finish Assessment' })).toBeVisible();
	const { invitation_link, invitation_expired_at } = invitationOf(service, EMAIL);
	expect(candidate.url()).toBe(invitation_link);
	await apply(candidate, form, 'Ines.Carvalho@Example.com');
	await expect(candidate.getByRole('heading', { name: APPLIED })).toBeVisible();
	await expect(candidate.getByText('If it has expired or you can')).toBeVisible();
	const row = { first_name: 'Inês', last_name: 'Carvalho', email: EMAIL, job_id: JOB };
	const lastMoment = `${isoDayIn(LOS_ANGELES, invitation_expired_at)}T23:59:59`;
	const open_until = expect.stringContaining(lastMoment);
	const invited = { status: 'invited', open_until, problem: '' };
	expect(await applications.rows()).toEqual({
		[EMAIL]: expect.objectContaining({ ...row, ...invited, invitation_link }),
	});
	const lastDay = dayIn(LOS_ANGELES, invitation_expired_at);
	expect(mailServer.mails).toEqual([
		{ to: EMAIL, text: expect.stringContaining(`by ${lastDay}: http`) },
	]);

	// Too long for a reference.
	const email = `ines.carvalho.${'x'.repeat(30)}@example.com`;
	for (const heading of ['Thank you, Inês', APPLIED]) {
		await apply(candidate, form, email);
		await expect(candidate.getByRole('heading', { name: heading })).toBeVisible();
	}
	expect(service.invitations.map((each) => each.email)).toEqual([EMAIL, email]);
	const [, second, ...others] = await applications.all();
	expect([second, others]).toMatchObject([{ ...row, email, status: 'invited' }, []]);
});

test(`${EXAMPLE}: whoever types another person's address changes nothing of theirs, and learns no more than that they applied`, async ({
	n8n: { client },
	workflow: { id, form },
	service,
	candidate,
	applications,
	mailServer,
}) => {
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
			await expect(candidate.getByRole('heading', { name: APPLIED })).toBeVisible();
			await expect(candidate.getByText('Maya')).toBeHidden();
		}
	}
	expect(service.requests).toEqual([]);
	expect(await applications.all()).toEqual(before);

	// An application for another job is a new one. A visitor's words are never mailed to a stranger.
	await apply(candidate, form, 'kim@people.example', { firstName: 'see www.evil.example' });
	await expect(candidate.getByText('Please correct your application')).toBeVisible();
	await expect(candidate.getByText("First Name: contains 'www.'")).toBeVisible();
	await expect(candidate.getByRole('link', { name: LINK })).toBeHidden();
	expect(await applications.all()).toEqual(before);
	expect([service.requests, mailServer.mails]).toEqual([[], []]);
	await apply(candidate, form, 'kim@people.example');
	await expect(candidate.getByRole('link', { name: LINK })).toBeVisible();
	const [added, ...rest] = (await applications.all()).reverse();
	expect(rest.reverse()).toEqual(before);
	expect(added).toMatchObject({ email: 'kim@people.example', first_name: 'Inês', job_id: JOB });
	// No execution failed: visitors can correct it themselves. Leaving a page early may leave its run waiting (1.123).
	const executions = await client.allExecutions(id);
	expect(executions.map(({ status }) => status)).not.toContain('error');
});

test(`${EXAMPLE}: what the service refuses can be sent again once the cause is gone; what may have been sent is kept for a human`, async ({
	n8n: { client },
	workflow: { id: workflowId, form },
	service,
	candidate,
	applications,
}) => {
	service.faults.inject({ route: 'createInvitation', status: 401, times: 2 });
	for (let times = 1; times <= 2; times++) {
		await apply(candidate, form, EMAIL);
		await expect(candidate.getByText('fill in the form again later')).toBeVisible();
		const [{ id }] = await client.waitForExecutions(workflowId, times);
		const { status, data } = await client.waitForExecution(id);
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toMatch(
			/refused.*Once the cause is gone, fill in the form again/s,
		);
		const [row, ...others] = await applications.all();
		expect(row).toMatchObject({ email: EMAIL, first_name: 'Inês', status: 'refused' });
		expect([row.problem, others]).toEqual([expect.stringMatching(/access token/), []]);
	}
	await apply(candidate, form, EMAIL);
	await expect(candidate.getByRole('link', { name: LINK })).toBeVisible();
	const { invitation_link } = invitationOf(service, EMAIL);
	const invited = { email: EMAIL, status: 'invited', invitation_link, problem: '' };
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

test(`${EXAMPLE}: whatever the service's answer lacks, the applicant has the link and a mail; a job in capitals is no other`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id, form } = await importExample(EXAMPLE, {
		mails: ['Send The Link'],
		isPublished: true,
		parameters: { 'Invite The Applicant': { jobId: JOB.toUpperCase() } },
	});
	const answers: Array<[answer: object, day: string]> = [
		[{ invitation_expired_at: undefined }, ''],
		[{ invitation_expired_at: null, ext_reference_id: null, first_name: null, email: null }, ''],
		[
			{ invitation_expired_at: '2099-12-15 18:00:00', status: 'INVITED', job_id: null },
			'December 15',
		],
		[{ invitation_expired_at: 4_100_000_000, ext_reference_id: undefined, status: null }, ''],
	];
	for (const [index, [answer, day]] of answers.entries()) {
		const email = `${index}@people.example`;
		// An earlier invitation was refused.
		const own = { ...PERSON, application_id: email, email };
		await applications.add([{ ...own, job_id: JOB.toUpperCase(), status: 'refused' }]);
		const link = `https://assessment.example.com/i/${index}`;
		const data = {
			...{ candidate_id: 'C', ext_reference_id: email, first_name: 'Maya', email, job_id: JOB },
			...{ status: 'invited', invitation_link: link, ...answer },
		};
		const body = { data, meta: null };
		service.faults.inject({ route: 'createInvitation', status: 200, body });
		for (const times of [1, 2]) {
			const page = await fillIn(form, ['Maya', 'Okafor', email]);
			await client.waitForExecutions(id, 2 * index + times);
			if (times === 2) {
				expect(page).toContain('already applied');
				continue;
			}
			expect(page).toContain(link);
			expect(page.includes('It is open until December 15.')).toBe(day !== '');
			expect(page).not.toContain('Invalid DateTime');
		}
		const mails = mailServer.mails.filter(({ to }) => to === email);
		const words = `Please complete your assessment${day && ` by ${day}`}: ${link}`;
		expect(mails).toEqual([{ to: email, text: expect.stringContaining(words) }]);
		expect(mails[0].text).toContain('Hello Maya,');
		const open_until = expect.stringMatching(day ? /^2099-12-15/ : /^$/);
		const row = (await applications.all()).filter((each) => each.application_id === email);
		expect(row).toMatchObject([
			{ ...own, job_id: JOB, status: 'invited', invitation_link: link, open_until, problem: '' },
		]);
	}
	service.faults.inject({ route: 'createInvitation', status: 401, times: 2 });
	for (const times of [1, 2]) {
		await fillIn(form, ['Maya', 'Okafor', 'new@people.example']);
		await client.waitForExecutions(id, 2 * answers.length + times);
	}
	const added = (await applications.all()).slice(answers.length);
	expect(added).toMatchObject([{ status: 'refused', job_id: JOB }]);
});
