import type { Logger } from 'n8n-workflow';
import { messageWithAdvice } from '../errors/toNodeError';
import { inTurn } from '../inTurn';

/**
 * Work that continues after n8n has its answer, so that n8n never sees a failure that it would handle
 * badly (docs/decisions/0008). It belongs to a webhook, not to a node: the node may be pasted again, and
 * another workflow may publish the webhook.
 */
export interface PendingWork {
	/** The webhook's key. Work on the same webhook runs one after the other. */
	webhook: string;
	/** What it ends: a test at an address, or what was published there. Newer work replaces older. */
	ends: string;
	/** Before the first attempt. In milliseconds. */
	delay: number;
	/** Is safe to repeat. */
	run(): Promise<void>;
	/** For the log: "give the webhook back". */
	purpose: string;
	/** For the user, if it never succeeds. */
	advice: string;
	logger: Logger;
}

const FIRST_RETRY_AFTER_MS = 1_000;
const RETRY_AFTER_MS = 30_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;

const pending = new Set<PendingWork>();

/** Runs after the delay. If it fails, retries after a second, then every 30 seconds for ten minutes. */
export function runLater(work: PendingWork): void {
	cancelPending(work.webhook, work.ends);
	pending.add(work);
	void attempt(work).finally(() => pending.delete(work));
}

/** Cancels all work of a webhook, or only what ends one thing. Work that is already running finishes. */
export function cancelPending(webhook: string, ends?: string): void {
	for (const work of pending) {
		if (work.webhook === webhook && (ends ?? work.ends) === work.ends) pending.delete(work);
	}
}

export function isPending(webhook: string, ends: string): boolean {
	return [...pending].some((work) => work.webhook === webhook && work.ends === ends);
}

async function attempt(work: PendingWork): Promise<void> {
	const { delay, purpose, advice, logger } = work;
	if (delay > 0) await pause(delay);
	const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
	for (let next = FIRST_RETRY_AFTER_MS; pending.has(work); next = RETRY_AFTER_MS) {
		try {
			return await inTurn(work.webhook, async () => {
				if (pending.has(work)) await work.run();
			});
		} catch (error) {
			if (Date.now() >= giveUpAt)
				return logger.error(`Gave up trying to ${purpose} (${work.webhook}). ${advice}`);
			const message = `Couldn't ${purpose} yet (${work.webhook}): ${(error as Error).message}`;
			logger.warn(messageWithAdvice({ message, description: 'Trying again.' }));
			await pause(next);
		}
	}
}

/** Doesn't keep the process alive, as a timer of `sleep` would. */
async function pause(milliseconds: number): Promise<void> {
	const ending = AbortSignal.timeout(milliseconds);
	await new Promise((resolve) => ending.addEventListener('abort', resolve));
}
