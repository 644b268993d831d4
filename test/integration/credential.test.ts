import * as fc from 'fast-check';
import { setUp } from './support/setup';

const setup = setUp();
const CLIENTS = ['httpRequestWithAuthentication', 'requestWithAuthentication'] as const;

/** Blanks that HTTP clients ignore around a name. */
const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\u00a0', '\ufeff'), maxLength: 2 });
const spelling = fc
	.tuple(blanks, fc.constantFrom('Host', 'host', 'HOST', 'hOsT'), blanks)
	.map((parts) => parts.join(''));
const headers = fc.dictionary(spelling, fc.constantFrom('evil.example', '', ['evil.example']));
/** Other places where n8n's client looks for headers. */
const place = fc.constantFrom('common', 'get', 'Get', 'Headers');

it('the token arrives with the host of the Base URL, however a node names another', async () => {
	const { service, harness } = setup;
	await fc.assert(
		fc.asyncProperty(
			...[headers, fc.dictionary(place, headers), fc.boolean(), fc.constantFrom(...CLIENTS)],
			async (own, within, isFirst, client) => {
				service.clearRequests();
				const url = `${service.baseUrl}/partner/v1.0/standard/candidates/invitation/any`;
				const named = isFirst ? { ...own, ...within } : { ...within, ...own };
				await harness.request(client, { url, headers: named }).catch(() => {});
				for (const { headers: arrived } of service.requests) {
					expect(arrived.host).toBe(new URL(service.baseUrl).host);
					expect(arrived.authorization).toBe(`Bearer ${service.accessToken}`);
				}
				expect(service.requests).toHaveLength(1);
			},
		),
		{ numRuns: 300 },
	);
});
