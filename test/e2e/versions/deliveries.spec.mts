import { call, forgedSecrets } from '../../support/calls.mts';
import { expect, test } from '../support/fixtures.mts';

test.beforeEach(async ({ trigger }) => await trigger.publish());

test('each genuine call runs the workflow once, with its whole body, whatever its content type', async ({
	trigger,
}) => {
	await trigger.expectReceiving();
	const form = 'application/x-www-form-urlencoded';
	for (const contentType of ['', 'text/plain', 'application/vnd.partner+json', form]) {
		await trigger.expectCall(trigger.derivedSecret, contentType);
	}
});

test('forged calls get 401, run nothing, and are a line in the log without headers and body', async ({
	n8n,
	trigger,
}) => {
	for (const forged of Object.values(forgedSecrets(trigger.derivedSecret))) {
		await trigger.expectRejected(forged);
	}
	const secret = 'never-to-be-seen-anywhere';
	expect(await call(trigger.productionUrl, { secret, body: { never: secret } })).toBe(401);
	const log = await n8n.process.log();
	expect(log).toContain(`A call to the trigger of workflow ${trigger.workflowId} was rejected`);
	expect(log).not.toContain(secret);
	await trigger.expectDelivery();
});
