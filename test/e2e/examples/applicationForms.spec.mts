import { buffer as bufferOf } from 'node:stream/consumers';

import PdfDocument from 'pdfkit';

import { withCredential } from '../../../demo/workflows/parts.mts';
import { reply, startChatModel } from '../support/chatModel.mts';
import {
	expect,
	failureOf,
	JOB,
	momentOf,
	OFF,
	OTHER_JOB,
	PERSON,
	rowOf,
	says,
	test,
} from '../support/exampleFixtures.mts';
import { fillIn } from '../support/visitor.mts';

const INES = { first_name: 'Inês', last_name: 'Carvalho' };
/** Too long for a reference. */
const email = `ines.${'x'.repeat(40)}@people.example`;
const APPLIED = /already applied.*Please use the link you received/s;
const LATER = /Thank you, Inês.*fill in the form again later/s;
const FOUND = {
	skills: [{ name: 'Support' }],
	work_experiences: [{ organization: 'Example', role: 'Agent' }],
};

const pdf = (content: Buffer | string) =>
	new File([new Uint8Array(Buffer.from(content))], 'cv.pdf', { type: 'application/pdf' });

for (const name of ['apply-and-be-invited', 'cv-to-invitation'] as const) {
	const isCv = name === 'cv-to-invitation';
	test(`${name} invites whoever has no row`, async ({ n8n, service, table, example }) => {
		const found = reply(`\`\`\`json\n${JSON.stringify(FOUND)}\n\`\`\``);
		const model = await startChatModel(n8n.client, Array(9).fill(found));
		const { form, executions } = await example(name, {
			'OpenAI Chat Model': { credentials: withCredential(model.credential) },
		});
		const document = new PdfDocument().text('Support at Example');
		document.end();
		const cv = pdf(await bufferOf(document));
		let runs = 0;
		/** Returns the page, and the run's error. */
		const apply = async (address: string, names = Object.values(INES), file = cv) => {
			const page = await fillIn(form, [...names, address, ...(isCv ? [file] : [])]);
			return [page, failureOf((await executions(++runs)).at(-1)!)];
		};
		// Under a different ID, in capitals; and for a different job.
		const maya = { email: 'Maya@People.example', job_id: JOB.toUpperCase(), status: 'rejected' };
		await table.add(rowOf('APP-7', maya), rowOf('APP-8', { email, job_id: OTHER_JOB }));
		const before = await table.all();
		const link = ['see www.evil.example', 'X'];
		expect(await apply('maya@people.example', link)).toEqual([says(APPLIED), undefined]);
		const mistake = says(/Please correct your application.*First Name: contains/s);
		expect(await apply('m_ya@people.example', link)).toEqual([mistake, undefined]);
		service.faults.inject({ route: 'createInvitation', status: 401 });
		expect(await apply(email)).toEqual([says(LATER), says(/^ines\..*access token/)]);
		expect([service.invitations, await table.all()]).toEqual([[], before]);

		const [page, failure] = await apply(email.toUpperCase());
		const [invitation] = service.invitations;
		const { invitation_link, invitation_expired_at: open_until } = invitation!;
		const words = `"${invitation_link}".*Start your assessment.*open until ${momentOf(open_until)}`;
		expect([page, failure]).toEqual([says(new RegExp(words, 's')), undefined]);
		const application_id = says(/^[0-9a-f]{40}$/);
		const invited = { status: 'invited', job_id: JOB, invitation_link, open_until };
		const row = { ...INES, email, application_id, ...invited };
		expect((await table.all()).slice(2)).toMatchObject([row]);
		expect(await apply(email)).toEqual([says(APPLIED), undefined]);
		expect(service.invitations).toHaveLength(1);
		if (isCv) {
			expect(service.requests.at(-1)!.body).toMatchObject(FOUND);
			const scanned = await apply('scan@people.example', Object.values(INES), pdf('Word'));
			expect(scanned).toEqual([says('Start your assessment'), undefined]);
			const problem = 'Invited without what the CV says.';
			expect((await table.all())[3]).toMatchObject({ email: 'scan@people.example', problem });
		}
		await model.close();
	});
}

for (const change of [OFF, { parameters: { jobId: JOB, options: { checkOnly: true } } }]) {
	const trial = JSON.stringify(change);
	test(`a trial adds no row: Invite ${trial}`, async ({ service, table, example }) => {
		const { form, executions } = await example('apply-and-be-invited', {
			'Invite The Applicant': change,
		});
		const page = await fillIn(form, [...Object.values(INES), PERSON.email]);
		expect(page).toContain("We've received your application");
		expect((await executions(1)).map(failureOf)).toEqual([undefined]);
		expect([service.requests, await table.all()]).toEqual([[], []]);
	});
}
