import { format } from 'prettier';

import {
	HALF_REMEMBERED,
	HIGH_CONCURRENCY,
	LATENCIES,
	LOW_CONCURRENCY,
	REMEMBERED,
	USUAL,
	type BatchStats,
	type MemoryStats,
} from './batches.mts';
import type { OtherCallsStats } from './check.mts';
import { DEFAULT_CONCURRENCY, NAMES, type Contender, type Expressions } from './contenders.mts';
import { IN_FLIGHT, type DeliveryStats } from './deliveries.mts';

/** The results of one run of the benchmark. */
export interface Results {
	date: string;
	n8n: string;
	node: string;
	machine: string;
	batches: BatchStats[];
	otherCalls: OtherCallsStats;
	deliveries: DeliveryStats[];
	memory: MemoryStats[];
	/** In bytes. */
	packageSize: { tarball: number; unpacked: number };
	minutes: number;
}

/** Our time relative to HTTP Request with the same credential, at 0 and at 20 ms: at most so much. */
const LIMITS: Record<Expressions, [number, number]> = {
	'four paths': [0.25, 0.3],
	'four with a method': [0.3, 0.35],
	'three paths, one put together': [0.5, 0.5],
	'four put together': [1, 1],
};
const KINDS = Object.keys(LIMITS) as Expressions[];
const CONTENDERS = Object.keys(NAMES) as Contender[];

export interface Goal {
	work: string;
	goal: string;
	measured: string;
	isMet: boolean;
}

/** Each goal with its measurement. Goals that the run did not measure are left out. */
export function goalsOf(results: Results): Goal[] {
	const { batches, deliveries, memory, packageSize, otherCalls } = results;
	const time = (contender: Contender, kind: Partial<BatchStats>) =>
		timeOf(batches, contender, kind);
	const atMost = (work: string, limit: number, measured: number, of = '×', digits = 2): Goal => ({
		work,
		goal: `≤ ${limit} ${of}`,
		measured: measured.toFixed(digits),
		isMet: measured <= limit,
	});
	const againstFetch = (limit: number, latency: number, concurrency: number) => {
		const kind = { latency, concurrency };
		const ratio = time('ours', kind) / time('fetchBaseline', kind);
		const work = `1,000 items, ${latency} ms, both with ${concurrency} in flight`;
		return atMost(work, limit, ratio, `× ${NAMES.fetchBaseline}`);
	};
	const [ours, webhook] = deliveries;
	const noise = Math.max(...deliveries.map(({ acceptedSpread }) => acceptedSpread)) / 2;
	const accepted = ours.accepted / webhook.accepted;
	const rejected = ours.rejected / ours.accepted;
	const slowdown = otherCalls.during.response95th - otherCalls.quiet.response95th;
	const goals = [
		...KINDS.flatMap((expressions) =>
			[0, 20].map((latency, index) => {
				const ratio = ratioOf(batches, { expressions, latency });
				const work = `1,000 items, ${latency} ms, ${expressions}`;
				return atMost(work, LIMITS[expressions][index], ratio, `× ${NAMES.httpRequest}`);
			}),
		),
		...[0, 20].map((latency, index) => {
			const ratio = ratioOf(batches, { latency, remembered: HALF_REMEMBERED });
			const work = `1,000 items, ${latency} ms, four paths, ${count(HALF_REMEMBERED)} remembered`;
			return atMost(work, LIMITS['four paths'][index], ratio, `× ${NAMES.httpRequest}`);
		}),
		atMost(
			'requests in flight, by default',
			DEFAULT_CONCURRENCY,
			find(batches, 'ours', { latency: 20 })?.inFlight ?? NaN,
			'',
			0,
		),
		againstFetch(1.5, 20, DEFAULT_CONCURRENCY),
		// The first request goes alone, which costs one round trip.
		againstFetch(1.1, 100, LOW_CONCURRENCY),
		againstFetch(1.1, 100, DEFAULT_CONCURRENCY),
		...LATENCIES.map((latency) => {
			const ratio = time('ours', { items: 10_000, latency }) / time('ours', { latency });
			return atMost(`10,000 items against 1,000, ${latency} ms`, 10.5, ratio, '× the time');
		}),
		atMost(
			`1,000 items, 0 ms, ${count(REMEMBERED)} remembered`,
			1.15,
			time('ours', { latency: 0 }) / time('ours', { latency: 0, remembered: 0 }),
			'× the time with none remembered',
		),
		atMost(
			`other webhook calls during a check of ${count(otherCalls.items)} items`,
			50,
			slowdown,
			'ms more than without, at the 95th percentile',
			0,
		),
		{
			work: 'genuine deliveries',
			goal: "≥ 1 × the Webhook node's rate, within the noise",
			measured: `${accepted.toFixed(2)} (noise ±${percent(noise)})`,
			isMet: accepted >= 1 - noise,
		},
		{
			work: 'forged deliveries rejected',
			goal: '≥ 2 × the rate at which genuine ones are accepted',
			measured: rejected.toFixed(2),
			isMet: rejected >= 2,
		},
		atMost('tarball', 50, packageSize.tarball / 1000, 'kB', 1),
		atMost(
			'peak memory, 10,000 items',
			1,
			memory.length === 0 ? NaN : memory[0].peak / memory[1].peak,
			`× ${NAMES.httpRequestPlain}`,
		),
	];
	return goals.filter(({ measured }) => measured !== 'NaN');
}

