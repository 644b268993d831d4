import { buffer as bufferOf } from 'node:stream/consumers';

import PdfDocument from 'pdfkit';

import { withCredential } from '../../../demo/workflows/parts.mts';
import { OTHER_JOB } from '../../support/example.mts';
import { reply, startChatModel } from '../support/chatModel.mts';
import { expect, failureOf, OFF, test } from '../support/exampleFixtures.mts';
import { JOB, momentOf, PERSON, rowOf, says } from '../support/rows.mts';
import { fillIn } from '../support/visitor.mts';

const INES = { first_name: 'Inês', last_name: 'Carvalho' };
/** Too long for a reference. */
const email = `ines.${'x'.repeat(40)}@people.example`;
const APPLIED = /already applied.*Please use the link you received/s;
const LATER = /Thank you, Inês.*fill in the form again later/s;
const [organization, role] = ['Example', 'Agent'];
const FOUND = { skills: [{ name: 'Support' }], work_experiences: [{ organization, role }] };

const pdf = (content: Buffer | string) =>
	new File([new Uint8Array(Buffer.from(content))], 'cv.pdf', { type: 'application/pdf' });

for (const name of ['apply-and-be-invited', 'cv-to-invitation'] as const) {
	const isCv = name === 'cv-to-invitation';
	test(`${name} invites whoever has no row`, async ({ n8n, service, table, example }) => {
		const found = reply(`\`\`\`json\n${JSON.stringify(FOUND)}\n\`\`\``);
		const model = await startChatModel(n8n.client, Array(6).fill(found));
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
		// Under a different ID, in capitals; for a different job; and a longer address.
		const maya = { email: 'Maya@People.example', job_id: JOB.toUpperCase(), status: 'rejected' };
		await table.add(rowOf('APP-7', maya), rowOf('APP-8', { email, job_id: OTHER_JOB }));
		await table.add(rowOf('APP-9', { email: `x${email}` }), rowOf('APP-9', { email: `${email}x` }));
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
		expect((await table.all()).slice(4)).toMatchObject([row]);
		expect(await apply(email)).toEqual([says(APPLIED), undefined]);
		// The row can't tell any more.
		await table.write(email, { email: 'corrected@people.example' });
		expect(await apply(email)).toEqual([says(APPLIED), undefined]);
		expect(service.invitations).toHaveLength(1);
		if (isCv) {
			expect(service.requests.at(-1)!.body).toMatchObject(FOUND);
			// A file that is no PDF, and a model that fails.
			for (const [id, file] of Object.entries({ a: pdf('Word'), b: cv })) {
				const address = `${id}@people.example`;
				const scanned = await apply(address, Object.values(INES), file);
				expect(scanned).toEqual([says('Start your assessment'), undefined]);
				const problem = 'Invited without what the CV says.';
				expect((await table.all()).at(-1)).toMatchObject({ email: address, problem });
			}
		}
		await model.close();
	});
}

// In a check, nothing follows: the page then shows the text of the form.
for (const [trial, change, words] of [
	['deactivated', OFF, "We've received your application"],
	['Check Only', { parameters: { jobId: JOB, options: { checkOnly: true } } }, 'success'],
] as const) {
	test(`a trial adds no row: ${trial}`, async ({ service, table, example }) => {
		const changes = { 'Invite The Applicant': change };
		const { form, executions } = await example('apply-and-be-invited', changes);
		const page = await fillIn(form, [...Object.values(INES), PERSON.email]);
		expect(page).toContain(words);
		expect((await executions(1)).map(failureOf)).toEqual([undefined]);
		expect([service.requests, await table.all()]).toEqual([[], []]);
	});
}
