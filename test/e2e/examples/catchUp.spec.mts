import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { inviteAt } from '../../support/invite.mts';
import { editNode } from '../support/workflows.mts';
import { dayIn, lastMomentOf, LOS_ANGELES } from '../support/timeZones.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	nodesRun,
	PERSON,
	roleFit,
	test,
	waitForStatuses,
	type Row,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'catch-up';
const START = 'Every Night At 3';
const HAND_OVER = 'Hand Over The Result';
const DAY_MS = 24 * 3_600_000;

test(`${EXAMPLE}: results that were missed go on; links that are due and reminders are sent once`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id: decision } = await importExample('result-to-decision', { isPublished: true });
	await client.unpublish(decision);
	const mails = ['Send The Link', 'Send The Reminder'];
	const { id } = await importExample(EXAMPLE, { mails, handsOverTo: decision, unpin: true });
	const invitations = await Promise.all(Array.from({ length: 6 }, () => inviteAt(service)));
	const [completed, finishedLate, closing, early, waiting, closed] = invitations;
	const link_sent_at = new Date().toISOString();
	await applications.add([
		open(completed, 10),
		open(finishedLate, 2, { link_sent_at }),
		open(closing, 2, { link_sent_at }),
		open(early, 10),
		open(waiting, 10, { link_sent_at }),
		open(closed, -1),
		{ ...open(early, 2), application_id: 'APP-X', invitation_link: `${service.baseUrl}/nobody` },
	]);
	// These results were missed, as if n8n had been down.
	await service.finish(completed.invitation_code);
	await service.finish(finishedLate.invitation_code);
	await client.publish(decision);

	const execution = await client.runToEnd(id, START);
	expect(execution.status).toBe('success');
	const [handedOver] = await waitForStatuses(client, decision, ['waiting', 'waiting']);
	expect(nodesRun(handedOver)[0]).toBe('When A Late Result Is Handed Over');
	const texts = mailServer.mails.map(({ text }) => text);
	expect(texts).toEqual([
		expect.stringMatching(new RegExp(`is open until .*: ${closing.invitation_link}`)),
		expect.stringMatching(new RegExp(`complete your assessment by .*: ${early.invitation_link}`)),
	]);
	const rows = await applications.rows();
	for (const { ext_reference_id } of [completed, finishedLate]) {
		expect(rows[ext_reference_id]).toMatchObject({
			status: 'completed',
			role_fit: roleFit(invitationOf(service, ext_reference_id)),
		});
	}
	expect(rows[closing.ext_reference_id].reminded_at).toBeTruthy();
	expect(rows[early.ext_reference_id].link_sent_at).toBeTruthy();
	expect(rows['APP-X'].problem).toMatch(/^20\S+: No candidate with this invitation exists/);

	const nextNight = await client.runToEnd(id, START);
	expect(nodesRun(nextNight)).not.toContain(HAND_OVER);
	expect(mailServer.mails).toHaveLength(2);
});

test(`${EXAMPLE}: a reminder names the last day where the workflow is, and one that fails stops no other`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id: handsOverTo } = await importExample('result-to-decision');
	const how = { mails: ['Send The Reminder'], handsOverTo, unpin: true, ...IN_LOS_ANGELES };
	const { id } = await importExample(EXAMPLE, how);
	const [first, refused, last, noted] = await Promise.all(
		[1, 2, 3, 4].map(async () => await inviteAt(service)),
	);
	// The day there ends within UTC's next day.
	const open_until = lastMomentOf(LOS_ANGELES, 2).toISOString();
	const due = { open_until, link_sent_at: new Date().toISOString() };
	await applications.add([
		open(first, 2, due),
		// The row's address counts: it may have been corrected since the invitation.
		open(refused, 2, { ...due, email: 'refused@people.example' }),
		open(last, 2, due),
		// Its link is due, but "Send The Link" is deactivated.
		open(noted, 10, { problem: 'on vacation' }),
	]);
	mailServer.refused = 'refused@people.example';
	expect((await client.runToEnd(id, START)).status).toBe('success');
	const words = `is open until ${dayIn(LOS_ANGELES, open_until)}: `;
	expect(mailServer.mails.map(({ text }) => text)).toEqual(
		[first, last].map((each) => expect.stringContaining(words + each.invitation_link)),
	);
	const rows = await applications.rows();
	expect(rows[noted.ext_reference_id].problem).toBe('on vacation');
	const problem = expect.stringMatching(/^The reminder was not emailed: \S/);
	expect(rows[refused.ext_reference_id]).toMatchObject({ reminded_at: '', problem });

	// Only the failed mail is tried again.
	mailServer.refused = undefined;
	await client.runToEnd(id, START);
	const { invitation_link } = refused;
	expect(mailServer.mails.slice(2)).toEqual([
		{ to: 'refused@people.example', text: expect.stringContaining(invitation_link) },
	]);
	expect((await applications.rows())[refused.ext_reference_id].problem).toBe('');
});

