/** An error that the person at the terminal can fix: printed as a message and advice, without a stack trace. */
export class DemoError extends Error {
	/** Advice, one line each. */
	readonly advice: string[];

	constructor(message: string, advice: string | string[] = [], options?: ErrorOptions) {
		super(message, options);
		this.name = 'DemoError';
		this.advice = typeof advice === 'string' ? [advice] : advice;
	}
}

/** The message of a thrown value. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
