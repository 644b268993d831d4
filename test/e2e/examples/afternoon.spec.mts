import { JOB } from '../../support/example.mts';
import {
	expect,
	invitationOf,
	PERSON,
	roleFit,
	TEAM,
	test,
	waitForStatuses,
	type Row,
} from '../support/exampleFixtures.mts';

test('end to end: twelve people who were imported into a new table have one link each, every result is in its row, and somebody is asked once for each', async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const ids = Array.from({ length: 12 }, (_, index) => 4701 + index);
	const people = ids.map((id) => ({
		...{ ...PERSON, last_name: `Number ${id}`, email: `${id}@people.example`, job_id: JOB },
		// n8n has guessed this column's type.
		...{ application_id: id as unknown as string, status: 'Applied' },
	}));
	people[3]!.email = 'nobody';
	people[7]!.first_name = '';
	const text = ['first_name', 'last_name', 'email', 'job_id', 'status'];
	const types = Object.fromEntries(text.map((column) => [column, 'string']));
	await applications.importAs({ application_id: 'number', ...types }, people);

	const mails = ['Ask For A Decision'];
	const { id: decision } = await importExample('result-to-decision', { mails, isPublished: true });
	const use = { mails: true, handsOverTo: decision, unpin: true } as const;
	const { id: catchUp } = await importExample('catch-up', use);
	const { id: list } = await importExample('invite-from-a-list', { mails: true, unpin: true });
	const run = async (id: string, start: string) => {
		const { status, data } = await client.runToEnd(id, start);
		return data.resultData.error?.message ?? status;
	};
	const morning = async () => await run(list, 'Every Morning At 8');
	const night = async () => await run(catchUp, 'Every Night At 3');
	const correct = async (id: number, data: Partial<Row>) =>
		await applications.correct(id as unknown as string, data);

	const [, missing = ''] = /no column (.*): add/.exec(await morning()) ?? [];
	const others = ['reminded_at', 'report_link', 'completed_at', 'decision_form', 'decision'];
	for (const column of [...missing.split(', '), ...others, 'role_fit'])
		await applications.addColumn(column);
	expect(await morning()).toBe('success');
	for (const { problem } of await applications.all()) expect(problem).toMatch(/^Not invited/);

	// Corrects all but one, who must not be invited. The mail server is down.
	for (const id of ids.slice(0, -1)) await correct(id, { status: '' });
	mailServer.isDown = true;
	expect(await morning()).toMatch(/^No link was emailed/);
	mailServer.isDown = false;
	await correct(4704, { email: '4704@people.example' });
	await correct(4708, { first_name: 'Maya' });
	for (const next of [morning, night, night, morning]) expect(await next()).toBe('success');

	const invited = ids.slice(0, -1).map((id) => invitationOf(service, String(id)));
	expect(service.requests.filter(({ route }) => route === 'createInvitation')).toHaveLength(11);
	const links = mailServer.mails.filter(({ to }) => to !== TEAM.toEmail);
	expect(links.map(({ to }) => to).sort()).toEqual(invited.map(({ email }) => email));
	for (const { email, invitation_link } of invited)
		expect(links.find(({ to }) => to === email)?.text).toContain(invitation_link);

	// Three finish: the last one's result is missed.
	for (const { invitation_code } of invited.slice(0, 3)) {
		if (invitation_code === invited[2]!.invitation_code) await client.unpublish(decision);
		await service.finish(invitation_code);
	}
	await client.publish(decision);
	for (const _ of [1, 2]) {
		expect(await night()).toBe('success');
		await waitForStatuses(client, decision, Array(3).fill('waiting'));
	}
	const asked = mailServer.mails.filter(({ to }) => to === TEAM.toEmail).map(({ text }) => text);
	expect(asked.sort()).toEqual(ids.slice(0, 3).map((id) => expect.stringContaining(`${id}`)));
	expect(await applications.all()).toMatchObject(
		ids.map((application_id, index) => {
			if (index > 2) return { application_id, status: index < 11 ? 'invited' : 'Applied' };
			const role_fit = `${roleFit(invitationOf(service, `${application_id}`))}`;
			return { application_id, status: 'completed', role_fit };
		}),
	);
});
