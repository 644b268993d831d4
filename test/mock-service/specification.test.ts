/**
 * The field rules of the mock service against the oracle, which is written from the specification alone.
 *
 * The oracle describes what our nodes send, so it also turns down what the specification allows and the nodes
 * never send. Those habits are listed here, and do not count. Where the specification leaves a rule open, the mock
 * service makes an assumption (assumptions.mts) that the values here respect.
 */
import * as fc from 'fast-check';
import {
	invitationFaults,
	latestDeadline,
	statusFaults,
	webhookFaults,
} from '../unit/specification';
import { histories } from '../support/histories.mts';
import type { PartnerService } from '../../mock-service/service.mts';
import { ada, call, candidatesPath, resultReady, start, today } from './support';

const now = new Date(today);
const day = 24 * 60 * 60 * 1000;

/** What our nodes never send, though the specification allows it. */
const habits = [
	/^body\.(skills|work_experiences|events|secret)(\[\d+\](\.\w+)?)? is empty$/,
	/ has half a character$/,
	/^body\.email (is no email address|has a blank)$/,
];
const broken = (faults: string[]) =>
	faults.filter((fault) => !habits.some((habit) => habit.test(fault)));

/** Mostly valid, so that what is wrong stands next to what is right. */
const mostly = (valid: fc.Arbitrary<unknown>, invalid: fc.Arbitrary<unknown>) =>
	fc.oneof({ weight: 12, arbitrary: valid }, { weight: 1, arbitrary: invalid });

/** Mostly nothing. */
const rarely = <T>(value: fc.Arbitrary<T>) =>
	fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

const wrongType = fc.constantFrom<unknown>(null, 0, 1, true, 'true', '', ' \t', [], {}, ['x'], {
	x: 1,
});

const character = fc.constantFrom('a', 'Z', '0', ' ', 'é', '–', '山', '😀', '\u0000', '\u200d');
const text = (max: number) =>
	mostly(
		fc.oneof(
			fc.string({ unit: 'binary', maxLength: 60 }),
			fc
				.tuple(character, fc.constantFrom(max - 1, max, max + 1))
				.map(([one, length]) => one.repeat(length)),
		),
		wrongType,
	);
const freeText = mostly(fc.string({ unit: 'binary', maxLength: 40 }), wrongType);

const uuid = mostly(
	fc.tuple(fc.uuid(), fc.boolean()).map(([id, isUpper]) => (isUpper ? id.toUpperCase() : id)),
	fc.oneof(
		wrongType,
		fc.uuid().map((id) => `urn:uuid:${id}`),
		fc.uuid().map((id) => `{${id}}`),
		fc.uuid().map((id) => id.slice(1)),
		fc.uuid().map((id) => id.replace(/\w/, 'g')),
		fc.uuid().map((id) => id.replaceAll('-', '')),
		fc.uuid().map((id) => `${id}\n`),
	),
);

const calendarDay = mostly(
	fc
		.date({ min: new Date('1950-01-01'), max: new Date('2050-01-01'), noInvalidDate: true })
		.map((date) => date.toISOString().slice(0, 10)),
	fc.oneof(
		wrongType,
		fc.constantFrom('2023-02-29', '2024-02-30', '2024-13-01', '2024-00-10', '2024-04-31'),
		fc.constantFrom('2024-1-1', '01.02.2024', '2024-02-01T00:00:00Z', '20240201', '2024-W05-1'),
	),
);

const deadlineAt = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
/** Between the oracle's last moment and two days later lies the mock's assumption of when the last day ends. */
const latest = latestDeadline(now, 'UTC').getTime();
const deadline = mostly(
	fc.oneof(
		fc.integer({ min: now.getTime() + 1000, max: latest }).map(deadlineAt),
		fc.constantFrom(now.getTime() + 1000, latest).map(deadlineAt),
	),
	fc.oneof(
		wrongType,
		fc.integer({ min: latest + 3 * day, max: latest + 900 * day }).map(deadlineAt),
		fc.integer({ min: now.getTime() - 900 * day, max: now.getTime() }).map(deadlineAt),
		fc.constant(deadlineAt(now.getTime())),
		fc.constantFrom(
			'2026-12-01',
			'2026-12-01T12:00:00',
			'2026-12-01 12:00:00Z',
			'2026-12-01T12:00:00+02:00',
			'2026-12-01T25:00:00Z',
			'2026-12-01T12:60:00Z',
			'2026-13-01T12:00:00Z',
			'1796126400',
		),
	),
);

const unknownField = fc.constantFrom('phone', 'jobId', 'Email', 'meta', 'status_', 'level');

/** An object with any of the fields, and now and then with one that does not exist. */
function objectOf(fields: Record<string, fc.Arbitrary<unknown>>, required: string[] = []) {
	const record = fc.record(fields, { requiredKeys: required });
	return fc
		.tuple(record, rarely(unknownField))
		.map(([object, extra]) => (extra === null ? object : { ...object, [extra]: 'x' }));
}

