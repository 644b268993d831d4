import { call, forgedSecrets } from '../../support/calls.mts';
import { expect, test } from '../fixtures.mts';

test.beforeEach(async ({ trigger }) => await trigger.publish());

test('publishing registers address and secret, and switches on', async ({ trigger }) => {
	trigger.expectRegistered(trigger.derivedSecret);
});

test('a genuine delivery runs the workflow once, with its body', async ({ trigger }) => {
	await trigger.expectDelivery();
});

for (const contentType of ['', 'text/plain', 'application/vnd.partner+json']) {
	test(`with the content type "${contentType}" its body comes whole too`, async ({ trigger }) => {
		await trigger.expectCall(trigger.derivedSecret, contentType);
	});
}

// What is forged follows from the secret, which only a running service has.
for (const kind of Object.keys(forgedSecrets('')) as Array<
	keyof ReturnType<typeof forgedSecrets>
>) {
	test(`a call with ${kind} gets 401 and runs nothing`, async ({ trigger }) => {
		await trigger.expectRejected(forgedSecrets(trigger.derivedSecret)[kind]);
		await trigger.expectDelivery();
	});
}

const PAYLOADS: Record<string, object> = {
	'a type of its own': { type: 'assessment', invitation_code: 'inv-1' },
	'an empty event': { event: '', invitation_code: 'inv-1' },
	'the event in other letters': { event: 'Candidate_Application_Result_Ready' },
	'another event': { event_name: 'candidate_application_withdrawn' },
	'its data one level down': { data: { invitation_code: 'inv-1' } },
	'no event': { invitation_code: 'inv-1' },
};

for (const [what, payload] of Object.entries(PAYLOADS)) {
	test(`a genuine call with ${what} runs the workflow`, async ({ trigger }) => {
		const { productionUrl, derivedSecret: secret } = trigger;
		expect(await call(productionUrl, { secret, body: payload })).toBe(200);
		await trigger.expectRun(payload);
	});
}

test('the next genuine delivery runs the workflow again', async ({ trigger }) => {
	await trigger.expectDelivery();
	await trigger.expectDelivery();
});

test('unpublishing switches the webhook off', async ({ trigger }) => {
	await trigger.unpublishAndExpectOff();
	const { productionUrl, derivedSecret: secret } = trigger;
	expect(await call(productionUrl, { secret, body: {} }), 'n8n takes no calls').toBe(404);
});
