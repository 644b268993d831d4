import { ACTION, withCredential } from '../../../demo/workflows/parts.mts';
import { itemsOf } from '../../../tools/n8n/client.mts';
import { WORKER_CONCURRENCY, type Cluster } from '../../support/cluster.mts';
import { createCredential } from '../../support/credentials.mts';
import { Form } from '../../support/form.mts';
import { anonymousInvitation, type Part } from '../../support/workflows.mts';
import { repeated } from './batches.mts';
import { expect, test } from './fixtures.mts';

const COUNT = 200;

/** A form with its candidates: each call invites one. `nodesWith` puts other nodes before or behind Invite. */
async function publish(
	{ client, service, webhook }: Cluster,
	name: string,
	count: number,
	nodesWith = (invite: Part) => [invite],
) {
	const invite = {
		...{ name: 'Invite', type: ACTION, typeVersion: 1 },
		parameters: anonymousInvitation({ extReferenceId: '={{ $json.body.ref }}' }),
		credentials: withCredential(await createCredential(client, service)),
	};
	const place = { client, baseUrl: webhook.baseUrl };
	const form = await Form.publish(place, name, ...nodesWith(invite));
	const references = Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
	const own = (all: Array<string | undefined>) =>
		all.filter((each) => each?.startsWith(`${name}-`));
	const requested = ({ body }: { body?: unknown }) =>
		(body as { ext_reference_id?: string } | undefined)?.ext_reference_id;
	return {
		...{ references, bodies: references.map((ref) => ({ ref })), form },
		/** Whom the service was asked to invite, and whom it has invited, with repetitions. */
		sent: () => own(service.requests.map(requested)) as string[],
		invited: () => own(service.invitations.map((each) => each.ext_reference_id)) as string[],
	};
}

test(`${COUNT} executions of one candidate each at once, run twice, invite everybody once`, async ({
	cluster,
}) => {
	const { form, references, bodies, sent, invited } = await publish(cluster, 'burst', COUNT);
	expect(await form.run(bodies)).toEqual([]);
	expect(invited().toSorted()).toEqual(references.toSorted());
	expect(await form.run(bodies)).toEqual([]);
	expect(sent()).toHaveLength(COUNT);
});

test('a worker killed again and again in a burst costs no more than those whom it was inviting', async ({
	cluster,
}) => {
	test.setTimeout(900_000);
	const { client, service, workers, startWorker } = cluster;
	const kills = [20, 80, 130];
	const { form, references, bodies, sent, invited } = await publish(cluster, 'killed', COUNT);
	service.faults.inject({ route: 'createInvitation', delayMs: 500, every: 1 });
	await form.send(bodies);
	for (const count of kills) {
		await expect.poll(() => invited().length, { timeout: 120_000 }).toBeGreaterThan(count);
		await workers.shift()?.kill();
		workers.push(await startWorker());
	}
	await form.ended(COUNT);
	service.faults.clear();
	expect(repeated(sent())).toEqual([]);

	// Settled as the documents say: by running it again, and by looking up who is in doubt.
	const inDoubt = await form.run(bodies);
	expect(repeated(sent())).toEqual([]);
	expect(inDoubt.length).toBeLessThanOrEqual(kills.length * WORKER_CONCURRENCY);
	for (const id of inDoubt) {
		const { error } = (await client.getExecution(id)).data.resultData;
		expect(error?.message).toBe("Couldn't confirm whether this candidate was invited");
	}
	const missing = references.filter((reference) => !invited().includes(reference));
	expect(missing.length).toBeLessThanOrEqual(inDoubt.length);
});

test("n8n's Retry beside a burst of a second workflow invites everybody once", async ({
	cluster,
}) => {
	const { client, service } = cluster;
	const retried = await publish(cluster, 'retried', 40);
	const second = await publish(cluster, 'second', 100);
	const refused = retried.references.slice(0, 10);
	service.faults.inject({
		...{ route: 'createInvitation', status: 409, every: 1 },
		when: ({ body }) => refused.includes((body as { ext_reference_id: string }).ext_reference_id),
	});
	const toRetry = await retried.form.run(retried.bodies);
	expect(toRetry).toHaveLength(refused.length);
	service.faults.clear();
	const retry = async (id: string) =>
		await client.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	const [failed] = await Promise.all([second.form.run(second.bodies), ...toRetry.map(retry)]);
	expect(failed).toEqual([]);
	await retried.form.ended(40 + toRetry.length);
	for (const { invited, references } of [retried, second]) {
		expect(invited().toSorted()).toEqual(references.toSorted());
	}
});

for (const place of ['before', 'behind'] as const) {
	test(`a Remove Duplicates node of scope workflow ${place} it keeps what it has seen`, async ({
		cluster,
	}) => {
		const removeDuplicates = {
			...{ name: 'Seen', type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
			parameters: {
				operation: 'removeItemsSeenInPreviousExecutions',
				dedupeValue: '={{ $("Form").item.json.body.ref.slice(0, -1) }}',
				options: { scope: 'workflow' },
			},
		};
		const { form, bodies, sent } = await publish(cluster, `seen-${place}`, 3, (invite) =>
			place === 'before' ? [removeDuplicates, invite] : [invite, removeDuplicates],
		);
		const seen: number[] = [];
		for (const body of bodies) {
			expect(await form.run([body])).toEqual([]);
			const [{ id }] = await cluster.client.allExecutions(form.id);
			seen.push(itemsOf(await cluster.client.getExecution(id), 'Seen').length);
		}
		expect(seen).toEqual([1, 0, 0]);
		expect(sent()).toHaveLength(place === 'before' ? 1 : 3);
	});
}
