import { reply, startChatModel } from '../support/chatModel.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import { dayIn, isoDayIn, LOS_ANGELES } from '../support/timeZones.mts';
import {
	applicant,
	apply,
	cv,
	expect,
	IN_LOS_ANGELES,
	jsonOf,
	NO_PDF,
	PERSON,
	TEAM,
	test,
} from '../support/exampleFixtures.mts';

const APPLY = 'apply-and-be-invited';
const FROM_CV = 'cv-to-invitation';
const LINK = 'Start your assessment';
const USE = { mails: true, isPublished: true, ...IN_LOS_ANGELES } as const;

const EMAIL = 'ines.carvalho@example.com';
/** Too long for a reference. */
const LONG = `ines.carvalho.${'x'.repeat(30)}@example.com`;
const OTHER = 'b@people.example';
const OPEN_UNTIL = /https?:.*Start your assessment.*It is open until \w+ \d+\./s;
const APPLIED = /already applied.*Please use the link you received.*If it has expired or you can/s;
const NO_NAME = /Please correct your application.*First Name: contains .{1,6}www\./s;
const LATER = /fill in the form again later/;
const RECEIVED = /received your application/;
const PROBLEM = /process your application\. Please contact us/;
const REFUSED = /refused.*Once the cause is gone, fill in the form again/s;
const LOOK = /confirm whether.*Look in the service whether b@people\.example was invited/s;
const NOBODY_KNOWS = /^Inês Carvalho .* has applied, but/;

/** Applicants, in this order: what isn't as it should be, what the page says, who is mailed, and the run's error. */
type Case = [
	email: string,
	but: string,
	sees: RegExp,
	mailed: string[],
	error?: RegExp,
	row?: object,
];
const refused = { status: 'refused', problem: expect.stringMatching(/access token/) };
const invited = { status: 'invited', problem: '' };
const unknown = { status: 'unknown', problem: expect.stringMatching(/confirm whether/) };
const CASES: Record<string, Case[]> = {
	[APPLY]: [
		[LONG, '', OPEN_UNTIL, [LONG], undefined, invited],
		[LONG, '', APPLIED, [], undefined, invited],
		[EMAIL, 'no name', NO_NAME, []],
		[EMAIL, '401', LATER, [], REFUSED, refused],
		[EMAIL, '401', LATER, [], REFUSED, refused],
		[EMAIL, '', OPEN_UNTIL, [EMAIL], undefined, invited],
		// This may have been sent, and is kept for a human.
		[OTHER, '500', RECEIVED, [], LOOK, unknown],
		[OTHER, '', APPLIED, [], undefined, unknown],
	],
	[FROM_CV]: [
		[LONG, '', OPEN_UNTIL, [LONG]],
		[LONG, '', APPLIED, []],
		[OTHER, 'no name', NO_NAME, [TEAM.toEmail]],
		// If these runs succeeded, neither the applicant nor recruiting would know.
		[OTHER, '422, no mail nodes', PROBLEM, [], NOBODY_KNOWS],
		[OTHER, '422, no mail server', PROBLEM, [], NOBODY_KNOWS],
		[OTHER, '422', RECEIVED, [TEAM.toEmail]],
		[OTHER, 'no mail server', OPEN_UNTIL, []],
	],
};

/** The model's findings in a CV, and those of generous models, which the service would refuse. */
const TEXT = 'Support at Example Ltd since May 2023. Speaks Portuguese.';
const FOUND = {
	skills: [{ name: 'Portuguese' }, { name: 'Customer support' }],
	work_experiences: [
		{ organization: 'Example Ltd', role: 'Support', is_current: true, start_date: '2023-05-01' },
	],
};
const [position] = FOUND.work_experiences;
const GENEROUS = [
	{ ...FOUND, skills: Array(18).fill(FOUND.skills[0]) },
	{ ...FOUND, skills: [{ name: '' }] },
	{ ...FOUND, work_experiences: Array(11).fill(position) },
	...['Present', '2019', 'May 2019'].map((end_date) => ({
		...{ ...FOUND, work_experiences: [{ ...position, end_date }] },
	})),
];
const answer = (found: object) => reply(`\`\`\`json\n${JSON.stringify(found)}\n\`\`\``);

