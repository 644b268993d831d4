/**
 * `npm run soak`: what users rely on, under load, in a real n8n.
 *
 * Deliveries: genuine and forged ones at once. Exactly the genuine ones must run the workflow, each once.
 * Invitations: a service that throttles, loses connections and is sometimes slow. Each candidate must come out
 * with the true outcome, and nobody be invited twice, even if the list runs again.
 */
import process from 'node:process';
import { parseArgs, styleText } from 'node:util';
import pLimit from 'p-limit';

import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';
import { itemsOf, type N8nClient } from '../../tools/n8n/client.mts';
import { waitFor } from '../../tools/n8n/waitFor.mts';
import { call, forgedSecrets } from '../support/calls.mts';
import { createCredential } from '../support/credentials.mts';
import { InviteList, references } from '../support/inviteList.mts';
import { withN8n } from '../support/testEnvironment.mts';
import { ACTION_NODE, RESULT_READY, TRIGGER_NODE, triggerWorkflow } from '../support/workflows.mts';

const { values } = parseArgs({
	options: {
		deliveries: { type: 'string', default: '2000' },
		invitations: { type: 'string', default: '1000' },
		n8n: { type: 'string', default: '2.x' },
	},
});
const DELIVERIES = Number(values.deliveries);
const INVITATIONS = Number(values.invitations);
const IN_FLIGHT = 40;

let failures = 0;
await withN8n(values.n8n, async ({ client }) => {
	console.log(`n8n ${client.version}`);
	const service = await startPartnerService();
	await soakDeliveries(client, service);
	await soakInvitations(client, service);
	await service.close();
});
process.exit(failures === 0 ? 0 : 1);

/** Prints a figure, and whether it is as it must be. */
function figure(what: string, value: number, wanted?: number): void {
	const isRight = wanted === undefined || value === wanted;
	if (!isRight) failures++;
	const ticked = isRight ? styleText('green', '✔') : styleText('red', '✘');
	const mark = wanted === undefined ? ' ' : ticked;
	console.log(`${mark} ${what.padEnd(44)} ${value}${isRight ? '' : ` (must be ${wanted})`}`);
}

async function soakDeliveries(client: N8nClient, service: PartnerService): Promise<void> {
	console.log(`\nDeliveries, ${IN_FLIGHT} in flight`);
	const { id } = await client.createWorkflow(
		triggerWorkflow({
			name: 'Soak: deliveries',
			credential: await createCredential(client, service),
			webhookId: service.webhookId,
			path: 'c0ffee00-5041-4f6b-9c3a-7d0a5be1c2d8',
		}),
	);
	await client.publish(id);
	const webhook = service.webhooks.find(({ id: webhookId }) => webhookId === service.webhookId);
	const { url, secret } = webhook as { url: string; secret: string };

	const forgeries = Object.values(forgedSecrets(secret));
	const calls = Array.from({ length: 2 * DELIVERIES }, (_, index) => ({
		delivery: index,
		secret: index % 2 === 0 ? secret : forgeries[(index >> 1) % forgeries.length],
	}));
	const limit = pLimit(IN_FLIGHT);
	const started = Date.now();
	const statuses = await Promise.all(
		calls.map(({ delivery, secret: sent }) =>
			limit(async () => await call(url, { secret: sent, body: { event: RESULT_READY, delivery } })),
		),
	);
	const took = (Date.now() - started) / 1000;
	const executions = await endedExecutions(client, id);
	const delivered = await Promise.all(
		executions.map((execution) =>
			limit(async () => {
				const [item] = itemsOf(await client.waitForExecution(execution.id), TRIGGER_NODE);
				return Number(item?.json.delivery);
			}),
		),
	);
	const ran = new Set(delivered);
	const genuine = calls.filter((sent) => sent.secret === secret);
	const forged = calls.filter((sent) => sent.secret !== secret);
	const isAccepted = ({ delivery }: { delivery: number }) =>
		ran.has(delivery) || statuses[delivery] === 200;
	// An overloaded n8n answers something else, such as 503.
	figure('answered 200', statuses.filter((status) => status === 200).length, genuine.length);
	figure('answered 401', statuses.filter((status) => status === 401).length, forged.length);
	figure('forged accepted', forged.filter(isAccepted).length, 0);
	figure('executions', delivered.length, genuine.length);
	figure('lost', genuine.filter(({ delivery }) => !ran.has(delivery)).length, 0);
	figure('doubled', delivered.length - ran.size, 0);
	const succeeded = executions.filter(({ status }) => status === 'success');
	figure('executions that succeeded', succeeded.length, executions.length);
	console.log(`  ${(calls.length / took).toFixed(0)} deliveries a second`);
}

