/**
 * `npm run soak`: what users' trust rests on, under load, in a real n8n.
 *
 * Deliveries: genuine and forged ones at once; exactly the genuine ones must run the workflow, each
 * once. Invitations: a service that throttles, loses connections and is slow at times; each
 * candidate must be invited once or be named, and nobody twice, run again as often as you like.
 */
import process from 'node:process';
import { parseArgs, styleText } from 'node:util';
import pLimit from 'p-limit';

import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';
import { itemsOf, type Execution, type N8nClient } from '../../tools/n8n/client.mts';
import { waitFor } from '../../tools/n8n/waitFor.mts';
import { call, forgedSecrets } from '../support/calls.mts';
import { createCredential } from '../support/credentials.mts';
import { withN8n } from '../support/testEnvironment.mts';
import {
	ACTION_NODE,
	actionWorkflow,
	RESULT_READY,
	START,
	TRIGGER_NODE,
	triggerWorkflow,
} from '../support/workflows.mts';

const { values } = parseArgs({
	options: {
		deliveries: { type: 'string', default: '2000' },
		invitations: { type: 'string', default: '1000' },
		n8n: { type: 'string', default: '2.41' },
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
	await soakInvitations(client, service, 'continueRegularOutput');
	await soakInvitations(client, service, 'stopWorkflow');
	await service.close();
});
process.exit(failures === 0 ? 0 : 1);

/** Prints one figure; where it has to be something, whether it is. */
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
	const webhook = service.webhooks.find((one) => one.id === service.webhookId);
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
				const [item] = itemsOf(await client.getExecution(execution.id), TRIGGER_NODE);
				return Number(item?.json.delivery);
			}),
		),
	);
	const ran = new Set(delivered);
	const forged = calls.filter(({ secret: sent }) => sent !== secret);
	figure('genuine deliveries sent', calls.length - forged.length);
	figure('forged deliveries sent', forged.length);
	figure('answered neither 200 nor 401', statuses.filter(isUnexpected).length, 0);
	figure('executions', delivered.length, DELIVERIES);
	const succeeded = executions.filter(({ status }) => status === 'success');
	figure('executions that succeeded', succeeded.length, executions.length);
	figure(
		'lost',
		calls.filter((call) => call.secret === secret && !ran.has(call.delivery)).length,
		0,
	);
	figure('doubled', delivered.length - ran.size, 0);
	figure(
		'forged accepted',
		forged.filter((call) => ran.has(call.delivery) || statuses[call.delivery] !== 401).length,
		0,
	);
	console.log(`  ${(calls.length / took).toFixed(0)} deliveries a second`);
}

/** Whatever n8n answers instead when it cannot cope, such as 503. */
function isUnexpected(status: number): boolean {
	return status !== 200 && status !== 401;
}

/** All executions of a workflow, when none is under way any more. */
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

