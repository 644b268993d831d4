import type { Credential, CredentialToCreate, N8nClient } from '../../tools/n8n/client.mts';
import { CREDENTIAL } from '../../demo/workflows/parts.mts';

interface Service {
	baseUrl: string;
	accessToken: string;
}

/** What a user enters to connect to that service. */
export function credentialFor({ baseUrl, accessToken }: Service): CredentialToCreate {
	const data = { baseUrl, accessToken };
	// As n8n numbers new ones.
	const name = ['Candidate Assessment account', ++created > 1 && created].filter(Boolean).join(' ');
	return { name, type: CREDENTIAL, data };
}

let created = 0;

export async function createCredential(client: N8nClient, service: Service): Promise<Credential> {
	return await client.createCredential(credentialFor(service));
}

/**
 * What n8n shows in place of a hidden value, but for its ID: in a credential that is there already, n8n takes its own
 * for what is stored.
 */
export const HIDDEN_VALUE = '__n8n_BLANK_VALUE_00000000-c777-4d57-a609-6eaf1f9e87f6';
