import { format } from 'prettier';

import {
	DEFAULT_CONCURRENCY,
	KINDS,
	HIGH_CONCURRENCY,
	LATENCIES,
	LIST_EXPRESSIONS,
	LOW_CONCURRENCY,
	REMEMBERED,
	type BatchStats,
	type Contender,
	type Expressions,
	type MemoryStats,
} from './batches.mts';
import { IN_FLIGHT, type DeliveryStats } from './deliveries.mts';
import type { OtherCallsStats } from './check.mts';
import type { RememberedStats } from './remembered.mts';
import type { RateLimitStats } from './rateLimit.mts';
import type { PackageSize } from './packageSize.mts';

export const NAMES: Record<Contender, string> = {
	ours: 'Candidate Assessment',
	httpRequest: 'HTTP Request with our credential',
	httpRequestHeader: 'HTTP Request with Header Auth',
	httpRequestPlain: 'HTTP Request with the token in plain text',
	fetchBaseline: 'fetch baseline',
};

/** The results of one run of the benchmark. */
export interface Results {
	date: string;
	n8n: string;
	node: string;
	machine: string;
	batches: BatchStats[];
	/** Nobody remembered, then everybody. */
	remembered: RememberedStats[];
	rateLimits: RateLimitStats[];
	otherCalls: OtherCallsStats;
	deliveries: DeliveryStats[];
	memory: MemoryStats[];
	packageSize: PackageSize;
	minutes: number;
}

/** Our time relative to HTTP Request with the same credential, at 0 and at 20 ms: at most so much. */
const LIMITS: Record<Expressions, [number, number]> = {
	'four paths': [0.25, 0.3],
	'four with a method': [0.3, 0.35],
	'three paths, one put together': [0.5, 0.5],
	'four put together': [1, 1],
};

function ratioOf(batches: readonly BatchStats[], kind: Expressions, latency: number): number {
	const [ours, http] = (['ours', 'httpRequest'] as const).map(
		(contender) =>
			find(batches, contender, 1000, latency, DEFAULT_CONCURRENCY, kind)?.median ?? NaN,
	);
	return ours / http;
}

export interface Goal {
	work: string;
	goal: string;
	measured: string;
	isMet: boolean;
}

/** Each goal with its measurement. Goals that the run did not measure are left out. */
export function goalsOf(results: Results): Goal[] {
	const { batches, remembered, deliveries, memory, packageSize, otherCalls } = results;
	const time = (
		contender: Contender,
		items: number,
		latency: number,
		concurrency = DEFAULT_CONCURRENCY,
	) => find(batches, contender, items, latency, concurrency)?.median ?? NaN;
	const atMost = (work: string, limit: number, ratio: number, of: string): Goal => ({
		work,
		goal: `≤ ${limit} × ${of}`,
		measured: `${ratio.toFixed(2)} ×`,
		isMet: ratio <= limit,
	});
	const concurrency = find(batches, 'ours', 1000, 20, DEFAULT_CONCURRENCY);
	const [ours, webhook] = deliveries;
	const [none, all] = remembered;
	const [oursMemory, httpMemory] = memory;
	const http = (contender: Contender, latency: number, limit: number) =>
		atMost(
			`1,000 items, ${latency} ms, default settings`,
			limit,
			time('ours', 1000, latency) / time(contender, 1000, latency),
			NAMES[contender],
		);
	const slowdown = otherCalls.during.response95th - otherCalls.quiet.response95th;
	const goals = [
		...KINDS.flatMap((kind) =>
			[0, 20].map((latency, index) =>
				atMost(
					`1,000 items, ${latency} ms, ${kind}`,
					LIMITS[kind][index],
					ratioOf(batches, kind, latency),
					NAMES.httpRequest,
				),
			),
		),
		http('httpRequestHeader', 0, 0.45),
		http('httpRequestHeader', 20, 0.6),
		{
			work: 'requests in flight',
			goal: `never more than ${DEFAULT_CONCURRENCY}, the default`,
			measured: String(concurrency?.inFlight),
			isMet: (concurrency?.inFlight ?? NaN) <= DEFAULT_CONCURRENCY,
		},
		atMost(
			`1,000 items, 20 ms, both with ${DEFAULT_CONCURRENCY} in flight`,
			1.5,
			time('ours', 1000, 20) / time('fetchBaseline', 1000, 20),
			NAMES.fetchBaseline,
		),
		...[LOW_CONCURRENCY, DEFAULT_CONCURRENCY].map((concurrency) =>
			atMost(
				`1,000 items, 100 ms, both with ${concurrency} in flight`,
				// The first request goes alone, which costs one round trip.
				1.1,
				time('ours', 1000, 100, concurrency) / time('fetchBaseline', 1000, 100, concurrency),
				NAMES.fetchBaseline,
			),
		),
		...LATENCIES.map((latency) =>
			atMost(
				`10,000 items against 1,000, ${latency} ms`,
				10.5,
				time('ours', 10_000, latency) / time('ours', 1000, latency),
				'the time',
			),
		),
		atMost(
			`${none.items.toLocaleString('en')} items, ${REMEMBERED.toLocaleString('en')} remembered`,
			1.15,
			all.median / none.median,
			'the time with none remembered',
		),
		{
			work: `other webhook calls during a check of ${otherCalls.items.toLocaleString('en')} items`,
			goal: '≤ 50 ms more than without, at the 95th percentile',
			measured: `${slowdown.toFixed(0)} ms`,
			isMet: slowdown <= 50,
		},
		{
			work: 'genuine deliveries',
			goal: "≥ 1.0 × the Webhook node's rate, within the noise",
			measured: `${(ours.accepted / webhook.accepted).toFixed(2)} × (noise ±${percent(noise(deliveries))})`,
			isMet: ours.accepted / webhook.accepted >= 1 - noise(deliveries),
		},
		{
			work: 'forged deliveries',
			goal: 'rejected at ≥ 2 × the rate at which genuine ones are accepted',
			measured: `${(ours.rejected / ours.accepted).toFixed(2)} ×`,
			isMet: ours.rejected / ours.accepted >= 2,
		},
		{
			work: 'tarball',
			goal: '≤ 50 kB',
			measured: `${(packageSize.tarball / 1000).toFixed(1)} kB`,
			isMet: packageSize.tarball <= 50_000,
		},
	];
	if (oursMemory && httpMemory) {
		goals.push(
			atMost(
				'peak memory, 10,000 items',
				1,
				oursMemory.peak / httpMemory.peak,
				NAMES.httpRequestPlain,
			),
		);
	}
	return goals.filter(({ measured }) => !measured.startsWith('NaN'));
}

