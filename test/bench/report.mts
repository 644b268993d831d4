import { format } from 'prettier';

import {
	DEFAULT_BOUND,
	HIGH_BOUND,
	LATENCIES,
	LOW_BOUND,
	type BatchFigures,
	type Contender,
	type MemoryFigures,
} from './batches.mts';
import { IN_FLIGHT, type DeliveryFigures } from './deliveries.mts';
import type { RateLimitFigures } from './rateLimit.mts';
import type { WeightFigures } from './packageSize.mts';

export const NAMES: Record<Contender, string> = {
	ours: 'Candidate Assessment',
	httpRequest: 'HTTP Request with our credential',
	httpRequestHeader: 'HTTP Request with Header Auth',
	httpRequestPlain: 'HTTP Request with the token in plain text',
	bareLoop: 'the bare loop',
};

/** All that one run of the benchmark found. */
export interface Results {
	date: string;
	n8n: string;
	node: string;
	machine: string;
	batches: BatchFigures[];
	rateLimits: RateLimitFigures[];
	deliveries: DeliveryFigures[];
	memory: MemoryFigures[];
	weight: WeightFigures;
	minutes: number;
}

export interface Goal {
	work: string;
	goal: string;
	measured: string;
	isMet: boolean;
}

/** Each goal with what was measured; those that the run did not measure are left out. */
export function goalsOf({ batches, deliveries, memory, weight }: Results): Goal[] {
	const time = (contender: Contender, items: number, latency: number, bound = DEFAULT_BOUND) =>
		find(batches, contender, items, latency, bound)?.median ?? NaN;
	const atMost = (work: string, limit: number, ratio: number, of: string): Goal => ({
		work,
		goal: `≤ ${limit} × ${of}`,
		measured: `${ratio.toFixed(2)} ×`,
		isMet: ratio <= limit,
	});
	const bound = find(batches, 'ours', 1000, 20, DEFAULT_BOUND);
	const [ours, webhook] = deliveries;
	const [oursMemory, httpMemory] = memory;
	const goals = [
		...HTTP.flatMap((http) => [
			atMost('1,000 items, 0 ms', 0.4, time('ours', 1000, 0) / time(http, 1000, 0), NAMES[http]),
			atMost(
				'1,000 items, 20 ms, default settings',
				0.8,
				time('ours', 1000, 20) / time(http, 1000, 20),
				NAMES[http],
			),
		]),
		{
			work: 'requests in flight',
			goal: `never more than ${DEFAULT_BOUND}, the default`,
			measured: String(bound?.inFlight),
			isMet: (bound?.inFlight ?? NaN) <= DEFAULT_BOUND,
		},
		...[LOW_BOUND, DEFAULT_BOUND].map((bound) =>
			atMost(
				`1,000 items, 100 ms, both with ${bound} in flight`,
				1.1,
				time('ours', 1000, 100, bound) / time('bareLoop', 1000, 100, bound),
				NAMES.bareLoop,
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
		{
			work: 'genuine deliveries',
			goal: "≥ 1.0 × the Webhook node's rate, within the noise",
			measured: `${(ours.accepted / webhook.accepted).toFixed(2)} × (noise ±${percent(noise(deliveries))})`,
			isMet: ours.accepted / webhook.accepted >= 1 - noise(deliveries),
		},
		{
			work: 'forged deliveries',
			goal: 'refused at ≥ 2 × the rate at which genuine ones are accepted',
			measured: `${(ours.refused / ours.accepted).toFixed(2)} ×`,
			isMet: ours.refused / ours.accepted >= 2,
		},
		{
			work: 'tarball',
			goal: '≤ 40 kB',
			measured: `${(weight.tarball / 1000).toFixed(1)} kB`,
			isMet: weight.tarball <= 40_000,
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

/** The page for docs/, made of one run. */
export async function renderPage(results: Results): Promise<string> {
	const { batches, rateLimits, deliveries, memory, weight } = results;
	const kinds = batches.filter(
		({ contender, bound }) => contender === 'ours' && bound === DEFAULT_BOUND,
	);
	const page = `# Performance

Made by \`npm run bench\` on ${results.date}: n8n ${results.n8n}, Node.js ${results.node},
${results.machine}, in ${results.minutes.toFixed(1)} minutes. Everything ran in the same n8n, in turns, against
a service on the same machine. Ratios are the claim: seconds differ from machine to machine.

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

Seconds of node time from n8n's own record, medians; in brackets, ours as a share of it. The bare loop
is a plain fetch loop outside n8n with as many requests in flight as our node. HTTP Request sends
everything at once: n8n gives it no other bound than waiting between groups. A token in plain text is
the fastest that it can be: it reads no credential, and everybody who opens the workflow reads the token.

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
		const { items, latency, bound } = ours;
		const http = find(batches, 'httpRequestPlain', items, latency, bound);
		return [
			items.toLocaleString('en'),
			`${latency} ms`,
			String(ours.inFlight),
			seconds(ours.median),
			...OTHERS.map((other) => {
				const found = find(batches, other, items, latency, bound);
				return found ? `${seconds(found.median)} (${(ours.median / found.median).toFixed(2)})` : '';
			}),
			http ? String(http.inFlight) : '',
			String(ours.runs.length),
		];
	}),
)}

![Time against items](images/performance.svg)

## How many at once

1,000 invitations, 20 ms of latency, by the option *Concurrency*. Why the default is what it is:
[profile.md](profile.md).

${table(
	['in flight', 'ours', 'the bare loop'],
	[LOW_BOUND, DEFAULT_BOUND, HIGH_BOUND].map((bound) => [
		bound === DEFAULT_BOUND ? `${bound} (default)` : String(bound),
		...(['ours', 'bareLoop'] as const).map((contender) =>
			seconds(find(batches, contender, 1000, 20, bound)?.median ?? NaN),
		),
	]),
)}

## A service with a limit

${rateLimits[0].items} invitations at a service that takes only so many a second and answers 429 with
\`Retry-After: 1\` to the others. Our node finds out how many it takes; HTTP Request sends all at once and fails.

${table(
	['a second', '', 'execution', 'taken', 'turned away', 'seconds', 'the least possible'],
	rateLimits.map(({ perSecond, contender, succeeded, items, taken, refused, ...times }) => [
		String(perSecond),
		NAMES[contender],
		succeeded ? 'succeeded' : '**failed**',
		`${taken} of ${items}`,
		String(refused),
		times.seconds.toFixed(1),
		times.least.toFixed(1),
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

${IN_FLIGHT} calls in flight; accepted means that the execution has finished.

${table(
	['', 'accepted a second', 'answer, median', 'answer, 99th percentile', 'forged refused a second'],
	deliveries.map((figures) => [
		figures.contender === 'ours'
			? 'Candidate Assessment Trigger'
			: 'Webhook, header authentication',
		figures.accepted.toFixed(1),
		`${figures.answerMedian.toFixed(0)} ms`,
		`${figures.answer99th.toFixed(0)} ms`,
		figures.refused.toFixed(1),
	]),
)}

## Weight

${table(
	['tarball', 'unpacked', 'cold require of both nodes'],
	[
		[
			`${(weight.tarball / 1000).toFixed(1)} kB`,
			`${(weight.unpacked / 1000).toFixed(1)} kB`,
			`${weight.requireTime.toFixed(0)} ms`,
		],
	],
)}

Where the time of a batch goes: [profile.md](profile.md).
`;
	return await format(page, { parser: 'markdown', printWidth: 100 });
}

function find(
	figures: readonly BatchFigures[],
	contender: Contender,
	items: number,
	latency: number,
	bound: number,
): BatchFigures | undefined {
	return figures.find(
		(one) =>
			one.contender === contender &&
			one.items === items &&
			one.latency === latency &&
			one.bound === bound,
	);
}

const HTTP = ['httpRequest', 'httpRequestHeader', 'httpRequestPlain'] as const;
const OTHERS: readonly Contender[] = [...HTTP, 'bareLoop'];

function noise(deliveries: readonly DeliveryFigures[]): number {
	return Math.max(...deliveries.map(({ acceptedSpread }) => acceptedSpread)) / 2;
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2);
const percent = (share: number) => `${Math.round(share * 100)} %`;
const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;

function table(head: string[], rows: string[][]): string {
	return [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join(
		'\n',
	);
}
