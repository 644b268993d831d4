import { DateTime } from 'luxon';

import { request } from '../../support/invite.mts';
import {
	expect,
	invitationOf,
	invitedRow,
	JOB,
	PERSON,
	roleFit,
	rowOf,
	test,
	ZONE,
	type Row,
} from '../support/exampleFixtures.mts';

const NIGHT = 'Every Night At 3';
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test('each open row gets what it needs, once: its result, one reminder, its end, or a problem; a word of a person ends that', async ({
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const decision = await importExample('result-to-decision', { off: ['When A Result Is Ready'] });
	const workflowId = { __rl: true, mode: 'id', value: decision.id };
	const { run } = await importExample('catch-up', {
		parameters: { 'Hand Over The Result': { workflowId } },
		isDraft: true,
	});
	const invite = async (ext_reference_id: string, more: Row) => {
		const sent = { ...PERSON, job_id: JOB, ext_reference_id, is_anonymous_candidate: false };
		await request(service, 'POST', '/standard/candidates', sent);
		const invitation = invitationOf(service, ext_reference_id);
		return invitedRow(invitation, {
			...rowOf(ext_reference_id),
			...invitedRow(invitation),
			email: `${ext_reference_id}@people.example`,
			...more,
		});
	};
	const rows: Row[] = [];
	const add = async (id: string, more: Row, becomes: Row) => {
		rows.push(becomes);
		await applications.add(await invite(id, more));
	};
	await add('open', {}, { status: 'invited' });
	await add('missed', { open_until: inDays(-1), invitation_link: null }, { status: 'completed' });
	const { invitation_link } = invitationOf(service, 'missed');
	await applications.write('missed@people.example', { invitation_link });
	await add(
		'soon',
		{ open_until: inDays(2) },
		{ status: 'invited', reminded_at: expect.stringMatching(/^20/) },
	);
	await add(
		'reminded',
		{ open_until: inDays(2), reminded_at: 'then' },
		{ status: 'invited', reminded_at: 'then' },
	);
	await add('ended', { open_until: inDays(-1) }, { status: 'expired' });
	await add('withdrawn', { open_until: inDays(2), status: 'withdrawn' }, { status: 'withdrawn' });
	await add(
		'gone',
		{ invitation_link: 'https://a.example/gone' },
		{ status: 'invited', problem: expect.stringMatching(/^20\d\d-\d\d-\d\d: \S/) },
	);
	await add(
		'refused',
		{ open_until: inDays(2) },
		{ status: 'invited', reminded_at: null, problem: expect.stringContaining('out of order') },
	);
	mailServer.refused = 'refused@people.example';
	for (const id of ['missed', 'withdrawn'])
		await service.finish(invitationOf(service, id).invitation_code);
	for (const _ of [1, 2]) await run(NIGHT);
	const [handedOver] = await decision.executions(1);
	expect(handedOver!.status).toBe('waiting');
	expect(await decision.executions(1)).toHaveLength(1);
	expect(await applications.all()).toMatchObject(rows);
	expect((await applications.all())[1]).toMatchObject({
		role_fit: roleFit(invitationOf(service, 'missed')),
	});

	const { open_until } = (await applications.all())[2]!;
	const moment = DateTime.fromISO(open_until, { zone: ZONE }).toFormat('MMMM d, HH:mm ZZZZ');
	const text = expect.stringContaining(
		`open until ${moment}: ${invitationOf(service, 'soon').invitation_link}`,
	);
	const asked = { to: 'hr@people.example', text: expect.stringContaining('Decide') };
	expect(mailServer.mails).toHaveLength(2);
	expect(mailServer.mails).toEqual(
		expect.arrayContaining([asked, { to: 'soon@people.example', text }]),
	);
});

test('a trial without mails, or without anybody to look up, changes no row', async ({
	service,
	applications,
	importExample,
}) => {
	await applications.add(
		rowOf('A', {
			status: 'invited',
			invitation_link: 'https://a.example/1',
			open_until: inDays(2),
		}),
	);
	const before = await applications.all();
	for (const off of [['Send The Reminder'], ['Look Up Candidates', 'Send The Reminder']]) {
		const workflowId = { __rl: true, mode: 'id', value: 'none' };
		const { run } = await importExample('catch-up', {
			off,
			isDraft: true,
			parameters: { 'Hand Over The Result': { workflowId } },
		});
		service.faults.inject({
			route: 'getCandidate',
			status: 200,
			body: { data: { candidate_id: 'C', status: 'invited', scores: [] }, meta: null },
		});
		await run(NIGHT);
		expect(await applications.all()).toEqual(before);
	}
});