for (const [name, cases] of Object.entries(CASES)) {
	test(`${name}: an applicant is invited and mailed once; what the service refuses can be sent again; what neither the applicant nor the company would know fails the run`, async ({
		n8n: { client },
		service,
		candidate,
		applications,
		importExample,
		mailServer,
	}) => {
		const isCv = name === FROM_CV;
		const model = await startChatModel(client, Array(cases.length + 2).fill(answer(FOUND)));
		const use = isCv ? { ...USE, model } : USE;
		const whole = await importExample(name as typeof APPLY, use);
		const asItComes = await importExample(name as typeof APPLY, { ...use, mails: [] });
		const applicants = [applicant(client, whole), applicant(client, asItComes)] as const;
		const file = isCv ? await cv(TEXT) : undefined;
		for (const [email, but, sees, mailed, error, row] of cases) {
			mailServer.isDown = but.includes('no mail server');
			mailServer.mails.length = 0;
			const status = parseInt(but);
			if (status) service.faults.inject({ route: 'createInvitation', status });
			const applyAs = applicants[but.includes('no mail nodes') ? 1 : 0];
			const run = await applyAs(email, but === 'no name' ? ['www.evil.example'] : [], file);
			expect(run.page).toMatch(sees);
			const { invitation_link, invitation_expired_at } = service.invitations.at(-1)!;
			expect(run.page.includes(invitation_link)).toBe(sees === OPEN_UNTIL);
			expect(run.status).toBe(error ? 'error' : 'success');
			expect(run.error ?? '').toMatch(error ?? /^$/);
			const day = dayIn(LOS_ANGELES, invitation_expired_at);
			if (sees === OPEN_UNTIL) expect(run.page).toContain(`It is open until ${day}.`);
			expect(mailServer.mails.map(({ to }) => to)).toEqual(mailed);
			if (mailed[0] === email) expect(mailServer.mails[0].text).toContain(` by ${day}: http`);
			if (!row) continue;
			const until = `${isoDayIn(LOS_ANGELES, invitation_expired_at)}T23:59:59`;
			const link = { invitation_link, open_until: expect.stringContaining(until) };
			const names = { first_name: 'Inês', last_name: 'Carvalho', job_id: JOB };
			const rows = (await applications.all()).filter((each) => each.email === email);
			expect(rows).toMatchObject([{ ...names, ...row, ...(row === invited && link) }]);
		}
		mailServer.isDown = false;
		await apply(candidate, whole.form, 'kim@people.example', file);
		await candidate.getByRole('link', { name: LINK }).click();
		await expect(candidate.getByRole('button', { name: 'Finish Assessment' })).toBeVisible();
		expect(candidate.url()).toBe(service.invitations.at(-1)!.invitation_link);
		await apply(candidate, whole.form, 'Kim@People.Example', file);
		await expect(candidate.getByRole('heading', { name: "You've already applied" })).toBeVisible();
		const last = isCv ? OTHER : EMAIL;
		const emails = service.invitations.map(({ email }) => email);
		expect(emails).toEqual([LONG, last, 'kim@people.example']);
		await model.close();
	});
}

test(`${FROM_CV}: an applicant is invited with what the CV says, and without it if nobody can read it`, async ({
	n8n: { client },
	service,
	importExample,
}) => {
	const model = await startChatModel(client, [
		...GENEROUS.flatMap((found) => [answer(found), answer(FOUND)]),
		...Array(2).fill(answer(GENEROUS[0]!)),
	]);
	const how = { model, isPublished: true };
	const applyAs = applicant(client, await importExample(FROM_CV, how));
	const pdf = await cv(TEXT);
	for (const [index, found] of GENEROUS.entries()) {
		const { page } = await applyAs(`ines${index}@example.com`, [], pdf);
		expect(page, JSON.stringify(found)).toContain(LINK);
		expect(service.requests.at(-1)?.body, JSON.stringify(found)).toMatchObject(FOUND);
	}
	expect(JSON.stringify(model.requests[0])).toContain(TEXT);

	// First the model repeats its mistake; then the file isn't really a PDF.
	for (const file of [pdf, NO_PDF]) {
		const email = file === pdf ? EMAIL : OTHER;
		const { page, execution } = await applyAs(email, [], file);
		expect(page).toContain(LINK);
		expect(service.requests.at(-1)?.body).not.toHaveProperty('skills');
		expect(jsonOf(execution, 'Write What Went Wrong').map(({ text }) => text)).toEqual([
			expect.stringMatching(`^Inês Carvalho \\(${email}\\) was invited without .*: \\S`),
		]);
	}
	expect(service.invitations).toHaveLength(GENEROUS.length + 2);
	await model.close();
});

