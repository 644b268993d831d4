import type { Credential, WorkflowDefinition } from '../../tools/n8n/client.mts';
import { ACTION, chain, withCredential } from '../../demo/workflows/parts.mts';

/** The nodes that tests speak of. */
export const BATCH_START = 'Batch Arrives';
export const BATCH_INVITE = 'Invite';

/** The last part of the address that takes batches. */
export const BATCH_PATH = 'invite-batch';

/** Invites every candidate of a POST `{ "candidates": [{ "ref": … }] }`: each call is one execution. */
export function batchWorkflow(
	credential: Credential,
	settings: Record<string, unknown> = {},
): WorkflowDefinition {
	return {
		name: 'Invite a batch',
		nodes: [
			{
				id: 'start',
				name: BATCH_START,
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				position: [0, 0],
				webhookId: '5a6f2f0e-7c1d-4b7e-9f0a-3d2c1b0a9f8e',
				parameters: {
					httpMethod: 'POST',
					path: BATCH_PATH,
					responseMode: 'onReceived',
					options: {},
				},
			},
			{
				id: 'split',
				name: 'Split Out',
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				position: [200, 0],
				parameters: { fieldToSplitOut: 'body.candidates', options: {} },
			},
			{
				id: 'invite',
				name: BATCH_INVITE,
				type: ACTION,
				typeVersion: 1,
				position: [400, 0],
				parameters: {
					resource: 'candidate',
					operation: 'invite',
					jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
					extReferenceId: '={{ $json.ref }}',
					isAnonymousCandidate: true,
					options: { concurrency: 2, timeout: 600 },
				},
				credentials: withCredential(credential),
			},
		],
		connections: chain(BATCH_START, 'Split Out', BATCH_INVITE),
		settings: { executionOrder: 'v1', ...settings },
	};
}

/** What tells a workflow of another's failed executions. */
export const ERROR_TRIGGER = 'Something Failed';

/** Is told where it is another workflow's error workflow; n8n 2.x wants it published for that. */
export const errorWorkflow: WorkflowDefinition = {
	name: 'Something failed',
	nodes: [
		{
			id: 'error',
			name: ERROR_TRIGGER,
			type: 'n8n-nodes-base.errorTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
	],
	connections: {},
	settings: { executionOrder: 'v1' },
};