test(`${EXAMPLE}: a link that wasn't mailed is mailed once, whatever the row has in its other columns`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const mails = ['Send The Link', 'Send The Reminder'];
	const { id } = await importExample(EXAMPLE, { mails, handsOverTo: 'none', unpin: true });
	const soon = new Date(Date.now() + 2 * DAY_MS);
	const cases: Array<[more: Partial<Row>, text: RegExp | undefined]> = [
		// Rows written by hand, or from an old backup.
		...[
			{},
			{ status: null },
			{ status: 'Interview' },
			{ open_until: '' },
			{ status: ' INVITED ' },
		].map((more): [Partial<Row>, RegExp] => [{ open_until: null, ...more }, /assessment: http/]),
		...['15.12.2099', 'Invalid DateTime', '1797350400', 'soon'].map(
			(open_until): [Partial<Row>, RegExp] => [{ open_until }, /assessment: http/],
		),
		...['2099-12-15', '2099-12-15 18:00:00', '2099-12-15T18:00:00.000Z', ' 2099-12-15T18:00 '].map(
			(open_until): [Partial<Row>, RegExp] => [{ open_until }, /assessment by December 15: http/],
		),
		[{ link_sent_at: ' ', open_until: null }, /assessment: http/],
		[{ open_until: soon.toISOString() }, /is open until/],
		[{ open_until: soon.toISOString().replace('T', ' '), link_sent_at: 'yes' }, /is open until/],
		// Nobody is reminded twice, or after the last day.
		[{ open_until: soon.toISOString(), reminded_at: 'yes' }, undefined],
		[{ open_until: null, link_sent_at: 'November 2' }, undefined],
		[{ open_until: '2020-12-15' }, undefined],
		[{ open_until: '2020-12-15 18:00:00' }, undefined],
		[{ status: 'Completed' }, undefined],
	];
	const people = await Promise.all(
		cases.map(async ([more]): Promise<Row> => {
			const invitation = await inviteAt(service);
			const { ext_reference_id: application_id, job_id, invitation_link } = invitation;
			const email = `${application_id}@people.example`;
			return {
				...PERSON,
				application_id,
				email,
				job_id,
				status: 'invited',
				invitation_link,
				...more,
			};
		}),
	);
	await applications.add(people);
	for (const _ of [1, 2]) expect((await client.runToEnd(id, START)).status).toBe('success');
	for (const [index, { email, invitation_link }] of people.entries()) {
		const [more, text] = cases[index];
		const own = mailServer.mails.filter(({ to }) => to === email);
		expect([more, own.map((mail) => mail.text)]).toEqual([
			more,
			text ? [expect.stringMatching(text)] : [],
		]);
		if (text) expect(own[0].text).toContain(invitation_link);
	}
	const rows = await applications.rows();
	for (const { link_sent_at: _, ...before } of people) {
		expect(rows[before.application_id]).toMatchObject(before);
	}
});

test(`${EXAMPLE}: whatever the service says of a candidate, no result is asked for twice, nobody is mailed a link of theirs, and the row says why`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id: decision } = await importExample('result-to-decision', { isPublished: true });
	const mails = ['Send The Link', 'Send The Reminder'];
	const { id } = await importExample(EXAMPLE, { mails, handsOverTo: decision, unpin: true });
	const scores = [{ score_type: 'role_fit', score_value: 85, score_format: 100 }];
	const open_until = new Date(Date.now() + 2 * DAY_MS).toISOString();
	const answers: Array<[answer: object, isResult: boolean, problem?: RegExp]> = [
		[{ status: 'COMPLETED', scores }, true],
		[{ status: ' Completed', scores, ext_reference_id: null }, true],
		[{ status: 'completed', scores: null }, true],
		[{ status: 'scored', scores }, false, /status "scored".*once the status says completed/],
		[{ status: null, scores }, false, /status "".*once the status says completed/],
		[
			{ status: 'invited', scores: [], first_name: null, invitation_link: null, email: null },
			false,
		],
		[{ status: 7, scores: [], ext_reference_id: undefined, job_id: null }, false],
	];
	const people = await Promise.all(answers.map(async () => await inviteAt(service)));
	for (const [index, { ext_reference_id, invitation_code, ...invitation }] of people.entries()) {
		const data = { ext_reference_id, ...invitation, additional_scores: [], ...answers[index][0] };
		service.faults.inject({
			...{ route: 'getCandidate', status: 200, times: 9, body: { data, meta: null } },
			when: ({ path }) => path.includes(invitation_code),
		});
		const email = `${index}@people.example`;
		await applications.add([{ ...open(people[index], 2), email, open_until }]);
	}
	for (const _ of [1, 2]) expect((await client.runToEnd(id, START)).status).toBe('success');
	const asked = answers.filter(([, isResult]) => isResult).length;
	await waitForStatuses(client, decision, Array(asked).fill('waiting'));
	const rows = await applications.all();
	expect(rows).toHaveLength(people.length);
	for (const [index, [answer, isResult, problem]] of answers.entries()) {
		const row = rows[index];
		expect([answer, row]).toMatchObject([
			answer,
			{ ...PERSON, email: `${index}@people.example`, status: isResult ? 'completed' : 'invited' },
		]);
		expect(row.problem ?? '').toMatch(problem ?? /^$/);
		const reminders = mailServer.mails.filter(({ to }) => to === row.email).map(({ text }) => text);
		const { invitation_link } = people[index];
		const isReminded = !isResult && !problem;
		expect(reminders).toEqual(isReminded ? [expect.stringContaining(`: ${invitation_link}`)] : []);
		if (isReminded) expect(reminders[0]).toContain('Hello Maya,');
	}
});

