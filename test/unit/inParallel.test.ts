import { useVirtualTime } from '../integration/support/n8n/virtualTime.mts';
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	ApiError,
	ItemError,
	type ItemOutcome,
	SERVICE_DOWN,
} from '../../nodes/CandidateAssessment/errors/ItemError';
import type { Batch } from '../../nodes/CandidateAssessment/batch/batch';
import { inParallel } from '../../nodes/CandidateAssessment/batch/run';
import { meaningOf } from '../../nodes/CandidateAssessment/errors/statusMeaning';
import { ApiClient } from '../../nodes/CandidateAssessment/transport/ApiClient';
import { parseCredentials } from '../../nodes/CandidateAssessment/transport/credentials';
import type { Attempt } from '../../nodes/CandidateAssessment/transport/types';

type Answer = Attempt<IDataObject>;

const answer = (status: number, headers = {}): Answer =>
	status === 200 ? { kind: 'success', data: {} } : { kind: 'response', status, headers, text: '' };

const THROTTLED = answer(429, { 'retry-after': '1' });
const lost = (wasSent: boolean): Answer => ({ kind: 'networkError', code: 'ECONNRESET', wasSent });

interface Simulation {
	items: number;
	concurrency: number;
	maxRetries?: number;
	continueOnFail?: boolean;
	/** Whether a request of unknown outcome is sent again. */
	isRepeatable?: boolean;
	/** The service's answer and latency. */
	service: (now: number, sent: number) => { answer: Answer; latency: number };
}

/** An attempt as the service sees it. One counter numbers starts and ends. */
interface Seen {
	item: number;
	at: number;
	start: number;
	inFlight: number;
	endsAt: number;
	end: number;
	answer: Answer;
}

/** Sends invitations to a simulated service. Time passes only when all of them wait for it. */
async function send({
	items,
	service,
	maxRetries = 5,
	continueOnFail = false,
	isRepeatable = false,
	...more
}: Simulation) {
	const clock = useVirtualTime();
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const beginning = clock.now;
	const passed = () => clock.now - beginning;
	const stop = new AbortController();
	const client = new ApiClient(
		undefined as never,
		parseCredentials({ baseUrl: 'https://example.com', accessToken: 't' }),
		{ ...more, maxRetries, timeout: 1, maxWait: 60 },
		stop,
	);
	const log: Seen[] = [];
	let inFlight = 0;
	let events = 0;
	const attempt = async (item: number) => {
		const at = passed();
		const { answer, latency } = service(at, log.length + 1);
		const [start, endsAt] = [events++, at + latency];
		const seen = { item, at, start, inFlight: ++inFlight, endsAt, end: Infinity, answer };
		log.push(seen);
		await clock.sleep(latency);
		inFlight--;
		seen.end = events++;
		return answer;
	};
	const run = async (item: number): Promise<ItemOutcome> => {
		try {
			const json = await client.withRetries({ isRepeatable }, async () => await attempt(item));
			return { kind: 'succeeded', output: { json } };
		} catch (error) {
			return { kind: (error as ApiError).kind, error: error as ApiError };
		}
	};
	const tasks = Array.from({ length: items }, (_, index) => index);
	const outcomes = await clock.until(
		inParallel(tasks, run, { options: more, continueOnFail, stop } as Batch),
	);
	const took = passed();
	await expect(clock.until(new Promise(() => {}))).rejects.toThrow('never comes');
	return { outcomes: outcomes!, log, took, isIdle: passed() === took };
}

/** A service that takes this many requests per second, at least one at once, and may say when to try again. */
function limitedTo(perSecond: number, latency: number, saysWhen: boolean) {
	const most = Math.max(1, perSecond);
	let left = most;
	let last = 0;
	return (now: number) => {
		left = Math.min(most, left + ((now - last) / 1000) * perSecond);
		last = now;
		const isTaken = left >= 1;
		if (isTaken) left--;
		const seconds = Math.ceil((1 - left) / perSecond);
		const headers = saysWhen ? { 'retry-after': String(seconds) } : {};
		return { answer: isTaken ? answer(200) : answer(429, headers), latency };
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
				expect(log.filter(({ answer }) => answer.kind === 'success')).toHaveLength(items);
			},
		),
		{ numRuns: 200 },
	);
});

