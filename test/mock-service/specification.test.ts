/**
 * The field rules of the mock service against the oracle, which is written from the specification alone: each
 * value stands once in each field.
 *
 * The oracle describes what our nodes send, so it also turns down what the specification allows and the nodes
 * never send. Those habits are listed here, and do not count. Where the specification leaves a rule open, the mock
 * service makes an assumption (assumptions.mts) that the values here respect.
 */
import {
	invitationFaults,
	latestDeadline,
	statusFaults,
	webhookFaults,
} from '../unit/specification';
import { deadlineError } from '../../mock-service/deadline.mts';
import { createInvitation, setWebhookStatus, updateWebhook } from '../../mock-service/schemas.mts';
import { validatorCompiler } from '../../mock-service/validate.mts';
import { ada, resultReady, today } from './support';

const now = new Date(today);
const DAY = 24 * 60 * 60 * 1000;
const UUID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

/** What our nodes never send, though the specification allows it. */
const habits = [
	/^body\.(skills|work_experiences|events|secret)(\[\d+\](\.\w+)?)? is empty$/,
	/ has (half a character|a leftover)$/,
	/ is no reference$/,
	/^body\.email (is no email address|has more than an address)$/,
];

type Body = Record<string, unknown>;

const skill: Body = { name: 'Chess', proficiency: 'expert' };
const workExperience: Body = {
	organization: 'Example Ltd',
	role: 'Clerk',
	is_current: false,
	responsibilities_achievements: 'Letters',
	start_date: '2020-02-29',
	end_date: '2024-12-31',
};
const invitation: Body = { ...ada, skills: [skill], work_experiences: [workExperience] };
const anonymous: Body = { ...ada, is_anonymous_candidate: true };
const webhook: Body = { name: 'Results', url: 'https://a.example/', events: [resultReady] };

const deadlineAt = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
const latest = latestDeadline(now, 'UTC').getTime();
const DEADLINES = [-9 * DAY, 0, 1000, latest - now.getTime(), latest - now.getTime() + 3 * DAY];

/** Left out, of every type, and as near to what is right as to what is wrong. */
const VALUES: unknown[] = [
	...[undefined, null, 0, 1, true, false, {}, [], [1], [null], { x: 1 }, [resultReady]],
	...['', ' ', 'a', '\u0000', ...[50, 51, 255, 256].map((length) => '😀'.repeat(length))],
	...[UUID, UUID.toUpperCase(), `{${UUID}}`, `${UUID}\n`, UUID.slice(1), UUID.replace(/\w/, 'g')],
	...['2024-02-29', '2023-02-29', '2024-13-01', '2024-1-1', '20240201', '2024-02-01T00:00:00Z'],
	// Between the oracle's last moment and two days later lies the mock's assumption of when the last day ends.
	...DEADLINES.map((after) => deadlineAt(now.getTime() + after)),
	...['2026-12-01T12:00:00', '2026-12-01T12:00:00+02:00', '2026-12-01T25:00:00Z'],
	...['HTTP://a.example', 'http://127.0.0.1:5678/webhook/x', 'https://[::1]/x'],
	...['results', 'ftp://a.example/', 'http://', 'http://a b/', 'http://a:99999/', ' http://a/'],
	...['active', 'inactive', 'ACTIVE', 'paused'],
	...[15, 16].map((length) => new Array(length).fill(skill)),
	...[10, 11].map((length) => new Array(length).fill(workExperience)),
];

/** The valid body with each value in each field of one part of it. */
function changed(valid: Body, part: Body, place: (part: Body) => Body): Body[] {
	const fields = [...Object.keys(part), 'unknown'];
	const changes = fields.flatMap((name) =>
		VALUES.map((value) => ({ ...valid, ...place({ ...part, [name]: value }) })),
	);
	return [valid, ...changes];
}

const whole = (part: Body) => part;
const withDeadline = { ...invitation, deadline: deadlineAt(latest) };
const INVITATIONS = [
	...changed(invitation, withDeadline, whole),
	...changed(anonymous, anonymous, whole),
	...changed(invitation, skill, (part) => ({ skills: [skill, part] })),
	...changed(invitation, workExperience, (part) => ({ work_experiences: [part] })),
];
/** By assumption, a secret is a header's value. */
const WEBHOOKS = [
	...changed(webhook, { ...webhook, secret: 'a' }, whole).filter(({ secret }) =>
		/^[!-~]*$/.test(typeof secret === 'string' ? secret : ''),
	),
];

it.each<[string, Body[], { body: object }, (body: unknown) => string[]]>([
	['an invitation', INVITATIONS, createInvitation, (body) => invitationFaults(body, now, 'UTC')],
	['a webhook', WEBHOOKS, updateWebhook, webhookFaults],
	['a status', changed({}, { status: 'active' }, whole), setWebhookStatus, statusFaults],
])(
	'the mock service accepts %s exactly if the specification does',
	(_what, bodies, { body: schema }, oracle) => {
		const validate = validatorCompiler({ schema, method: 'POST', url: '/' });
		const accepts = (body: Body) =>
			validate(body) === true &&
			(typeof body.deadline !== 'string' || deadlineError(body.deadline, now) === undefined);
		const mistakes: unknown[] = [];
		const counts = { right: 0, wrong: 0 };
		for (const generated of bodies) {
			const body = JSON.parse(JSON.stringify(generated)) as Body;
			const faults = oracle(body).filter((fault) => !habits.some((habit) => habit.test(fault)));
			counts[faults.length === 0 ? 'right' : 'wrong'] += 1;
			if (accepts(body) !== (faults.length === 0)) mistakes.push({ body, faults });
		}
		expect(mistakes).toEqual([]);
		// Some were right and many were wrong.
		expect(Math.min(counts.right, counts.wrong / 25)).toBeGreaterThan(1);
	},
);
