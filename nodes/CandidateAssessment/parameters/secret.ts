import { string, ValidationError, type Rule } from './rules';

/** What makes a webhook secret usable. */

/** Shorter secrets can be guessed. */
export const MIN_SECRET_LENGTH = 16;

/** A secret for any receiver: it must be able to find it again in a header. */
export const headerSecret: Rule<string> = (value) => {
	const secret = string()(value).trim();
	const problem = headerProblem(secret);
	if (problem) throw new ValidationError(problem);
	return secret;
};

/** Why the trigger cannot verify calls by this secret, to follow "The secret …". */
export function secretProblem(secret: string): string | undefined {
	if (secret.length < MIN_SECRET_LENGTH) {
		return `must have at least ${MIN_SECRET_LENGTH} characters`;
	}
	return headerProblem(secret);
}

/** Senders differ in how they write anything but visible ASCII and spaces. */
function headerProblem(secret: string): string | undefined {
	if (/^[\x20-\x7e]+$/.test(secret)) return undefined;
	return 'can contain only letters without accents, digits, spaces and common symbols, because the service sends it in a header';
}
