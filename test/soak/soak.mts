/**
 * `npm run soak`: what users' trust rests on, under load, in a real n8n.
 *
 * Deliveries: genuine and forged ones at once; exactly the genuine ones must run the workflow, each
 * once. Invitations: a service that pushes back, loses connections and is slow at times; each
 * candidate must be invited once or be named, and nobody twice.
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
	const created = new Map(references.map((reference) => [reference, 0]));
	for (const { ext_reference_id: reference } of service.invitations) {
		if (created.has(reference)) created.set(reference, created.get(reference)! + 1);
	}
	const told = accountsOf(execution, references, onError);
	const count = (matches: (reference: string) => boolean) => references.filter(matches).length;
	const statuses = service.requests.map(({ status }) => status);

	figure('asked for', references.length);
	figure('requests sent', statuses.length);
	figure('of them pushed back with 429', statuses.filter((status) => status === 429).length);
	figure('of them cut off', statuses.filter((status) => status === null).length);
	figure(
		'created once',
		count((reference) => created.get(reference) === 1),
	);
	figure(
		'created twice',
		count((reference) => created.get(reference)! > 1),
		0,
	);
	figure(
		'accounted for',
		count((reference) => told.has(reference)),
		references.length,
	);
	figure(
		'said to be invited',
		count((reference) => told.get(reference) === 'invited'),
	);
	figure(
		'said to be not known',
		count((reference) => told.get(reference) === 'not known'),
	);
	figure(
		'said to be not invited',
		count((reference) => told.get(reference) === 'not invited'),
	);
	figure(
		'said wrongly',
		count((reference) => {
			const said = told.get(reference);
			return said !== 'not known' && (said === 'invited') !== (created.get(reference) === 1);
		}),
		0,
	);
}

type Account = 'invited' | 'not known' | 'not invited';

/** What the node tells its user about each candidate: in its items, or in the error's description. */
function accountsOf(
	execution: Execution,
	references: string[],
	onError: string,
): Map<string, Account> {
	if (onError !== 'stopWorkflow') {
		return new Map(
			itemsOf(execution, ACTION_NODE).map(({ json }, index): [string, Account] => {
				if (json.error === undefined) return [String(json.ext_reference_id), 'invited'];
				const isUnknown = String(json.error).startsWith('It is not known');
				return [references[index], isUnknown ? 'not known' : 'not invited'];
			}),
		);
	}
	const description = String(execution.data.resultData.error?.description);
	const titles: Record<string, Account> = {
		'Went through': 'invited',
		'Not known': 'not known',
		Failed: 'not invited',
		'Never sent': 'not invited',
	};
	return new Map(
		description.split('\n').flatMap((line) => {
			const [, title] = /^(.+?) \(\d+\):/.exec(line) ?? [];
			if (title === undefined || !(title in titles)) return [];
			return [...line.matchAll(/item \d+ \(([^)]+)\)/g)].map(([, reference]): [string, Account] => [
				reference,
				titles[title],
			]);
		}),
	);
}
