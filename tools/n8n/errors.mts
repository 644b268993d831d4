/**
 * A failure that the person at the terminal can do something about: it is printed as the message and
 * the advice, without a stack trace.
 */
export class DemoError extends Error {
	/** What to do about it, one line each. */
	readonly advice: string[];

	constructor(message: string, advice: string | string[] = [], options?: ErrorOptions) {
		super(message, options);
		this.name = 'DemoError';
		this.advice = typeof advice === 'string' ? [advice] : advice;
	}
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
