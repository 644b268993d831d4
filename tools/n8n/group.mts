import { setTimeout as sleep } from 'node:timers/promises';

import { waitFor } from './waitFor.mts';

/** Sends a signal to a process group. Returns whether the group exists. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
	try {
		process.kill(-leader, signal);
		return true;
	} catch (error) {
		// EPERM: the group exists, but none of our processes is left in it.
		if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
		throw error;
	}
}

/** How long the rest of a group has to end after its leader. */
const GRACE_MS = 2_000;

/**
 * Ends a process that was started `detached`, and everything it started: SIGTERM first, SIGKILL after a while.
 * `exited` resolves when the process itself has ended.
 */
export async function endGroup(leader: number, exited: Promise<unknown>, patienceMs: number) {
	signalGroup(leader, 'SIGTERM');
	await Promise.race([exited, sleep(patienceMs, undefined, { ref: false })]);
	// Bounded, since a zombie keeps its group alive.
	await waitFor(GRACE_MS, async () => (signalGroup(leader, 0) ? undefined : true));
	await killGroup(leader, exited);
}

/** Ends such a group at once, as a crash would. */
export async function killGroup(leader: number, exited: Promise<unknown>) {
	signalGroup(leader, 'SIGKILL');
	await exited;
}
