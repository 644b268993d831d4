import type { Credential, N8nClient } from '../../tools/n8n/client.mts';
import type { N8nProcess } from '../../tools/n8n/process.mts';
import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';
import { createCredential } from '../support/credentials.mts';
import { withN8n } from '../support/testEnvironment.mts';
import { START } from '../support/workflows.mts';

/** What is measured: an n8n with the package, and a mock service that does nothing else. */
export interface BenchEnvironment {
	client: N8nClient;
	n8n: N8nProcess;
	service: PartnerService;
	credential: Credential;
	log: (text: string) => void;
}

/** Provides a new n8n of that version and removes it afterwards. */
export async function withBenchEnvironment<T>(
	version: string,
	use: (environment: BenchEnvironment) => Promise<T>,
): Promise<T> {
	// Standard output is for the results.
	const log = (text: string) => console.error(text);
	return await withN8n(version, async ({ client, process: n8n }) => {
		// The demo's own mock service keeps writing all of its data to a file.
		const service = await startPartnerService();
		try {
			const credential = await createCredential(client, service);
			return await use({ client, n8n, service, credential, log });
		} finally {
			await service.close();
		}
	});
}

/** Runs a workflow; gives the milliseconds that a node took, as n8n recorded it, without the nodes before it. */
export async function nodeTime(
	client: N8nClient,
	workflowId: string,
	nodeName: string,
	expected: 'success' | 'error' = 'success',
): Promise<number> {
	const id = await client.run(workflowId, START);
	const { status, data } = await client.waitForExecution(id, 300_000, 500);
	const [run] = data.resultData.runData[nodeName] ?? [];
	if (status !== expected || !run) {
		throw new Error(`The execution ended as ${status}: ${data.resultData.error?.message}`);
	}
	return run.executionTime;
}

/** The middle value, or the lower one of two. */
export function median(values: readonly number[]): number {
	return percentile(values, 50);
}

/** The value that the given percentage of values does not exceed. */
export function percentile(values: readonly number[], percent: number): number {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}

/** The range of the values relative to their median. */
export function spread(values: readonly number[]): number {
	return (Math.max(...values) - Math.min(...values)) / median(values);
}
