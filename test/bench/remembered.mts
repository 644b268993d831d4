import { batchWorkflow, FILLING, nodeOf, nodeTime, REMEMBERED, replaceNodes } from './batches.mts';
import type { BenchEnvironment } from './environment.mts';
import { median } from './stats.mts';

/** What a batch costs whose node remembers many earlier invitations. Times are in milliseconds. */
export interface RememberedStats {
	items: number;
	/** Applications that the node remembers. */
	remembered: number;
	/** Node time of each run, in order. */
	runs: number[];
	median: number;
}

const ITEMS = 1000;
const RUNS = 7;

/** New invitations, in turns with nobody remembered and with everybody. The service responds at once. */
export async function measureRemembered(
	environment: BenchEnvironment,
	log: (text: string) => void,
): Promise<RememberedStats[]> {
	const { client, service } = environment;
	const node = await nodeOf(environment, 'ours');
	const full = await batchWorkflow(environment, FILLING, node);
	for (let filled = 0; filled < REMEMBERED; filled += FILLING) await nodeTime(client, full);
	await replaceNodes(client, full, ITEMS, node);
	const runs = { none: [] as number[], all: [] as number[] };
	for (let run = 0; run < RUNS; run++) {
		service.clearRequests();
		// A workflow that is new remembers nobody.
		runs.none.push(await nodeTime(client, await batchWorkflow(environment, ITEMS, node)));
		runs.all.push(await nodeTime(client, full));
		const created = service.requests.filter(({ status }) => status === 200).length;
		if (created !== 2 * ITEMS) throw new Error(`${created} of ${2 * ITEMS} were invited`);
	}
	const stats = [
		{ items: ITEMS, remembered: 0, runs: runs.none, median: median(runs.none) },
		{ items: ITEMS, remembered: REMEMBERED, runs: runs.all, median: median(runs.all) },
	];
	const ratio = (stats[1].median / stats[0].median).toFixed(2);
	log(
		`${ITEMS} items, ${stats.map((one) => `${one.remembered} remembered: ${one.median.toFixed(0)} ms`).join(', ')} (${ratio} ×)`,
	);
	return stats;
}
