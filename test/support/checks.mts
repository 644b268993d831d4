import { messageOf } from '../../tools/n8n/errors.mts';
import { cross, tick } from '../../tools/n8n/terminal.mts';

/** Makes one check: says what must be so, and does what rejects where it is not. */
export type Check = (what: string, action: () => Promise<unknown>) => Promise<void>;

/** Counts checks and prints a line for each. One that fails does not keep the next from being made. */
export class Checks {
	passed = 0;
	failed = 0;

	/** @param about goes before each line: the part and the version that is checked */
	async check(about: string, what: string, action: () => Promise<unknown>): Promise<void> {
		try {
			await action();
			this.passed++;
			console.log(`${tick} ${about} · ${what}`);
		} catch (error) {
			this.failed++;
			console.log(`${cross} ${about} · ${what}: ${messageOf(error)}`);
		}
	}

	/** Checks that are all about the same. */
	about(about: string): Check {
		return async (what, action) => await this.check(about, what, action);
	}
}
