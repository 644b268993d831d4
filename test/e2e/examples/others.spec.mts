import { invitationOf, request } from '../../support/invite.mts';
import { expect, jsonOf, test } from '../support/exampleFixtures.mts';
import { JOB, PERSON, says, scoresOf } from '../support/rows.mts';

test('a first result: your link, and your scores', async ({ n8n, service, example }) => {
	const { client } = n8n;
	const { first_name: firstName, last_name: lastName, email } = PERSON;
	const parameters = { jobId: JOB, email, firstName, lastName };
	const { id, run } = await example('first-result', { 'Invite Yourself': { parameters } });
	const [invited] = jsonOf(await run('Start'), 'Invite Yourself');
	const { invitation_link: value, ext_reference_id } = invited as Record<string, string>;
	await service.finish(invitationOf(service, ext_reference_id!).invitation_code);
	const { nodes, versionId } = await client.getWorkflow(id);
	const get = nodes.find(({ name }) => name === 'Get Scores')!;
	get.parameters.invitationCode = { __rl: true, mode: 'link', value };
	const connections = { Start: { main: [[{ node: get.name, type: 'main', index: 0 }]] } };
	await client.request('PATCH', `/rest/workflows/${id}`, { nodes, connections, versionId });
	const scores = scoresOf(service, ext_reference_id!);
	expect(jsonOf(await run('Start'), get.name)).toMatchObject([{ scores }]);
});

test('the team hears of a lost trigger, else of nothing', async ({ n8n, service, example }) => {
	const watched = await example('result-to-decision');
	const { webhookId: webhook_id } = service;
	const heard = async (entered: Record<string, string>) => {
		const assignments = Object.entries(entered).map(([name, value]) => {
			return { id: name, name, value, type: 'string' };
		});
		const parameters = { assignments: { assignments } };
		const { run } = await example('monitor-the-trigger', { 'Our Trigger': { parameters } });
		// Slack's node stays deactivated, and puts out the message.
		return jsonOf(await run('Every Hour'), 'Send To The Team').map(({ text }) => text);
	};
	const { url: production_url, events } = service.webhooks[0]!;
	const ours = { webhook_id, production_url };
	expect(await heard(ours)).toEqual([]);

	const lost = [says('not our trigger'), says('answers 404, not 401')];
	await n8n.client.unpublish(watched.id);
	expect(await heard(ours)).toEqual(lost);
	expect(service.webhooks[0]!.status).toBe('inactive');
	const moved = { name: 'Moved', url: `${n8n.baseUrl}/webhook/moved`, events };
	await request(service, 'PUT', `/webhooks/${webhook_id}`, moved);
	expect(await heard(ours)).toEqual(lost);
	expect(service.webhooks[0]!.status).toBe('active');
	expect(await heard({ webhook_id: JOB, production_url: 'http://127.0.0.1:9/webhook' })).toEqual([
		says(/^The webhook couldn't be checked: .*webhook with this ID/),
		says("couldn't be called"),
	]);
});
