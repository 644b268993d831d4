import { call, forgedSecrets } from '../../support/calls.mts';
import { credentialFor, HIDDEN_VALUE } from '../../support/credentials.mts';
import { runAction } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

test.beforeEach(async ({ trigger }) => await trigger.publish());

test('each genuine call runs the workflow once, with its whole body, whatever its content type', async ({
	trigger,
}) => {
	await trigger.expectReceiving();
	for (const contentType of ['', 'text/plain', 'application/vnd.partner+json']) {
		await trigger.expectCall(trigger.derivedSecret, contentType);
	}
});

test('a genuine call that n8n leaves to the trigger is read in the character set that it declares', async ({
	trigger,
}) => {
	const body = { event: 'ready', name: 'Jörg' };
	const post = async (contentType: string) => {
		const { productionUrl, derivedSecret } = trigger;
		const headers = { 'content-type': contentType, 'x-secret': derivedSecret };
		const bytes = Buffer.from(JSON.stringify(body), 'latin1');
		return (await fetch(productionUrl, { method: 'POST', headers, body: bytes })).status;
	};
	// As docs/administrators.md has it.
	for (const type of ['application/json', 'text/plain']) {
		expect(await post(`${type}; charset=iso-8859-1`)).toBe(422);
	}
	expect(await post('application/vnd.api+json; charset=iso-8859-1')).toBe(200);
	await trigger.expectRun(body);
});

test('n8n itself answers 404 to GET and HEAD of the address, and says if it knows none', async ({
	trigger,
}) => {
	for (const method of ['GET', 'HEAD']) {
		expect((await fetch(trigger.productionUrl, { method })).status).toBe(404);
	}
	const unknown = await fetch(new URL('/webhook/x', trigger.productionUrl));
	expect(unknown.status).toBe(404);
	expect(await unknown.text()).toContain('is not registered');
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

test('unpublishing switches the webhook off', async ({ trigger }) => {
	await trigger.unpublishAndExpectOff();
	const { productionUrl, derivedSecret: secret } = trigger;
	expect(await call(productionUrl, { secret, body: {} }), 'n8n takes no calls').toBe(404);
});

test("n8n's placeholder for a hidden value is no secret: nothing is sent with it, and no call with it gets in", async ({
	trigger,
}) => {
	const { client, credential } = trigger;
	const { running, webhookId } = trigger.service;
	const store = async (secret: string) =>
		await client.updateCredential(credential.id, credentialFor(running, secret));
	const right = 'a secret of sixteen letters';
	await store(right);
	await trigger.publishChange({ parameters: { registration: 'manual' } });
	await trigger.expectCall(right);
	const before = running.requests.length;
	const parameters = { resource: 'webhook', operation: 'setStatus', webhookId, status: 'active' };
	for (const placeholder of [`=${HIDDEN_VALUE}`, HIDDEN_VALUE]) {
		await store(placeholder);
		await trigger.expectRejected(HIDDEN_VALUE);
		await expect(trigger.listen()).rejects.toThrow(REFUSED);
		const { data } = await runAction(client, credential, parameters);
		expect(data.resultData.error?.message).toMatch(REFUSED);
	}
	expect(running.requests).toHaveLength(before);
});

const REFUSED =
	/The Webhook Secret in the credential holds n8n's placeholder for a hidden value\. Enter it again\./;
