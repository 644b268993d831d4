import { sleep } from 'n8n-workflow';

/** In milliseconds, what is done in one go and the pause after it. */
interface Rhythm {
	turn: number;
	pause: number;
}

/** While others have something to do, and while nobody has. */
const SHARED: Rhythm = { turn: 1, pause: 2 };
const ALONE: Rhythm = { turn: 10, pause: 1 };

/** In milliseconds. A pause that takes so much longer than asked for was used, even on a busy machine. */
const USED = 2;

/** So many pauses in a row that nobody used, and nobody has anything to do. */
const QUIET = 30;

/** What pauses are taken with. */
interface Time {
	/** Milliseconds since some moment. */
	now(): number;
	/** Ends after some milliseconds, and once everything else that is ready has had its turn. */
	pause(milliseconds: number): Promise<void>;
}

const REAL_TIME: Time = { now: () => performance.now(), pause: sleep };

/**
 * Shares n8n's one thread with all else that n8n has to do. One call of a webhook takes dozens of turns
 * at that thread, and each waits for a turn of ours: while somebody else is at work, those are short and
 * the pauses long.
 *
 * @returns what to await between two pieces of long work; it pauses when it is time to
 */
export function takeTurns(time = REAL_TIME): () => Promise<void> {
	let since = time.now();
	let unused = QUIET;
	return async () => {
		const before = time.now();
		const { turn, pause } = unused < QUIET ? SHARED : ALONE;
		if (before - since < turn) return;
		await time.pause(pause);
		since = time.now();
		unused = since - before > pause + USED ? 0 : unused + 1;
	};
}
