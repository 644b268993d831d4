import { withCredential } from '../../../demo/workflows/parts.mts';
import { createCredential } from '../../support/credentials.mts';
import { createInviteList, references } from '../../support/inviteList.mts';
import { ACTION_NODE } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

test('a link that a failed run has left comes out with the credential that sent it, and with no other', async ({
	n8n: { client },
	service,
}) => {
	const list = await createInviteList(client, service, { list: references(2) });
	service.faults.inject({
		route: 'createInvitation',
		status: 422,
		when: ({ body }) => (body as { ext_reference_id: string }).ext_reference_id === 'APP-2',
	});
	expect((await list.run()).status).toBe('error');
	service.faults.clear();
	const [{ invitation_link: link }] = service.invitations;

	const workflow = await client.getWorkflow(list.id);
	const before = workflow.nodes.find(({ name }) => name === ACTION_NODE)!.credentials;
	const runWith = async (credentials: typeof before) => {
		const { versionId } = await client.getWorkflow(list.id);
		const nodes = workflow.nodes.map((node) =>
			node.name === ACTION_NODE ? { ...node, credentials } : node,
		);
		await client.request('PATCH', `/rest/workflows/${list.id}`, { ...workflow, nodes, versionId });
		return await list.run();
	};
	const linksIn = (run: Awaited<ReturnType<typeof runWith>>) =>
		run.outputs.map((items) =>
			items.map(({ ref, ext_reference_id, invitation_link }) => [
				ref ?? ext_reference_id,
				invitation_link,
			]),
		);

	const production = await runWith(withCredential(await createCredential(client, service)));
	const [, { invitation_link: own }] = service.invitations;
	expect(linksIn(production)).toEqual([[['APP-2', own]], [['APP-1', undefined]], []]);
	const staging = await runWith(before);
	expect(linksIn(staging)).toEqual([[['APP-1', link]], [['APP-2', undefined]], []]);
	expect(list.sent()).toEqual(['APP-1', 'APP-2', 'APP-2']);
});
