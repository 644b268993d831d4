import type { IDataObject } from 'n8n-workflow';
import { backoff } from './backoff';
import { explain, ServiceFailure } from '../errors/messages';
import type { Line } from './ApiClient';
import { send } from './send';
import type { Answer, Attempt, ServiceRequest, StatusWords } from './types';
import { dataOf, judge } from './retryPolicy';

/** The longest that the service may ask to wait before an item fails instead. */
export const LONGEST_WAIT = 60_000;

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
	{ connection, pace, clock, stop, maxRetries }: Line,
	request: ServiceRequest,
	once: () => Promise<Attempt>,
	read: (answer: Answer) => T | undefined,
	words?: StatusWords,
): Promise<T> {
	for (let retries = 0; ; retries++) {
		await pace.turn(retries);
		try {
			const attempt = await once();
			const verdict = judge(request, attempt, clock.now(), read);
			if (verdict.kind === 'done') {
				pace.rise();
				return verdict.data;
			}
			const wait = verdict.kind === 'pushedBack' ? verdict.wait : undefined;
			const isTooLong = wait !== undefined && wait > LONGEST_WAIT;
			// The others wait too where this one gives up.
			if (verdict.kind === 'pushedBack' && !isTooLong) pace.fall(wait);
			if (verdict.kind === 'failed' || retries >= maxRetries || isTooLong) {
				throw new ServiceFailure(
					explain(request, attempt, connection, words, wait),
					request,
					attempt,
				);
			}
			if (verdict.kind === 'tryAgain') await clock.sleep(backoff(retries, clock), stop);
		} finally {
			pace.end();
		}
	}
}
