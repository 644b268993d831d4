import { JOB, readExample, type ExampleName } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import { change } from '../support/eachWay.mts';
import { RESULT_READY } from '../support/workflows.mts';
import { expect, PERSON, runUntilItRests, test, type Row } from '../support/exampleFixtures.mts';

// A hurried user unpins only some of the purple nodes.

const STARTS = {
	'invite-from-a-list': 'Every Morning At 8',
	'catch-up': 'Every Night At 3',
	'result-to-decision': 'When A Result Is Ready',
} satisfies Partial<Record<ExampleName, string>>;

/** The node that reads people's rows, or, with *Get The Result*, their results. */
const READS = /^(Read The Table|Find Open Applications|Find The Row)$/;

for (const name of Object.keys(STARTS) as Array<keyof typeof STARTS>)
	test(`${name}: whichever nodes still have their sample data, no person gets anything of a sample, no sample anything of a person, and the run that mixes them says what to unpin`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer: { mails },
	}) => {
		const { pinData = {} } = await readExample(name);
		const start = STARTS[name];
		// Nothing takes its results.
		const more = name === 'catch-up' ? { handsOverTo: 'gone' } : {};
		const workflow = await importExample(name, { mails: true, unpin: true, ...more });
		const pinned = Object.keys(pinData).filter((node) => node !== start);
		const people: Row[] = [];
		let call: object[] = [];
		for (const index of [0, 1]) {
			const invited = await inviteAt(service, JOB);
			const { invitation_code, invitation_link, ext_reference_id } = invited;
			const own = { ...PERSON, job_id: JOB, email: `${index}@people.example` };
			const row = { ...own, application_id: ext_reference_id, status: 'invited', invitation_link };
			people.push(
				name === 'invite-from-a-list' ? { ...row, status: '', invitation_link: '' } : row,
			);
			if (index === 0 && name !== 'invite-from-a-list') {
				await service.finish(invitation_code);
				call = [{ json: { event: RESULT_READY, invitation_code, ext_reference_id, job_id: JOB } }];
			}
		}
		const kept = (mask: number) => pinned.filter((_, index) => mask & (1 << index));
		for (let mask = 1; mask < 2 ** pinned.length - 1; mask += 1) {
			const still = kept(mask);
			await applications.begin(people);
			mails.length = 0;
			const samples = Object.fromEntries(still.map((node) => [node, pinData[node]]));
			const real = name === 'result-to-decision' ? { [start]: call } : {};
			await change(client, workflow, '', { pinData: { ...samples, ...real } });
			const { status, data } = await runUntilItRests(client, workflow.id, start);
			const rows = await applications.all();
			const ids = people.map(({ application_id }) => application_id);
			expect(
				rows.map(({ application_id }) => application_id),
				`${still}`,
			).toEqual(ids);
			for (const { invitation_link, report_link, problem } of rows) {
				const written = [invitation_link, report_link, problem].join();
				expect(written, `${still}`).not.toContain('assessment.example.com');
			}
			const ownLinks = service.invitations.map(({ invitation_link }) => invitation_link);
			for (const { to, text } of mails) {
				const isPersons = people.some(({ email }) => email === to);
				const hasPersons = ownLinks.some((link) => text.includes(link));
				// The company hears of people, too.
				if (isPersons) expect([hasPersons, text], `${still}`).toEqual([true, text]);
				if (isPersons || hasPersons) expect(text).not.toContain('assessment.example.com');
			}
			// A sample has no job, so the service never hears of it.
			expect(service.invitations).toHaveLength(people.length);
			if (still.some((node) => READS.test(node))) continue;
			expect([status, data.resultData.error?.message], `${still}`).toEqual([
				'error',
				expect.stringMatching(/unpin/i),
			]);
		}
	});
