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
import { ada, call, candidatesPath, resultReady, start, today } from './support';

const now = new Date(today);
const day = 24 * 60 * 60 * 1000;

/** What our nodes never send, though the specification allows it. */
const habits = [
	/^body\.(skills|work_experiences|events|secret)(\[\d+\](\.\w+)?)? is empty$/,
	/ has (half a character|a leftover)$/,
	/ is no reference$/,
	/^body\.email (is no email address|has more than an address)$/,
];

const wrongType = fc.constantFrom<unknown>(null, 0, 1, true, {}, [1], { x: 1 });
const freeText = fc.string({ unit: 'binary', maxLength: 60 });

const text = (max: number) => {
	const character = fc.constantFrom('a', 'Z', '0', ' ', 'é', '–', '山', '😀', '\u0000', '\u200d');
	const length = fc.constantFrom(0, max, max + 1);
	const repeated = fc.tuple(character, length).map(([unit, times]) => unit.repeat(times));
	return fc.oneof({ weight: 4, arbitrary: repeated }, freeText);
};

const uuid = fc
	.uuid()
	.chain((id) =>
		fc.constantFrom(
			...[id, id.toUpperCase(), `urn:uuid:${id}`, `{${id}}`, `${id}\n`],
			...[id.slice(1), id.replace(/\w/, 'g'), id.replaceAll('-', '')],
		),
	);

const calendarDay = fc.oneof(
	fc
		.date({ min: new Date('1950-01-01'), max: new Date('2050-01-01'), noInvalidDate: true })
		.map((date) => date.toISOString().slice(0, 10)),
	fc.constantFrom(
		...['2024-02-29', '2023-02-29', '2024-02-30', '2024-13-01', '2024-00-10', '2024-04-31'],
		...['2024-1-1', '01.02.2024', '2024-02-01T00:00:00Z', '20240201', '2024-W05-1'],
	),
);

const deadlineAt = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
/** Between the oracle's last moment and two days later lies the mock's assumption of when the last day ends. */
const latest = latestDeadline(now, 'UTC').getTime();
const deadline = fc.oneof(
	fc.integer({ min: now.getTime() - 9 * day, max: latest }).map(deadlineAt),
	fc.integer({ min: latest + 3 * day, max: latest + 900 * day }).map(deadlineAt),
	fc.constantFrom(now.getTime(), now.getTime() + 1000, latest).map(deadlineAt),
	fc.constantFrom(
		...['2026-12-01', '2026-12-01T12:00:00', '2026-12-01 12:00:00Z', '2026-12-01T12:00:00+02:00'],
		...['2026-12-01T25:00:00Z', '2026-12-01T12:60:00Z', '2026-13-01T12:00:00Z', '1796126400'],
	),
);

const url = fc.oneof(
	fc.webUrl({ withFragments: true, withQueryParameters: true }),
	fc.constantFrom(
		...[
			'HTTP://a.example',
			'http://127.0.0.1:5678/webhook/x',
			'https://[::1]/x',
			'https://ä.example/ä',
		],
		...['results', '/webhook', 'ftp://a.example/', 'http:a', 'http://', 'https:///x', 'http://?x'],
		...['http://a b/', 'http://a/<x>', 'http://a/{id}', 'http://a/"', 'http://a:99999/'],
		...['javascript:alert(1)', ' http://a/', 'http://a/\n', 'mailto:a@b'],
	),
);

type Body = Record<string, unknown>;

const skill = { name: 'Chess', proficiency: 'expert' };
const workExperience = {
	organization: 'Example Ltd',
	role: 'Clerk',
	is_current: false,
	responsibilities_achievements: 'Letters',
	start_date: '2020-02-29',
	end_date: '2024-12-31',
};
const invitation = {
	...ada,
	deadline: '2026-12-24T18:00:00Z',
	skills: [skill],
	work_experiences: [workExperience],
};
const webhook = { name: 'Results', url: 'https://a.example/', events: [resultReady], secret: 'a' };

/** The valid body with up to two fields changed, left out, or added. */
function changed(valid: Body): fc.Arbitrary<Body> {
	const field = fc.oneof(
		{ weight: 12, arbitrary: fc.constantFrom(...Object.keys(valid)) },
		{ weight: 1, arbitrary: fc.constantFrom('unknown', 'Email', 'level') },
	);
	const change = field.chain((name) =>
		fc.oneof(
			{ weight: 6, arbitrary: fc.tuple(fc.constant(name), nearlyRight[name] ?? freeText) },
			{ weight: 1, arbitrary: fc.tuple(fc.constant(name), wrongType) },
			{ weight: 1, arbitrary: fc.constant([name, undefined] as [string, unknown]) },
		),
	);
	return fc
		.array(change, { maxLength: 2 })
		.map((changes) => ({ ...valid, ...Object.fromEntries(changes) }));
}

const listOf = (valid: Body, max: number) =>
	fc.oneof(
		fc.array(changed(valid), { maxLength: 3 }),
		fc.constantFrom(max - 1, max, max + 1).map((length) => new Array(length).fill(valid)),
	);

/** By field; any other is free text. */
const nearlyRight: Record<string, fc.Arbitrary<unknown>> = {
	job_id: uuid,
	ext_reference_id: text(50),
	is_anonymous_candidate: fc.boolean(),
	email: text(255),
	first_name: text(255),
	last_name: text(255),
	deadline,
	skills: listOf(skill, 15),
	work_experiences: listOf(workExperience, 10),
	is_current: fc.boolean(),
	start_date: calendarDay,
	end_date: calendarDay,
	url,
	// Only one event is valid, by assumption.
	events: fc.array(fc.constantFrom<unknown>(resultReady, resultReady, 1, null), { maxLength: 2 }),
	secret: fc.stringMatching(/^[!-~]{1,40}$/),
	status: fc.constantFrom('active', 'inactive', 'ACTIVE', 'paused', ''),
};

it.each([
	[
		'an invitation',
		200,
		invitation,
		(body: unknown) => invitationFaults(body, now, 'UTC'),
		'POST',
		'',
	],
	['a webhook', 150, webhook, webhookFaults, 'PUT', ''],
	['a status', 50, { status: 'active' }, statusFaults, 'PUT', '/status'],
])(
	'the mock service accepts %s exactly if the specification does',
	async (_what, count, valid, oracle, method, end) => {
		const service = await start();
		const webhookPath = `/partner/v1.0/webhooks/${service.webhookId}`;
		const path = method === 'POST' ? candidatesPath : webhookPath + end;
		const runs = histories(count);
		const counts = { 200: 0, 400: 0 };
		await fc.assert(
			fc.asyncProperty(changed(valid), async (generated) => {
				const body = JSON.parse(JSON.stringify(generated)) as object;
				const faults = oracle(body).filter((fault) => !habits.some((habit) => habit.test(fault)));
				const { status } = await call(service, method, path, body);
				counts[status as 200 | 400] += 1;
				expect({ status, faults }).toEqual({ status: faults.length === 0 ? 200 : 400, faults });
			}),
			{ numRuns: runs },
		);
		// Enough were right and enough were wrong to tell.
		expect(Math.min(counts[200], counts[400])).toBeGreaterThan(runs / 10);
	},
);