/** Renders the results as the page for docs/. */
export async function renderReport(results: Results): Promise<string> {
	const { batches, deliveries, memory, otherCalls, packageSize } = results;
	const lists = batches.filter(
		(one) => one.contender === 'ours' && isKind(one, { items: one.items }),
	);
	const page = `# Performance

Made by \`npm run bench${memory.length === 0 ? ' -- --quick' : ''}\` on ${results.date}: n8n ${results.n8n}, Node.js ${results.node},
${results.machine}, in ${results.minutes.toFixed(1)} minutes. All contenders ran in the same n8n, in turns,
against a mock service on the same machine. The claims are ratios: seconds differ between machines.

## Goals

${table(
	['work', 'goal', 'measured', ''],
	goalsOf(results).map(({ isMet, ...goal }) => [
		...Object.values(goal),
		isMet ? 'met' : '**missed**',
	]),
)}

A path such as \`$json.email\`, also with \`.trim()\`, \`.toLowerCase()\` or \`.toUpperCase()\` at its end, is
read without an evaluation. n8n evaluates everything else, such as \`$json.ref + "-x"\`, at its own cost.

## Batches

A list as people have it: reference, email, first and last name are filled by an expression, everything else is
at its default, every candidate is new, and the node remembers ${count(REMEMBERED)} earlier ones. HTTP Request fills the same
fields with one expression for the whole body, and sends everything at once. With a token in plain text it is
fastest, because it reads no credential, but everyone who opens the workflow can read the token. The fetch baseline is
a plain fetch loop outside n8n with as many requests in flight as our node.

Median seconds of node time as recorded by n8n, and how far the runs lie around it; in parentheses, our time
relative to it.

${table(
	['items', 'latency', ...CONTENDERS.map((contender) => NAMES[contender])],
	lists.map((ours) => [
		count(ours.items),
		`${ours.latency} ms`,
		...CONTENDERS.map((contender) => {
			const found = find(batches, contender, { items: ours.items, latency: ours.latency });
			if (!found) return '';
			const time = `${seconds(found.median)} ±${percent(found.spread / 2)}`;
			return found === ours ? time : `${time} (${(ours.median / found.median).toFixed(2)})`;
		}),
	]),
)}

## Deliveries

${IN_FLIGHT} calls in flight. Accepted means that the execution has finished.

${table(
	['', 'accepted per second', 'median response time', 'forged calls rejected per second'],
	deliveries.map((stats) => [
		stats.contender === 'ours' ? 'Candidate Assessment Trigger' : 'Webhook, header authentication',
		stats.accepted.toFixed(1),
		`${stats.responseMedian.toFixed(0)} ms`,
		stats.rejected.toFixed(1),
	]),
)}

## Other figures

${[LOW_CONCURRENCY, DEFAULT_CONCURRENCY, HIGH_CONCURRENCY].map((concurrency) => `- 1,000 invitations at 20 ms with ${concurrency} in flight: ${seconds(timeOf(batches, 'ours', { latency: 20, concurrency }))} seconds.`).join('\n')}
- 1,000 invitations at 0 ms with none remembered: ${seconds(timeOf(batches, 'ours', { latency: 0, remembered: 0 }))} seconds, with ${count(HALF_REMEMBERED)}:
  ${seconds(timeOf(batches, 'ours', { latency: 0, remembered: HALF_REMEMBERED }))}, with ${count(REMEMBERED)}: ${seconds(timeOf(batches, 'ours', { latency: 0 }))}.
- n8n answered other webhook calls within ${otherCalls.quiet.response95th.toFixed(0)} ms (95th percentile), and within
  ${otherCalls.during.response95th.toFixed(0)} ms while a list of ${count(otherCalls.items)} items with four fields put together was checked.
${memory.map((one) => `- Peak memory of n8n, ${count(one.items)} items, ${NAMES[one.contender]}: ${one.peak.toFixed(0)} MiB.\n`).join('')}- The tarball has ${(packageSize.tarball / 1000).toFixed(1)} kB, unpacked ${(packageSize.unpacked / 1000).toFixed(1)} kB.

Where the time of a batch goes: [profile.md](profile.md).
`;
	return await format(page, { parser: 'markdown', printWidth: 100 });
}

function isKind(stats: BatchStats, kind: Partial<BatchStats>): boolean {
	const wanted = { ...USUAL, ...kind };
	return (Object.keys(wanted) as Array<keyof BatchStats>).every(
		(key) => stats[key] === wanted[key],
	);
}

/** A batch of that kind, a usual list where not said otherwise. */
function find(stats: readonly BatchStats[], contender: Contender, kind: Partial<BatchStats>) {
	return stats.find((one) => isKind(one, { ...kind, contender }));
}

function timeOf(...args: Parameters<typeof find>): number {
	return find(...args)?.median ?? NaN;
}

function ratioOf(batches: readonly BatchStats[], kind: Partial<BatchStats>) {
	return timeOf(batches, 'ours', kind) / timeOf(batches, 'httpRequest', kind);
}

const count = (value: number) => value.toLocaleString('en');
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2);
const percent = (share: number) => `${Math.round(share * 100)} %`;
const row = (cells: string[]) => `| ${cells.join(' | ')} |`;

function table(head: string[], rows: string[][]): string {
	return [head, head.map(() => '---'), ...rows].map(row).join('\n');
}
