import * as fc from 'fast-check';
import { findOperation } from '../../nodes/CandidateAssessment/actions';
import { update } from '../../nodes/CandidateAssessment/actions/webhook/update.operation';
import { webhookFaults } from './support/specification';
import { anything, filledText, pastedUuid, requestOrRefusal } from './support/arbitraries';
import { histories } from '../support/histories.mts';
import { WEBHOOK_OPERATIONS } from '../support/operations';

const WEBHOOK_ID = '8c7d6e5f-4a3b-4c2d-9e1f-0a9b8c7d6e5f';

const events = fc.array(filledText(30), { minLength: 1, maxLength: 4 });
const url = fc.webUrl({ withQueryParameters: true, withFragments: true });

const rightUpdate = fc.record({
	webhookId: fc.uuid(),
	name: filledText(60),
	url,
	events,
	secret: fc.option(fc.stringMatching(/^ ?[!-~]([ -~]{0,40}[!-~])? ?$/), { nil: '' }),
});

/** Almost an address: one part is wrong. */
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
	const field = fc.constantFrom('webhookId', 'name', 'url', 'events', 'secret');
	const odd = fc.oneof(anything, nearUrl, fc.array(anything, { minLength: 1, maxLength: 2 }));
	fc.assert(
		fc.property(rightUpdate, field, odd, (parameters, name, value) => {
			const { request } = requestOrRefusal(update, { ...parameters, [name]: value });
			seen[request ? 'sent' : 'refused']++;
			if (request) expect(webhookFaults(request.body)).toEqual([]);
		}),
		{ numRuns: histories(400) },
	);
	expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(histories(400) * 0.075);
});

it('Webhook: Update takes a single event without a list, and refuses one without a name', () => {
	const parameters = { webhookId: WEBHOOK_ID, name: 'n', url: 'https://a.example' };
	const sentWith = (names: unknown) => requestOrRefusal(update, { ...parameters, events: names });
	expect(sentWith('result_ready').request?.body?.events).toEqual(['result_ready']);
	for (const names of [[''], ['result_ready', ' '], '\n']) {
		expect(sentWith(names).refusal).toMatch(/^Events: (entry [12]: is|required, but) empty$/);
	}
});

it.each(WEBHOOK_OPERATIONS)(
	'Webhook: $name takes a UUID, and nothing that leads to another address',
	({ resource, value }) => {
		const parameters = { name: 'n', url: 'https://a.example', events: ['e'], status: 'active' };
		const sentWith = (webhookId: unknown) =>
			requestOrRefusal(findOperation(resource, value), { ...parameters, webhookId });
		expect(sentWith(` ${WEBHOOK_ID}\n`).request?.path).toContain(`/webhooks/${WEBHOOK_ID}`);
		const near = ['..', `../${WEBHOOK_ID}`, ...['/..', '?', '#'].map((end) => WEBHOOK_ID + end)];
		for (const wrong of near) {
			expect(sentWith(wrong).refusal).toMatch(/^Webhook ID: not a webhook ID/);
		}
	},
);
