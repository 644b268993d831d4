import { setTimeout as sleep } from 'node:timers/promises';

import type { PartnerService } from '../../../mock-service/service.mts';
import { createInviteList, references } from '../support/inviteList.mts';
import { baseNode } from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';

// n8n discards the output of a stopped node or execution. The next run outputs it.

const EVERYBODY = references(12);
const FOLLOWING = 'Write to them';
const CONCURRENCY = 4;

type List = Awaited<ReturnType<typeof createInviteList>>;

/** Expects the next run to output everybody but send only those missing, and the run after it to send nobody. */
async function expectCompleted(list: List, service: PartnerService) {
	const before = list.sent();
	const invited = service.invitations.map((each) => each.ext_reference_id);
	let second: Awaited<ReturnType<List['run']>> | undefined;
	// A stopped execution records its invitations a moment after the service has responded.
	await expect
		.poll(async () => {
			second = await list.run();
			return [second.status, second.data.resultData.error?.message];
		})
		.toEqual(['success', undefined]);
	const linksOfService = EVERYBODY.map((reference) => {
		const own = service.invitations.filter((each) => each.ext_reference_id === reference);
		expect(own, `invitations of ${reference}`).toHaveLength(1);
		return [reference, own[0].invitation_link];
	});
	const [output, ...others] = second!.outputs;
	expect(output.map((json) => [json.ext_reference_id, json.invitation_link])).toEqual(
		linksOfService,
	);
	expect(others).toEqual([[], []]);
	expect(list.sent().slice(before.length).toSorted()).toEqual(
		EVERYBODY.filter((reference) => !invited.includes(reference)).toSorted(),
	);
	const third = await list.run();
	expect([third.status, ...third.outputs.map(({ length }) => length)]).toEqual([
		...['success', 0, 12, 0],
	]);
}

for (const [when, answered] of [
	['some are in flight', 6],
	['its last request is in flight', 11],
] as const) {
	test(`a list that is stopped while ${when}, run again: everybody has a link, and once`, async ({
		n8n,
		service,
	}) => {
		const held = service.faults.inject({
			route: 'createInvitation',
			every: 1,
			delayMs: 600_000,
			when: ({ body }) => {
				const { ext_reference_id: reference } = body as { ext_reference_id: string };
				return EVERYBODY.indexOf(reference) >= answered;
			},
		});
		const list = await createInviteList(n8n.client, service, {
			list: EVERYBODY,
			parameters: { options: { concurrency: CONCURRENCY } },
			more: [baseNode(FOLLOWING, 'noOp', 1)],
		});
		const stopped = await list.start();
		await expect.poll(() => held.seen).toBe(Math.min(CONCURRENCY, 12 - answered));
		await n8n.client.stopExecution(stopped);
		service.faults.clear();
		await expect.poll(() => service.invitations.length).toBe(list.sent().length);
		await expectCompleted(list, service);
		// With output, n8n's Retry would continue from it, and write to them twice.
		const { status, data, outputs } = await list.outcome(stopped);
		expect([status, outputs.flat()]).toEqual(['canceled', []]);
		expect(data.resultData.runData[FOLLOWING]).toBeUndefined();
	});
}

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
	// Waits until n8n has Invite's output.
	await sleep(1_000);
	await n8n.client.stopExecution(stopped);
	expect((await list.outcome(stopped)).status).toBe('canceled');
	await expectCompleted(list, service);
});
