import type { Execution } from '../../../tools/n8n/client.mts';
import { CREDENTIAL, withCredential } from '../../../demo/workflows/parts.mts';
import { untrusted } from '../support/brokenService.mts';
import { createCredential } from '../../support/credentials.mts';
import { baseNode, itemsWorkflow, START } from '../support/workflows.mts';
import { expect, test as base } from '../support/fixtures.mts';

const PATH = '/partner/v1.0/standard/candidates/invitation/any';

interface Request {
	baseUrl: string;
	/** The URL, if it isn't below the base URL. */
	url?: string;
	typeVersion?: number;
	options?: object;
	/** Data of n8n's credential type SSL Certificates. */
	certificates?: Record<string, unknown>;
}

/** Has n8n's HTTP Request node send a request with our credential. */
const test = base.extend<{ send: (request: Request) => Promise<Execution> }>({
	send: async ({ n8n: { client }, service }, use) =>
		await use(
			async ({ baseUrl, url = baseUrl + PATH, typeVersion = 4.2, options, certificates }) => {
				const { accessToken } = service;
				const credential = await createCredential(client, { baseUrl, accessToken });
				const ssl =
					certificates &&
					(await client.createCredential({ name: 'SSL', type: 'httpSslAuth', data: certificates }));
				const node = baseNode('Request', 'httpRequest', typeVersion, {
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: CREDENTIAL,
					provideSslCertificates: ssl !== undefined,
					options: { response: { response: { fullResponse: true, neverError: true } }, ...options },
				});
				node.credentials = { ...withCredential(credential), ...(ssl && withCredential(ssl)) };
				const { id } = await client.createWorkflow(itemsWorkflow('Request', '[{}]', node));
				return await client.runToEnd(id, START, 60_000);
			},
		),
});

test('HTTP Request with the credential takes the token to the Base URL, and to no other address', async ({
	send,
	service,
	broken: elsewhere,
}) => {
	expect((await send(service)).status).toBe('success');
	expect(service.requests[0].headers.authorization).toBe(`Bearer ${service.accessToken}`);
	service.faults.inject({ route: '*', redirectTo: elsewhere.baseUrl + PATH });
	await send(service);
	expect(service.requests, 'a redirect is not followed').toHaveLength(2);
	const { status, data } = await send({ ...service, url: elsewhere.baseUrl + PATH });
	expect(status).toBe('error');
	expect(data.resultData.error?.message).toMatch(
		/^The access token can only be sent to the Base URL in its credential/,
	);
	expect(elsewhere.connections).toBe(0);
});

for (const typeVersion of [3, 4.2]) {
	test(`HTTP Request ${typeVersion} takes the token through no proxy and to no unverified host`, async ({
		send,
		service,
		broken,
	}) => {
		broken.behavior = untrusted;
		const tls = { baseUrl: broken.baseUrl.replace('http', 'https') };
		const requests: Request[] = [
			{ baseUrl: service.baseUrl, options: { proxy: service.baseUrl } },
			{ ...tls, options: { allowUnauthorizedCerts: true } },
			{ ...tls, certificates: { ca: 'any' } },
		];
		for (const request of requests) {
			const { data } = await send({ ...request, typeVersion });
			expect(data.resultData.error?.message).toMatch(
				/^To protect the access token, this credential can't be used with 'Proxy'/,
			);
		}
		expect([...service.requests, broken.connections]).toEqual([0]);
	});
}
