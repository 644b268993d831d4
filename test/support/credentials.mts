import type { Credential, N8nClient } from '../../tools/n8n/client.mts';
import { CREDENTIAL } from '../../demo/workflows/parts.mts';

interface Service {
	baseUrl: string;
	accessToken: string;
}

/** Creates a user's credential for that service. */
export async function createCredential(
	client: N8nClient,
	{ baseUrl, accessToken }: Service,
): Promise<Credential> {
	// Numbered as n8n does.
	const number = ++created > 1 ? ` ${created}` : '';
	const name = `Candidate Assessment account${number}`;
	return await client.createCredential({ name, type: CREDENTIAL, data: { baseUrl, accessToken } });
}

let created = 0;
