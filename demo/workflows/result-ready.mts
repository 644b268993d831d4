import type { Credential, WorkflowDefinition } from '../../tools/n8n/client.mts';
import { ACTION, chain, note, TRIGGER, withCredential } from './parts.mts';

/** Nodes that the smoke test uses. */
export const RESULT_TRIGGER = 'Result Ready';
export const RESULT_NODE = 'Get Result';

/** The example workflow that runs when an assessment is finished, and fetches its scores. */
export function resultReady(credential: Credential, webhookId: string): WorkflowDefinition {
	return {
		name: 'Result ready',
		nodes: [
			note(
				'About This Workflow',
				'## Result ready\n\nThis workflow is published, so it runs whenever a result is ready. Calls without the right secret are rejected.',
				[-60, -200],
				[400, 160],
			),
			note(
				'What Comes Next',
				'### Scores\n\nThis node gets the scores and the report of the invitation in the event. Add what your process does with them after it.',
				[380, -200],
				[360, 160],
			),
			{
				id: 'trigger',
				name: RESULT_TRIGGER,
				type: TRIGGER,
				typeVersion: 1.1,
				position: [0, 0],
				// Part of the trigger's URL.
				webhookId: 'b1c6e6f4-3f0e-4f6b-9c3a-7d0a5be1c2d8',
				parameters: {
					webhookId,
					events: ['candidate_application_result_ready'],
					options: { webhookName: 'n8n demo' },
				},
				credentials: withCredential(credential),
			},
			{
				id: 'get',
				name: RESULT_NODE,
				type: ACTION,
				typeVersion: 1,
				position: [400, 0],
				parameters: {
					resource: 'candidate',
					operation: 'get',
					invitationCode: { __rl: true, mode: 'code', value: '={{ $json.invitation_code }}' },
					simplify: true,
					options: {},
				},
				credentials: withCredential(credential),
			},
		],
		connections: chain(RESULT_TRIGGER, RESULT_NODE),
		settings: { executionOrder: 'v1' },
	};
}
