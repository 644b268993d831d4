import { setTimeout as sleep } from 'node:timers/promises';

import pLimit from 'p-limit';

import type { N8nClient } from '../../tools/n8n/client.mts';
import { call, SECRET_HEADER } from '../support/calls.mts';
import { RESULT_READY, triggerWorkflow } from '../support/workflows.mts';
import { median, percentile, spread } from './stats.mts';
import type { Ground } from './environment.mts';

export interface DeliveryFigures {
	contender: 'ours' | 'webhook';
	/** Genuine deliveries a second, until their executions have finished. Medians of the runs. */
	accepted: number;
	acceptedSpread: number;
	/** Forged calls a second that were turned away. */
	refused: number;
	/** Until the answer to a genuine delivery, in milliseconds. */
	answerMedian: number;
	answer99th: number;
}

const RUNS = 3;
export const IN_FLIGHT = 40;

/** Our trigger against the Webhook node with header authentication, in turns. */
export async function measureDeliveries(
	ground: Ground,
	deliveries: number,
	say: (text: string) => void,
): Promise<DeliveryFigures[]> {
	const { client } = ground;
	const targets = [await ourTarget(ground), await webhookTarget(ground)];
	const runs = targets.map(() => ({
		accepted: [] as number[],
		refused: [] as number[],
		answers: [] as number[],
	}));
	for (let run = 0; run < RUNS; run++) {
		for (const [index, target] of targets.entries()) {
			const before = await client.countExecutions({ workflowId: target.workflowId });
			const started = performance.now();
			const answers = await send(target.url, target.secret, deliveries, 200);
			await finished(client, target.workflowId, before + deliveries);
			runs[index].accepted.push(deliveries / ((performance.now() - started) / 1000));
			runs[index].answers.push(...answers);

			const forgedSince = performance.now();
			await send(target.url, 'f'.repeat(64), deliveries, target.refusal);
			runs[index].refused.push(deliveries / ((performance.now() - forgedSince) / 1000));
		}
	}
	return targets.map(({ contender }, index) => {
		const { accepted, refused, answers } = runs[index];
		const figures: DeliveryFigures = {
			contender,
			accepted: median(accepted),
			acceptedSpread: spread(accepted),
			refused: median(refused),
			answerMedian: median(answers),
			answer99th: percentile(answers, 99),
		};
		say(
			`deliveries, ${contender}: ${figures.accepted.toFixed(1)} accepted, ${figures.refused.toFixed(1)} refused a second`,
		);
		return figures;
	});
}

interface Target {
	contender: 'ours' | 'webhook';
	workflowId: string;
	url: string;
	secret: string;
	/** The status of a call without the secret. */
	refusal: number;
}

async function ourTarget({ client, service, credential }: Ground): Promise<Target> {
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
	if (!webhook?.secret) throw new Error('Publishing has registered no secret');
	return {
		contender: 'ours',
		workflowId: id,
		url: webhook.url,
		secret: webhook.secret,
		refusal: 401,
	};
}

async function webhookTarget({ client, n8n }: Ground): Promise<Target> {
	const secret = 'a'.repeat(64);
	const credential = await client.createCredential({
		name: 'Bench header',
		type: 'httpHeaderAuth',
		data: { name: SECRET_HEADER, value: secret },
	});
	const { id } = await client.createWorkflow({
		name: 'Bench: Webhook node',
		nodes: [
			{
				id: 'webhook',
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				position: [0, 0],
				webhookId: 'be9c4000-0002-4f6b-9c3a-7d0a5be1c2d8',
				parameters: { httpMethod: 'POST', path: 'bench', authentication: 'headerAuth' },
				credentials: { httpHeaderAuth: { id: credential.id, name: credential.name } },
			},
		],
		connections: {},
		settings: { executionOrder: 'v1' },
	});
	await client.publish(id);
	const url = `${n8n.baseUrl}/webhook/bench`;
	return { contender: 'webhook', workflowId: id, url, secret, refusal: 403 };
}

/** Sends so many calls; gives the milliseconds until each answer. */
async function send(url: string, secret: string, calls: number, wanted: number): Promise<number[]> {
	const limit = pLimit(IN_FLIGHT);
	const body = { event: RESULT_READY, invitation_code: 'inv-1', status: 'completed' };
	const one = async () => {
		const started = performance.now();
		const status = await call(url, { secret, body });
		if (status !== wanted) throw new Error(`A call was answered ${status}`);
		return performance.now() - started;
	};
	return await Promise.all(Array.from({ length: calls }, async () => await limit(one)));
}

async function finished(client: N8nClient, workflowId: string, count: number): Promise<void> {
	for (const deadline = Date.now() + 120_000; Date.now() < deadline;) {
		const successes = await client.countExecutions({ workflowId, status: ['success'] });
		if (successes >= count) return;
		await sleep(100);
	}
	throw new Error(`Workflow ${workflowId} did not come to ${count} executions`);
}
