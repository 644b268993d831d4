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
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

export interface BackgroundTask {
	/** Can be done again and again. Resolves with how things stand, or undefined if it was aborted. */
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
 * For each webhook, the last task at each address of a trigger. An address is a lane of its own: production
 * and tests have different ones, and so have two workflows that were published on the same webhook.
 */
const pending = new Map<string, Map<string, AbortController>>();

/**
 * Runs a task until it succeeds, for some minutes, instead of the one before for the same webhook and
 * address. Returns at once.
 */
export function keepTrying(webhook: string, address: string, task: BackgroundTask): void {
	const lanes = pending.get(webhook) ?? new Map<string, AbortController>();
	pending.set(webhook, lanes);
	lanes.get(address)?.abort();
	const controller = new AbortController();
	lanes.set(address, controller);
	void repeat(task, controller.signal);
}

/** Ends what is pending for a webhook, at one address or at all: something else has been decided. */
export function cancel(webhook: string, address?: string): void {
	for (const [lane, controller] of pending.get(webhook) ?? []) {
		if (address === undefined || lane === address) controller.abort();
	}
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
			const wait = Math.max(next, Math.min(asked, LONGEST_WAIT_MS));
			waited += wait;
			await idle(wait, signal);
		}
	}
	if (!signal.aborted) logger.error(`Gave up trying to ${purpose}. ${advice}`);
}

/** Waits, but keeps no process from exiting, as a timer of `sleep` would. Ends early if aborted. */
async function idle(milliseconds: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted || milliseconds === 0) return;
	const timer = AbortSignal.timeout(milliseconds);
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	for (const one of [timer, signal]) one.addEventListener('abort', end);
	await ended;
	for (const one of [timer, signal]) one.removeEventListener('abort', end);
}
