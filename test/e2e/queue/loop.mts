import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';

import { finishAssessment } from '../../../demo/candidate.mts';
import { itemsOf, type Credential } from '../../../tools/n8n/client.mts';
import {
	INVITE_NODE,
	INVITE_START,
	inviteCandidates,
} from '../../../demo/workflows/invite-candidates.mts';
import { CREDENTIAL } from '../../../demo/workflows/parts.mts';
import { RESULT_NODE, RESULT_TRIGGER, resultReady } from '../../../demo/workflows/result-ready.mts';
import { call, forgedSecrets } from '../../support/calls.mts';
import type { Check } from '../../support/checks.mts';
import { enqueuedBy, workOf, type Cluster } from '../../support/cluster.mts';
import { RESULT_READY } from '../../support/workflows.mts';

/** From the invitation to the scores, each step in the process that it belongs to. */
export async function checkLoop(check: Check, cluster: Cluster, credential: Credential) {
	const { client, service, main, webhook } = cluster;
	const { id: inviteId } = await client.createWorkflow(inviteCandidates(credential));
	const { id: resultId } = await client.createWorkflow(resultReady(credential, service.webhookId));
	const body = { event: RESULT_READY };
	const registered = () => {
		const { url, secret, status } = service.webhooks[0];
		assert.ok(secret, 'the service has no secret');
		return { url, secret, status };
	};
	const runs = async () => await client.countExecutions({ workflowId: resultId });

	await check('publishing on main registers the address of the webhook process', async () => {
		await client.publish(resultId);
		const { url, secret, status } = registered();
		assert.ok(url.startsWith(`${webhook.baseUrl}/webhook/`), `the service has ${url}`);
		assert.equal(secret, derivedSecret(service.accessToken, service.webhookId));
		assert.equal(status, 'active');
	});

	await check('a manual run that invites is done by a worker', async () => {
		const execution = await client.runToEnd(inviteId, INVITE_START);
		assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
		assert.equal(itemsOf(execution, INVITE_NODE).length, 3);
		assert.equal(service.invitations.length, 3);
		await expectRunByOneWorker(cluster, [execution.id]);
	});

	await check('the webhook process answers forged calls 401, and nothing runs', async () => {
		const { url, secret } = registered();
		for (const [kind, forged] of Object.entries(forgedSecrets(secret))) {
			assert.equal(await call(url, { secret: forged, body }), 401, kind);
		}
		assert.equal(await runs(), 0);
	});

	await check('main takes no production call, not even a genuine one', async () => {
		const { url, secret } = registered();
		assert.equal(await call(url.replace(webhook.baseUrl, main.baseUrl), { secret, body }), 404);
		assert.equal(await runs(), 0);
	});

	await check('each finished assessment is let in, run by a worker, scores fetched', async () => {
		for (const { invitation_link } of service.invitations) await finishAssessment(invitation_link);
		const executions = await client.waitForExecutions(resultId, 3);
		assert.deepEqual(
			service.deliveries.map(({ status }) => status),
			[200, 200, 200],
		);
		const scores: Record<string, unknown> = {};
		for (const { id } of executions) {
			const execution = await client.getExecution(id);
			assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
			const [{ json }] = itemsOf(execution, RESULT_NODE);
			scores[json.ext_reference_id] = json.scores;
		}
		const expected = service.invitations.map((one) => [
			one.ext_reference_id,
			Object.fromEntries(
				[...one.scores, ...one.additional_scores].map((score) => [
					score.score_type,
					score.score_value,
				]),
			),
		]);
		assert.deepEqual(scores, Object.fromEntries(expected));
		const ids = executions.map(({ id }) => id);
		await expectRunByOneWorker(cluster, ids);
		// Who takes the call puts the execution into the queue.
		assert.deepEqual((await enqueuedBy(webhook)).sort(), ids.sort());
	});

	await check(
		'with another access token, the secret that publishing registered counts on',
		async () => {
			const accessToken = `another-${service.accessToken}`;
			const change = async (token: string) => {
				const data = { baseUrl: service.baseUrl, accessToken: token, webhookSecret: '' };
				await client.updateCredential(credential.id, { name: 'Queue', type: CREDENTIAL, data });
			};
			await change(accessToken);
			try {
				const { url, secret } = registered();
				const current = derivedSecret(accessToken, service.webhookId);
				assert.equal((await service.redeliver(service.deliveries[0].id)).status, 200, 'registered');
				assert.equal(await call(url, { secret: current, body }), 200, 'derived from the new token');
				assert.equal(await call(url, { secret: `${secret}0`, body }), 401, 'forged');
				const [newest, before] = await client.waitForExecutions(resultId, 5);
				for (const { id } of [newest, before]) {
					assert.equal(itemsOf(await client.getExecution(id), RESULT_TRIGGER).length, 1);
				}
			} finally {
				await change(service.accessToken);
			}
		},
	);

	const checkEnd = async () => {
		await check('unpublishing on main switches the webhook off', async () => {
			const { url, secret } = registered();
			await client.unpublish(resultId);
			assert.equal(registered().status, 'inactive');
			assert.equal(await call(url, { secret, body }), 404, 'the webhook process still takes calls');
		});
	};
	return { workflowId: resultId, checkEnd };
}

/** What the trigger makes of them, so that nothing has to be configured. */
function derivedSecret(accessToken: string, webhookId: string): string {
	return createHmac('sha256', accessToken).update(webhookId).digest('hex');
}

async function expectRunByOneWorker({ workers }: Cluster, executionIds: string[]): Promise<void> {
	const work = await Promise.all(workers.map(workOf));
	const started = work.flatMap((one) => one.started);
	for (const id of executionIds) {
		const times = started.filter((other) => other === id).length;
		assert.equal(times, 1, `workers started execution ${id} ${times} times`);
	}
}
