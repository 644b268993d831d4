import { reply, startChatModel } from '../support/chatModel.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import { momentIn, LOS_ANGELES } from '../support/timeZones.mts';
import { applicant, cv, expect, IN_LOS_ANGELES, TEAM, test } from '../support/exampleFixtures.mts';

const APPLY = 'apply-and-be-invited';
const FROM_CV = 'cv-to-invitation';
const LINK = 'Start your assessment';
const USE = { mails: true, isPublished: true, ...IN_LOS_ANGELES } as const;

const EMAIL = 'ines.carvalho@example.com';
/** Too long for a reference. */
const LONG = `ines.carvalho.${'x'.repeat(30)}@example.com`;
const OTHER = 'b@people.example';
const KIM = 'kim@people.example';
/** The link of an answer that has nothing else. */
const ONLY = 'https://assessment.example.com/i/1';

const OPEN_UNTIL = /https?:.*Start your assessment.*It is open until \w+ \d+, \d\d:\d\d\./s;
const UNDATED = /"https:\/\/assessment\.example\.com\/i\/1">Start your assessment<\/a>(?!<br>)/;
const APPLIED = /already applied.*Please use the link you received.*If it has expired or you can/s;
const NO_NAME = /Please correct your application.*First Name: contains .{1,6}www\./s;
const LATER = /fill in the form again later/;
const RECEIVED = /received your application/;
const REFUSED = /refused.* isn't invited in the service, fill in the form again/s;
const LOOK =
	/confirm whether.*If b@people\.example isn't invited in the service, fill in the form again/s;
const NOBODY_KNOWS = /^Inês Carvalho .* has applied, but/;

const TEXT = 'Support at Example Ltd since May 2023. Speaks Portuguese.';
const skills = [{ name: 'Portuguese' }, { name: 'Customer support' }];
const position = { organization: 'Example Ltd', role: 'Support', start_date: '2023-05-01' };
const FOUND = { skills, work_experiences: [position] };
const MANY = { ...FOUND, skills: Array(18).fill(skills[0]) };
/** What a generous model finds in a CV, and when it is asked again, since the service would refuse that. */
const FINDS: Record<string, object[]> = {
	'many skills': [MANY, FOUND],
	'an empty skill': [{ ...FOUND, skills: [{ name: '' }] }, FOUND],
	'many positions': [{ ...FOUND, work_experiences: Array(11).fill(position) }, FOUND],
	'a date in words': [
		{ ...FOUND, work_experiences: [{ ...position, end_date: 'May 2019' }] },
		FOUND,
	],
	'many skills twice': [MANY, MANY],
};

/** An applicant: what isn't as it should be, what the page says, who is mailed, and the run's error. */
type Case = [
	email: string,
	but: string,
	sees: RegExp,
	mailed: string[],
	error?: RegExp,
	row?: object,
];
const refused = { status: 'refused', problem: expect.stringMatching(/access token/) };
const invited = { status: 'invited', problem: '', open_until: expect.stringMatching(/^20/) };
const unknown = { status: 'unknown', problem: expect.stringMatching(/confirm whether/) };
const undated = { ...invited, invitation_link: ONLY, open_until: '' };
const CASES = {
	[APPLY]: [
		[LONG, '', OPEN_UNTIL, [], undefined, invited],
		[LONG, '', APPLIED, [], undefined, invited],
		[EMAIL, 'no name', NO_NAME, []],
		[EMAIL, '401', LATER, [], REFUSED, refused],
		[EMAIL, '', OPEN_UNTIL, [], undefined, invited],
		// This may have been sent, and is kept for a human.
		[OTHER, '500', RECEIVED, [], LOOK, unknown],
		[OTHER, '', APPLIED, [], undefined, unknown],
		[KIM, 'only a link', UNDATED, [], undefined, undated],
	],
	[FROM_CV]: [
		[LONG, '', OPEN_UNTIL, [LONG]],
		[LONG, '', APPLIED, []],
		[EMAIL, 'no name', NO_NAME, [TEAM.toEmail]],
		// If these runs succeeded, neither the applicant nor recruiting would know.
		[EMAIL, '422, no mail nodes', RECEIVED, [], NOBODY_KNOWS],
		[EMAIL, '422, no mail server', RECEIVED, [], NOBODY_KNOWS],
		[EMAIL, '422', RECEIVED, [TEAM.toEmail]],
		[EMAIL, 'no mail server', OPEN_UNTIL, []],
		[KIM, 'only a link', UNDATED, [KIM]],
		...Object.keys(FINDS).map((but, index): Case => {
			const email = `${index}@people.example`;
			const isTold = but === 'many skills twice';
			return [email, but, OPEN_UNTIL, isTold ? [email, TEAM.toEmail] : [email]];
		}),
	],
} satisfies Record<string, Case[]>;

