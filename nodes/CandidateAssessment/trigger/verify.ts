import { timingSafeEqual } from 'crypto';
import { digestOf } from './secret';

/**
 * Headers that every call carries, sent by itself by a client or a proxy. If a webhook secret reads like
 * one ("application/json"), it must let nobody in. `Authorization` can carry a secret.
 */
const HTTP_HEADERS =
	/^(accept|accept-(encoding|language)|connection|content-(length|type)|host|transfer-encoding|user-agent|x-forwarded-.*)$/i;

export function isHttpHeader(name: string): boolean {
	return HTTP_HEADERS.test(name);
}

/**
 * All headers that carry the secret, alone or after a scheme word ("Bearer …"): their names, and the
 * secret. Digests are compared in constant time, so that how long it takes tells nothing about the secret.
 * @param rawHeaders names and values in turn, as Node.js received them: a header sent twice is two
 */
export function findSecretHeaders(
	rawHeaders: readonly string[],
	digest: string,
): Map<string, string> {
	const expected = Buffer.from(digest, 'hex');
	const found = new Map<string, string>();
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		for (const candidate of candidatesIn(rawHeaders[index + 1])) {
			const given = Buffer.from(digestOf(candidate), 'hex');
			const matches = given.length === expected.length && timingSafeEqual(given, expected);
			if (matches) found.set(rawHeaders[index].toLowerCase(), candidate);
		}
	}
	return found;
}

/**
 * True if one of the headers that carry the secret counts. The specification names neither the header nor
 * a scheme ("Events"): any header counts that is not of HTTP itself, unless one is named.
 */
export function isGenuine(
	secretHeaders: ReadonlyMap<string, string>,
	onlyHeader?: string,
): boolean {
	return [...secretHeaders.keys()].some(
		(name) => !isHttpHeader(name) && (!onlyHeader || name === onlyHeader.toLowerCase()),
	);
}

function candidatesIn(value: string): string[] {
	const whole = value.trim();
	const [, afterScheme] = /^\S+\s+(\S.*)$/.exec(whole) ?? [];
	return afterScheme === undefined ? [whole] : [whole, afterScheme];
}
