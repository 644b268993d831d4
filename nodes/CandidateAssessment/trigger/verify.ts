import { timingSafeEqual } from 'crypto';
import { string, ValidationError, type Rule } from '../parameters/rules';
import { digestOf } from './secret';

/**
 * Headers that every call carries, sent by itself by a client or a proxy. If a webhook secret reads like
 * one ("application/json"), it must let nobody in. `Authorization` can carry a secret.
 */
export const HTTP_HEADERS =
	/^(accept|accept-(encoding|language)|connection|content-(length|type)|host|transfer-encoding|user-agent|x-forwarded-.*)$/i;

/** RFC 9110, 5.6.2. Under any other name no call could carry the secret. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The name of the only header to accept the secret in. */
export const secretHeader: Rule<string> = (value) => {
	const name = string()(value).trim();
	if (!HEADER_NAME.test(name) || HTTP_HEADERS.test(name)) {
		throw new ValidationError(
			"that can't carry a secret. Enter the name of one header, such as X-Webhook-Secret, and none that every call has, or leave it empty.",
		);
	}
	return name;
};

/**
 * All headers that carry the secret, alone or after a scheme word ("Bearer …"): their names, and the
 * secret. Digests are compared in constant time, so that how long it takes tells nothing about the secret.
 * @param rawHeaders names and values in turn, as Node.js received them: a header sent twice is two
 */
export function findSecretHeaders(rawHeaders: readonly string[], digest: string) {
	const expected = Buffer.from(digest, 'hex');
	const secretHeaders = new Map<string, string>();
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		for (const candidate of candidatesIn(rawHeaders[index + 1])) {
			const given = Buffer.from(digestOf(candidate), 'hex');
			const matches = given.length === expected.length && timingSafeEqual(given, expected);
			if (matches) secretHeaders.set(rawHeaders[index].toLowerCase(), candidate);
		}
	}
	return secretHeaders;
}

/**
 * True if one of the headers that carry the secret counts. The specification names neither the header nor
 * a scheme ("Events"): any header counts that is not of HTTP itself, unless one is named.
 */
export function isGenuine(secretHeaders: ReadonlyMap<string, string>, onlyHeader?: string) {
	return [...secretHeaders.keys()].some(
		(name) => !HTTP_HEADERS.test(name) && (!onlyHeader || name === onlyHeader.toLowerCase()),
	);
}

function candidatesIn(value: string): string[] {
	const whole = value.trim();
	const [, afterScheme] = /^\S+\s+(\S.*)$/.exec(whole) ?? [];
	return afterScheme === undefined ? [whole] : [whole, afterScheme];
}
