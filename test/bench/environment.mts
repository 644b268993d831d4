import type { Credential, N8nClient } from '../../tools/n8n/client.mts';
import type { PartnerService } from '../../mock-service/service.mts';
import { ACTION_NODE, START } from '../e2e/support/workflows.mts';
import type { Figure, Measurement } from './report.mts';

/** The setup under measurement: n8n with the package, and a mock service that does nothing else. */
export interface BenchEnvironment {
	client: N8nClient;
	service: PartnerService;
	credential: Credential;
}

/** Runs a workflow. Returns its node's seconds as n8n recorded them, without the nodes before it. */
export async function nodeTime(client: N8nClient, workflowId: string): Promise<number> {
	const id = await client.run(workflowId, START);
	const { status, data } = await client.waitForExecution(id, 300_000, 500);
	const [run] = data.resultData.runData[ACTION_NODE] ?? [];
	if (status !== 'success' || !run) {
		throw new Error(`The execution ended as ${status}: ${data.resultData.error?.message}`);
	}
	return run.executionTime / 1000;
}

/** Shows a measurement as soon as it exists. Standard output is for the report. */
export function logged(measurement: Measurement): Measurement {
	console.error(JSON.stringify(measurement));
	return measurement;
}

/** Summarizes at least one run, in seconds. */
export function figureOf(runs: readonly number[]): Figure {
	const sorted = [...runs].sort((a, b) => a - b);
	const median = sorted[Math.ceil(runs.length / 2) - 1];
	return { seconds: median, spread: (sorted.at(-1)! - sorted[0]) / median };
}
