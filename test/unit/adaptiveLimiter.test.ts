import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { runBatch } from '../../nodes/CandidateAssessment/batch/runBatch';
import { parseCredentials } from '../../nodes/CandidateAssessment/transport/credentials';
import type { ApiError } from '../../nodes/CandidateAssessment/errors/ItemError';
import { ApiClient } from '../../nodes/CandidateAssessment/transport/ApiClient';
import {
	AdaptiveLimiter,
	type Clock,
} from '../../nodes/CandidateAssessment/transport/AdaptiveLimiter';
import type { Attempt } from '../../nodes/CandidateAssessment/transport/types';
import { VirtualClock } from '../integration/n8n/VirtualClock.mts';
import { rateLimit } from '../support/rateLimit.mts';

/** The node's clock, on a time that passes only when nobody has anything else to do. */
class TestClock implements Clock {
	readonly time = new VirtualClock();
	private readonly start = this.time.now;

	now = () => this.time.now - this.start;
	random = () => 0.5;

	async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		await new Promise<void>((wake, fail) => {
			this.time.after(milliseconds, wake);
			signal?.addEventListener('abort', () => fail(signal.reason as Error));
		});
	}
}

type Answer = Attempt<IDataObject>;

const answer = (status: number, headers = {}): Answer =>
	status === 200 ? { kind: 'success', data: {} } : { kind: 'response', status, headers, text: '' };

const lost = (wasSent: boolean): Answer => ({ kind: 'networkError', code: 'ECONNRESET', wasSent });

interface Simulation {
	items: number;
	concurrency: number;
	maxRetries?: number;
	continueOnFail?: boolean;
	/** What the service answers, and after how long. */
	service: (now: number, sent: number) => { answer: Answer; latency: number };
}

/** Sends a batch of invitations to a simulated service, on a virtual clock. */
async function send({
	items,
	concurrency,
	maxRetries = 5,
	continueOnFail = false,
	service,
}: Simulation) {
	const clock = new TestClock();
	const stop = new AbortController();
	const client = new ApiClient(
		undefined as never,
		parseCredentials({ baseUrl: 'https://example.com', accessToken: 't' }),
		{ concurrency, maxRetries, timeout: 1, maxWait: 60 },
		stop,
		clock,
	);
	const log: Array<{ at: number; item: number; inFlight: number; end?: number; answer?: Answer }> =
		[];
	let inFlight = 0;
	const attempt = async (item: number) => {
		inFlight++;
		const entry: (typeof log)[number] = { at: clock.now(), item, inFlight };
		log.push(entry);
		const { answer, latency } = service(clock.now(), log.length);
		await clock.sleep(latency);
		inFlight--;
		return Object.assign(entry, { end: clock.now(), answer }).answer;
	};
	const outcomes = await clock.time.until(
		runBatch(
			Array.from({ length: items }, (_, index) => index),
			async (item) => {
				try {
					const json = await client.withRetries(
						{ isRepeatable: false },
						[],
						async () => await attempt(item),
					);
					return { kind: 'succeeded', output: { json } };
				} catch (error) {
					const { outcome } = error as ApiError;
					return { kind: outcome, error: error as ApiError };
				}
			},
			{ concurrency, continueOnFail, stop },
		),
	);
	return { outcomes: outcomes!, log, took: clock.now() };
}

/** A service that takes this many requests a second, and says when to try again. */
function limitedTo(perSecond: number, latency: number, saysWhen: boolean) {
	const limit = rateLimit(perSecond);
	return (now: number) => {
		const wait = limit(now);
		if (wait === 0) return { answer: answer(200), latency };
		const seconds = Math.ceil(wait / 1000);
		return { answer: answer(429, saysWhen ? { 'retry-after': String(seconds) } : {}), latency };
	};
}

it('a batch ends even on a service that takes far fewer requests than it may send', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(0.5, 1, 3, 10, 50),
			fc.integer({ min: 1, max: 100 }),
			fc.integer({ min: 1, max: 60 }),
			fc.integer({ min: 1, max: 400 }),
			fc.boolean(),
			async (perSecond, concurrency, items, latency, saysWhen) => {
				const service = limitedTo(perSecond, latency, saysWhen);
				const { outcomes, log, took } = await send({ items, concurrency, service });
				expect(took).toBeLessThan((4 * 1000 * items) / perSecond + 2 * latency * items + 10_000);
				expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'succeeded'));
				const taken = log
					.filter(({ answer }) => answer?.kind === 'success')
					.map(({ item }) => item);
				expect(new Set(taken).size).toBe(items);
				expect(taken).toHaveLength(items);
			},
		),
		{ numRuns: 200 },
	);
});

const script = fc.array(
	fc.record({
		status: fc.constantFrom(200, 200, 200, 422, 429, 'lost' as const),
		wait: fc.nat(3),
		latency: fc.nat(500),
	}),
	{ minLength: 1 },
);

