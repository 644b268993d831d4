import type { Execution, WorkflowNode } from '../../../tools/n8n/client.mts';
import { CREDENTIAL, withCredential } from '../../../demo/workflows/parts.mts';
import { startPartnerService } from '../../../mock-service/service.mts';
import { itemsWorkflow, START } from '../../support/workflows.mts';
import { expect, test as base } from '../fixtures.mts';

const PATH = '/partner/v1.0/standard/candidates/invitation/any';
const HTTP_REQUEST = 'HTTP Request';

/** Has n8n's own HTTP Request node ask for an address with our credential. */
const test = base.extend<{ requestWith: (url: string) => Promise<Execution> }>({
	requestWith: async ({ n8n, credential }, use) =>
		await use(async (url) => {
			const node: WorkflowNode = {
				id: 'request',
				name: HTTP_REQUEST,
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [400, 0],
				parameters: {
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: CREDENTIAL,
					options: { response: { response: { fullResponse: true, neverError: true } } },
				},
				credentials: withCredential(credential),
			};
			const { id } = await n8n.client.createWorkflow(itemsWorkflow('Request', '[{}]', node));
			return await n8n.client.runToEnd(id, START, 60_000);
		}),
});

test('HTTP Request with the credential reaches the Base URL', async ({ requestWith, service }) => {
	expect((await requestWith(service.baseUrl + PATH)).status).toBe('success');
	expect(service.requests[0].headers.authorization).toBe(`Bearer ${service.accessToken}`);
});

test('HTTP Request with the credential takes the token to no other address', async ({
	requestWith,
	service,
}) => {
	const elsewhere = await startPartnerService();
	try {
		const { status, data } = await requestWith(elsewhere.baseUrl + PATH);
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toMatch(
			/^The access token can only be sent to the Base URL in its credential/,
		);
		service.faults.inject({ route: '*', redirectTo: elsewhere.baseUrl + PATH });
		await requestWith(service.baseUrl + PATH);
		expect(service.requests, 'a redirect is not followed').toHaveLength(1);
		expect(elsewhere.requests).toHaveLength(0);
	} finally {
		await elsewhere.close();
	}
});
