import { buffer as bufferOf } from 'node:stream/consumers';

import { DateTime } from 'luxon';
import PdfDocument from 'pdfkit';

import { OTHER_JOB } from '../../support/example.mts';
import { reply, startChatModel } from '../support/chatModel.mts';
import { fillIn } from '../support/visitor.mts';
import { expect, JOB, rowOf, test, ZONE, type Row } from '../support/exampleFixtures.mts';

const NAMES = ['Inês', 'Carvalho'];
const MAYA = 'maya@people.example';
/** Too long for a reference. */
const LONG = `ines.${'x'.repeat(40)}@people.example`;
const APPLIED = /already applied.*Please use the link you received/s;
const LATER = /Thank you, Inês.*fill in the form again later/s;
const FOUND = {
	skills: [{ name: 'Support' }],
	work_experiences: [{ organization: 'Example', role: 'Agent' }],
};

/** A CV as a PDF. */
async function cv(text: string): Promise<File> {
	const document = new PdfDocument().text(text);
	document.end();
	return new File([new Uint8Array(await bufferOf(document))], 'cv.pdf', {
		type: 'application/pdf',
	});
}

for (const name of ['apply-and-be-invited', 'cv-to-invitation'] as const) {
	const isCv = name === 'cv-to-invitation';
	test(`${name}: an applicant sees the link, and has a row; whoever has one has applied; a mistake is shown; a refused token fails the run`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer: { mails },
	}) => {
		const model = await startChatModel(
			client,
			Array(9).fill(reply(`\`\`\`json\n${JSON.stringify(FOUND)}\n\`\`\``)),
		);
		const { form, executions } = await importExample(name, {
			credentials: { 'OpenAI Chat Model': model.credential },
		});
		const file = isCv ? [await cv('Support at Example')] : [];
		let runs = 0;
		const apply = async (email: string, names = NAMES, more = file) => {
			const page = await fillIn(form, [...names, email, ...more]);
			return { page, execution: (await executions(++runs)).at(-1)! };
		};
		// In the table under a different ID, in capitals; and for a different job.
		await applications.add(
			rowOf('APP-7', {
				email: 'Maya@People.example',
				job_id: JOB.toUpperCase(),
				status: 'rejected',
			}),
			rowOf('APP-8', { email: LONG, job_id: OTHER_JOB }),
		);
		const before = await applications.all();
		expect((await apply(MAYA, ['see www.evil.example', 'X'])).page).toMatch(APPLIED);
		expect((await apply('m_ya@people.example', ['www.evil.example', 'X'])).page).toMatch(
			/Please correct your application.*First Name: contains/s,
		);
		service.faults.inject({ route: 'createInvitation', status: 401 });
		const refused = await apply(LONG);
		expect(refused.page).toMatch(LATER);
		expect(refused.execution.data.resultData.error?.message).toMatch(/^ines\..*access token/);
		expect([service.invitations, await applications.all()]).toEqual([[], before]);

		const { page, execution } = await apply(` ${LONG.toUpperCase()} `.trim());
		expect(execution.data.resultData.error).toBe(undefined);
		const [{ invitation_link, invitation_expired_at, ext_reference_id }] = service.invitations as [
			any,
		];
		const moment = DateTime.fromISO(invitation_expired_at, { zone: ZONE }).toFormat(
			'MMMM d, HH:mm ZZZZ',
		);
		expect(page).toMatch(
			new RegExp(`"${invitation_link}".*Start your assessment.*open until ${moment}`, 's'),
		);
		expect(ext_reference_id).toMatch(/^[0-9a-f]{40}$/);
		const row = {
			application_id: ext_reference_id,
			first_name: 'Inês',
			last_name: 'Carvalho',
			email: LONG,
			job_id: JOB,
			status: 'invited',
			invitation_link,
			open_until: invitation_expired_at,
		};
		expect((await applications.all()).slice(2)).toMatchObject([row]);
		expect((await apply(LONG)).page).toMatch(APPLIED);
		if (isCv) {
			expect(service.requests.at(-1)!.body).toMatchObject(FOUND);
			const scan = new File(['Word'], 'cv.pdf', { type: 'application/pdf' });
			expect((await apply('scan@people.example', NAMES, [scan])).page).toContain(
				'Start your assessment',
			);
			const problem = 'Invited without what the CV says.';
			expect((await applications.all())[3]).toMatchObject({
				email: 'scan@people.example',
				problem,
			} satisfies Row);
		}
		expect(service.invitations).toHaveLength(isCv ? 2 : 1);
		expect(mails).toEqual([]);
		await model.close();
	});
}

for (const [trial, how] of Object.entries({
	'Check Only': {
		parameters: { 'Invite The Applicant': { jobId: JOB, options: { checkOnly: true } } },
	},
	'Invite deactivated': { off: ['Invite The Applicant'] },
})) {
	test(`apply-and-be-invited: a trial with ${trial} says a sentence, and adds no row`, async ({
		service,
		applications,
		importExample,
	}) => {
		const { form, executions } = await importExample('apply-and-be-invited', how);
		await fillIn(form, [...NAMES, MAYA]);
		const [execution] = await executions(1);
		expect(execution!.status).toBe('success');
		expect([service.requests, await applications.all()]).toEqual([[], []]);
	});
}