it('a batch never exceeds its concurrency, sends nothing during a pause, and one at a time until the service answers', async () => {
	let alone = 0;
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 30 }), script, async (concurrency, script) => {
			const pauses: Array<{ from: number; until: number }> = [];
			const { log } = await send({
				items: 40,
				concurrency,
				maxRetries: 20,
				continueOnFail: true,
				service: (now, sent) => {
					const { status, wait, latency } = script[sent % script.length];
					if (status === 'lost') return { answer: lost(true), latency };
					const from = now + latency;
					if (status === 429) pauses.push({ from, until: from + wait * 1000 });
					return { answer: answer(status, { 'retry-after': String(wait) }), latency };
				},
			});
			for (const { at, inFlight } of log) {
				expect(inFlight).toBeLessThanOrEqual(concurrency);
				expect(pauses.filter(({ from, until }) => from < at && at < until)).toEqual([]);
				const losses = log.filter(
					({ end = at, answer }) => end < at && answer?.kind === 'networkError',
				);
				const lastLoss = Math.max(0, ...losses.map(({ end }) => end!));
				const hasAnswered = log.some(
					({ at: start, end = Infinity, answer }) =>
						start >= lastLoss && end <= at && answer?.kind === 'success',
				);
				if (hasAnswered) continue;
				alone++;
				expect(inFlight).toBe(1);
			}
		}),
		{ numRuns: 200 },
	);
	expect(alone).toBeGreaterThan(400);
});

it('a batch sends retries first', async () => {
	const { log } = await send({
		items: 6,
		concurrency: 3,
		service: (_now, sent) => ({
			answer: sent === 3 ? answer(429, { 'retry-after': '1' }) : answer(200),
			latency: sent === 3 ? 10 : 20,
		}),
	});
	expect(log.map(({ item }) => item)).toEqual([0, 1, 2, 3, 2, 4, 5]);
	expect(log[4].at).toBe(1030);
});

it('a batch sends no waiting item once another has failed for good', async () => {
	const { outcomes, log } = await send({
		items: 50,
		concurrency: 8,
		service: (now, sent) => ({
			answer:
				now > 100 ? answer(400) : answer(sent > 1 && sent < 6 ? 429 : 200, { 'retry-after': '1' }),
			latency: 100,
		}),
	});
	// One alone, then eight, of which four are throttled. The next one is refused.
	expect(log).toHaveLength(10);
	expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(1);
	expect(outcomes.filter(({ kind }) => kind === 'notSent')).toHaveLength(44);
});

it('a batch waits for no retry once another item has failed for good', async () => {
	const { outcomes, took } = await send({
		items: 3,
		concurrency: 2,
		service: (_now, sent) => ({
			answer: [answer(200), lost(false), answer(400)][sent - 1],
			latency: 10 * sent,
		}),
	});
	expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'notSent', 'refused']);
	expect(took).toBe(40);
});

const limiterOf = (clock: Clock, stop = new AbortController()) =>
	new AdaptiveLimiter(4, clock, stop.signal);

it('a pause of the whole batch halves the limit, which rises by one after each round that succeeds', async () => {
	const clock = new TestClock();
	const limiter = new AdaptiveLimiter(8, clock, new AbortController().signal);
	let inFlight = 0;
	const start = () => void limiter.acquire(0).then(() => inFlight++);
	for (let request = 0; request < 21; request++) start();
	await clock.time.pass(0);
	const sent = [inFlight];
	limiter.onSuccess();
	limiter.release();
	inFlight = 0;
	await clock.time.pass(0);
	sent.push(inFlight);
	limiter.onThrottled(1000);
	limiter.onThrottled(1000);
	for (let round = 0; round < 4; round++) {
		const ended = inFlight;
		inFlight = 0;
		for (let request = 0; request < ended; request++) {
			if (round > 0) limiter.onSuccess();
			limiter.release();
		}
		await clock.time.pass(2000);
		sent.push(inFlight);
	}
	// Half of eight, less the other one that was throttled.
	expect(sent).toEqual([1, 8, 3, 4, 5, 0]);
});

it('a pause of the whole batch leaves no timer behind if nothing waits', async () => {
	const clock = new TestClock();
	const limiter = limiterOf(clock);
	await clock.time.until(limiter.acquire(0));
	limiter.onThrottled(5000);
	limiter.release();
	await expect(clock.time.until(new Promise(() => {}))).rejects.toThrow('never comes');
	expect(clock.now()).toBe(0);
	await clock.time.until(limiter.acquire(0));
	expect(clock.now()).toBe(5000);
});

it('a pause of the whole batch ends at once when the batch is stopped', async () => {
	const stop = new AbortController();
	const clock = new TestClock();
	const limiter = limiterOf(clock, stop);
	limiter.onThrottled(5000);
	const waiting = Promise.all([limiter.acquire(0), limiter.acquire(0)]);
	stop.abort();
	await clock.time.until(waiting);
	await clock.time.until(limiter.acquire(0));
	expect(clock.now()).toBe(0);
});