it.each([
	// Half of eight, less one for each other throttled request; then one more after each round.
	['throttled: half as many, retries first', 3, THROTTLED, [1, 8, 2, 3, 4, 5, 6, 4], [1, 2]],
	['lost: as many as before, and no retry', 2, lost(true), [1, 8, 8, 8, 5], [9, 10]],
])('a batch goes on after requests of one round are %s (%i)', async (...row) => {
	const [, count, failure, sizes, next] = row;
	const service = (_now: number, sent: number) => ({
		answer: sent > 1 && sent <= 1 + count ? failure : answer(200),
		latency: 100,
	});
	const { log } = await send({ items: 30, concurrency: 8, continueOnFail: true, service });
	const times = [...new Set(log.map(({ at }) => at))];
	const rounds = times.map((time) => log.filter(({ at }) => at === time));
	expect(rounds.map(({ length }) => length)).toEqual(sizes);
	expect(rounds[2].slice(0, 2).map(({ item }) => item)).toEqual(next);
});

const ANSWERS = {
	succeeded: answer(200),
	rejected: answer(422),
	tokenRefused: answer(401),
	lost: lost(true),
	notSent: lost(false),
};

interface Step {
	event: keyof typeof ANSWERS | 'throttled';
	/** The wait in seconds, if throttled. */
	wait: number;
	latency: number;
}

/** The service's reactions to attempts, in a cycle. Most attempts succeed. */
const scriptOf = (...events: Array<Step['event']>) =>
	fc.array(
		fc.record<Step>({
			event: fc.oneof(
				{ arbitrary: fc.constant('succeeded'), weight: 4 },
				fc.constantFrom(...events),
			),
			wait: fc.nat(3),
			latency: fc.nat(500),
		}),
		{ minLength: 1, maxLength: 30 },
	);

const following = (script: Step[]) => (_now: number, sent: number) => {
	const { event, wait, latency } = script[sent % script.length];
	const throttled = answer(429, { 'retry-after': String(wait) });
	return { answer: event === 'throttled' ? throttled : ANSWERS[event], latency };
};

const statusOf = ({ answer }: Seen) => (answer.kind === 'response' ? answer.status : undefined);
const ITEMS = 40;
const concurrency = fc.integer({ min: 1, max: 30 });

it('a batch keeps its order, its concurrency and its pauses, and ends with its last response', async () => {
	const plan = fc.record({
		concurrency,
		maxRetries: fc.constantFrom(0, 1, 20),
		continueOnFail: fc.boolean(),
		isRepeatable: fc.boolean(),
		script: scriptOf('throttled', 'throttled', 'rejected', 'tokenRefused', 'lost', 'notSent'),
	});
	await fc.assert(
		fc.asyncProperty(plan, async ({ script, ...options }) => {
			const service = following(script);
			const { outcomes, log, took, isIdle } = await send({ ...options, items: ITEMS, service });
			const tried = [...new Set(log.map(({ item }) => item))];
			expect(tried).toEqual(tried.map((_item, index) => index));
			expect(took).toBe(Math.max(...log.map(({ endsAt }) => endsAt)));
			if (options.maxRetries === 0) expect(isIdle).toBe(true);
			for (const { inFlight, endsAt, answer } of log) {
				expect(inFlight).toBeLessThanOrEqual(options.concurrency);
				if (answer.kind !== 'response' || answer.status !== 429) continue;
				const until = endsAt + Number(answer.headers['retry-after']) * 1000;
				expect(log.filter((other) => endsAt < other.at && other.at < until)).toEqual([]);
			}
			for (const [item, { kind }] of outcomes.entries()) {
				const attempts = log.filter((seen) => seen.item === item);
				for (const [index, { endsAt }] of attempts.slice(0, -1).entries()) {
					expect(attempts[index + 1].at - endsAt).toBeGreaterThanOrEqual(250);
				}
				const last = attempts.at(-1);
				const wasLost = attempts.some(({ answer }) => answer === ANSWERS.lost);
				if (last?.answer.kind === 'success') expect(kind).toBe('succeeded');
				else if (!last || last.answer === ANSWERS.notSent) {
					expect(kind).toBe(wasLost ? 'unknown' : 'notSent');
				} else if (last.answer === ANSWERS.lost) expect(kind).toBe('unknown');
				// A request awaiting its retry counts as not sent if the batch ended first.
				else if (statusOf(last) !== 429) expect(kind).toBe(wasLost ? 'unknown' : 'refused');
			}
		}),
		{ numRuns: 300 },
	);
});

