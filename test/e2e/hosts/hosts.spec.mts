/** The addresses that n8n hands out depend on its settings. */
import { call } from '../../support/calls.mts';
import { expect, test } from '../support/fixtures.mts';

const NOWHERE = 'http://127.0.0.1:9';

/** Settings that go together; and how the called address differs from the one the service has. */
const HOSTS: Array<
	[title: string, env: Record<string, string>, called: [from: string, to: string]]
> = [
	[
		"with the editor at another host than the webhooks, n8n's SSRF protection, a proxy in the environment, and called over IPv6",
		{
			N8N_EDITOR_BASE_URL: 'https://editor.example.com/',
			WEBHOOK_URL: 'https://n8n.example.com/',
			// N8N_WEBHOOK_URL would apply even to tests.
			N8N_WEBHOOK_URL: '',
			N8N_SSRF_PROTECTION_ENABLED: 'true',
			HTTP_PROXY: NOWHERE,
			http_proxy: NOWHERE,
			N8N_LISTEN_ADDRESS: '::',
		},
		['127.0.0.1', '[::1]'],
	],
	[
		'behind a reverse proxy that has n8n at a path, with endpoints of its own',
		{
			N8N_WEBHOOK_URL: 'https://example.com/below/n8n/',
			N8N_PATH: '/below/n8n/',
			N8N_ENDPOINT_WEBHOOK: 'live',
			N8N_ENDPOINT_WEBHOOK_TEST: 'try',
		},
		['/webhook/', '/live/'],
	],
];

test('wherever n8n is, a test gets what the published workflow gets', async ({ n8n, trigger }) => {
	test.setTimeout(600_000);
	const { derivedSecret: secret, productionUrl } = trigger;
	await trigger.publish();
	const before = { ...trigger.service.webhook };
	const expected: object[] = [];
	for (const [title, env, [from, to]] of HOSTS) {
		await n8n.restart(env);
		await trigger.listen();
		const body = { title };
		expect(await call(productionUrl.replace(from, to), { secret, body }), title).toBe(200);
		expected.push(body);
		await expect.poll(async () => await trigger.tested(), title).toEqual(expected);
		await trigger.expectRun(body);
	}
	expect(trigger.service.webhook).toEqual(before);
});