test(`${APPLY}: whoever types another person's address changes nothing of theirs, and learns no more than that they applied`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const applyAs = applicant(client, await importExample(APPLY, USE));
	const given = { first_name: 'Maya', last_name: 'Okafor', problem: 'on vacation', job_id: JOB };
	const others = ['invited', 'completed', 'unknown', 'withdrawn', null].map((status) => {
		const email = `maya.${status}@people.example`;
		return { ...given, application_id: email, email, status };
	});
	// For another job, an application is a new one.
	const kim = { ...given, email: 'kim@people.example', application_id: 'kim@people.example' };
	await applications.add([...others, { ...kim, job_id: OTHER_JOB }]);
	const before = await applications.all();
	const link = 'see www.evil.example';
	const runs = others.flatMap(({ email }) => [[email, 'Eve'] as const, [email, link] as const]);
	// A visitor's words are never mailed to a stranger. Visitors can correct it themselves.
	for (const [email, first] of [...runs, [kim.email, link] as const]) {
		const { page, status } = await applyAs(email.toUpperCase(), [first]);
		expect(page).toMatch(email === kim.email ? NO_NAME : APPLIED);
		expect(page).not.toMatch(/Maya|Start your assessment/);
		expect(status).toBe('success');
	}
	expect([service.requests, mailServer.mails]).toEqual([[], []]);
	expect(await applications.all()).toEqual(before);

	expect((await applyAs(kim.email)).page).toContain(LINK);
	const added = { email: kim.email, first_name: 'Inês', job_id: JOB, status: 'invited' };
	expect(await applications.all()).toEqual([...before, expect.objectContaining(added)]);
});

test(`${APPLY}: whatever the service's answer lacks, the applicant has the link and a mail; a job in capitals is no other`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	const job_id = JOB.toUpperCase();
	const parameters = { 'Invite The Applicant': { jobId: job_id } };
	const applyAs = applicant(client, await importExample(APPLY, { ...USE, parameters }));
	const answers: Array<[answer: object, day?: string]> = [
		[{ invitation_expired_at: undefined }],
		[{ invitation_expired_at: null, ext_reference_id: null, first_name: null, email: null }],
		[
			{ invitation_expired_at: '2099-12-15 18:00:00', status: 'INVITED', job_id: null },
			'December 15',
		],
		[{ invitation_expired_at: 4_100_000_000, ext_reference_id: undefined, status: null }],
	];
	const wanted = [];
	for (const [index, [more, day]] of answers.entries()) {
		const email = `${index}@people.example`;
		// An earlier invitation was refused.
		const own = { ...PERSON, application_id: email, email };
		await applications.add([{ ...own, job_id, status: 'refused' }]);
		const invitation_link = `https://assessment.example.com/i/${index}`;
		const ids = { candidate_id: 'C', ext_reference_id: email, job_id: JOB, status: 'invited' };
		const data = { ...ids, first_name: 'Maya', email, invitation_link, ...more };
		service.faults.inject({ route: 'createInvitation', status: 200, body: { data, meta: null } });
		const { page } = await applyAs(email, ['Maya', 'Okafor']);
		expect(page).toContain(invitation_link);
		expect(page.includes('It is open until December 15.')).toBe(Boolean(day));
		expect(page).not.toContain('Invalid DateTime');
		expect((await applyAs(email)).page).toMatch(APPLIED);
		const words = `Please complete your assessment${day ? ` by ${day}` : ''}: ${invitation_link}`;
		const text = expect.stringMatching(new RegExp(`Hello Maya,.*${words}`, 's'));
		expect(mails.filter(({ to }) => to === email)).toEqual([{ to: email, text }]);
		const open_until = expect.stringMatching(day ? /^2099-12-15/ : /^$/);
		wanted.push({ ...own, ...invited, job_id: JOB, invitation_link, open_until });
	}
	service.faults.inject({ route: 'createInvitation', status: 401, times: 2 });
	for (const _ of [1, 2]) await applyAs('new@people.example');
	wanted.push({ status: 'refused', job_id: JOB });
	expect(await applications.all()).toMatchObject(wanted);
});
