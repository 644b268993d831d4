import { execFileSync } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import type { Execution } from '../../../tools/n8n/client.mts';
import { CREDENTIAL, withCredential } from '../../../demo/workflows/parts.mts';
import { startPartnerService } from '../../../mock-service/service.mts';
import { createCredential } from '../../support/credentials.mts';
import { systemProgram } from '../../support/programs.mts';
import { itemsWorkflow, START } from '../../support/workflows.mts';
import { expect, test as base } from '../fixtures.mts';

const PATH = '/partner/v1.0/standard/candidates/invitation/any';

interface Request {
	baseUrl: string;
	/** Where it goes, if not to the base URL. */
	url?: string;
	typeVersion?: number;
	options?: object;
	/** Of n8n's own type SSL Certificates. */
	certificates?: Record<string, unknown>;
}

/** Has n8n's own HTTP Request node send a request with a credential of ours. */
const test = base.extend<{ send: (request: Request) => Promise<Execution> }>({
	send: async ({ n8n: { client }, service }, use) =>
		await use(
			async ({ baseUrl, url = baseUrl + PATH, typeVersion = 4.2, options, certificates }) => {
				const { accessToken } = service;
				const credential = await createCredential(client, { baseUrl, accessToken });
				const ssl =
					certificates &&
					(await client.createCredential({ name: 'SSL', type: 'httpSslAuth', data: certificates }));
				const { id } = await client.createWorkflow(
					itemsWorkflow('Request', '[{}]', {
						name: 'HTTP Request',
						type: 'n8n-nodes-base.httpRequest',
						typeVersion,
						parameters: {
							url,
							authentication: 'predefinedCredentialType',
							nodeCredentialType: CREDENTIAL,
							provideSslCertificates: ssl !== undefined,
							options: {
								response: { response: { fullResponse: true, neverError: true } },
								...options,
							},
						},
						credentials: {
							...withCredential(credential),
							...(ssl && { httpSslAuth: { id: ssl.id, name: ssl.name } }),
						},
					}),
				);
				return await client.runToEnd(id, START, 60_000);
			},
		),
});

test('HTTP Request with the credential reaches the Base URL', async ({ send, service }) => {
	expect((await send(service)).status).toBe('success');
	expect(service.requests[0].headers.authorization).toBe(`Bearer ${service.accessToken}`);
});

test('HTTP Request with the credential takes the token to no other address', async ({
	send,
	service,
}) => {
	const elsewhere = await startPartnerService();
	try {
		const { status, data } = await send({ ...service, url: elsewhere.baseUrl + PATH });
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toMatch(
			/^The access token can only be sent to the Base URL in its credential/,
		);
		service.faults.inject({ route: '*', redirectTo: elsewhere.baseUrl + PATH });
		await send(service);
		expect(service.requests, 'a redirect is not followed').toHaveLength(1);
		expect(elsewhere.requests).toHaveLength(0);
	} finally {
		await elsewhere.close();
	}
});

for (const typeVersion of [3, 4.2]) {
	test(`HTTP Request ${typeVersion} takes the token through no proxy and to no unverified host`, async ({
		send,
		service,
	}) => {
		const openssl = systemProgram('OpenSSL', ['openssl'], 'OPENSSL_PATH');
		const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
		const command = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', '-', '-days', '1'];
		const pem = execFileSync(openssl, [...command, ...subject], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const tokens: unknown[] = [];
		const listener = ({ headers }: IncomingMessage, response: ServerResponse) => {
			tokens.push(headers.authorization);
			response.end('{"data":{}}');
		};
		const servers = [createServer(listener), createTlsServer({ key: pem, cert: pem }, listener)];
		const [proxy, tls] = await Promise.all(servers.map(listen));
		const expectRefusal = async (request: Request) => {
			const { data } = await send({ ...request, typeVersion });
			expect(data.resultData.error?.message).toMatch(
				/^The access token can't be sent with 'Proxy'/,
			);
		};
		try {
			await expectRefusal({ ...service, options: { proxy: `http://127.0.0.1:${proxy}` } });
			const baseUrl = `https://127.0.0.1:${tls}`;
			await expectRefusal({ baseUrl, options: { allowUnauthorizedCerts: true } });
			await expectRefusal({
				baseUrl,
				certificates: { ca: pem.slice(pem.indexOf('-----BEGIN CERT')) },
			});
			expect(tokens).toEqual([]);
		} finally {
			for (const server of servers) server.close();
		}
	});
}

/** The port that it listens on. */
async function listen(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}
