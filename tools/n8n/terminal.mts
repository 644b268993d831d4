import { styleText } from 'node:util';

import { messageOf } from './errors.mts';

const interactive = process.stdout.isTTY === true && !process.env.CI;

/** "2:05" */
export function elapsed(sinceMs: number): string {
	const seconds = Math.round((Date.now() - sinceMs) / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** One line of the terminal that says what is going on and for how long it has been. */
export interface Progress {
	/** Goes on to the next stage. */
	stage(text: string): void;
	/** Ends the line: what was done. Without a text the line just goes. */
	done(text?: string): void;
}

/**
 * Shows progress: on a terminal one line that is rewritten every second, elsewhere (a log, CI) a
 * line for each stage and one for every half minute of it.
 */
export function showProgress(): Progress {
	const started = Date.now();
	let text = '';
	const show = () => {
		const line = `  ${text} (${elapsed(started)})`;
		process.stdout.write(interactive ? `\r\x1b[2K${styleText('dim', line)}` : `${line}\n`);
	};
	const timer = setInterval(() => text && show(), interactive ? 1_000 : 30_000);
	timer.unref();
	return {
		stage(next) {
			text = next;
			show();
		},
		done(result) {
			clearInterval(timer);
			if (interactive) process.stdout.write('\r\x1b[2K');
			if (result) console.log(`${tick} ${result} (${elapsed(started)})`);
		},
	};
}

/** Marks a line as done. */
export const tick = styleText('green', '✔');
/** Marks a line as failed. */
const cross = styleText('red', '✘');

/** Takes a step and prints whether it succeeded, with the detail that it gives; rethrows its error. */
export async function step<T extends string | { detail: string } | void>(
	what: string,
	action: () => Promise<T>,
): Promise<T> {
	try {
		const result = await action();
		const detail = typeof result === 'string' ? result : result?.detail;
		console.log(`${tick} ${what}${detail ? `: ${detail}` : ''}`);
		return result;
	} catch (error) {
		console.log(`${cross} ${what}: ${messageOf(error)}`);
		throw error;
	}
}
