import type { N8nClient } from '../../demo/n8n/client.mts';
import { withCredential } from '../../demo/n8n/workflows/parts.mts';

/** A stored credential, as a node holds it. */
export async function usedCredential(client: N8nClient, id: string) {
	const credential = (await client.listCredentials()).find((one) => one.id === id);
	if (!credential) throw new Error(`n8n has no credential ${id}`);
	return withCredential(credential);
}
