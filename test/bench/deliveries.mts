import pLimit from 'p-limit';

import { waitFor } from '../../tools/n8n/waitFor.mts';
import { call, SECRET_HEADER } from '../support/calls.mts';
import { RESULT_READY, triggerWorkflow, workflowOf } from '../support/workflows.mts';
import { median, spread, type BenchEnvironment } from './environment.mts';

export interface DeliveryStats {
	contender: 'ours' | 'webhook';
	/** Genuine deliveries per second, until their executions have finished. Median of the runs. */
	accepted: number;
	acceptedSpread: number;
	/** Forged calls rejected per second. */
	rejected: number;
	/** Response time of a genuine delivery, in milliseconds. */
	responseMedian: number;
}

const RUNS = 3;
export const IN_FLIGHT = 40;

/** Our trigger against the Webhook node with header authentication, in turns. */
export async function measureDeliveries(
	environment: BenchEnvironment,
	deliveries: number,
): Promise<DeliveryStats[]> {
	const { client, log } = environment;
	const targets = [await ourTarget(environment), await webhookTarget(environment)];
	const runs = targets.map(() => ({
		accepted: [] as number[],
		rejected: [] as number[],
		responses: [] as number[],
	}));
	for (let run = 0; run < RUNS; run++) {
		for (const [index, target] of targets.entries()) {
			const before = await client.countExecutions({ workflowId: target.workflowId });
			const started = performance.now();
			const times = await send(target.url, target.secret, deliveries, 200);
			const isDone = await waitFor(120_000, async () => {
				const { workflowId } = target;
				const count = await client.countExecutions({ workflowId, status: ['success'] });
				return count >= before + deliveries || undefined;
			});
			if (!isDone) throw new Error(`${target.contender} did not run ${deliveries} times`);
			runs[index].accepted.push(deliveries / ((performance.now() - started) / 1000));
			runs[index].responses.push(...times);

			const forgedSince = performance.now();
			await send(target.url, 'f'.repeat(64), deliveries, target.rejection);
			runs[index].rejected.push(deliveries / ((performance.now() - forgedSince) / 1000));
		}
	}
	return targets.map(({ contender }, index) => {
		const { accepted, rejected, responses } = runs[index];
		const stats: DeliveryStats = {
			contender,
			accepted: median(accepted),
			acceptedSpread: spread(accepted),
			rejected: median(rejected),
			responseMedian: median(responses),
		};
		log(
			`deliveries, ${contender}: ${stats.accepted.toFixed(1)} accepted, ${stats.rejected.toFixed(1)} rejected per second`,
		);
		return stats;
	});
}

interface Target {
	contender: 'ours' | 'webhook';
	workflowId: string;
	url: string;
	secret: string;
	/** The status of a call without the secret. */
	rejection: number;
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
	const webhook = service.webhooks.find((one) => one.id === service.webhookId);
	if (!webhook?.secret) throw new Error('Publishing did not register a secret');
	return {
		contender: 'ours',
		workflowId: id,
		url: webhook.url,
		secret: webhook.secret,
		rejection: 401,
	};
}

async function webhookTarget({ client, n8n }: BenchEnvironment): Promise<Target> {
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
	const url = `${n8n.baseUrl}/webhook/bench`;
	return { contender: 'webhook', workflowId: id, url, secret, rejection: 403 };
}

/** Sends a number of calls and returns the response time of each, in milliseconds. */
async function send(
	url: string,
	secret: string,
	calls: number,
	expected: number,
): Promise<number[]> {
	const limit = pLimit(IN_FLIGHT);
	const body = { event: RESULT_READY, invitation_code: 'inv-1', status: 'completed' };
	const one = async () => {
		const started = performance.now();
		const status = await call(url, { secret, body });
		if (status !== expected) throw new Error(`A call got status ${status}`);
		return performance.now() - started;
	};
	return await Promise.all(Array.from({ length: calls }, async () => await limit(one)));
}
