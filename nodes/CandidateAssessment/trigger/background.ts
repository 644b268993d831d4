import type { Logger } from 'n8n-workflow';
import { ApiError } from '../errors/ItemError';
import { messageWithAdvice } from '../errors/toNodeError';

/**
 * Work that goes on after n8n has its answer, so that n8n never hears of a failure that it would handle
 * badly (docs/decisions/0008). It belongs to a webhook, not to a node: a node can be pasted anew, and a
 * webhook be published by another workflow.
 */

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;
const MAX_WAIT_MS = 24 * 60 * 60_000;

export interface BackgroundTask {
	/** Can be repeated. Resolves with a line for the log, or undefined if it was aborted. */
	run(signal: AbortSignal): Promise<string | undefined>;
	/** For the log: "give the webhook back". */
	purpose: string;
	/** For the user, if it never succeeds. */
	advice: string;
	/** Before the first attempt, in milliseconds. */
	delay: number;
	logger: Logger;
}

/**
 * The last task of each webhook, in lanes: the tests at an address, and what was published at an address
 * with a credential. Tasks of different lanes go on side by side.
 */
const pending = new Map<string, Map<string, AbortController>>();

/** Retries a task for up to ten minutes. Replaces the pending one of the same webhook and lane. */
export function keepTrying(webhook: string, lane: string, task: BackgroundTask): void {
	const tasks = pending.get(webhook) ?? new Map<string, AbortController>();
	pending.set(webhook, tasks);
	tasks.get(lane)?.abort();
	const controller = new AbortController();
	tasks.set(lane, controller);
	void repeat(task, controller.signal);
}

/** What is pending for a webhook, in one lane or in all, to be aborted. */
export function pendingFor(webhook: string, lane?: string): AbortController[] {
	return [...(pending.get(webhook) ?? [])]
		.filter(([name]) => lane === undefined || name === lane)
		.map(([, controller]) => controller);
}

async function repeat(task: BackgroundTask, signal: AbortSignal): Promise<void> {
	const { run, logger, purpose, advice } = task;
	await idle(task.delay, signal);
	let waited = 0;
	for (let next = FIRST_DELAY_MS; !signal.aborted; next = Math.min(next * 2, MAX_DELAY_MS)) {
		try {
			const status = await run(signal);
			if (status !== undefined) logger.info(status);
			return;
		} catch (error) {
			if (signal.aborted) return;
			if (waited >= GIVE_UP_AFTER_MS) break;
			const message = `Couldn't ${purpose} yet: ${(error as Error).message}`;
			logger.warn(messageWithAdvice({ message, description: 'Trying again.' }));
			const asked = error instanceof ApiError ? (error.wait ?? 0) : 0;
			const wait = Math.max(next, Math.min(asked, MAX_WAIT_MS));
			waited += wait;
			await idle(wait, signal);
		}
	}
	if (!signal.aborted) logger.error(`Gave up trying to ${purpose}. ${advice}`);
}

/** Waits without keeping the process alive, as a timer of `sleep` would. Ends early if aborted. */
async function idle(milliseconds: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted || milliseconds === 0) return;
	const aborted = async (ending: AbortSignal) =>
		await new Promise((resolve) => ending.addEventListener('abort', resolve));
	await Promise.race([aborted(AbortSignal.timeout(milliseconds)), aborted(signal)]);
}
