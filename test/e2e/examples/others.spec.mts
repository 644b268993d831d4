import { request } from '../../support/invite.mts';
import {
	expect,
	invitationOf,
	JOB,
	jsonOf,
	PERSON,
	roleFit,
	test,
} from '../support/exampleFixtures.mts';

test('first-result: whoever invites themselves gets a link, and their scores', async ({
	n8n: { client },
	service,
	importExample,
}) => {
	const yourself = { jobId: JOB, email: PERSON.email, firstName: 'Maya', lastName: 'Okafor' };
	const first = await importExample('first-result', {
		parameters: { 'Invite Yourself': yourself },
		isDraft: true,
	});
	const [{ invitation_link, ext_reference_id }] = jsonOf(
		await first.run('Start'),
		'Invite Yourself',
	) as [any];
	await service.finish(invitationOf(service, ext_reference_id).invitation_code);
	const { nodes, connections, versionId } = await client.getWorkflow(first.id);
	const invitationCode = { __rl: true, mode: 'link', value: invitation_link };
	const changed = nodes.map((node) =>
		node.name === 'Get Scores'
			? { ...node, parameters: { ...node.parameters, invitationCode } }
			: node,
	);
	const wired = {
		...connections,
		Start: { main: [[{ node: 'Get Scores', type: 'main', index: 0 }]] },
	};
	await client.request('PATCH', `/rest/workflows/${first.id}`, {
		nodes: changed,
		connections: wired,
		versionId,
	});
	const role_fit = roleFit(invitationOf(service, ext_reference_id));
	expect(jsonOf(await first.run('Start'), 'Get Scores')).toMatchObject([{ scores: { role_fit } }]);
});

test('monitor-the-trigger: the team hears of a webhook that points elsewhere, and of a lost trigger; else of nothing', async ({
	n8n: { client, baseUrl },
	service,
	importExample,
}) => {
	const watched = await importExample('result-to-decision');
	const { webhookId: webhook_id } = service;
	const watch = (entered: Record<string, string>) => ({
		'Our Trigger': {
			assignments: {
				assignments: Object.entries(entered).map(([name, value]) => ({
					id: name,
					name,
					value,
					type: 'string',
				})),
			},
		},
	});
	const heard = async (entered: Record<string, string>) => {
		const { run } = await importExample('monitor-the-trigger', {
			parameters: watch(entered),
			isDraft: true,
		});
		const execution = await run('Every Hour');
		// Slack's node stays deactivated, and puts out the message.
		return jsonOf(execution, 'Send To The Team').map(({ text }) => text);
	};
	const ours = { webhook_id, production_url: service.webhooks[0]!.url };
	expect(await heard(ours)).toEqual([]);

	const lost = [
		expect.stringContaining('not our trigger'),
		expect.stringContaining('answers 404, not 401'),
	];
	await client.unpublish(watched.id);
	expect(await heard(ours)).toEqual(lost);
	expect(service.webhooks[0]!.status).toBe('inactive');
	const { events } = service.webhooks[0]!;
	await request(service, 'PUT', `/webhooks/${webhook_id}`, {
		name: 'Moved',
		url: `${baseUrl}/webhook/moved`,
		events,
	});
	expect(await heard(ours)).toEqual(lost);
	expect(service.webhooks[0]!.status).toBe('active');
	expect(await heard({ webhook_id: JOB, production_url: 'http://127.0.0.1:9/webhook' })).toEqual([
		expect.stringMatching(/^The webhook couldn't be checked: .*webhook with this ID/),
		expect.stringContaining("couldn't be called"),
	]);
});
