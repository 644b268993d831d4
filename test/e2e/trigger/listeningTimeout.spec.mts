import { expect, test } from '../fixtures.mts';

/** n8n ends a test that nothing has come for after two minutes; there is no setting for that. */
const N8N_LISTENS_MS = 120_000;

test('after a test that timed out, as a forged call does not end it, the next delivery runs the workflow', async ({
	trigger,
}) => {
	test.setTimeout(N8N_LISTENS_MS + 180_000);
	await trigger.publish();
	const started = Date.now();
	await trigger.listen();
	await trigger.expectRejected('a wrong secret', trigger.testUrl);
	await trigger.expectGivenBack(N8N_LISTENS_MS + 120_000);
	expect(Date.now() - started, 'n8n itself has ended it').toBeGreaterThanOrEqual(N8N_LISTENS_MS);
	await trigger.expectReceiving();
});
