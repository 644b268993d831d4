import { JOB, type ExampleName } from '../../support/example.mts';
import { runOf } from '../support/scheduledExamples.mts';
import {
	expect,
	invitationOf,
	PERSON,
	roleFit,
	TEAM,
	test,
	waitForStatuses,
} from '../support/exampleFixtures.mts';

test('end to end: whatever fails meanwhile, and says so, people who were imported into a new table have one link each, every result is in its row, and somebody is asked once for each', async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const ids = [4701, 4702, 4703, 4704, 4705];
	const people = ids.map((id) => ({
		...{ ...PERSON, last_name: `Number ${id}`, email: `${id}@people.example` },
		...{ application_id: id as unknown as string, job_id: JOB, status: 'Applied' },
	}));
	await applications.importAsNew(people);

	const { id: decision } = await importExample('result-to-decision', { mails: true });
	const scheduled = async (name: ExampleName, handsOverTo?: string) =>
		runOf(await importExample(name, { mails: true, unpin: true, handsOverTo }), client);
	const morning = await scheduled('invite-from-a-list');
	const night = await scheduled('catch-up', decision);

	await morning(/^Nobody was invited\. Add these columns .*\(invitation_link, .*, reminded_at\)/);
	// It tries to write before anybody is mailed.
	await night(/\S/);
	const missing = `invitation_link open_until problem link_sent_at reminded_at
		report_link completed_at decision_form decision role_fit`;
	for (const column of missing.split(/\s+/)) await applications.addColumn(column);
	await morning();
	for (const { problem } of await applications.all()) expect(problem).toMatch(/^Not invited/);

	// All but one, who must not be invited, are corrected. Then the token is wrong.
	for (const { application_id } of people.slice(0, -1))
		await applications.correct(application_id, { status: '' });
	service.faults.inject({ route: 'createInvitation', status: 401, times: 9 });
	await morning(/^Nobody was invited\. .*token/s);
	service.faults.clear();
	expect(service.invitations).toEqual([]);

	mailServer.isDown = true;
	await morning(/^No link was emailed\. .*451/s);
	await night(/^No mail went out\. .*451/s);
	mailServer.isDown = false;
	const invited = ids.slice(0, -1).map((id) => invitationOf(service, `${id}`));
	service.faults.inject({ route: 'getCandidate', status: 400, times: invited.length });
	await night(/^No application could be looked up\. \S/);

	// Two results come before somebody takes results. The others get their links all the same.
	for (const { invitation_code } of invited.slice(0, 2)) await service.finish(invitation_code);
	const nightWithout = await scheduled('catch-up', 'none');
	await nightWithout(/workflow/i);
	const links = invited.slice(2).map(({ email, invitation_link }) => {
		return { to: email, text: expect.stringContaining(`: ${invitation_link}\r\n`) };
	});
	expect(mailServer.mails).toEqual(links);
	await client.publish(decision);
	await service.finish(invited[2].invitation_code);
	await waitForStatuses(client, decision, ['waiting']);
	for (const _ of [1, 2]) {
		await night();
		await waitForStatuses(client, decision, ['waiting', 'waiting', 'waiting']);
	}
	await morning();

	const asked = mailServer.mails.slice(links.length).map(({ to, text }) => {
		return [to, /Number (\d+)/.exec(text)?.[1]];
	});
	expect(asked.sort()).toEqual(ids.slice(0, 3).map((id) => [TEAM.toEmail, `${id}`]));
	const rows = ids.map((application_id, index) => {
		if (index > 2) return { application_id, status: index < 4 ? 'invited' : 'Applied' };
		const role_fit = `${roleFit(invitationOf(service, `${application_id}`))}`;
		return { application_id, status: 'completed', role_fit };
	});
	expect(await applications.all()).toMatchObject(rows);
	expect(service.invitations).toHaveLength(invited.length);
});
