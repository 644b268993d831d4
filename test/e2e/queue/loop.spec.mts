import { firstResult, INVITE_NODE, INVITE_START } from '../../../demo/workflows/first-result.mts';
import { RESULT_NODE, resultReady } from '../../../demo/workflows/result-ready.mts';
import { itemsOf, type Credential } from '../../../tools/n8n/client.mts';
import { call, derivedSecret, forgedSecrets } from '../../support/calls.mts';
import { startedBy } from '../support/cluster.mts';
import { createCredential } from '../../support/credentials.mts';
import { invitationOf } from '../../support/invite.mts';
import { RESULT_READY } from '../support/workflows.mts';
import { expect, test, type Cluster } from '../support/queueFixtures.mts';

const BODY = { event: RESULT_READY };
const PERSON = { email: 'maya@people.example', firstName: 'Maya', lastName: 'Okafor' };

// From the invitation to the scores, each step runs in its own process.
test.describe.configure({ mode: 'serial' });

let credential: Credential;
let resultId: string;

test.beforeAll(async ({ cluster: { client, service } }) => {
	credential = await createCredential(client, service);
	({ id: resultId } = await client.createWorkflow(resultReady(credential, service.webhookId)));
});

test('publishing on main registers the address of the webhook process, which rejects forged calls, and main answers none', async ({
	cluster,
}) => {
	const { client, service, webhook, main } = cluster;
	await client.publish(resultId);
	const { url, secret, status } = registered(cluster);
	expect(url).toMatch(new RegExp(`^${webhook.baseUrl}/webhook/`));
	expect(secret).toBe(derivedSecret(service.accessToken, service.webhookId));
	expect(status).toBe('active');
	for (const [kind, forged] of Object.entries(forgedSecrets(secret))) {
		expect(await call(url, { secret: forged, body: BODY }), kind).toBe(401);
	}
	const urlOnMain = url.replace(webhook.baseUrl, main.baseUrl);
	expect(await call(urlOnMain, { secret, body: BODY })).toBe(404);
	expect(await client.countExecutions({ workflowId: resultId })).toBe(0);
});

test('a worker invites, and a worker gets the scores of who has finished', async ({ cluster }) => {
	const { client, service, webhook } = cluster;
	const { id: inviteId } = await client.createWorkflow(
		await firstResult(credential, service.sampleJobId, PERSON),
	);
	const inviting = await client.runToEnd(inviteId, INVITE_START);
	expect(inviting.status, inviting.data.resultData.error?.message).toBe('success');
	const [{ json: invited }] = itemsOf(inviting, INVITE_NODE);
	await expectRunByOneWorker(cluster, inviting.id);

	const invitation = () => invitationOf(service, invited.ext_reference_id);
	await service.finish(invitation().invitation_code);
	const [{ id }] = await client.waitForExecutions(resultId, 1);
	const execution = await client.waitForExecution(id);
	expect(execution.status, execution.data.resultData.error?.message).toBe('success');
	const [{ score_type, score_value }] = invitation().scores;
	expect(itemsOf(execution, RESULT_NODE)[0].json).toMatchObject({
		ext_reference_id: invited.ext_reference_id,
		scores: { [score_type]: score_value },
	});
	await expectRunByOneWorker(cluster, id);
	// The process that receives a call queues its execution.
	expect(await webhook.log()).toContain(`Enqueued execution ${id} `);
});

test('unpublishing on main switches the webhook off', async ({ cluster }) => {
	const { client } = cluster;
	const { url, secret } = registered(cluster);
	await client.unpublish(resultId);
	await expect.poll(() => registered(cluster).status).toBe('inactive');
	expect(await call(url, { secret, body: BODY }), 'the webhook process').toBe(404);
});

/** The webhook as registered with the service. */
function registered({ service }: Cluster) {
	const webhook = service.webhooks.find(({ id }) => id === service.webhookId);
	if (!webhook?.secret) throw new Error('The service has no secret');
	return { url: webhook.url, secret: webhook.secret, status: webhook.status };
}

async function expectRunByOneWorker({ workers }: Cluster, id: string): Promise<void> {
	const started = await startedBy(...workers);
	expect(started.filter((each) => each === id)).toHaveLength(1);
}
