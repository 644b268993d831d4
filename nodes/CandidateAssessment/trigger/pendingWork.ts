import { sleep, type Logger } from 'n8n-workflow';
import { messageWithAdvice } from '../errors/toNodeError';
import { inTurn } from '../utils/inTurn';

/**
 * Work that continues after n8n's hook has returned, so that n8n, which handles failures badly, never sees
 * one (docs/decisions/0008). It belongs to a webhook, not to a node: the node may be pasted again, and
 * another workflow may publish the webhook.
 */
export interface PendingWork {
	/** Of the webhook (`webhookQueue`). */
	queue: string;
	/** The publication that it undoes (`receiverOf`). */
	undoes: string;
	/** Before the first attempt. In milliseconds. */
	delay: number;
	/** Must be safe to repeat. */
	run(): Promise<void>;
	/** For the log: "switch the webhook off". */
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
	pending.add(work);
	void attempt(work).finally(() => pending.delete(work));
}

/** All work of a webhook that hasn't succeeded yet, or only what undoes one publication. */
export function pendingWork(queue: string, undoes?: string): PendingWork[] {
	const work = [...pending].filter((one) => one.queue === queue);
	return undoes === undefined ? work : work.filter((one) => one.undoes === undoes);
}

/** Work that is already running finishes. */
export function cancel(work: readonly PendingWork[]): void {
	for (const one of work) pending.delete(one);
}

async function attempt(work: PendingWork): Promise<void> {
	const { delay, purpose, advice, logger } = work;
	await sleep(delay);
	const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
	for (let next = FIRST_RETRY_AFTER_MS; pending.has(work); next = RETRY_AFTER_MS) {
		try {
			return await inTurn(work.queue, async () => {
				if (pending.has(work)) await work.run();
			});
		} catch (error) {
			if (Date.now() >= giveUpAt)
				return logger.error(`Gave up trying to ${purpose} (${work.queue}). ${advice}`);
			const message = `Couldn't ${purpose} yet (${work.queue}): ${(error as Error).message}`;
			logger.warn(messageWithAdvice({ message, description: 'Trying again.' }));
			await sleep(next);
		}
	}
}