/** All executions of a workflow, when the last has ended. */
async function endedExecutions(client: N8nClient, workflowId: string) {
	const ended = await waitFor(
		300_000,
		async () => {
			const executions = await client.allExecutions(workflowId);
			return executions.every(({ stoppedAt }) => stoppedAt) ? executions : undefined;
		},
		1_000,
	);
	if (!ended) throw new Error('The executions do not end');
	return ended;
}

/** The same list three times through the action node, the first time while the service is in trouble. */
async function soakInvitations(client: N8nClient, service: PartnerService): Promise<void> {
	console.log('\nInvitations, On Error: Continue');
	const all = references(INVITATIONS);
	const list = await InviteList.create(client, service, {
		list: all,
		settings: { onError: 'continueRegularOutput' },
		parameters: { options: { maxRetries: 20 } },
	});
	const created = (reference: string) =>
		service.invitations.filter(({ ext_reference_id }) => ext_reference_id === reference).length;
	const createdTwice = () => all.filter((reference) => created(reference) > 1).length;
	const run = async () => {
		service.clearRequests();
		const execution = await list.run();
		const items = [0, 1].map((output) => itemsOf(execution, ACTION_NODE, output));
		const outcomes = new Map<string, unknown>();
		for (const [output, outputItems] of items.entries()) {
			for (const { json, pairedItem } of outputItems) {
				const { item } = pairedItem as { item: number };
				const invited = output === 0 ? 'succeeded' : 'already invited';
				outcomes.set(all[item], json.outcome ?? invited);
			}
		}
		const of = (outcome: string) => all.filter((reference) => outcomes.get(reference) === outcome);
		return { of, outcomes, came: items.flat().length };
	};

	const route = 'createInvitation';
	service.faults.inject({ route, every: 3, status: 429, retryAfter: 0 });
	service.faults.inject({ route, every: 41, delayMs: 300 });
	// Never three in a row, which would end the batch.
	service.faults.inject({ route, every: 47, reset: 'after' });
	service.faults.inject({ route, every: 53, reset: 'before' });
	const first = await run();
	const statuses = service.requests.map(({ status }) => status);
	service.faults.clear();
	const [succeeded, unknown] = [first.of('succeeded'), first.of('unknown')];
	const notCreated = all.filter((reference) => created(reference) === 0);
	figure('requests sent', statuses.length);
	figure('throttled with 429', statuses.filter((status) => status === 429).length);
	const cutOff = statuses.filter((status) => status === null).length;
	figure('cut off', cutOff);
	figure('items that came out', first.came, all.length);
	figure('said to be invited', succeeded.length, all.length - cutOff);
	figure(
		'… and created once',
		succeeded.filter((reference) => created(reference) === 1).length,
		succeeded.length,
	);
	figure('said to be in doubt', unknown.length, cutOff);
	figure(
		'not created, and not in doubt',
		notCreated.filter((reference) => !unknown.includes(reference)).length,
		0,
	);

	for (const time of ['again', 'once more']) {
		const next = await run();
		console.log(`The same list ${time}`);
		figure('requests sent', service.requests.length, 0);
		figure('already invited', next.of('already invited').length, succeeded.length);
		figure('said to be in doubt', next.of('unknown').length, unknown.length);
		figure('created twice', createdTwice(), 0);
	}
}
