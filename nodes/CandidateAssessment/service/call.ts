import type { IDataObject } from 'n8n-workflow';
import type { Clock } from './clock';
import { explain, ServiceFailure } from './explain';
import type { Line } from './line';
import { send } from './send';
import type { Answer, Attempt, ServiceRequest, StatusWords } from './types';
import { dataOf, judge } from './verdict';

/** The longest that the service may ask to wait before an item fails instead. */
export const LONGEST_WAIT = 60_000;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;

/**
 * Sends a request until the service has answered for good, as patiently as its kind allows.
 * Resolves with the envelope's `data`. Throws like `persist`.
 */
export async function call(
	line: Line,
	request: ServiceRequest,
	words?: StatusWords,
): Promise<IDataObject> {
	const { sender, connection, timeout } = line;
	const once = async () => await send(sender, connection, request, timeout);
	return await persist(line, request, once, dataOf, words);
}

/**
 * Makes attempts until one answers for good, and gives what `read` finds in the answer. Throws
 * `ServiceFailure` when it failed for good, and the reason of `stop` when it was stopped before it
 * was sent (again).
 */
export async function persist<T>(
	{ connection, pushback, clock, stop, maxRetries }: Line,
	request: ServiceRequest,
	once: () => Promise<Attempt>,
	read: (answer: Answer) => T | undefined,
	words?: StatusWords,
): Promise<T> {
	for (let retries = 0; ; retries++) {
		await pushback.over(stop);
		stop.throwIfAborted();
		const attempt = await once();
		const verdict = judge(request, attempt, clock.now(), read);
		if (verdict.kind === 'done') return verdict.data;

		const wait =
			verdict.kind === 'pushedBack' ? (verdict.wait ?? backoff(retries, clock)) : undefined;
		const isWorthwhile = verdict.kind !== 'failed' && retries < maxRetries;
		if (!isWorthwhile || (wait ?? 0) > LONGEST_WAIT) {
			throw new ServiceFailure(
				explain(request, attempt, connection, words, wait),
				request,
				attempt,
			);
		}
		if (wait === undefined) await clock.sleep(backoff(retries, clock), stop);
		else pushback.pause(wait);
	}
}

/** Twice as long after each try, with jitter so that many senders do not come back at once. */
function backoff(retries: number, clock: Clock): number {
	return Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** retries) * (0.5 + clock.random() / 2);
}
