import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { deadline, deadlineDays, isoDate } from '../../nodes/CandidateAssessment/parameters/dates';
import { momentAt, NOW, refusal } from './support/arbitraries';
import { dayIn, endOfDay, latestDeadline } from './support/specification';
import { histories } from '../support/histories.mts';

const at = (now: string, timezone = 'Europe/Berlin') => deadline(() => momentAt(now, timezone));
const notUnderstood = (value: string) =>
	`not a valid date: '${value}'. Use a format such as 2026-12-15 or 2026-12-15T18:00`;
const past = / is in the past$/;
const tooLate = / is more than 3 months from today; the latest possible date is \d{4}-\d\d-\d\d$/;

const midnight = DateTime.fromISO('2026-12-24T00:00:00', { zone: 'Europe/Berlin' });

// Treacherous dates; a property below generates others.
it.each<[unknown, string, string?, string?]>([
	// Three months later the month is shorter.
	['2027-02-28', '2027-02-28T22:59:59Z', '2026-11-30T12:00:00Z'],
	[' 2026-12-24T18:00\n', '2026-12-24T23:00:00Z', NOW, 'America/New_York'],
	['2026-12-24 18:00:00', '2026-12-24T17:00:00Z'],
	['2026-12-24T18:00:00.999-0800', '2026-12-25T02:00:00Z'],
	['2026-12-24T18:00:00+05:30', '2026-12-24T12:30:00Z', NOW, 'Pacific/Auckland'],
	// Midnight means the whole day, as with $today.
	['2026-12-24T00:00:01', '2026-12-23T23:00:01Z'],
	['2026-12-24 00:00:00.000', '2026-12-24T22:59:59Z'],
	['2026-12-23T23:00:00Z', '2026-12-24T22:59:59Z'],
	[midnight.toJSDate(), '2026-12-24T22:59:59Z'],
	// A day as Code nodes and databases write it.
	['2026-12-12T00:00:00.000Z', '2026-12-13T04:59:59Z', NOW, 'America/New_York'],
	['2026-12-12 00:00:00+00', '2026-12-12T10:59:59Z', NOW, 'Pacific/Auckland'],
	[new Date('2026-12-12'), '2026-12-13T04:59:59Z', NOW, 'America/New_York'],
	[DateTime.utc(2026, 12, 12), '2026-12-13T04:59:59Z', NOW, 'America/New_York'],
	// A day as a system in another time zone writes it.
	['2026-12-12T00:00:00+01:00', '2026-12-13T04:59:59Z', NOW, 'America/New_York'],
	[midnight, '2026-12-25T04:59:59Z', NOW, 'America/New_York'],
	// This is midnight in UTC, but somebody wrote seven in the evening.
	['2026-12-11T19:00:00', '2026-12-12T00:00:00Z', NOW, 'America/New_York'],
	[midnight.set({ hour: 1 }), '2026-12-24T00:00:00Z', NOW, 'Europe/Berlin'],
])('a deadline may be %s, sent as %s', (written, due, now = NOW, zone = 'Europe/Berlin') => {
	expect(at(now, zone)(written)).toBe(due);
});

