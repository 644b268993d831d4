import type { Logger } from 'n8n-workflow';
import { fillIn } from '../errors/fillIn';
import { messageWithAdvice } from '../errors/toNodeError';
import type { ErrorMessage } from '../errors/types';

/**
 * Work that goes on after n8n has its answer, so that n8n never hears of a failure that it would handle
 * badly (docs/decisions/0008), and that nobody has to come back for.
 */

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;

/** After a request that got no response, the task is done once more: that request may have been late. */
const LOOK_AGAIN_AFTER_MS = 60_000;

export interface BackgroundTask {
	/** Can be done again and again. Resolves with how things stand, or undefined if it was aborted. */
	run(signal: AbortSignal): Promise<string | undefined>;
	/** What is to be done, for the log: "give the webhook back". */
	purpose: string;
	/** What to do if it never succeeds. */
	advice: string;
	/** Whether a request that got no response came before. */
	isUnsettled?: boolean;
	logger: Logger;
}

/** What n8n's log says about a task that has not succeeded. */
export const TASK_MESSAGES = {
	notYet: { message: "Couldn't {purpose} yet: {reason}", description: 'Trying again.' },
	gaveUp: { message: 'Gave up trying to {purpose}', description: '{advice}' },
	/** It could not begin. */
	failed: { message: "Couldn't {purpose}: {reason}", description: '{advice}' },
} satisfies Record<string, ErrorMessage>;

/** A line for the log. */
export function logLine(
	message: ErrorMessage,
	{ purpose, advice }: Pick<BackgroundTask, 'purpose' | 'advice'>,
	reason = '',
): string {
	return messageWithAdvice(fillIn(message, { purpose, advice, reason }));
}

const pending = new Map<string, AbortController>();

/** Runs a task until it succeeds. Resolves after the first attempt, and never rejects. */
export async function finish(key: string, task: BackgroundTask): Promise<void> {
	cancel(key);
	const controller = new AbortController();
	pending.set(key, controller);
	const isDone = await attempt(task, controller.signal);
	if (isDone && !task.isUnsettled) {
		pending.delete(key);
		return;
	}
	const rest = isDone ? lookAgain : repeat;
	void rest(task, controller.signal).finally(() => {
		if (pending.get(key) === controller) pending.delete(key);
	});
}

/** Ends what is pending under this key: something else has been decided. */
export function cancel(key: string): void {
	pending.get(key)?.abort();
	pending.delete(key);
}

/** The same for all keys that fulfil a condition. */
export function cancelWhere(matches: (key: string) => boolean): void {
	[...pending.keys()].filter(matches).forEach(cancel);
}

async function repeat(task: BackgroundTask, signal: AbortSignal): Promise<void> {
	let waited = 0;
	for (let delay = FIRST_DELAY_MS; waited < GIVE_UP_AFTER_MS; delay *= 2) {
		const wait = Math.min(delay, MAX_DELAY_MS);
		await idle(wait, signal);
		waited += wait;
		if (signal.aborted) return;
		if (await attempt(task, signal)) return await lookAgain(task, signal);
	}
	task.logger.error(logLine(TASK_MESSAGES.gaveUp, task));
}

async function lookAgain(task: BackgroundTask, signal: AbortSignal): Promise<void> {
	await idle(LOOK_AGAIN_AFTER_MS, signal);
	// The look itself changes something, so that what follows it must not be left out either.
	if (!signal.aborted && !(await attempt(task, signal))) await repeat(task, signal);
}

async function attempt(task: BackgroundTask, signal: AbortSignal): Promise<boolean> {
	const { run, logger } = task;
	try {
		const status = await run(signal);
		if (status !== undefined) logger.info(status);
		return true;
	} catch (error) {
		if (!signal.aborted) {
			logger.warn(logLine(TASK_MESSAGES.notYet, task, (error as Error).message));
		}
		return false;
	}
}

/** Waits, but keeps no process from exiting, as a timer of `sleep` would. Ends early if aborted. */
async function idle(milliseconds: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	const timer = AbortSignal.timeout(milliseconds);
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	for (const one of [timer, signal]) one.addEventListener('abort', end);
	await ended;
	for (const one of [timer, signal]) one.removeEventListener('abort', end);
}