/** Renders the results as the page for docs/. */
export async function renderReport(results: Results): Promise<string> {
	const { batches, remembered, rateLimits, deliveries, memory, packageSize } = results;
	const { otherCalls } = results;
	const kinds = batches.filter(
		({ contender, concurrency, expressions }) =>
			contender === 'ours' &&
			concurrency === DEFAULT_CONCURRENCY &&
			expressions === LIST_EXPRESSIONS,
	);
	const page = `# Performance

Made by \`npm run bench${memory.length === 0 ? ' -- --quick' : ''}\` on ${results.date}: n8n ${results.n8n}, Node.js ${results.node},
${results.machine}, in ${results.minutes.toFixed(1)} minutes. All contenders ran in the same n8n, in turns,
against a mock service on the same machine. The claims are ratios: seconds differ between machines.

## Goals

${table(
	['work', 'goal', 'measured', ''],
	goalsOf(results).map(({ work, goal, measured, isMet }) => [
		work,
		goal,
		measured,
		isMet ? 'met' : '**missed**',
	]),
)}

## Batches

A list as people have it: reference, email, first and last name are filled by an expression, everything else is
at its default, every candidate is new, and the node remembers ${REMEMBERED.toLocaleString('en')} earlier ones. HTTP Request fills the same
fields with one expression for the whole body.

Median seconds of node time as recorded by n8n, and how far the runs lie around it; in parentheses, our time
relative to it. The fetch
baseline is a plain fetch loop outside n8n with as many requests in flight as our node. HTTP Request
sends everything at once: its only limit is to wait between groups of items. With a token in plain text
it is fastest, because it reads no credential, but everyone who opens the workflow can read the token.

${table(
	[
		'items',
		'latency',
		'in flight',
		'ours',
		...OTHERS.map((other) => NAMES[other]),
		'in flight, HTTP Request',
		'runs',
	],
	kinds.map((ours) => {
		const { items, latency, concurrency } = ours;
		const http = find(batches, 'httpRequestPlain', items, latency, concurrency);
		return [
			items.toLocaleString('en'),
			`${latency} ms`,
			String(ours.inFlight),
			withSpread(ours),
			...OTHERS.map((other) => {
				const found = find(batches, other, items, latency, concurrency);
				return found ? `${withSpread(found)} (${(ours.median / found.median).toFixed(2)})` : '';
			}),
			http ? String(http.inFlight) : '',
			String(ours.runs.length),
		];
	}),
)}

![Time against items](images/performance.svg)

## Expressions

1,000 invitations, by what fills the four fields; seconds of node time, and in parentheses relative to HTTP Request
with our credential. A path such as \`$json.email\`, also with \`.trim()\`, \`.toLowerCase()\` or
\`.toUpperCase()\` at its end, is read without an evaluation. n8n evaluates everything else, such as
\`$json.ref + "-x"\`, at its own cost.

${table(
	['latency', ...KINDS],
	[0, 20].map((latency) => [
		`${latency} ms`,
		...KINDS.map((kind) => {
			const ours = find(batches, 'ours', 1000, latency, DEFAULT_CONCURRENCY, kind)?.median;
			return `${seconds(ours ?? NaN)} (${ratioOf(batches, kind, latency).toFixed(2)})`;
		}),
	]),
)}

## Other webhook calls during a check

n8n answers other webhook calls while a list of ${otherCalls.items.toLocaleString('en')} items with four fields put together is checked.

${table(
	['', 'calls', 'median', '95th percentile'],
	(['quiet', 'during'] as const).map((when) => [
		when === 'quiet' ? 'nothing else' : 'during the check',
		String(otherCalls[when].calls),
		`${otherCalls[when].median.toFixed(0)} ms`,
		`${otherCalls[when].response95th.toFixed(0)} ms`,
	]),
)}

## Concurrency

1,000 invitations at 20 ms of latency, by the option *Concurrency*. [profile.md](profile.md) explains the
default.

${table(
	['in flight', 'ours', 'fetch baseline'],
	[LOW_CONCURRENCY, DEFAULT_CONCURRENCY, HIGH_CONCURRENCY].map((concurrency) => [
		concurrency === DEFAULT_CONCURRENCY ? `${concurrency} (default)` : String(concurrency),
		...(['ours', 'fetchBaseline'] as const).map((contender) =>
			seconds(find(batches, contender, 1000, 20, concurrency)?.median ?? NaN),
		),
	]),
)}

## Earlier invitations

The node remembers up to ${REMEMBERED.toLocaleString('en')} applications, so that nobody is invited twice. n8n reads and writes all of
them for each group of requests in flight. Node time of ${remembered[0].items.toLocaleString('en')} new invitations, the service responding
at once:

${table(
	['remembered', 'seconds', 'runs'],
	remembered.map((one) => [
		one.remembered.toLocaleString('en'),
		seconds(one.median),
		String(one.runs.length),
	]),
)}

## A rate-limited service

${rateLimits[0].items} invitations at a service with a rate limit, which responds to the rest with 429 and
\`Retry-After: 1\`. Our node adapts to the limit; HTTP Request sends everything at once and fails.

${table(
	['limit per second', '', 'execution', 'created', 'rejected', 'seconds', 'shortest possible'],
	rateLimits.map(({ perSecond, contender, succeeded, items, created, rejected, ...times }) => [
		String(perSecond),
		NAMES[contender],
		succeeded ? 'succeeded' : '**failed**',
		`${created} of ${items}`,
		String(rejected),
		times.seconds.toFixed(1),
		times.minSeconds.toFixed(1),
	]),
)}

## Memory

${
	memory.length === 0
		? 'Not measured in this run.'
		: table(
				['', 'items', 'peak of the n8n process', 'growth'],
				memory.map(({ contender, items, peak, growth }) => [
					NAMES[contender],
					items.toLocaleString('en'),
					`${peak.toFixed(0)} MiB`,
					`${growth.toFixed(0)} MiB`,
				]),
			)
}

## Deliveries

${IN_FLIGHT} calls in flight. Accepted means that the execution has finished.

${table(
	[
		'',
		'accepted per second',
		'median response time',
		'99th percentile',
		'forged calls rejected per second',
	],
	deliveries.map((stats) => [
		stats.contender === 'ours' ? 'Candidate Assessment Trigger' : 'Webhook, header authentication',
		stats.accepted.toFixed(1),
		`${stats.responseMedian.toFixed(0)} ms`,
		`${stats.response99th.toFixed(0)} ms`,
		stats.rejected.toFixed(1),
	]),
)}

## Package size

${table(
	['tarball', 'unpacked', 'cold require of both nodes'],
	[
		[
			`${(packageSize.tarball / 1000).toFixed(1)} kB`,
			`${(packageSize.unpacked / 1000).toFixed(1)} kB`,
			`${packageSize.requireTime.toFixed(0)} ms`,
		],
	],
)}

Where the time of a batch goes: [profile.md](profile.md).
`;
	return await format(page, { parser: 'markdown', printWidth: 100 });
}

function find(
	stats: readonly BatchStats[],
	contender: Contender,
	items: number,
	latency: number,
	concurrency: number,
	expressions = LIST_EXPRESSIONS,
): BatchStats | undefined {
	return stats.find(
		(one) =>
			one.contender === contender &&
			one.items === items &&
			one.latency === latency &&
			one.concurrency === concurrency &&
			one.expressions === expressions,
	);
}

const HTTP = ['httpRequest', 'httpRequestHeader', 'httpRequestPlain'] as const;
const OTHERS: readonly Contender[] = [...HTTP, 'fetchBaseline'];

function noise(deliveries: readonly DeliveryStats[]): number {
	return Math.max(...deliveries.map(({ acceptedSpread }) => acceptedSpread)) / 2;
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2);
/** The distance between the fastest and the slowest run, half to each side. */
const withSpread = ({ median, spread }: BatchStats) => `${seconds(median)} ±${percent(spread / 2)}`;
const percent = (share: number) => `${Math.round(share * 100)} %`;
const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;

function table(head: string[], rows: string[][]): string {
	return [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join(
		'\n',
	);
}
