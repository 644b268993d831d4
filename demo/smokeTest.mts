import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { finishAssessment } from './candidate.mts';
import { itemsOf, type Execution } from '../tools/n8n/client.mts';
import type { Demo } from './demo.mts';
import { step } from '../tools/n8n/terminal.mts';
import { CREDENTIAL } from './workflows/parts.mts';
import { firstResult, INVITE_NODE, INVITE_START } from './workflows/first-result.mts';
import { RESULT_NODE, RESULT_TRIGGER } from './workflows/result-ready.mts';

const WAIT_MS = 30_000;

/** Goes from an invitation to its scores. Prints every step, and rejects at the first failure. */
export async function runSmokeTest({ client, service, state, dataFolder }: Demo): Promise<void> {
	await step('The credential connects', async () => {
		const data = { baseUrl: service.baseUrl, accessToken: state.accessToken };
		const credential = { id: state.credentialId, name: 'demo', type: CREDENTIAL, data };
		const { status, message } = await client.testCredential(credential);
		expect(status === 'OK', `n8n says: ${message}`);
		return message;
	});

	const invited = await step('"First result" invites through the action node', async () => {
		const credential = { id: state.credentialId, name: 'demo', type: CREDENTIAL };
		const person = { email: 'maya@people.example', firstName: 'Maya', lastName: 'Okafor' };
		const { id } = await client.createWorkflow(
			await firstResult(credential, service.sampleJobId, person),
		);
		const execution = await client.runToEnd(id, INVITE_START, WAIT_MS);
		expectSuccess(execution);
		const items = itemsOf(execution, INVITE_NODE).map(({ json }) => json);
		expect(items[0]?.status === 'invited', `the status is ${items[0]?.status}`);
		return { detail: items[0].ext_reference_id, invited: items[0] };
	}).then((result) => result.invited);

	const webhook = await step('Publishing has registered the trigger', async () => {
		const registered = service.webhooks.find(({ id }) => id === service.webhookId);
		expect(registered?.status === 'active', `the webhook is ${registered?.status ?? 'gone'}`);
		expect(registered.url.startsWith(client.baseUrl), `the webhook's URL is ${registered.url}`);
		return { detail: registered.url, ...registered };
	});

	await step('Forged calls are rejected and start nothing', async () => {
		expect(webhook.secret !== null, 'the service has no secret to put into its calls');
		const almost = webhook.secret.slice(0, -1) + (webhook.secret.endsWith('0') ? '1' : '0');
		const statuses: number[] = [];
		for (const secret of [undefined, 'not-the-secret', almost]) {
			statuses.push(await callWebhook(webhook.url, invited, secret));
		}
		expect(
			statuses.every((status) => status === 401),
			`they were answered ${statuses.join(', ')}`,
		);
		const count = await client.countExecutions({ workflowId: state.resultWorkflowId });
		expect(count === 0, `they started ${count} executions`);
		return `${statuses.length} calls, each answered 401`;
	});

	await step('A candidate finishes the assessment on its page', async () => {
		await finishAssessment(invited.invitation_link);
		return invited.ext_reference_id;
	});

	const execution = await step('"Result ready" ran when the service called it', async () => {
		const [{ id }] = await client.waitForExecutions(state.resultWorkflowId, 1, WAIT_MS);
		const started = await client.getExecution(id);
		expectSuccess(started);
		expect(started.mode === 'webhook', `it ran as ${started.mode}`);
		const [event] = itemsOf(started, RESULT_TRIGGER);
		expect(
			event?.json.ext_reference_id === invited.ext_reference_id,
			`the event is about ${event?.json.ext_reference_id}`,
		);
		return { detail: `execution ${id}`, started };
	}).then((result) => result.started);

	const scores = await step('The Get operation returned the scores', async () => {
		const scores = itemsOf(execution, RESULT_NODE)[0]?.json.scores;
		const invitation = service.invitations.find(
			({ ext_reference_id }) => ext_reference_id === invited.ext_reference_id,
		);
		const expected = [...(invitation?.scores ?? []), ...(invitation?.additional_scores ?? [])];
		expect(expected.length > 0, 'the service has no scores');
		expect(
			isDeepStrictEqual(
				scores,
				Object.fromEntries(expected.map((score) => [score.score_type, score.score_value])),
			),
			`they are ${JSON.stringify(scores)}, and not those of the service`,
		);
		return { detail: '', scores: scores as Record<string, number> };
	}).then((result) => result.scores);
	for (const [type, value] of Object.entries(scores))
		console.log(`    ${type.padEnd(20)} ${value}`);

	await step('Nobody else on this machine can read its data', async () => {
		for (const name of await readdir(dataFolder, { recursive: true })) {
			// The packages that npm unpacked are public.
			if (name.includes('node_modules')) continue;
			const { mode } = await lstat(join(dataFolder, name));
			expect((mode & 0o077) === 0, `${name} has the mode ${(mode & 0o777).toString(8)}`);
		}
	});

	await step('Nothing else has run', async () => {
		const count = await client.countExecutions({ workflowId: state.resultWorkflowId });
		expect(count === 1, `"Result ready" ran ${count} times`);
	});
}

/** Calls the webhook as the service would. @returns the response's status */
async function callWebhook(url: string, body: object, secret?: string): Promise<number> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...(secret && { 'x-webhook-secret': secret }) },
		body: JSON.stringify({ ...body, event: 'candidate_application_result_ready' }),
		signal: AbortSignal.timeout(WAIT_MS),
	});
	await response.text();
	return response.status;
}

function expect(condition: boolean, otherwise: string): asserts condition {
	if (!condition) throw new Error(otherwise);
}

function expectSuccess({ id, status, data }: Execution) {
	const reason = data.resultData.error;
	expect(
		status === 'success',
		`execution ${id} ended as ${status}: ${reason?.message ?? ''} ${reason?.description ?? ''}`,
	);
}
