import { sleep } from 'n8n-workflow';

/** In milliseconds, what is done in one go while others have something to do, and while nobody has. */
const SHORT_TURN = 1;
const LONG_TURN = 10;

/** In milliseconds. A pause in which nothing else is done takes little more than one, on a busy machine two. */
const USED_PAUSE = 3;

/** So many pauses in a row that nobody used, and nobody has anything to do. */
const QUIET = 30;

/** What pauses are taken with. */
interface Time {
	/** Milliseconds since some moment. */
	now(): number;
	/** Ends once everything else that is ready has had its turn. */
	pause(): Promise<void>;
}

const REAL_TIME: Time = { now: () => performance.now(), pause: async () => await sleep(0) };

/**
 * Shares n8n's one thread with all else that n8n has to do. One call of a webhook takes dozens of turns
 * at that thread, and each waits for a turn of ours: they are short while somebody else is at work.
 *
 * @returns what to await between two pieces of long work; it pauses when it is time to
 */
export function takeTurns(time = REAL_TIME): () => Promise<void> {
	let since = time.now();
	let unused = QUIET;
	return async () => {
		const before = time.now();
		if (before - since < (unused < QUIET ? SHORT_TURN : LONG_TURN)) return;
		await time.pause();
		since = time.now();
		unused = since - before > USED_PAUSE ? 0 : unused + 1;
	};
}
