import { itemsOf } from '../../../tools/n8n/client.mts';
import { createCredential } from '../../support/credentials.mts';
import { untrusted } from '../support/brokenService.mts';
import {
	ACTION_NODE,
	actionNode,
	anonymousInvitation,
	itemsWorkflow,
	START,
} from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';

// Each line of n8n has its own errors for a connection that breaks.

test('an invitation that may have arrived is in doubt and not sent again, and one that was never sent is tried again', async ({
	n8n: { client },
	broken,
}) => {
	const inviteTwiceAt = async (baseUrl: string) => {
		const credential = await createCredential(client, { baseUrl, accessToken: 'a-token' });
		const parameters = anonymousInvitation({ options: { maxRetries: 0 } });
		const invite = actionNode(credential, parameters, { onError: 'continueRegularOutput' });
		const workflow = itemsWorkflow('Certainty', "[{ ref: 'APP-1' }]", invite);
		const { id } = await client.createWorkflow(workflow);
		const executions = [await client.runToEnd(id, START), await client.runToEnd(id, START)];
		return executions.map((execution) => itemsOf(execution, ACTION_NODE)[0]?.json.outcome);
	};
	broken.respond = (response) => response.socket?.resetAndDestroy();
	expect(await inviteTwiceAt(broken.baseUrl)).toEqual(['unknown', 'unknown']);
	expect([broken.connections, broken.requests]).toEqual([1, 1]);
	broken.behavior = untrusted;
	const secure = broken.baseUrl.replace('http', 'https');
	expect(await inviteTwiceAt(secure)).toEqual(['notSent', 'notSent']);
	expect([broken.connections, broken.requests]).toEqual([3, 1]);
});