test(`${EXAMPLE}: what fails keeps nothing from the others, and a run fails if nobody would hear of it`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id: decision } = await importExample('result-to-decision', { isPublished: true });
	await client.unpublish(decision);
	const mails = ['Send The Link', 'Send The Reminder'];
	// n8n finds no workflow to hand results over to.
	const { id } = await importExample(EXAMPLE, { mails, handsOverTo: 'none', unpin: true });
	const night = async () => {
		const { status, data } = await client.runToEnd(id, START);
		return [status, data.resultData.error?.message];
	};
	const [completed, also, early, closing] = await Promise.all(
		[1, 2, 3, 4].map(async () => await inviteAt(service)),
	);
	for (const each of [completed, also]) await service.finish(each.invitation_code);
	const link_sent_at = new Date().toISOString();
	await applications.add([open(completed, 9), open(also, 9), open(early, 9)]);
	await applications.add([open(closing, 2, { link_sent_at })]);

	// The mail server stays down for more than a night.
	mailServer.isDown = true;
	for (const _ of [1, 2]) {
		expect(await night()).toEqual([
			'error',
			expect.stringMatching(
				/^No mail went out\. .*451.*handed over: 2\. Is Result to decision pub/s,
			),
		]);
	}
	mailServer.isDown = false;
	const words = /^Results that couldn't be handed over: 2\. Is Result to decision published\? \S/;
	expect(await night()).toEqual(['error', expect.stringMatching(words)]);
	expect(mailServer.mails).toHaveLength(2);
	await client.publish(decision);
	const workflowId = { __rl: true, mode: 'list', value: decision };
	const { nodes } = await client.getWorkflow(id);
	const { parameters } = nodes.find(({ name }) => name === HAND_OVER)!;
	await editNode(client, id, HAND_OVER, { parameters: { ...parameters, workflowId } });
	expect(await night()).toEqual(['success', undefined]);
	await waitForStatuses(client, decision, ['waiting', 'waiting']);
	const statuses = (await applications.all()).map(({ status }) => status);
	expect(statuses).toEqual(['completed', 'completed', 'invited', 'invited']);
	expect(mailServer.mails).toHaveLength(2);

	// A column is missing, so mails couldn't be noted.
	await applications.correct(early.ext_reference_id, { link_sent_at: '' });
	const undo = await applications.renameColumn('reminded_at');
	for (const _ of [1, 2]) {
		expect(await night()).toEqual(['error', expect.stringMatching(/reminded_at/)]);
	}
	expect(mailServer.mails).toHaveLength(2);
	await undo();

	service.faults.inject({ route: 'getCandidate', status: 401, times: 2 });
	expect(await night()).toEqual([
		'error',
		expect.stringMatching(/^No application could be looked up\. .*token/s),
	]);
	for (const { status, problem } of (await applications.all()).slice(2))
		expect([status, problem]).toEqual(['invited', expect.stringMatching(/^20\S+: .*token/)]);
});

/** The row of somebody who was invited and has this many days left. */
function open(invitation: InvitationWithLinks, days: number, more: Partial<Row> = {}): Row {
	const { ext_reference_id: application_id, job_id, invitation_link } = invitation;
	return {
		...PERSON,
		application_id,
		job_id,
		status: 'invited',
		invitation_link,
		open_until: new Date(Date.now() + days * DAY_MS).toISOString(),
		...more,
	};
}
