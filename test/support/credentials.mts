import type { Credential, CredentialToCreate, N8nClient } from '../../tools/n8n/client.mts';
import { CREDENTIAL } from '../../demo/workflows/parts.mts';

interface Service {
	baseUrl: string;
	accessToken: string;
}

/** A user's entries to connect to that service. */
export function credentialFor({ baseUrl, accessToken }: Service): CredentialToCreate {
	const data = { baseUrl, accessToken };
	// Numbered as n8n does.
	const number = ++created > 1 ? ` ${created}` : '';
	return { name: `Candidate Assessment account${number}`, type: CREDENTIAL, data };
}

let created = 0;

export async function createCredential(client: N8nClient, service: Service): Promise<Credential> {
	return await client.createCredential(credentialFor(service));
}

/**
 * Like n8n's placeholder for a hidden value, but with another ID: in a saved credential, n8n replaces its own by the
 * stored value.
 */
export const HIDDEN_VALUE = '__n8n_BLANK_VALUE_00000000-c777-4d57-a609-6eaf1f9e87f6';
