import { timingSafeEqual } from 'crypto';
import { digestOf } from './secret';

/**
 * The names of the headers that carry the secret; none for a call that is not genuine. A header may
 * hold it alone or after a scheme word ("Bearer …"). The specification names neither the header nor
 * a scheme ("Events"), so any header counts unless one is named.
 *
 * Digests are compared in constant time, so that how long it takes says nothing about the secret.
 * @param rawHeaders names and values in turn, as Node.js received them: a header sent twice is two
 * @param digests of the secrets that count
 */
export function findSecretHeaders(
	rawHeaders: readonly string[],
	digests: readonly string[],
	onlyHeader?: string,
): Set<string> {
	const expected = digests.map((digest) => Buffer.from(digest, 'hex'));
	const found = new Set<string>();
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const name = rawHeaders[index].toLowerCase();
		if (onlyHeader && name !== onlyHeader.toLowerCase()) continue;
		for (const candidate of candidatesIn(rawHeaders[index + 1])) {
			const digest = Buffer.from(digestOf(candidate), 'hex');
			const matches = expected.filter(
				(one) => one.length === digest.length && timingSafeEqual(one, digest),
			);
			if (matches.length > 0) found.add(name);
		}
	}
	return found;
}

function candidatesIn(value: string): string[] {
	const whole = value.trim();
	const [, afterScheme] = /^\S+\s+(\S.*)$/.exec(whole) ?? [];
	return afterScheme === undefined ? [whole] : [whole, afterScheme];
}
