import { JOB, OTHER_JOB } from '../../support/example.mts';
import { editNode } from '../../support/workflows.mts';
import {
	decide,
	expect,
	invitationOf,
	jsonOf,
	nodesRun,
	roleFit,
	test,
	waitForStatuses,
	type Row,
} from './fixtures.mts';

const EXAMPLE = 'end-to-end';
const SEND = 'Send The Link';
const HAND_OVER = 'Hand Over The Result';

const person = (name: string, job_id: string, more: Partial<Row> = {}): Row => ({
	application_id: `APP-${name}`,
	first_name: name,
	last_name: 'Example',
	email: `${name}@people.example`,
	job_id,
	...more,
});

test(`${EXAMPLE}: after a week, everybody has one invitation for each job, one mail, and the right result`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importExample,
	mailServer,
}) => {
	const { id: decision } = await importExample('result-to-decision', { isPublished: true });
	const how = { mails: [SEND], handsOverTo: decision, unpin: true };
	const { id } = await importExample(EXAMPLE, how);
	await editNode(client, id, SEND, { disabled: true });
	const morning = async () => {
		const execution = await client.runToEnd(id, 'Every Morning At 8');
		expect(execution.status).toBe('success');
		return execution;
	};
	const withLink = async () => (await applications.all()).filter((row) => row.invitation_link);

	// Mails are off.
	await applications.add([
		person('Ada', JOB),
		person('Ben', JOB, { status: 'New' }),
		person('Cem', JOB, { email: 'Cem' }),
	]);
	await morning();
	expect(service.invitations).toHaveLength(2);
	expect((await applications.rows())['APP-Cem']).toMatchObject({
		status: 'invalid',
		problem: expect.stringMatching(/^Email/),
	});

	// They are switched on, but the mail server is down. The second list overlaps with the first.
	await editNode(client, id, SEND, { disabled: false });
	await applications.add([
		person('Ben', JOB, { status: ' new ' }),
		person('Ada', OTHER_JOB),
		person('Ben', OTHER_JOB, { status: 'NEW' }),
	]);
	mailServer.isDown = true;
	await morning();
	expect(mailServer.mails).toEqual([]);
	expect((await withLink()).map(({ link_sent_at }) => link_sent_at || null)).toEqual(
		Array(4).fill(null),
	);

	// It is back, a row is corrected, and a third list has somebody again.
	mailServer.isDown = false;
	await applications.correct('APP-Cem', { email: 'cem@people.example' });
	await applications.add([
		person('Ada', JOB, { email: ' ADA@people.example' }),
		person('Eve', OTHER_JOB),
	]);
	await morning();

	// A night without the workflow that takes results.
	await client.unpublish(decision);
	const [here, there] = [JOB, OTHER_JOB].map((job) => invitationOf(service, 'APP-Ada', job));
	await service.finish(there.invitation_code);
	await client.publish(decision);
	await morning();
	await waitForStatuses(client, decision, ['waiting']);

	// The rest comes by itself; a morning more changes nothing.
	await service.finish(here.invitation_code);
	const waiting = await waitForStatuses(client, decision, ['waiting', 'waiting']);
	const last = await morning();
	expect(nodesRun(last)).not.toContain(HAND_OVER);
	expect(nodesRun(last)).not.toContain(SEND);

	const expected = ['Ada', 'Ben'].flatMap((name) => [
		`APP-${name} ${JOB}`,
		`APP-${name} ${OTHER_JOB}`,
	]);
	const invited = service.invitations.map((each) => `${each.ext_reference_id} ${each.job_id}`);
	expect(invited.sort()).toEqual([...expected, `APP-Cem ${JOB}`, `APP-Eve ${OTHER_JOB}`].sort());
	const rows = await withLink();
	expect(rows).toHaveLength(invited.length);
	for (const { application_id, job_id, email, ...row } of rows) {
		const invitation = invitationOf(service, application_id, job_id);
		expect(row.invitation_link).toBe(invitation.invitation_link);
		expect(row.role_fit).toBe(invitation.status === 'completed' ? roleFit(invitation) : null);
		const mails = mailServer.mails.filter(({ text }) => text.includes(row.invitation_link));
		expect(mails.map(({ to }) => to)).toEqual([email.trim()]);
	}
	expect(mailServer.mails).toHaveLength(rows.length);

	const form = rows.find(({ job_id, role_fit }) => job_id === JOB && role_fit !== null);
	await decide(candidate, String(form?.decision_form), 'Reject');
	await waitForStatuses(client, decision, ['success', 'waiting']);
	expect(jsonOf(waiting[0], 'Write The Result')[0].application_id).toBe('APP-Ada');
	const decided = (await withLink()).filter((row) => row.decision);
	expect(decided.map(({ invitation_link }) => invitation_link)).toEqual([here.invitation_link]);
});
