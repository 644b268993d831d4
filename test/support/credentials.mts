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
