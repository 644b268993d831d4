/**
 * The service has no endpoint to read a webhook, but every response shows its URL. So the URL that the
 * trigger registers describes itself: its query, which n8n ignores, says what it was registered for.
 * See docs/decisions/0008.
 */

/** What a test has to put back, less the name, which a test does not change. */
export interface Borrowed {
	url: string;
	events: string[];
}

/** What a registered URL says about itself. An address is the URL without its query. */
export type Registered =
	/** A published workflow receives here. Its calls are verified with that credential. */
	| { kind: 'published'; address: string; credentialId: string }
	/** The workflow was unpublished, and the webhook switched off; it is nobody's. */
	| { kind: 'off'; address: string }
	/** A test receives here, at the latest until then (milliseconds since 1970). */
	| { kind: 'test'; address: string; borrowed: Borrowed; until: number }
	/** A receiver that is no trigger of this n8n, as far as can be told. */
	| { kind: 'foreign'; address: string };

const KIND = 'registration';
const CREDENTIAL = 'credential';
const RESTORE = 'restore';
const EVENT = 'event';
const UNTIL = 'until';

export function publishedUrl(address: string, credentialId: string): string {
	return withQuery(address, { [KIND]: 'published', [CREDENTIAL]: credentialId });
}

export function offUrl(address: string): string {
	return withQuery(address, { [KIND]: 'off' });
}

export function testUrl(address: string, borrowed: Borrowed, until: number): string {
	return withQuery(address, {
		[KIND]: 'test',
		[UNTIL]: String(until),
		[RESTORE]: borrowed.url,
		[EVENT]: borrowed.events,
	});
}

/** @param origin of this n8n: anybody can write such a query, but only this n8n is at its origin */
export function describeUrl(url: string, origin: string): Registered {
	const address = addressOf(url);
	const query = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
	if (query.get(KIND) === 'off') return { kind: 'off', address };
	if (originOf(url) !== origin) return { kind: 'foreign', address };
	switch (query.get(KIND)) {
		case 'published':
			return { kind: 'published', address, credentialId: query.get(CREDENTIAL) ?? '' };
		case 'test': {
			const borrowed = { url: query.get(RESTORE) ?? '', events: query.getAll(EVENT) };
			return { kind: 'test', address, borrowed, until: Number(query.get(UNTIL)) };
		}
		default:
			return { kind: 'foreign', address };
	}
}

/** The URL without its query, which may hold what is nobody's business. */
export function addressOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

export function originOf(url: string): string | undefined {
	return URL.canParse(url) ? new URL(url).origin : undefined;
}

function withQuery(address: string, query: Record<string, string | string[]>): string {
	const url = new URL(address);
	for (const [name, value] of Object.entries(query)) {
		for (const one of [value].flat()) url.searchParams.append(name, one);
	}
	return url.href;
}
