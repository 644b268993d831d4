import * as fc from 'fast-check';
import { deleteWebhook } from '../../nodes/CandidateAssessment/actions/webhook/delete';
import { setStatus } from '../../nodes/CandidateAssessment/actions/webhook/setStatus';
import { update } from '../../nodes/CandidateAssessment/actions/webhook/update';
import { webhookFaults } from './specification';
import {
	anyCodeUnits,
	anything,
	filledText,
	mostly,
	pastedUuid,
	requestOrRefusal,
	token,
} from './arbitraries';
import { histories } from '../support/histories.mts';

const BASE = 'https://assessment.example.com/api';
const WEBHOOK_ID = '8c7d6e5f-4a3b-4c2d-9e1f-0a9b8c7d6e5f';
const UUID = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;

const events = fc.array(filledText(30), { minLength: 1, maxLength: 4 });
const url = fc.webUrl({ withQueryParameters: true, withFragments: true });

const rightUpdate = fc.record({
	webhookId: fc.uuid(),
	name: filledText(60),
	url,
	events,
	secret: fc.option(fc.stringMatching(/^ ?[!-~]([ -~]{0,40}[!-~])? ?$/), { nil: '' }),
});

/** Almost an address: one part of it wrong. */
const nearUrl = fc
	.tuple(url, fc.string({ unit: 'binary-ascii', maxLength: 3 }), fc.nat(30))
	.map(([address, more, at]) => address.slice(0, at) + more + address.slice(at));

it('Webhook: Update is sent as it was entered, with each field in its place', () => {
	fc.assert(
		fc.property(rightUpdate, pastedUuid, (parameters, { params, sent }) => {
			const { name, url: address, events: names, secret } = parameters;
			const { request } = requestOrRefusal(update, { ...parameters, webhookId: params });
			expect(request).toEqual({
				method: 'PUT',
				path: `/partner/v1.0/webhooks/${sent}`,
				body: {
					name,
					url: address,
					events: names.map((event) => event.trim()),
					...(secret && { secret: secret.trim() }),
				},
			});
			expect(webhookFaults(request?.body)).toEqual([]);
		}),
		{ numRuns: histories(100) },
	);
});

it('Webhook: Update with anything in any field is refused by a rule, or sent as the specification has it', () => {
	const seen = { sent: 0, refused: 0 };
	const hostile = fc.record({
		webhookId: mostly(fc.uuid()),
		name: mostly(filledText(60)),
		url: mostly(fc.oneof(url, nearUrl)),
		events: mostly(fc.oneof(events, filledText(20), fc.array(mostly(filledText(20))))),
		secret: mostly(fc.string()),
	});
	fc.assert(
		fc.property(hostile, (parameters) => {
			const { request } = requestOrRefusal(update, parameters);
			seen[request ? 'sent' : 'refused']++;
			if (request) expect(webhookFaults(request.body)).toEqual([]);
		}),
		{ numRuns: histories(400) },
	);
	expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(30);
});

it('Webhook: Update takes a single event without a list, and refuses one without a name', () => {
	const parameters = { webhookId: WEBHOOK_ID, name: 'n', url: 'https://a.example' };
	const sentWith = (names: unknown) => requestOrRefusal(update, { ...parameters, events: names });
	expect(sentWith('result_ready').request?.body?.events).toEqual(['result_ready']);
	for (const names of [[''], ['result_ready', ' '], '\n']) {
		expect(sentWith(names).refusal).toMatch(/^Events: (entry [12]: is|required, but) empty$/);
	}
});

it('the refusal of a Webhook: Update names no value', () => {
	const shape = fc.constantFrom<(secret: string) => unknown>(
		(secret) => [[secret]],
		(secret) => ({ [secret]: secret }),
		(secret) => `https://${secret} ${secret}`,
		(secret) => `${secret}\udc00`,
		(secret) => [{ [secret]: secret }],
	);
	const field = fc.constantFrom('webhookId', 'name', 'url', 'events', 'secret');
	fc.assert(
		fc.property(token, shape, field, rightUpdate, (secret, shaped, name, parameters) => {
			const { refusal } = requestOrRefusal(update, { ...parameters, [name]: shaped(secret) });
			expect(refusal ?? '').not.toContain(secret);
		}),
		{ numRuns: histories(100) },
	);
});

const parameters = { name: 'n', url: 'https://a.example', events: ['e'], status: 'active' };
const operations = fc.constantFrom(
	{ operation: update, after: [] },
	{ operation: setStatus, after: ['status'] },
	{ operation: deleteWebhook, after: [] },
);
/** A UUID with something slipped in, taken out or put around it. */
const nearUuid = fc
	.tuple(
		fc.uuid(),
		fc.constantFrom('/', '\\', '?', '#', '..', '\n', ' ', '@', ''),
		fc.nat(36),
		fc.nat(2),
	)
	.map(([uuid, trick, at, dropped]) => uuid.slice(0, at) + trick + uuid.slice(at + dropped));

it('a webhook ID is a UUID or is refused, and never leads to another address', () => {
	const seen = { sent: 0, refused: 0 };
	const ids = fc.oneof(nearUuid, anyCodeUnits, anything, fc.uuid());
	fc.assert(
		fc.property(operations, ids, ({ operation, after }, webhookId) => {
			const { request } = requestOrRefusal(operation, { ...parameters, webhookId });
			const isUuid = typeof webhookId === 'string' && UUID.test(webhookId.trim());
			expect(request !== undefined).toBe(isUuid);
			seen[request ? 'sent' : 'refused']++;
			if (!request) return;
			const address = new URL(BASE + request.path);
			expect(address.origin).toBe('https://assessment.example.com');
			expect(address.pathname.split('/').slice(1)).toEqual([
				'api',
				'partner',
				'v1.0',
				'webhooks',
				(webhookId as string).trim(),
				...after,
			]);
			expect(address.search + address.hash).toBe('');
		}),
		{ numRuns: histories(400) },
	);
	expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(30);
});