it.each([
	[429, 'notSent'],
	[503, 'succeeded'],
])('after the last retry of a %i that says when to try again, the next is %s', async (...row) => {
	const [status, kind] = row;
	const service = (_now: number, sent: number) => ({
		answer: sent === 2 ? answer(status, { 'retry-after': '1' }) : answer(200),
		latency: 100,
	});
	const options = { items: 3, concurrency: 1, maxRetries: 0, continueOnFail: true };
	const { outcomes } = await send({ ...options, service });
	expect(outcomes[2].kind).toBe(kind);
});

it.each<[string, boolean, Array<Step['event']>]>([
	['stops at the first failure', false, ['rejected', 'lost', 'notSent', 'throttled']],
	['continues, until the service has throttled too often', true, ['rejected', 'throttled']],
])('a batch that %s starts nothing after that', async (_what, continueOnFail, events) => {
	const count = { stopped: 0, complete: 0 };
	await fc.assert(
		fc.asyncProperty(concurrency, scriptOf(...events), async (concurrency, script) => {
			const service = following(script);
			const options = { concurrency, continueOnFail, maxRetries: 0 };
			const { log } = await send({ ...options, items: ITEMS, service });
			const ending = log.filter((seen) =>
				continueOnFail ? statusOf(seen) === 429 : seen.answer.kind !== 'success',
			);
			const end = Math.min(...ending.map((seen) => seen.end));
			expect(log.filter(({ start }) => start > end)).toEqual([]);
			if (ending.length === 0) expect(log).toHaveLength(ITEMS);
			count[ending.length > 0 ? 'stopped' : 'complete']++;
		}),
	);
	expect(Math.min(...Object.values(count))).toBeGreaterThan(5);
});

it('a batch sends one at a time until one succeeds', async () => {
	let alone = 0;
	const script = scriptOf('lost', 'tokenRefused', 'rejected');
	await fc.assert(
		fc.asyncProperty(concurrency, script, async (concurrency, script) => {
			const service = following(script);
			const { log } = await send({ concurrency, continueOnFail: true, items: ITEMS, service });
			for (const { start, inFlight } of log) {
				const before = log.filter(({ end }) => end < start);
				if (before.some(({ answer }) => answer.kind === 'success')) continue;
				expect(inFlight).toBe(1);
				alone++;
			}
		}),
		{ numRuns: 300 },
	);
	expect(alone).toBeGreaterThan(300);
});

const failed = (kind: ApiError['kind'], httpStatus?: number): ItemOutcome => ({
	kind: kind,
	error: new ApiError({ message: 'It failed' }, kind, httpStatus, meaningOf(httpStatus ?? 0).scope),
});
const OUTCOMES: Record<'answered' | 'unanswered' | 'neverSent', ItemOutcome[]> = {
	answered: [{ kind: 'succeeded', output: { json: {} } }, failed('refused', 422)],
	unanswered: [
		failed('unknown'),
		failed('notSent'),
		failed('refused', 401),
		{ kind: 'unknown', error: new TypeError('Nobody expected it') },
	],
	neverSent: [
		{ kind: 'unknown', error: new ItemError({ message: 'In doubt' }) },
		{ kind: 'invalid', error: new Error('Too long') },
		{ kind: 'alreadySent', reason: 'Invited' },
	],
};

it('a batch that continues stops after three without an answer, unless one of them was answered in between', async () => {
	const kind = fc.constantFrom('answered' as const, 'unanswered' as const, 'neverSent' as const);
	const task = fc.record({ kind, which: fc.nat(9) });
	await fc.assert(
		fc.asyncProperty(fc.array(task, { maxLength: 30 }), async (tasks) => {
			const outcomes = await inParallel(
				tasks,
				async ({ kind, which }) => OUTCOMES[kind][which % OUTCOMES[kind].length],
				{
					options: { concurrency: 1 },
					continueOnFail: true,
					stop: new AbortController(),
				} as Batch,
			);
			let unanswered = 0;
			const last = tasks.findIndex(({ kind }) => {
				if (kind === 'answered') unanswered = 0;
				return kind === 'unanswered' && ++unanswered === 3;
			});
			const isDown = outcomes.map((each) => 'error' in each && each.error === SERVICE_DOWN);
			expect(isDown).toEqual(tasks.map((_task, index) => last >= 0 && index > last));
		}),
	);
});
