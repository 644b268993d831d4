import { createInviteList, references } from '../../support/inviteList.mts';
import { expect, test } from '../fixtures.mts';

test("n8n's Retry sends only who is missing", async ({ n8n, service }) => {
	const when = ({ body }: { body?: unknown }) => JSON.stringify(body).includes('APP-7"');
	service.faults.inject({ route: 'createInvitation', status: 409, when });
	const all = references(20);
	const list = await createInviteList(n8n.client, service, {
		list: all,
		parameters: { options: { concurrency: 1 } },
	});
	const failed = await list.run();
	expect(failed.status).toBe('error');
	const retried = await list.retry(failed.id);
	expect(retried.mode).toBe('retry');
	expect(retried.status).toBe('success');
	expect(list.sent()).toEqual([...all.slice(0, 7), ...all.slice(6)]);
});

test('a list that was killed under way and runs again invites nobody twice, and accounts for everybody', async ({
	n8n,
	service,
}) => {
	const many = references(60);
	const concurrency = 5;
	service.faults.inject({ route: 'createInvitation', every: 1, delayMs: 100 });
	const list = await createInviteList(n8n.client, service, {
		list: many,
		parameters: { options: { concurrency } },
		settings: { onError: 'continueRegularOutput' },
	});
	await list.start();
	await expect.poll(() => list.sent().length).toBeGreaterThan(25);
	await n8n.kill();
	await n8n.restart();
	service.faults.clear();

	const { outputs } = await list.run();
	const [items] = outputs;
	const invited = service.invitations.map(({ ext_reference_id }) => ext_reference_id);
	expect(new Set(invited).size, 'nobody twice').toBe(invited.length);
	expect(new Set(list.sent()).size, 'nobody is even sent twice').toBe(list.sent().length);
	const unknown = items.filter(({ outcome }) => outcome === 'unknown');
	expect(items.filter(({ error }) => error)).toEqual(unknown);
	expect(unknown.length).toBeLessThanOrEqual(2 * concurrency);
	// Those who were never sent are among the unknown.
	const missing = many.filter((reference) => !invited.includes(reference));
	expect(missing.length).toBeLessThanOrEqual(unknown.length);
});
