/** The addresses that n8n hands out: they depend on its settings. */
import { withCredential } from '../../../demo/workflows/parts.mts';
import { createCredential } from '../../support/credentials.mts';
import { expect, test } from '../fixtures.mts';

test('with the editor at another host than the webhooks, a test borrows the webhook and gives it back', async ({
	n8n,
	trigger,
}) => {
	const { port } = new URL(n8n.baseUrl);
	await n8n.restart({
		N8N_EDITOR_BASE_URL: `http://localhost:${port}/`,
		WEBHOOK_URL: n8n.baseUrl,
		// It would hold for tests, too.
		N8N_WEBHOOK_URL: '',
	});
	await trigger.publish();
	const before = { ...trigger.service.webhook };
	await trigger.startListening();
	expect(trigger.webhookAddress).toBe(trigger.testUrl.replace('127.0.0.1', 'localhost'));
	await trigger.client.stopListening(trigger.workflowId);
	await expect.poll(() => trigger.service.webhook).toEqual(before);
	await trigger.expectReceiving();
	await trigger.unpublishAndExpectOff();
});

test('a copy of n8n with another address changes no webhook when it starts, nor when it unpublishes', async ({
	n8n,
	trigger,
}) => {
	const { service } = trigger;
	await n8n.restart();
	await trigger.publish();
	const before = { ...service.webhook };
	const { length: count } = service.running.requests;
	const { port } = new URL(n8n.baseUrl);
	await n8n.restart({ WEBHOOK_URL: `http://localhost:${port}/`, N8N_WEBHOOK_URL: '' });
	await trigger.unpublish();
	const since = () => service.running.requests.slice(count).map(({ route }) => route);
	await expect.poll(since).toEqual(['setWebhookStatus']);
	expect(service.webhook).toEqual(before);
});

test('without WEBHOOK_URL, nothing is registered at a service on the internet, and the error says what to set', async ({
	n8n,
	trigger,
}) => {
	await n8n.restart({ N8N_HOST: 'localhost', WEBHOOK_URL: '', N8N_WEBHOOK_URL: '' });
	const { accessToken } = trigger.service.running;
	const service = { baseUrl: 'https://assessment.example.com', accessToken };
	const credential = await createCredential(n8n.client, service);
	await trigger.edit({ credentials: withCredential(credential) });
	const words =
		/The service can't reach your n8n at http:\/\/localhost:\d+: for the service, that's its own machine\. .*N8N_WEBHOOK_URL/;
	await expect(trigger.publish()).rejects.toThrow(words);
	await expect(trigger.startListening()).rejects.toThrow(words);
});

test('with a WEBHOOK_URL that has no scheme, the webhook stays where it is', async ({
	n8n,
	trigger,
}) => {
	const before = { ...trigger.service.webhook };
	await n8n.restart({ WEBHOOK_URL: 'n8n.example.com:5678', N8N_WEBHOOK_URL: '' });
	await expect(trigger.publish()).rejects.toThrow(
		/isn't a web address: n8n\.example\.com:5678\S*\. .*N8N_WEBHOOK_URL/,
	);
	expect(trigger.service.webhook).toEqual(before);
});
