/** The same checks on every line of n8n that the package is made for. */
import type { Demo } from '../../demo/demo.mts';
import type { Checks } from '../support/checks.mts';
import { withRealN8n, type Ground } from '../support/testEnvironment.mts';
import { checkBatches } from './versions/batches.mts';
import { checkConnectionTest } from './versions/connectionTest.mts';
import { checkDeliveries } from './versions/deliveries.mts';
import { checkExpressions } from './versions/expressions.mts';
import { checkLoading } from './versions/loading.mts';
import { checkOperations } from './versions/operations.mts';

export const LINES = ['2.41', '1.123'];

export default async function lines(checks: Checks): Promise<void> {
	for (const line of LINES) {
		const name = `lines-${line}`;
		const run = async (demo: Demo, { installation }: Ground) => {
			await checkLine(checks, demo);
			await checkExpressions(checks.about(`n8n ${demo.client.version}`), installation);
		};
		await withRealN8n(name, line, run, checks);
	}
}

/** Everything that the package does, once, in one n8n. */
export async function checkLine(checks: Checks, demo: Demo): Promise<void> {
	const check = checks.about(`n8n ${demo.client.version}`);
	// The demo's own workflow would ask the service for results at the same time.
	await demo.client.unpublish(demo.state.resultWorkflowId);
	await checkLoading(check, demo);
	await checkConnectionTest(check, demo);
	await checkOperations(check, demo);
	await checkBatches(check, demo);
	await checkDeliveries(check, demo);
}
