import { isDeepStrictEqual } from 'node:util';

import { finishAssessment } from './candidate.mts';
import { itemsOf, type Execution } from '../tools/n8n/client.mts';
import type { Demo } from './demo.mts';
import { step } from '../tools/n8n/terminal.mts';
import { CREDENTIAL } from './workflows/parts.mts';
import { firstResult, INVITE_NODE, INVITE_START } from './workflows/first-result.mts';
import { RESULT_NODE } from './workflows/result-ready.mts';

const WAIT_MS = 30_000;

/** Goes from an invitation to its scores. Prints every step, and rejects at the first failure. */
export async function runSmokeTest({ client, service, state }: Demo): Promise<void> {
	const { baseUrl } = service;
	const credential = { id: state.credentialId, name: 'demo', type: CREDENTIAL };
	await step('The credential connects', async () => {
		const data = { baseUrl, accessToken: state.accessToken };
		const { status, message } = await client.testCredential({ ...credential, data });
		expect(status === 'OK', `n8n says: ${message}`);
	});

	await step('"First result" invites, and the candidate finishes', async () => {
		const person = { email: 'maya@people.example', firstName: 'Maya', lastName: 'Okafor' };
		const workflow = await firstResult(credential, service.sampleJobId, person);
		const { id } = await client.createWorkflow(workflow);
		const execution = await client.runToEnd(id, INVITE_START, WAIT_MS);
		expectSuccess(execution);
		const [invited] = itemsOf(execution, INVITE_NODE);
		expect(invited?.json.status === 'invited', `the status is ${invited?.json.status}`);
		await finishAssessment(invited.json.invitation_link);
	});

	await step('"Result ready" receives the event, and gets the scores', async () => {
		const [{ id }] = await client.waitForExecutions(state.resultWorkflowId, 1, WAIT_MS);
		const execution = await client.getExecution(id);
		expectSuccess(execution);
		const received: unknown = itemsOf(execution, RESULT_NODE)[0]?.json.scores;
		const { scores, additional_scores: more } = service.invitations.at(-1)!;
		const entries = [...scores, ...more].map((each) => [each.score_type, each.score_value]);
		const isRight = isDeepStrictEqual(received, Object.fromEntries(entries));
		expect(isRight, `they are ${JSON.stringify(received)}, and not those of the service`);
	});
}

function expect(condition: boolean, otherwise: string): asserts condition {
	if (!condition) throw new Error(otherwise);
}

function expectSuccess({ id, status, data }: Execution) {
	const { message, description } = data.resultData.error ?? {};
	const reason = `execution ${id} ended as ${status}: ${message ?? ''} ${description ?? ''}`;
	expect(status === 'success', reason);
}
