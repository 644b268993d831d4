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
		application_id: id as unknown as string,
		status: 'Applied',
	}));
	people[3]!.email = 'nobody';
	people[7]!.first_name = '';
	const text = ['first_name', 'last_name', 'email', 'job_id', 'status'];
	const types = Object.fromEntries(text.map((column) => [column, 'string']));
	await applications.importAs({ application_id: 'number', ...types }, people);

	const { id: decision } = await importExample('result-to-decision', {
		mails: ['Ask For A Decision'],
		parameters: { 'Ask For A Decision': TEAM },
		isPublished: true,
	});
	const { id: list } = await importExample('invite-from-a-list', {
		mails: ['Send The Link'],
		unpin: true,
	});
	const { id: catchUp } = await importExample('catch-up', {
		mails: ['Send The Link', 'Send The Reminder'],
		handsOverTo: decision,
		unpin: true,
	});
	const run = async (id: string, start: string) => {
		const { status, data } = await client.runToEnd(id, start);
		return data.resultData.error?.message ?? status;
	};
	const morning = async () => await run(list, 'Every Morning At 8');
	const night = async () => await run(catchUp, 'Every Night At 3');
	const correct = async (id: number, data: Partial<Row>) =>
		await applications.correct(id as unknown as string, data);

	const [, missing = ''] = /no column (.*): add/.exec(await morning()) ?? [];
	for (const column of missing.split(', ')) await applications.addColumn(column);
	const others = ['reminded_at', 'report_link', 'completed_at', 'decision_form', 'decision'];
	for (const column of [...others, 'role_fit']) await applications.addColumn(column);
	expect(await morning()).toBe('success');
	const problems = async () => (await applications.all()).map(({ problem }) => problem || '');
	for (const problem of await problems()) expect(problem).toMatch(/^Not invited/);

	// Corrects all but one, who must not be invited. The mail server is down.
	for (const id of ids.slice(0, -1)) await correct(id, { status: '' });
	mailServer.isDown = true;
	expect(await morning()).toMatch(/^No link was emailed/);
	mailServer.isDown = false;
	await correct(4704, { email: '4704@people.example' });
	await correct(4708, { first_name: 'Maya' });
	expect(await morning()).toBe('success');
	for (const _ of [1, 2]) expect(await night()).toBe('success');
	expect(await morning()).toBe('success');

	const invited = ids.slice(0, -1).map((id) => invitationOf(service, String(id)));
	expect(service.requests.filter(({ route }) => route === 'createInvitation')).toHaveLength(11);
	const links = mailServer.mails.filter(({ to }) => to !== TEAM.toEmail);
	expect(links.map(({ to }) => to).sort()).toEqual(invited.map(({ email }) => email));
	for (const { email, invitation_link } of invited)
		expect(links.find(({ to }) => to === email)?.text).toContain(invitation_link);

	// Three finish: the first one's report isn't there yet, and the last one's result is missed.
	const [first, second, third] = invited as [(typeof invited)[0], ...typeof invited];
	const answerAs = ({ ext_reference_id, invitation_code }: typeof first, answer: object) => {
		const data = { ...invitationOf(service, ext_reference_id), ...answer };
		service.faults.inject({
			...{ route: 'getCandidate', status: 200, times: 2, body: { data, meta: null } },
			when: ({ path }) => path.includes(invitation_code),
		});
	};
	const scored = (score: number) => [
		{ score_type: 'role_fit', score_value: score, score_format: 100 },
	];
	const late = { status: 'completed', report_pdf_link: `${service.baseUrl}/not-there-yet.pdf` };
	answerAs(first, { ...late, scores: scored(70) });
	await service.finish(first.invitation_code);
	await waitForStatuses(client, decision, ['waiting']);
	await service.finish(second!.invitation_code);
	await waitForStatuses(client, decision, ['waiting', 'waiting']);
	await client.unpublish(decision);
	await service.finish(third!.invitation_code);
	await client.publish(decision);
	expect(await night()).toBe('success');
	await waitForStatuses(client, decision, Array(3).fill('waiting'));
	// The second one gets new scores.
	answerAs(second!, { scores: scored(12) });
	await service.redeliver(service.deliveries[1]!.id);
	await waitForStatuses(client, decision, Array(4).fill('waiting'));
	expect(await night()).toBe('success');

	const asked = mailServer.mails.filter(({ to }) => to === TEAM.toEmail).map((mail) => mail.text);
	const of = ({ ext_reference_id }: typeof first) =>
		asked.filter((mail) => mail.includes(ext_reference_id));
	expect([first, second!, third!].map((each) => of(each).length)).toEqual([1, 2, 1]);
	expect(of(second!)[1]).toContain('Scored anew.');
	const rows = await applications.all();
	expect(rows.map(({ application_id }) => application_id)).toEqual(ids);
	expect(rows.slice(0, 3).map(({ status, role_fit }) => [status, Number(role_fit)])).toEqual([
		['completed', 70],
		['completed', 12],
		['completed', roleFit(invitationOf(service, '4703'))],
	]);
	expect(rows.slice(3).map(({ status }) => status)).toEqual([
		...Array(8).fill('invited'),
		'Applied',
	]);
});
