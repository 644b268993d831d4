import type { Credential, CredentialToCreate, N8nClient } from '../../tools/n8n/client.mts';
import { CREDENTIAL } from '../../demo/workflows/parts.mts';

interface Service {
	baseUrl: string;
	accessToken: string;
}

/** What a user enters to connect to that service. */
export function credentialFor(
	{ baseUrl, accessToken }: Service,
	webhookSecret = '',
): CredentialToCreate {
	const data = { baseUrl, accessToken, webhookSecret };
	return { name: `Assessments at ${baseUrl}`, type: CREDENTIAL, data };
}

export async function createCredential(client: N8nClient, service: Service): Promise<Credential> {
	return await client.createCredential(credentialFor(service));
}
