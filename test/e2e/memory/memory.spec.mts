import type { PartnerService } from '../../../mock-service/service.mts';
import { InviteList, references } from '../../support/inviteList.mts';
import { expect, startService, test as base } from '../fixtures.mts';

const SIZE = 20;
const ALL = references(SIZE);

const test = base.extend<{
	createList: (options: Parameters<typeof InviteList.create>[2]) => Promise<InviteList>;
}>({
	createList: async ({ n8n, service }, use) =>
		await use(async (options) => await InviteList.create(n8n, service, options)),
});

test('a list of 20 run twice sends 20 requests', async ({ createList }) => {
	const list = await createList({ list: ALL });
	expect((await list.run()).outputs[0]).toHaveLength(SIZE);
	const again = await list.run();
	expect(again.status).toBe('success');
	expect(again.outputs).toEqual([[], ALL.map((reference) => ({ reference })), []]);
	expect(list.sent.sort()).toEqual(ALL.toSorted());
});

test('failed at item 7 and run again, it sends only who is missing', async ({
	createList,
	service,
}) => {
	refuseTheSeventh(service);
	const list = await createList({ list: ALL, parameters: { options: { concurrency: 1 } } });
	expect((await list.run()).data.resultData.error?.message).toContain('APP-7 (item 7)');
	const { status, outputs } = await list.run();
	expect(status).toBe('success');
	expect(outputs[0].map((json) => json.ext_reference_id)).toEqual(ALL.slice(6));
	expect(list.sent).toEqual([...ALL.slice(0, 7), ...ALL.slice(6)]);
});

test("n8n's Retry sends only who is missing", async ({ createList, service }) => {
	refuseTheSeventh(service);
	const list = await createList({ list: ALL, parameters: { options: { concurrency: 1 } } });
	const failed = await list.run();
	expect(failed.status).toBe('error');
	const retried = await list.retry(failed.id);
	expect(retried.mode).toBe('retry');
	expect(retried.status).toBe('success');
	expect(list.sent).toEqual([...ALL.slice(0, 7), ...ALL.slice(6)]);
});

test('Retry On Fail sends only who is missing, and outputs everybody', async ({
	createList,
	service,
}) => {
	refuseTheSeventh(service);
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
	const list = await createList({
		list: ALL,
		settings,
		parameters: { options: { concurrency: 1 } },
	});
	const { status, outputs } = await list.run();
	expect(status).toBe('success');
	expect(outputs[0].map((json) => json.ext_reference_id)).toEqual(ALL);
	expect(list.sent).toEqual([...ALL.slice(0, 7), ...ALL.slice(6)]);
});

test('killed under way and run again: nobody is invited twice, everybody is accounted for', async ({
	n8n,
	environment,
}) => {
	const many = references(60);
	const concurrency = 5;
	const restartable = await startService(environment);
	const service = restartable.running;
	service.faults.inject({ route: 'createInvitation', every: 1, delayMs: 100 });
	const list = await InviteList.create(n8n, service, {
		list: many,
		parameters: { options: { concurrency } },
		settings: { onError: 'continueRegularOutput' },
	});
	await list.start();
	await expect.poll(() => list.sent.length).toBeGreaterThan(25);
	await n8n.kill();
	await n8n.restart();
	service.faults.clear();

	const { outputs } = await list.run();
	const [items] = outputs;
	const invited = service.invitations.map(({ ext_reference_id }) => ext_reference_id);
	expect(new Set(invited).size, 'nobody twice').toBe(invited.length);
	expect(new Set(list.sent).size, 'nobody is even sent twice').toBe(list.sent.length);
	const unknown = items.filter(({ outcome }) => outcome === 'unknown');
	expect(items.filter(({ error }) => error)).toEqual(unknown);
	expect(unknown.length).toBeLessThanOrEqual(2 * concurrency);
	// Those who were never sent are among the unknown.
	const missing = many.filter((reference) => !invited.includes(reference));
	expect(missing.length).toBeLessThanOrEqual(unknown.length);
	await restartable.stop();
});

function refuseTheSeventh(service: PartnerService): void {
	service.faults.inject({
		route: 'createInvitation',
		status: 409,
		when: isFor('APP-7'),
	});
}

test('a list of 10,500 run again invites nobody twice', async ({ createList, service }) => {
	const many = references(10_500);
	const list = await createList({ list: many, parameters: { options: { concurrency: 100 } } });
	expect((await list.run()).outputs[0]).toHaveLength(many.length);
	service.clearRequests();
	const { outputs } = await list.run();
	expect(outputs.map(({ length }) => length)).toEqual([0, many.length, 0]);
	expect(list.sent).toEqual([]);
});

test.describe('an outage', () => {
	const onError = 'continueRegularOutput';

	test('from the start costs one who is in doubt, three with Continue', async ({
		createList,
		service,
	}) => {
		service.faults.inject({ route: 'createInvitation', status: 503, every: 1 });
		expect((await (await createList({ list: ALL })).run()).status).toBe('error');
		expect(service.requests).toHaveLength(1);
		service.clearRequests();
		const { outputs } = await (await createList({ list: ALL, settings: { onError } })).run();
		expect(service.requests).toHaveLength(3);
		expect(countOf(outputs[0])).toEqual({ unknown: 3, notSent: SIZE - 3 });
	});

	test('midway costs those in flight, and three', async ({ createList, service }) => {
		const list = await createList({
			list: references(60),
			settings: { onError },
			parameters: { options: { concurrency: 5 } },
		});
		service.faults.inject({
			route: 'createInvitation',
			status: 503,
			every: 1,
			when: () => service.invitations.length >= 30,
		});
		const { outputs } = await list.run();
		expect(countOf(outputs[0]).unknown).toBeLessThanOrEqual(5 + 3);
		service.faults.clear();
		const again = await list.run();
		expect(again.outputs[1]).toHaveLength(30);
		expect(new Set(list.sent).size).toBe(list.sent.length);
	});

	test('with a refused token costs three requests', async ({ createList, service }) => {
		service.faults.inject({ route: 'createInvitation', status: 401, every: 1 });
		const list = await createList({ list: references(100), settings: { onError } });
		const { outputs } = await list.run();
		expect(countOf(outputs[0])).toEqual({ refused: 3, notSent: 97 });
		expect(service.requests).toHaveLength(3);
	});
});

for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
	test(`Retry On Fail outputs everybody, the first in doubt: ${onError}`, async ({
		createList,
		service,
	}) => {
		service.faults.inject({ route: 'createInvitation', reset: 'after', when: isFor('APP-1') });
		const settings = { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
		const list = await createList({
			list: references(6),
			settings,
			// What has become unknown in this execution is not sent again by its next try.
			parameters: { alreadyInvited: 'resendUnknown' },
		});
		const { outputs } = await list.run();
		const [regular, alreadyInvited, failed] = outputs;
		const errors = [...regular, ...failed].filter(({ error }) => error);
		expect(errors).toMatchObject([{ outcome: 'unknown' }]);
		expect(failed).toHaveLength(onError === 'continueErrorOutput' ? 1 : 0);
		expect(alreadyInvited).toEqual([]);
		expect(regular.flatMap((json) => json.ext_reference_id ?? [])).toEqual(references(6).slice(1));
		expect(list.sent).toEqual(references(6));
	});
}

function countOf(items: Array<Record<string, unknown>>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { outcome } of items.filter(({ error }) => error)) {
		counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1;
	}
	return counts;
}

function isFor(reference: string) {
	return ({ body }: { body?: unknown }) =>
		(body as { ext_reference_id?: string }).ext_reference_id === reference;
}
