import { CredentialError } from '../transport/credentials';
import { string, ValidationError, type Rule } from './rules';

/** Shorter secrets can be guessed. */
const MIN_SECRET_LENGTH = 16;

/** A secret for any receiver: it must be able to find it again in a header. */
export const headerSecret: Rule<string> = (value) => {
	const secret = string()(value).trim();
	const problem = headerProblem(secret);
	if (problem) throw new ValidationError(problem);
	return secret;
};

/** The credential's secret, if the trigger can verify calls by it. Throws `CredentialError`. */
export function usableSecret(secret: string): string {
	const problem =
		secret.length < MIN_SECRET_LENGTH
			? `must have at least ${MIN_SECRET_LENGTH} characters`
			: headerProblem(secret);
	if (problem) throw new CredentialError(`The Webhook Secret in the credential ${problem}`);
	return secret;
}

/** Senders differ in how they write anything but visible ASCII and spaces. */
function headerProblem(secret: string): string | undefined {
	if (/^[\x20-\x7e]+$/.test(secret)) return undefined;
	return 'can contain only letters without accents, digits, spaces and common symbols, because the service sends it in a header';
}