/** A list of any items, or a long one of valid items. */
const listOf = (item: fc.Arbitrary<unknown>, valid: object, max: number) =>
	mostly(
		fc.oneof(
			fc.array(item, { maxLength: 3 }),
			fc.constantFrom(max - 1, max, max + 1).map((length) => new Array(length).fill(valid)),
		),
		wrongType,
	);

const boolean = mostly(fc.boolean(), wrongType);
const fields = {
	job_id: uuid,
	ext_reference_id: text(50),
	is_anonymous_candidate: boolean,
	email: text(255),
	first_name: text(255),
	last_name: text(255),
	deadline,
	skills: listOf(
		mostly(objectOf({ name: freeText, proficiency: freeText }), wrongType),
		{ name: 'Chess' },
		15,
	),
	work_experiences: listOf(
		mostly(
			objectOf({
				organization: freeText,
				role: freeText,
				is_current: boolean,
				responsibilities_achievements: freeText,
				start_date: calendarDay,
				end_date: calendarDay,
			}),
			wrongType,
		),
		{ role: 'Clerk' },
		10,
	),
};

/** Some fields of a valid invitation, replaced or left out: most bodies break one rule at most. */
const invitation = fc
	.tuple(
		fc.subarray(Object.keys(fields) as Array<keyof typeof fields>, { maxLength: 3 }),
		objectOf(fields, Object.keys(fields)),
		rarely(fc.constantFrom(...Object.keys(ada))),
		fc.boolean(),
	)
	.map(([changed, values, omitted, isAnonymous]) => {
		const body: Record<string, unknown> = { ...ada, is_anonymous_candidate: isAnonymous };
		for (const name of changed) body[name] = (values as Record<string, unknown>)[name];
		for (const name of Object.keys(values)) if (!(name in fields)) body[name] = 'x';
		if (omitted !== null) delete body[omitted];
		return body;
	});

const url = mostly(
	fc.oneof(
		fc.webUrl({ withFragments: true, withQueryParameters: true }),
		fc.webUrl().map((address) => address.replace('http', 'HTTP')),
		fc.constantFrom(
			'http://127.0.0.1:5678/webhook/x',
			'https://[::1]/x',
			'https://münchen.example/ä',
		),
	),
	fc.oneof(
		wrongType,
		fc.constantFrom('results', '/webhook', 'ftp://a.example/', 'http:a', 'http://', 'https:///x'),
		fc.constantFrom(
			'http://a b/',
			'http://a/<x>',
			'http://a/{id}',
			'http://a/"',
			'http://a:99999/',
		),
		fc.constantFrom('javascript:alert(1)', ' http://a/', 'http://a/\n', 'mailto:a@b', 'http://?x'),
	),
);

const webhook = objectOf(
	{
		name: freeText,
		url,
		// Only the one event that is known, by assumption.
		events: mostly(
			fc.array(fc.constant(resultReady), { maxLength: 2 }),
			fc.constantFrom(null, true, resultReady, {}, [1], [null], [[resultReady]]),
		),
		secret: mostly(fc.stringMatching(/^[!-~]{1,40}$/), fc.constantFrom(null, 1, true, [], {})),
	},
	['name', 'url'],
);

const status = objectOf({
	status: fc.constantFrom<unknown>('active', 'inactive', 'ACTIVE', 'paused', '', null, true, []),
});

/** Holds the service against the oracle, and makes sure that enough bodies were right and wrong to tell. */
async function agree(
	bodies: fc.Arbitrary<object>,
	count: number,
	oracle: (body: unknown) => string[],
	accepts: (body: object) => Promise<boolean>,
) {
	const runs = histories(count);
	const counts = { accepted: 0, rejected: 0 };
	await fc.assert(
		fc.asyncProperty(bodies, async (generated) => {
			const body = JSON.parse(JSON.stringify(generated)) as object;
			const faults = broken(oracle(body));
			const isAccepted = await accepts(body);
			counts[isAccepted ? 'accepted' : 'rejected'] += 1;
			expect({ isAccepted, faults }).toEqual({ isAccepted: faults.length === 0, faults });
		}),
		{ numRuns: runs },
	);
	expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(runs / 10);
}

const accepting =
	(service: PartnerService, method: string, path: string) => async (body: object) => {
		const { status: code } = await call(service, method, path, body);
		expect([200, 400]).toContain(code);
		return code === 200;
	};

describe('the mock service accepts a body exactly if the specification does', () => {
	it('of an invitation', async () => {
		const service = await start();
		const accepts = accepting(service, 'POST', candidatesPath);
		await agree(invitation, 200, (body) => invitationFaults(body, now, 'UTC'), accepts);
	}, 30_000);

	it('of a webhook', async () => {
		const service = await start();
		const path = `/partner/v1.0/webhooks/${service.webhookId}`;
		await agree(webhook, 150, webhookFaults, accepting(service, 'PUT', path));
	}, 30_000);

	it('of a status', async () => {
		const service = await start();
		const path = `/partner/v1.0/webhooks/${service.webhookId}/status`;
		await agree(status, 50, statusFaults, accepting(service, 'PUT', path));
	});
});
