import pLimit from 'p-limit';

import { waitFor } from '../../tools/n8n/waitFor.mts';
import { call, SECRET_HEADER } from '../support/calls.mts';
import { RESULT_READY, triggerWorkflow, workflowOf } from '../support/workflows.mts';
import { figureOf, logged, type BenchEnvironment } from './environment.mts';
import type { Measurement } from './report.mts';

const RUNS = 3;
const IN_FLIGHT = 40;

/** Our trigger against the Webhook node with header authentication, in turns. */
export async function measureDeliveries(
	environment: BenchEnvironment,
	deliveries: number,
): Promise<Measurement[]> {
	const ours = await ourTarget(environment);
	const webhook = await webhookTarget(environment);
	for (let run = 0; run < RUNS; run++) {
		for (const target of [ours, webhook]) await measure(environment, target, deliveries);
	}
	const name = 'Webhook, header authentication';
	const accepted = (target: Target) => figureOf(target.accepted, '/s');
	const rejected = (target: Target) => figureOf(target.rejected, '/s');
	const genuine = { name: 'genuine events accepted', figure: accepted(ours) };
	return [
		{
			work: `Genuine events, ${IN_FLIGHT} in flight, until their executions end`,
			ours: accepted(ours),
			comparedWith: { name, figure: accepted(webhook) },
		},
		...[{ name, figure: rejected(webhook) }, genuine].map((comparedWith) => ({
			work: `Forged calls rejected, ${IN_FLIGHT} in flight`,
			ours: rejected(ours),
			comparedWith,
		})),
	].map(logged);
}

interface Target {
	workflowId: string;
	url: string;
	secret: string;
	/** The status of a call without the secret. */
	rejection: number;
	/** Per second, of each run. */
	accepted: number[];
	rejected: number[];
}

async function measure({ client }: BenchEnvironment, target: Target, deliveries: number) {
	const { workflowId, url, secret, rejection } = target;
	const rateSince = (started: number) => deliveries / ((performance.now() - started) / 1000);
	const before = await client.countExecutions({ workflowId });
	const started = performance.now();
	await send(url, secret, deliveries, 200);
	const isDone = await waitFor(120_000, async () => {
		const count = await client.countExecutions({ workflowId, status: ['success'] });
		return count >= before + deliveries || undefined;
	});
	if (!isDone) throw new Error(`${url} did not start ${deliveries} executions`);
	target.accepted.push(rateSince(started));

	const forgedSince = performance.now();
	await send(url, 'f'.repeat(64), deliveries, rejection);
	target.rejected.push(rateSince(forgedSince));
}

async function ourTarget({ client, service, credential }: BenchEnvironment): Promise<Target> {
	const { id } = await client.createWorkflow(
		triggerWorkflow({
			name: 'Bench: our trigger',
			credential,
			webhookId: service.webhookId,
			path: 'be9c4000-0001-4f6b-9c3a-7d0a5be1c2d8',
		}),
	);
	await client.publish(id);
	const [{ url, secret }] = service.webhooks;
	if (!secret) throw new Error('Publishing did not register a secret');
	return { workflowId: id, url, secret, rejection: 401, accepted: [], rejected: [] };
}

async function webhookTarget({ client }: BenchEnvironment): Promise<Target> {
	const secret = 'a'.repeat(64);
	const credential = await client.createCredential({
		name: 'Bench header',
		type: 'httpHeaderAuth',
		data: { name: SECRET_HEADER, value: secret },
	});
	const { id } = await client.createWorkflow(
		workflowOf('Bench: Webhook node', {
			...{ name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
			webhookId: 'be9c4000-0002-4f6b-9c3a-7d0a5be1c2d8',
			parameters: { httpMethod: 'POST', path: 'bench', authentication: 'headerAuth' },
			credentials: { httpHeaderAuth: { id: credential.id, name: credential.name } },
		}),
	);
	await client.publish(id);
	const url = `${client.baseUrl}/webhook/bench`;
	return { workflowId: id, url, secret, rejection: 403, accepted: [], rejected: [] };
}

/** Sends a number of calls, each of which has to be answered with the expected status. */
async function send(url: string, secret: string, calls: number, expected: number): Promise<void> {
	const limit = pLimit(IN_FLIGHT);
	const body = { event: RESULT_READY, invitation_code: 'inv-1', status: 'completed' };
	const sendOne = async () => {
		const status = await call(url, { secret, body });
		if (status !== expected) throw new Error(`A call got status ${status}`);
	};
	await Promise.all(Array.from({ length: calls }, async () => await limit(sendOne)));
}
