import { setTimeout as sleep } from 'node:timers/promises';

import { waitFor } from './waitFor.mts';

/** Sends a signal to a process group; says whether there was one. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
	try {
		process.kill(-leader, signal);
		return true;
	} catch (error) {
		// EPERM: there is a group, and nothing of ours is in it any more.
		if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
		throw error;
	}
}

/** What outlives the leader of its group gets this long to end by itself. */
const GRACE_MS = 2_000;

/**
 * Ends a process that was started `detached`, and everything that it started: asks with SIGTERM,
 * waits, and insists with SIGKILL. `exited` is over when the process itself has ended.
 */
export async function endGroup(leader: number, exited: Promise<unknown>, patienceMs: number) {
	signalGroup(leader, 'SIGTERM');
	await Promise.race([exited, sleep(patienceMs, undefined, { ref: false })]);
	// A bounded wait: a dead process that nobody has collected counts as one of its group for as long.
	await waitFor(GRACE_MS, async () => (signalGroup(leader, 0) ? undefined : true));
	await killGroup(leader, exited);
}

/** Ends such a group at once, as a crash would. */
export async function killGroup(leader: number, exited: Promise<unknown>) {
	signalGroup(leader, 'SIGKILL');
	await exited;
}
