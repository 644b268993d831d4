import type { Credential, N8nClient } from '../../tools/n8n/client.mts';
import type { PartnerService } from '../../mock-service/service.mts';
import { START } from '../support/workflows.mts';
import type { Figure, Measurement } from './report.mts';

/** What is measured: an n8n with the package, and a mock service that does nothing else. */
export interface BenchEnvironment {
	client: N8nClient;
	service: PartnerService;
	credential: Credential;
}

/** Runs a workflow; gives the milliseconds that a node took, as n8n recorded it, without the nodes before it. */
export async function nodeTime(
	client: N8nClient,
	workflowId: string,
	nodeName: string,
): Promise<number> {
	const id = await client.run(workflowId, START);
	const { status, data } = await client.waitForExecution(id, 300_000, 500);
	const [run] = data.resultData.runData[nodeName] ?? [];
	if (status !== 'success' || !run) {
		throw new Error(`The execution ended as ${status}: ${data.resultData.error?.message}`);
	}
	return run.executionTime;
}

/** Shows a measurement as soon as it is there. Standard output is for the report. */
export function logged(measurement: Measurement): Measurement {
	console.error(JSON.stringify(measurement));
	return measurement;
}

/** The median of some runs and their spread. There must be at least one run. */
export function figureOf(runs: readonly number[], unit: Figure['unit']): Figure {
	const value = percentile(runs, 50);
	return { value, unit, spread: (Math.max(...runs) - Math.min(...runs)) / value };
}

/** The value that the given percentage of values does not exceed. There must be at least one value. */
function percentile(values: readonly number[], percent: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}
