import assert from 'node:assert/strict';

import { itemsOf, type Execution } from '../../../tools/n8n/client.mts';
import type { Demo } from '../../../demo/demo.mts';
import type { Check } from '../../support/checks.mts';
import { createCredential } from '../../support/credentials.mts';
import { ACTION_NODE, RESULT_READY, runAction } from '../../support/workflows.mts';

const JOB = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';
const API = '/partner/v1.0';

/** All five operations in real executions: what the service gets, and what comes out. */
export async function checkOperations(check: Check, demo: Demo): Promise<void> {
	const { client, service } = demo;
	const credential = await createCredential(client, service);
	const run = async (parameters: Record<string, unknown>) => {
		service.clearRequests();
		return onlyItem(await runAction(client, { name: 'Operation', credential, parameters }));
	};
	const received = () => service.requests.map(({ method, path, body }) => [method, path, body]);

	await check('Invite sends what was entered and gives the invitation', async () => {
		const skillsJson = '={{ [{ "name": "SQL", "proficiency": "novice" }] }}';
		const json = await run({
			...{ resource: 'candidate', operation: 'invite', jobId: JOB, extReferenceId: 'APP-1' },
			...{ email: 'nathan@example.com', firstName: 'Nathan', lastName: 'Smith' },
			additionalFields: {
				skillsJson,
				workExperiences: {
					workExperience: [{ organization: 'Example', startDate: '2020-02-01T00:00:00' }],
				},
			},
		});
		const body = {
			...{ job_id: JOB, ext_reference_id: 'APP-1', is_anonymous_candidate: false },
			...{ email: 'nathan@example.com', first_name: 'Nathan', last_name: 'Smith' },
			skills: [{ name: 'SQL', proficiency: 'novice' }],
			work_experiences: [{ organization: 'Example', is_current: false, start_date: '2020-02-01' }],
		};
		assert.deepEqual(received(), [['POST', `${API}/standard/candidates`, body]]);
		const { invitation_link } = service.invitations[0];
		assert.equal(json.invitation_link, invitation_link);
		assert.equal(json.ext_reference_id, 'APP-1');
		assert.equal(json.status, 'invited');
	});

	await check('Get by code gives ten simple fields with the scores', async () => {
		const [{ invitation_code: code }] = service.invitations;
		await service.finish(code);
		const json = await run({
			...{ resource: 'candidate', operation: 'get', simplify: true },
			invitationCode: { __rl: true, mode: 'code', value: code },
		});
		const path = `${API}/standard/candidates/invitation/${code}`;
		assert.deepEqual(received(), [['GET', path, undefined]]);
		const [known] = service.invitations;
		assert.deepEqual(json, {
			...{ candidate_id: known.candidate_id, ext_reference_id: 'APP-1', job_id: JOB },
			...{ email: 'nathan@example.com', first_name: 'Nathan', last_name: 'Smith' },
			status: 'completed',
			report_pdf_link: known.report_pdf_link,
			report_profile_link: known.report_profile_link,
			scores: Object.fromEntries(
				[...known.scores, ...known.additional_scores].map((score) => [
					score.score_type,
					score.score_value,
				]),
			),
		});
	});

	await check('Get by link gives all that the service says', async () => {
		const [known] = service.invitations;
		const json = await run({
			...{ resource: 'candidate', operation: 'get', simplify: false },
			invitationCode: { __rl: true, mode: 'link', value: known.invitation_link },
		});
		const path = `${API}/standard/candidates/invitation/${known.invitation_code}`;
		assert.deepEqual(received(), [['GET', path, undefined]]);
		assert.deepEqual(json.scores, known.scores);
		assert.deepEqual(json.additional_scores, known.additional_scores);
	});

	const webhookId = service.createWebhook();
	const webhook = () => service.webhooks.find(({ id }) => id === webhookId)!;

	await check('Update replaces a webhook', async () => {
		const wanted = { name: 'Results', url: 'https://hr.example.com/hook', events: [RESULT_READY] };
		const secret = 'a secret for hr.example.com';
		const json = await run({
			...{ resource: 'webhook', operation: 'update', webhookId, ...wanted, secret },
		});
		const path = `${API}/webhooks/${webhookId}`;
		assert.deepEqual(received(), [['PUT', path, { ...wanted, secret }]]);
		assert.equal(webhook().url, wanted.url);
		assert.deepEqual({ name: json.name, url: json.url, events: json.events }, wanted);
		assert.ok(!JSON.stringify(json).includes(secret), 'the secret is in the output');
	});

	await check('Set Status switches a webhook', async () => {
		for (const status of ['active', 'inactive']) {
			const json = await run({ resource: 'webhook', operation: 'setStatus', webhookId, status });
			const path = `${API}/webhooks/${webhookId}/status`;
			assert.deepEqual(received(), [['PUT', path, { status }]]);
			assert.equal(webhook().status, status);
			assert.equal(json.status, status);
		}
	});

	await check('Delete deletes a webhook', async () => {
		const json = await run({ resource: 'webhook', operation: 'delete', webhookId });
		assert.deepEqual(received(), [['DELETE', `${API}/webhooks/${webhookId}`, undefined]]);
		assert.equal(webhook().is_deleted, true);
		assert.equal(json.is_deleted, true);
	});
}

/** The one item of an execution that went well. */
function onlyItem(execution: Execution): Record<string, any> {
	const { status, data } = execution;
	assert.equal(status, 'success', data.resultData.error?.message);
	const items = itemsOf(execution, ACTION_NODE);
	assert.equal(items.length, 1);
	return items[0].json;
}
