import { invitationOf } from '../../support/invite.mts';
import { googleNodes, startGoogle } from '../support/google.mts';
import { expect, test } from '../support/exampleFixtures.mts';
import { linkOf, rowOf, says, scoresOf, withoutLink } from '../support/rows.mts';

const HOUR = 'Every Hour';
const PEOPLE = ['A', 'B', 'C', 'D', '0815'];

let google: Awaited<ReturnType<typeof startGoogle>>;
test.beforeAll(async ({ n8n }) => {
	google = await startGoogle();
	await n8n.restart(google.environment);
});
test.afterAll(() => google.close());

test('a sheet has links and results, however sorted', async ({ n8n, service, example }) => {
	const { run, executions, id } = await example('a-google-sheet', await googleNodes(n8n.client));
	const second = rowOf('A', { email: 'second@people.example' });
	const [wrong, hired] = [rowOf('wrong', { email: 'nobody' }), rowOf('H', { status: 'hired' })];
	google.rows = [...PEOPLE.map((each) => rowOf(each)), {}, wrong, second, hired];
	google.meanwhile = () => 401;
	await run(HOUR, /\S/);
	const requests = { reads: 0, writes: 0 };
	google.meanwhile = (isWrite) => {
		if (isWrite) return ++requests.writes === 1 ? 429 : 0;
		google.rows.reverse();
		return ++requests.reads === 1 ? 500 : 0;
	};
	await run(HOUR);
	google.meanwhile = () => {};
	const row = (each: string) =>
		google.rows.find((found) => found.application_id === each && found !== second);
	const invited = (each: string) => ({ status: 'invited', ...linkOf(service, each) });
	expect(PEOPLE.map(row)).toMatchObject(PEOPLE.map(invited));
	expect(row('wrong')).toMatchObject({ status: 'invalid', problem: says(/^Email/) });
	expect([second.status, row('H')!.invitation_link]).toEqual([undefined, undefined]);
	google.rows.splice(google.rows.indexOf(second), 1);
	expect(google.mails).toHaveLength(5);
	for (const each of PEOPLE) {
		const own = google.mails.filter((mail) => mail.includes(row(each)!.email));
		expect(own).toEqual([says(linkOf(service, each).invitation_link)]);
	}

	google.requests = 0;
	await run(HOUR);
	expect(google.requests).toBe(2);

	Object.assign(row('B')!, { status: 'withdrawn' });
	Object.assign(row('wrong')!, { email: 'right@people.example', status: '' });
	const before = (await executions(3)).length;
	for (const each of ['A', 'B']) await service.finish(invitationOf(service, each).invitation_code);
	await executions(before + 2);
	service.faults.inject({ route: 'getCandidate', ...withoutLink(service, 'A') });
	await service.redeliver(service.deliveries[0]!.id);
	await executions(before + 3);
	await n8n.client.unpublish(id);
	await service.finish(invitationOf(service, 'C').invitation_code);
	await run('Every Night At 3');
	await run(HOUR);
	const scored = (each: string, status: string) => ({
		status,
		...linkOf(service, each),
		role_fit: String(scoresOf(service, each).role_fit),
	});
	expect(['A', 'B', 'C', 'D', 'wrong'].map(row)).toMatchObject([
		scored('A', 'completed'),
		scored('B', 'withdrawn'),
		scored('C', 'completed'),
		invited('D'),
		invited('wrong'),
	]);
	expect(row('D')!.role_fit).toBe(undefined);
	expect(service.invitations).toHaveLength(6);
});
