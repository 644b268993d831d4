import { setTimeout as sleep } from 'node:timers/promises';

import type { PartnerService } from '../../../mock-service/service.mts';
import { createInviteList, references } from '../../support/inviteList.mts';
import { baseNode } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

// n8n discards what a node that fails, or whose execution is stopped, would output. The next run outputs it.

const EVERYBODY = references(12);
const FOLLOWING = 'Write to them';

type List = Awaited<ReturnType<typeof createInviteList>>;
type Ended = Awaited<ReturnType<List['run']>>;

const withConcurrency = (concurrency: number) => ({ parameters: { options: { concurrency } } });

const following = baseNode(FOLLOWING, 'noOp', 1);

const numbered =
	(matches: (number: number) => boolean) =>
	({ body }: { body?: unknown }) =>
		matches(Number((body as { ext_reference_id?: string }).ext_reference_id?.split('-')[1]));

/** As the service has given them. */
const linksOf = ({ invitations }: PartnerService, everybody = EVERYBODY) =>
	everybody.map((reference) => {
		const own = invitations.filter((each) => each.ext_reference_id === reference);
		expect(own, `invitations of ${reference}`).toHaveLength(1);
		return { ref: reference, link: own[0].invitation_link };
	});

const linksIn = ({ outputs: [invited] }: Ended) =>
	invited.map(({ ext_reference_id: ref, invitation_link: link }) => ({ ref, link }));

/** The next run outputs everybody, and sends only who is missing. The one after that has nobody left. */
async function expectCompleted(list: List, service: PartnerService) {
	const before = list.sent();
	const invited = service.invitations.map((each) => each.ext_reference_id);
	const second = await runToSuccess(list);
	expect(linksIn(second)).toEqual(linksOf(service));
	expect(second.outputs.map(({ length }) => length)).toEqual([12, 0, 0]);
	expect(list.sent().slice(before.length).toSorted()).toEqual(
		EVERYBODY.filter((reference) => !invited.includes(reference)).toSorted(),
	);
	const third = await list.run();
	expect(third.status).toBe('success');
	expect(third.outputs.map(({ length }) => length)).toEqual([0, 12, 0]);
}

/** A stopped execution records what it has sent a moment after the service has answered. */
async function runToSuccess(list: List): Promise<Ended> {
	let run: Ended | undefined;
	await expect
		.poll(async () => {
			run = await list.run();
			return [run.status, run.data.resultData.error?.message];
		})
		.toEqual(['success', undefined]);
	return run!;
}

for (const concurrency of [1, 4, 30]) {
	test(`a list with a row that the service refuses, run again: everybody has a link (Concurrency ${concurrency})`, async ({
		n8n,
		service,
	}) => {
		service.faults.inject({
			route: 'createInvitation',
			status: 422,
			when: numbered((number) => number === 6),
		});
		const list = await createInviteList(n8n.client, service, {
			list: EVERYBODY,
			...withConcurrency(concurrency),
		});
		const failed = await list.run();
		expect(failed.status).toBe('error');
		const { message, description } = failed.data.resultData.error!;
		expect(message).toMatch(/^APP-6 \(item 6\): /);
		expect(description).toContain('Correct this item or leave it out');
		expect(failed.outputs.flat()).toEqual([]);
		expect(service.invitations.length).toBeGreaterThanOrEqual(5);
		service.faults.clear();
		await expectCompleted(list, service);
	});

	test(`a list that is stopped while some are in flight, run again: everybody has a link (Concurrency ${concurrency})`, async ({
		n8n,
		service,
	}) => {
		const held = service.faults.inject({
			route: 'createInvitation',
			every: 1,
			delayMs: 600_000,
			when: numbered((number) => number > 6),
		});
		const list = await createInviteList(n8n.client, service, {
			list: EVERYBODY,
			...withConcurrency(concurrency),
			more: [following],
		});
		const stopped = await list.start();
		await expect.poll(() => held.seen).toBe(Math.min(concurrency, 6));
		await n8n.client.stopExecution(stopped);
		service.faults.clear();
		await expect.poll(() => service.invitations.length).toBe(list.sent().length);
		await expectCompleted(list, service);
	});
}

test('a list that is stopped while its last request is in flight, run again: everybody has a link, and once', async ({
	n8n,
	service,
}) => {
	const held = service.faults.inject({
		route: 'createInvitation',
		every: 1,
		delayMs: 600_000,
		when: numbered((number) => number === 12),
	});
	const list = await createInviteList(n8n.client, service, {
		list: EVERYBODY,
		...withConcurrency(4),
		more: [following],
	});
	const stopped = await list.start();
	await expect.poll(() => held.seen).toBe(1);
	await n8n.client.stopExecution(stopped);
	service.faults.clear();
	await expect.poll(() => service.invitations.length).toBe(12);
	await expectCompleted(list, service);
	// Otherwise n8n's Retry would go on from that output, and write to them twice.
	const { status, data, outputs } = await list.outcome(stopped);
	expect(status).toBe('canceled');
	expect(outputs.flat()).toEqual([]);
	expect(data.resultData.runData[FOLLOWING]).toBeUndefined();
});

test('a list that is stopped while a node after it runs, run again: everybody has a link', async ({
	n8n,
	service,
}) => {
	const list = await createInviteList(n8n.client, service, {
		list: EVERYBODY,
		more: [baseNode(FOLLOWING, 'wait', 1.1, { amount: 5 })],
	});
	const stopped = await list.start();
	await expect.poll(() => service.invitations.length).toBe(12);
	// Until n8n has Invite's output.
	await sleep(1_000);
	await n8n.client.stopExecution(stopped);
	expect((await list.outcome(stopped)).status).toBe('canceled');
	await expectCompleted(list, service);
});

test('what the last try of Retry On Fail outputs comes out once', async ({ n8n, service }) => {
	service.faults.inject({
		route: 'createInvitation',
		every: 1,
		status: 422,
		when: numbered((number) => number === 1),
	});
	const list = await createInviteList(n8n.client, service, {
		list: EVERYBODY,
		settings: {
			...{ onError: 'continueRegularOutput', retryOnFail: true },
			...{ maxTries: 3, waitBetweenTries: 100 },
		},
	});
	const first = await list.run();
	expect(first.outputs[0][0]).toMatchObject({ outcome: 'refused', httpStatus: 422 });
	expect(linksIn(first).slice(1)).toEqual(linksOf(service, EVERYBODY.slice(1)));
	expect(list.sent().toSorted()).toEqual(['APP-1', 'APP-1', ...EVERYBODY].toSorted());
	service.faults.clear();
	const second = await list.run();
	expect(linksIn(second)).toEqual(linksOf(service, ['APP-1']));
	expect(second.outputs.map(({ length }) => length)).toEqual([1, 11, 0]);
});

test('Check Only says when the list is the first one of its node', async ({ n8n, service }) => {
	const list = await createInviteList(n8n.client, service, {
		list: EVERYBODY,
		parameters: { options: { checkOnly: true } },
	});
	const { outputs, hints } = await list.run();
	expect(outputs[0]).toMatchObject(EVERYBODY.map((ref) => ({ ref, outcome: 'ready' })));
	expect(hints).toEqual([
		expect.stringContaining("This is this node's first list"),
		'Check Only: nothing was sent. 12 candidates would be invited.',
	]);
	expect(list.sent()).toEqual([]);
});
