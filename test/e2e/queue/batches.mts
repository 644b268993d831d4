import type { PartnerService } from '../../../mock-service/service.mts';
import type { Credential, WorkflowDefinition } from '../../../tools/n8n/client.mts';
import { ACTION, withCredential } from '../../../demo/workflows/parts.mts';
import { anonymousInvitation, workflowOf } from '../../support/workflows.mts';
import type { Cluster } from '../../support/cluster.mts';
import { expect } from './fixtures.mts';

export const BATCH_START = 'Batch Arrives';
export const BATCH_INVITE = 'Invite';
export const BATCH_SIZE = 10;
/** The service holds every invitation of a batch but the first ones, until the faults are cleared. */
export const LET_THROUGH = 3;

const PATH = 'invite-batch';
const HOLD_MS = 600_000;
const REFERENCE = /^batch-\d+-(\d+)$/;

/** Invites every candidate of a POST `{ "candidates": [{ "ref": … }] }`: each call is one execution. */
export function batchWorkflow(credential: Credential): WorkflowDefinition {
	return workflowOf(
		'Invite a batch',
		{
			...{ name: BATCH_START, type: 'n8n-nodes-base.webhook', typeVersion: 2 },
			webhookId: '5a6f2f0e-7c1d-4b7e-9f0a-3d2c1b0a9f8e',
			parameters: { httpMethod: 'POST', path: PATH, responseMode: 'onReceived', options: {} },
		},
		{
			...{ name: 'Split Out', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
			parameters: { fieldToSplitOut: 'body.candidates', options: {} },
		},
		{
			...{ name: BATCH_INVITE, type: ACTION, typeVersion: 1 },
			parameters: anonymousInvitation({ options: { concurrency: 2, timeout: 600 } }),
			credentials: withCredential(credential),
		},
	);
}

/** The references of a number of batches. */
export const batchesOf = (count: number) =>
	Array.from({ length: count }, (_, batch) =>
		Array.from({ length: BATCH_SIZE }, (_, index) => `batch-${batch + 1}-${index + 1}`),
	);

function holdBatches(service: PartnerService): void {
	service.faults.inject({
		route: 'createInvitation',
		every: 1,
		delayMs: HOLD_MS,
		when: ({ body }) => {
			const { ext_reference_id: reference } = body as { ext_reference_id: string };
			return Number(REFERENCE.exec(reference)?.[1] ?? 0) > LET_THROUGH;
		},
	});
}

/** Starts one execution with these candidates, from outside. */
export async function startBatch({ webhook }: Cluster, batch: string[]): Promise<void> {
	const response = await fetch(`${webhook.baseUrl}/webhook/${PATH}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ candidates: batch.map((ref) => ({ ref })) }),
		signal: AbortSignal.timeout(60_000),
	});
	await response.text();
	expect(response.status, 'a batch is taken').toBe(200);
}

/** Starts executions that are all held. */
export async function startHeldBatches(cluster: Cluster, batches: string[][]): Promise<void> {
	holdBatches(cluster.service);
	await Promise.all(batches.map(async (batch) => await startBatch(cluster, batch)));
	const held = batches.map((batch) => batch[LET_THROUGH + 1]);
	await expect.poll(() => sent(cluster)).toEqual(expect.arrayContaining(held));
	expect(invited(cluster)).toHaveLength(batches.length * LET_THROUGH);
}

/** The references of batches that the service was asked to invite, with repetitions. */
export const sent = ({ service }: Cluster) =>
	service.requests.flatMap(({ body }) => {
		const { ext_reference_id: reference } = (body ?? {}) as { ext_reference_id?: string };
		return reference && REFERENCE.test(reference) ? [reference] : [];
	});

/** The references of batches that the service has invited, with repetitions. */
export const invited = ({ service }: Cluster) =>
	service.invitations
		.map(({ ext_reference_id }) => ext_reference_id)
		.filter((reference) => REFERENCE.test(reference));

export function repeated(all: string[]): string[] {
	return all.filter((value, index) => all.indexOf(value) !== index);
}
