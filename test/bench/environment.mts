import type { Credential, N8nClient } from '../../tools/n8n/client.mts';
import type { N8nProcess } from '../../tools/n8n/process.mts';
import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';
import { createCredential } from '../support/credentials.mts';
import { withN8n } from '../support/testEnvironment.mts';

/** What is measured: an n8n with the package, and a mock service that does nothing else. */
export interface BenchEnvironment {
	client: N8nClient;
	n8n: N8nProcess;
	service: PartnerService;
	credential: Credential;
}

/** Provides a new n8n of that version and removes it afterwards. */
export async function withBenchEnvironment<T>(
	version: string,
	use: (environment: BenchEnvironment) => Promise<T>,
): Promise<T> {
	return await withN8n(version, async ({ client, process: n8n }) => {
		// The demo's own mock service keeps writing all of its data to a file.
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