it('a deadline may be any time until the end of the day 3 months from now, in any time zone', () => {
	const zones = fc.constantFrom(
		...['UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/St_Johns'],
		...['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
	);
	const instants = fc.date({
		min: new Date('2024-01-01'),
		max: new Date('2032-12-31'),
		noInvalidDate: true,
	});
	const DAY = 24 * 3600;
	const seconds = fc.oneof(
		fc.integer({ min: -2, max: 95 * DAY }),
		fc.integer({ min: 88 * DAY, max: 95 * DAY }),
		fc.integer({ min: 0, max: 95 }).map((days) => days * DAY),
	);
	fc.assert(
		fc.property(instants, zones, seconds, fc.constantFrom(1, DAY), (now, zone, ahead, unit) => {
			const written = new Date(Math.floor((now.getTime() / 1000 + ahead) / unit) * unit * 1000);
			// Midnight means the whole day.
			const midnightIn = ['UTC', zone].find(
				(name) => dayIn(name, new Date(written.getTime() - 1)) !== dayIn(name, written),
			);
			const due = midnightIn ? endOfDay(dayIn(midnightIn, written), zone) : written;
			const rule = at(now.toISOString(), zone);
			const text = written.toISOString();
			if (due <= now) expect(refusal(rule, text)).toMatch(past);
			else if (due > latestDeadline(now, zone)) expect(refusal(rule, text)).toMatch(tooLate);
			else expect(rule(text)).toBe(due.toISOString().replace('.000Z', 'Z'));
		}),
		{ numRuns: histories(300) },
	);
});

it.each([
	['now', NOW, "'2026-11-20T09:30:00.000Z' is in the past"],
	['yesterday', new Date('2026-11-19T09:30:00Z'), "'2026-11-19T10:30:00.000+01:00' is in the past"],
	[
		'beyond what a date can be',
		'+275760-09-14T00:00:00Z',
		notUnderstood('+275760-09-14T00:00:00Z'),
	],
	['a number', 1798135200000, 'expected a date such as 2026-12-15, got a number'],
	['a list', ['2026-12-24'], 'expected a date such as 2026-12-15, got a list'],
])('a deadline may not be %s', (_what, due, problem) => {
	expect(refusal(at(NOW), due)).toBe(problem);
});

it.each([
	...['12/24/2026', '15.12.2026', '2026-13-01', '2026-02-30', '2026-12-24T25:00', '18:00'],
	...['Nathan Smith', '2026-12-24'.repeat(100_000)],
])('what is no date is quoted, cut short: %.20s', (value) => {
	const quoted = value.length > 50 ? `${value.slice(0, 50)}…` : value;
	for (const rule of [at(NOW), isoDate]) expect(refusal(rule, value)).toBe(notUnderstood(quoted));
});

it.each(['Mars/Olympus_Mons', ''])(
	"a deadline is refused if the workflow's time zone, %j, does not exist",
	(timezone) => {
		const now = () => momentAt(NOW, timezone);
		const problem = `the workflow's time zone isn't valid; choose another in the workflow's settings`;
		expect(refusal(deadline(now), '2026-12-24T18:00:00Z')).toBe(problem);
		expect(refusal(deadlineDays(now), 5)).toBe(problem);
	},
);

const daysAt = (now: string, timezone = 'Europe/Berlin') =>
	deadlineDays(() => momentAt(now, timezone));

it('a deadline in days may not be beyond 3 months, which have fewer days where February is among them', () => {
	for (const days of [89, '89.00']) {
		expect(daysAt('2027-01-31T12:00:00Z')(days)).toBe('2027-04-30T21:59:59Z');
	}
	expect(refusal(daysAt(NOW), 0)).toBe('must be a whole number from 1 to 92');
	expect(refusal(daysAt('2027-01-31T12:00:00Z'), 90)).toBe(
		'90 days from now is more than 3 months from today; the latest possible date is 2027-04-30',
	);
});

const lateInNewYork = DateTime.fromISO('2026-03-31T23:30:00', { zone: 'America/New_York' });

it.each<[unknown, string]>([
	[' 2026-03-31\n', '2026-03-31'],
	['2020-01-01T00:00:00.000Z', '2020-01-01'],
	['2020-01-01T23:30:00-05:00', '2020-01-01'],
	['2020-01-01T00:30:00+14:00', '2020-01-01'],
	['9999-12-31T23:30:00-12:00', '9999-12-31'],
	// A DateTime has the day that it shows; a JavaScript date has the day that n8n writes for it.
	[lateInNewYork, '2026-03-31'],
	[lateInNewYork.toUTC(), '2026-04-01'],
	[new Date('2020-01-01'), '2020-01-01'],
])('a calendar day is sent as it was written: %s', (value, sent) => {
	expect(isoDate(value)).toBe(sent);
});

it.each(['2026-03', new Date(NaN), new Date('-000001-06-01'), new Date('+010000-06-01')])(
	'a calendar day cannot be %s',
	(value) => expect(refusal(isoDate, value)).toMatch(/^not a valid date: '/),
);