/** Invitations through the action node while the service is in trouble. */
async function soakInvitations(
	client: N8nClient,
	service: PartnerService,
	onError: 'continueRegularOutput' | 'stopWorkflow',
): Promise<void> {
	console.log(`\nInvitations, On Error: ${onError}`);
	const run = `${onError}-`;
	const { id } = await client.createWorkflow(
		actionWorkflow({
			name: `Soak: invitations, ${onError}`,
			credential: await createCredential(client, service),
			items: `Array.from({ length: ${INVITATIONS} }, (_, i) => ({ ref: '${run}' + (i + 1) }))`,
			onError,
			parameters: {
				resource: 'candidate',
				operation: 'invite',
				jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
				extReferenceId: '={{ $json.ref }}',
				isAnonymousCandidate: false,
				email: '={{ $json.ref }}@example.com',
				firstName: 'Nathan',
				lastName: 'Smith',
				options: { maxRetries: 20 },
			},
		}),
	);

	const route = 'createInvitation';
	service.faults.inject({ route, every: 3, status: 429, retryAfter: 0 });
	service.faults.inject({ route, every: 41, delayMs: 300 });
	// With On Error: Stop the first of these ends the batch, which is to come late.
	const every = onError === 'stopWorkflow' ? Math.round(INVITATIONS / 2) : 97;
	service.faults.inject({ route, every, reset: 'after' });
	service.faults.inject({ route, every: every + 4, reset: 'before' });
	service.clearRequests();
	const execution = await client.waitForExecution(await client.run(id, START), 300_000);
	service.faults.clear();

	const references = Array.from({ length: INVITATIONS }, (_, index) => run + (index + 1));
	const created = () => {
		const times = new Map(references.map((reference) => [reference, 0]));
		for (const { ext_reference_id: reference } of service.invitations) {
			if (times.has(reference)) times.set(reference, times.get(reference)! + 1);
		}
		return times;
	};
	const told = outcomesOf(execution, references, onError);
	const count = (matches: (reference: string) => boolean) => references.filter(matches).length;
	const statuses = service.requests.map(({ status }) => status);

	figure('asked for', references.length);
	figure('requests sent', statuses.length);
	figure('throttled with 429', statuses.filter((status) => status === 429).length);
	figure('cut off', statuses.filter((status) => status === null).length);
	const createdOnce = () => count((reference) => created().get(reference) === 1);
	const createdTwice = () => count((reference) => created().get(reference)! > 1);
	figure('created once', createdOnce());
	figure('created twice', createdTwice(), 0);
	const named = count((reference) => told.has(reference));
	figure('named in the output or the error', named, references.length);
	for (const outcome of ['succeeded', 'unknown', 'refused', 'notSent']) {
		figure(
			`said to be ${outcome}`,
			count((reference) => told.get(reference) === outcome),
		);
	}
	figure(
		'said wrongly',
		count((reference) => {
			const said = told.get(reference);
			const isCreated = created().get(reference) === 1;
			return said !== 'unknown' && (said === 'succeeded') !== isCreated;
		}),
		0,
	);

	service.clearRequests();
	const again = await client.waitForExecution(await client.run(id, START), 300_000);
	const sentAgain = new Set(service.requests.map(({ body }) => referenceOf(body)));
	const unknown = count((reference) => told.get(reference) === 'unknown');
	figure('the same list again: requests sent', sentAgain.size);
	figure('… to those who were invited or are in doubt', countOf(sentAgain, told), 0);
	figure('… created twice', createdTwice(), 0);
	const missing = references.filter((reference) => created().get(reference) === 0);
	figure(
		'… neither invited nor in doubt',
		missing.filter((one) => told.get(one) !== 'unknown').length,
		0,
	);
	const stillUnknown = [...outcomesOf(again, references, onError).values()].filter(
		(outcome) => outcome === 'unknown',
	);
	figure('… named as in doubt', stillUnknown.length, unknown);

	service.clearRequests();
	await client.waitForExecution(await client.run(id, START), 300_000);
	figure('and once more: requests sent', service.requests.length, 0);
}

function referenceOf(body: unknown): string {
	return String((body as { ext_reference_id?: unknown }).ext_reference_id);
}

/** Those of the references that must not have been sent again. */
function countOf(sent: ReadonlySet<string>, told: ReadonlyMap<string, string>): number {
	return [...sent].filter((one) => ['succeeded', 'unknown'].includes(told.get(one) ?? '')).length;
}

/** What the node tells its user about each candidate: in its items, or in the error's description. */
function outcomesOf(
	execution: Execution,
	references: string[],
	onError: string,
): Map<string, string> {
	const outcomes = new Map<string, string>();
	if (onError !== 'stopWorkflow') {
		for (const { json, pairedItem } of itemsOf(execution, ACTION_NODE)) {
			const index = (pairedItem as { item: number }).item;
			outcomes.set(references[index], String(json.outcome ?? 'succeeded'));
		}
		return outcomes;
	}
	const titles: Record<string, string> = {
		Succeeded: 'succeeded',
		Unknown: 'unknown',
		Failed: 'refused',
		'Not sent': 'notSent',
	};
	let outcome = '';
	for (const line of String(execution.data.resultData.error?.description).split('\n')) {
		const [, title] = /^(.+?) \(\d+\):/.exec(line) ?? [];
		if (title in titles) outcome = titles[title];
		for (const [, reference] of line.matchAll(/(\S+) \(item \d+\)/g))
			outcomes.set(reference, outcome);
		const [, ranges = ''] = /^Not sent \(\d+\): items? ([\d–, ]+)\.$/.exec(line) ?? [];
		for (const range of ranges.split(', ').filter(Boolean)) {
			const [first, last = first] = range.split('–').map(Number);
			for (let item = first; item <= last; item++) outcomes.set(references[item - 1], outcome);
		}
	}
	return outcomes;
}
