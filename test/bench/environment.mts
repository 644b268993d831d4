import type { Credential, N8nClient } from '../../tools/n8n/client.mts';
import type { N8nProcess } from '../../tools/n8n/process.mts';
import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';
import { createCredential } from '../support/credentials.mts';
import { withN8n } from '../support/testEnvironment.mts';

/** What is measured: an n8n with the package, and a service that does nothing besides. */
export interface Ground {
	client: N8nClient;
	n8n: N8nProcess;
	service: PartnerService;
	credential: Credential;
}

/** Lends a new n8n of that line, and clears it away. */
export async function withGround<T>(line: string, use: (ground: Ground) => Promise<T>): Promise<T> {
	return await withN8n(line, async ({ client, process: n8n }) => {
		// The demo's own service writes all that it has ever seen to a file, again and again.
		const service = await startPartnerService();
		try {
			return await use({
				client,
				n8n,
				service,
				credential: await createCredential(client, service),
			});
		} finally {
			await service.close();
		}
	});
}
