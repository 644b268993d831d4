import { expect, test } from '../support/fixtures.mts';

const ITEM = { name: 'Jörg', text: 'a=b&c' };
const BODY = JSON.stringify(ITEM);
const LONG = { text: 'x'.repeat(1024 * 1024) };

/** Content types, bodies, and the resulting items. */
const BODIES: Array<[type: string, bytes: Buffer, item: object]> = [
	['', Buffer.from(BODY), ITEM],
	['text/plain', Buffer.from(BODY), ITEM],
	['text/plain', Buffer.from('ready'), { body: 'ready' }],
	['application/x-www-form-urlencoded', Buffer.from(BODY), ITEM],
	['application/vnd.api+json; charset=iso-8859-1', Buffer.from(BODY, 'latin1'), ITEM],
	['application/json', Buffer.from(JSON.stringify(LONG)), LONG],
];

test.beforeEach(async ({ trigger }) => await trigger.publish());

test('each genuine call runs the workflow once, and the test that listens, with its whole body, and no test asks the service', async ({
	trigger,
}) => {
	await trigger.expectReceiving();
	const { service, productionUrl, derivedSecret } = trigger;
	const before = { ...service.webhook };
	service.running.clearRequests();
	const tested: object[] = [];
	for (const [type, body, item] of BODIES) {
		await trigger.listen();
		const headers = { 'x-secret': derivedSecret, ...(type && { 'content-type': type }) };
		const { status } = await fetch(productionUrl, { method: 'POST', headers, body });
		expect(status, type).toBe(200);
		tested.push(item);
		await trigger.expectRun(item);
		await expect.poll(async () => await trigger.tested()).toEqual(tested);
	}
	expect(service.running.requests).toEqual([]);
	expect(service.webhook).toEqual(before);
});
