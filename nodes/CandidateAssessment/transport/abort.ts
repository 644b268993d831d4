/** Settles as the promise does, or rejects with the signal's reason as soon as that is aborted. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	signal.throwIfAborted();
	let abort: (() => void) | undefined;
	const aborted = new Promise<never>((_resolve, reject) => {
		abort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', abort, { once: true });
	});
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		if (abort) signal.removeEventListener('abort', abort);
	}
}
