import { JOB } from '../../support/example.mts';
import { editNodes } from '../support/workflows.mts';
import { expect, invitationOf, PERSON, test } from '../support/exampleFixtures.mts';

const EXAMPLE = 'invite-from-a-list';
const FIRST = 'APP-0';

/** The example's own settings, and others that let the run go on. */
const SETTINGS = [
	{ onError: 'continueErrorOutput', options: {} },
	{ onError: 'continueRegularOutput', options: { concurrency: 1 } },
];

for (const { onError, options } of SETTINGS) {
	test(`${EXAMPLE}: with answers that come one request late and ${onError}, nobody gets another's link, in the table or by mail`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer,
	}) => {
		const { id } = await importExample(EXAMPLE, { mails: ['Send The Link'], unpin: true });
		await editNodes(client, id, ({ name, parameters }) =>
			name === 'Invite Candidates'
				? { onError, parameters: { ...parameters, options } }
				: undefined,
		);
		const rows = Array.from({ length: 12 }, (_, index) => {
			const own = { application_id: `APP-${index}`, email: `${index}@people.example` };
			return { ...PERSON, ...own, job_id: JOB };
		});
		await applications.add(rows);
		// After the first, the others are sent, and each gets the answer of the one before.
		service.faults.inject({
			...{ route: 'createInvitation', answersLate: true },
			when: ({ body }) => (body as { ext_reference_id: string }).ext_reference_id !== FIRST,
		});
		const linkOf = (reference: string) => invitationOf(service, reference).invitation_link;
		for (const _ of ['late', 'in time again']) {
			await client.runToEnd(id, 'Every Morning At 8');
			for (const { application_id, invitation_link } of await applications.all())
				if (invitation_link) expect(invitation_link).toBe(linkOf(application_id));
			for (const { to, text } of mailServer.mails)
				expect(text).toContain(linkOf(`APP-${parseInt(to)}`));
			service.faults.clear();
		}
		expect((await applications.rows())[FIRST].invitation_link).toBe(linkOf(FIRST));
		expect(mailServer.mails.map(({ to }) => to)).toContain('0@people.example');
		const sent = service.requests.map(({ body }) => JSON.stringify(body));
		expect(new Set(sent).size, 'nobody is sent twice').toBe(sent.length);
	});
}
