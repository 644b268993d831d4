import { timingSafeEqual } from 'crypto';
import { digestOf } from './secret';

/**
 * Headers that HTTP, a client or a proxy sends by itself. What stands in them is no secret: if a webhook
 * secret reads like one ("application/json"), it lets nobody in. `Authorization` can carry a secret.
 */
const HTTP_HEADERS = new Set([
	'accept',
	'accept-charset',
	'accept-encoding',
	'accept-language',
	'cache-control',
	'connection',
	'content-encoding',
	'content-language',
	'content-length',
	'content-type',
	'date',
	'dnt',
	'expect',
	'forwarded',
	'from',
	'host',
	'keep-alive',
	'max-forwards',
	'origin',
	'pragma',
	'priority',
	'range',
	'referer',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'upgrade-insecure-requests',
	'user-agent',
	'via',
	'x-forwarded-for',
	'x-forwarded-host',
	'x-forwarded-port',
	'x-forwarded-proto',
	'x-forwarded-server',
	'x-real-ip',
	'x-request-id',
]);

export function isHttpHeader(name: string): boolean {
	const lower = name.toLowerCase();
	return HTTP_HEADERS.has(lower) || /^(if|sec|cf|x-amzn)-/.test(lower);
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
