import { createInviteList, references } from '../support/inviteList.mts';
import { expect, test } from '../support/fixtures.mts';

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
