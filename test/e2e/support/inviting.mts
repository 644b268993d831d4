import { publishCalled } from './calledWorkflow.mts';
import { createCredential } from '../../support/credentials.mts';
import { actionNode, anonymousInvitation } from './workflows.mts';
import { expect, type Cluster } from './queueFixtures.mts';

type Inviting = Awaited<ReturnType<typeof publishInviting>>;

/** Publishes a workflow that invites the list in each call. */
export async function publishInviting(
	{ client, service, webhook }: Cluster,
	name: string,
	{ count, size }: { count: number; size: number },
) {
	const parameters = anonymousInvitation({ options: { concurrency: 2, timeout: 600 } });
	const invite = actionNode(await createCredential(client, service), parameters);
	const place = { client, baseUrl: webhook.baseUrl };
	const workflow = await publishCalled(place, name, [invite]);
	const lists = Array.from({ length: count }, (_, list) =>
		Array.from({ length: size }, (_, index) => ({ ref: `${name}-${list + 1}-${index + 1}` })),
	);
	const own = (all: string[]) => all.filter((reference) => reference.startsWith(`${name}-`));
	return {
		workflow,
		lists,
		references: lists.flat().map(({ ref }) => ref),
		/** References of requested and of actual invitations, with repetitions. */
		sent: () => own(service.requests.map(({ body }) => referenceIn(body))),
		invited: () => own(service.invitations.map(referenceIn)),
	};
}

export const referenceIn = (body: unknown) =>
	(body as { ext_reference_id?: string } | undefined)?.ext_reference_id ?? '';

export function repeated(all: string[]): string[] {
	return all.filter((value, index) => all.indexOf(value) !== index);
}

/** Runs the same again, and expects nobody to be sent twice. Returns failed executions: their candidates are in doubt. */
export async function runAgain({ client }: Cluster, burst: Inviting): Promise<string[]> {
	const inDoubt = await burst.workflow.run(burst.lists);
	expect(repeated(burst.sent()), 'candidates sent twice').toEqual([]);
	for (const id of inDoubt) {
		const { error } = (await client.getExecution(id)).data.resultData;
		expect(error?.message).toMatch(/^Couldn't confirm whether this candidate was invited/);
	}
	const missing = burst.references.filter((reference) => !burst.invited().includes(reference));
	expect(missing.length, 'candidates left out').toBeLessThanOrEqual(inDoubt.length);
	return inDoubt;
}