for (const name of [APPLY, FROM_CV] as const) {
	test(`${name}: an applicant is invited and mailed once; what the service refuses can be sent again; what neither the applicant nor the company would know fails the run${name === FROM_CV ? '; and the invitation has what the CV says, or nothing of it' : ''}`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer,
	}) => {
		const isCv = name === FROM_CV;
		const answers = CASES[name].flatMap(([, but]) => FINDS[but] ?? [FOUND]);
		const inJson = answers.map((found) => reply(`\`\`\`json\n${JSON.stringify(found)}\n\`\`\``));
		const model = await startChatModel(client, inJson);
		const use = isCv ? { ...USE, model } : USE;
		const applicants = [
			applicant(client, await importExample(name, use)),
			applicant(client, await importExample(name, { ...use, mails: [] })),
		] as const;
		const file = isCv ? await cv(TEXT) : undefined;
		const body = { data: { candidate_id: 'C', invitation_link: ONLY }, meta: null };
		for (const [email, but, sees, mailed, error, row] of CASES[name] as Case[]) {
			mailServer.isDown = but.includes('no mail server');
			mailServer.mails.length = 0;
			const fault = but === 'only a link' ? { status: 200, body } : { status: parseInt(but) };
			if (fault.status) service.faults.inject({ route: 'createInvitation', ...fault });
			const applyAs = applicants[but.includes('no mail nodes') ? 1 : 0];
			const run = await applyAs(email, but === 'no name' ? ['www.evil.example'] : [], file);
			expect(run.page).toMatch(sees);
			const { invitation_link, invitation_expired_at } = service.invitations.at(-1)!;
			expect(run.page.includes(invitation_link)).toBe(sees === OPEN_UNTIL);
			expect(run.status).toBe(error ? 'error' : 'success');
			expect(run.error ?? '').toMatch(error ?? /^$/);
			const day = momentIn(LOS_ANGELES, invitation_expired_at);
			if (sees === OPEN_UNTIL) expect(run.page).toContain(`It is open until ${day}.`);
			expect(mailServer.mails.map(({ to }) => to)).toEqual(mailed);
			const words = sees === UNDATED ? `assessment: ${ONLY}` : `assessment by ${day}: http`;
			if (mailed[0] === email) expect(mailServer.mails[0].text).toContain(words);
			if (sees === OPEN_UNTIL && isCv) {
				const { body } = service.requests.at(-1)!;
				if (but === 'many skills twice') {
					expect(body).not.toHaveProperty('skills');
					expect(mailServer.mails[1].text).toMatch(/example\) was invited without .*: \S/);
				} else expect(body, but).toMatchObject(FOUND);
			}
			if (!row) continue;
			const rows = (await applications.all()).filter((each) => each.email === email);
			const names = { first_name: 'Inês', last_name: 'Carvalho', job_id: JOB };
			expect(rows).toMatchObject([{ ...names, ...row }]);
			if (row === invited) expect(rows[0].invitation_link).toBe(invitation_link);
		}
		const found = CASES[name].filter(([, , sees]) => sees === OPEN_UNTIL);
		expect(service.invitations.map(({ email }) => email)).toEqual(found.map(([email]) => email));
		if (isCv) expect(JSON.stringify(model.requests[0])).toContain(TEXT);
		await model.close();
	});
}

test(`${APPLY}: whoever types another person's address changes nothing of theirs, and learns no more than that they applied`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	// A job in capitals is no other.
	const job_id = JOB.toUpperCase();
	const parameters = { 'Invite The Applicant': { jobId: job_id } };
	const applyAs = applicant(client, await importExample(APPLY, { ...USE, parameters }));
	const given = { first_name: 'Maya', last_name: 'Okafor', problem: 'on vacation', job_id };
	const others = ['invited', 'completed', 'unknown', 'withdrawn', null].map((status) => {
		const email = `maya.${status}@people.example`;
		return { ...given, application_id: email, email, status };
	});
	// For another job, an application is a new one.
	const kim = { ...given, application_id: KIM, email: KIM, job_id: OTHER_JOB };
	await applications.add([...others, kim]);
	const before = await applications.all();
	// A visitor's words are never mailed to a stranger. Visitors can correct it themselves.
	for (const { email } of [...others, kim]) {
		const { page, status } = await applyAs(email.toUpperCase(), ['see www.evil.example']);
		expect(page).toMatch(email === KIM ? NO_NAME : APPLIED);
		expect(page).not.toMatch(/Maya|Start your assessment/);
		expect(status).toBe('success');
	}
	expect([service.requests, mailServer.mails]).toEqual([[], []]);
	expect(await applications.all()).toEqual(before);

	expect((await applyAs(KIM)).page).toContain(LINK);
	const added = { email: KIM, first_name: 'Inês', job_id: JOB, status: 'invited' };
	expect(await applications.all()).toEqual([...before, expect.objectContaining(added)]);
});
