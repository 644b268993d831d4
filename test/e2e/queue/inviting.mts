import { publishCalled } from '../../support/calledWorkflow.mts';
import { underWayOn, WORKER_CONCURRENCY, type Cluster } from '../../support/cluster.mts';
import { createCredential } from '../../support/credentials.mts';
import { actionNode, anonymousInvitation, type Part } from '../../support/workflows.mts';
import { expect } from './fixtures.mts';

/** So many lists of so many candidates, and how many of them both workers invite at once. */
export const LISTS = { count: 20, size: 10, atOnce: 2 * WORKER_CONCURRENCY };
/** The service holds every invitation of a list but the first ones, until the faults are cleared. */
export const LET_THROUGH = 3;

type Inviting = Awaited<ReturnType<typeof publishInviting>>;

interface Options {
	/** Puts other nodes before or behind Invite. */
	nodesWith?: (invite: Part) => Part[];
	/** Of the workflow. */
	settings?: Record<string, unknown>;
}

/** Publishes a workflow that invites the list of each call. */
export async function publishInviting(
	{ client, service, webhook }: Cluster,
	name: string,
	{ count, size }: { count: number; size: number },
	{ nodesWith = (invite) => [invite], settings }: Options = {},
) {
	const parameters = anonymousInvitation({ options: { concurrency: 2, timeout: 600 } });
	const invite = actionNode(await createCredential(client, service), parameters);
	const place = { client, baseUrl: webhook.baseUrl };
	const workflow = await publishCalled(place, name, nodesWith(invite), settings);
	const lists = Array.from({ length: count }, (_, list) =>
		Array.from({ length: size }, (_, index) => ({ ref: `${name}-${list + 1}-${index + 1}` })),
	);
	const own = (all: string[]) => all.filter((reference) => reference.startsWith(`${name}-`));
	return {
		workflow,
		lists,
		references: lists.flat().map(({ ref }) => ref),
		/** Whom the service was asked to invite, and whom it has invited, with repetitions. */
		sent: () => own(service.requests.map(({ body }) => referenceIn(body))),
		invited: () => own(service.invitations.map(referenceIn)),
	};
}

const referenceIn = (body: unknown) =>
	(body as { ext_reference_id?: string } | undefined)?.ext_reference_id ?? '';

export function repeated(all: string[]): string[] {
	return all.filter((value, index) => all.indexOf(value) !== index);
}

/** Runs the same again, which invites nobody twice. Gives the executions that failed, of candidates in doubt. */
export async function runAgain({ client }: Cluster, burst: Inviting): Promise<string[]> {
	const inDoubt = await burst.workflow.run(burst.lists);
	expect(repeated(burst.sent()), 'candidates sent twice').toEqual([]);
	for (const id of inDoubt) {
		const { error } = (await client.getExecution(id)).data.resultData;
		expect(error?.message).toBe("Couldn't confirm whether this candidate was invited");
	}
	const missing = burst.references.filter((reference) => !burst.invited().includes(reference));
	expect(missing.length, 'candidates left out').toBeLessThanOrEqual(inDoubt.length);
	return inDoubt;
}

/** Sends `LISTS`, kills a worker while both are in the middle of theirs, and gives the executions it has lost. */
export async function loseWorker(
	{ service, workers: [victim] }: Cluster,
	{ workflow, lists, sent, invited }: Inviting,
): Promise<string[]> {
	service.faults.inject({
		route: 'createInvitation',
		every: 1,
		delayMs: 600_000,
		when: ({ body }) => Number(referenceIn(body).split('-').at(-1)) > LET_THROUGH,
	});
	await workflow.send(lists);
	const { atOnce } = LISTS;
	await expect
		.poll(() => [invited().length, sent().length])
		.toEqual([atOnce * LET_THROUGH, atOnce * (LET_THROUGH + 2)]);
	await victim.kill();
	const lost = await underWayOn(victim);
	expect(lost).toHaveLength(WORKER_CONCURRENCY);
	service.faults.clear();
	return lost.sort();
}
