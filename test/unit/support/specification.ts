import { resultReady } from '../../../mock-service/assumptions.mts';
import { deadlineError } from '../../../mock-service/deadline.mts';
import { createInvitation, updateWebhook } from '../../../mock-service/schemas.mts';
import { validatorCompiler } from '../../../mock-service/validate.mts';

/** The mock service's objections to request bodies, and a calendar. Both share nothing with the rules under test. */
const validateInvitation = validatorOf(createInvitation);
const validateWebhook = validatorOf(updateWebhook);

export function invitationFaults(body: unknown, now: Date): unknown[] {
	const { deadline } = body as { deadline?: string };
	const late = deadline === undefined ? undefined : deadlineError(deadline, now);
	return [...validateInvitation(body), ...oddValuesIn(body), ...(late ? [late] : [])];
}

/** The mock service knows one event; there may be others. */
export function webhookFaults(body: unknown): unknown[] {
	const { events } = body as { events: unknown[] };
	const unnamed = events.filter((event) => typeof event !== 'string');
	const known = { ...(body as object), events: events.map(() => resultReady) };
	return [...validateWebhook(known), ...oddValuesIn(body), ...unnamed];
}

function validatorOf({ body }: { body: object }): (body: unknown) => string[] {
	const validate = validatorCompiler({ schema: body, method: 'POST', url: '/' });
	return (value) =>
		validate(value) === true
			? []
			: (validate.errors?.map(
					({ instancePath, message, params }) =>
						`mock-service/schemas.mts: ${instancePath} ${message} ${JSON.stringify(params)}`,
				) ?? ['']);
}

/** Values that no field may hold: empty ones, half a character, or leftovers of a mistake. */
function oddValuesIn(body: unknown): unknown[] {
	const odd: unknown[] = [];
	JSON.parse(JSON.stringify(body), (_name, value: unknown) => {
		const isOdd =
			typeof value === 'string'
				? !/\S/.test(value) || /\p{Surrogate}|\ufffd|Ã¼/u.test(value)
				: Object.keys(Object(value)).length === 0 && value === Object(value);
		if (isOdd) odd.push(value);
		return value;
	});
	return odd;
}

/**
 * The latest permitted deadline: the last second of the day 3 months from today, in whichever of the time zone and
 * UTC it ends later.
 */
export function latestDeadline(now: Date, timezone: string): Date {
	const ends = [timezone, 'UTC'].map((zone) =>
		endOfDay(threeMonthsAfter(dayIn(zone, now)), zone).getTime(),
	);
	return new Date(Math.max(...ends));
}

/** The last second of a day, on the clocks of a time zone. */
export function endOfDay(day: string, timezone: string): Date {
	const QUARTER = 15 * 60 * 1000;
	const DAY = 96 * QUARTER;
	// No zone is a day and a half from UTC, and all change clocks on a quarter hour.
	let time = Date.parse(`${day}T00:00:00Z`) + 1.5 * DAY + DAY;
	while (dayIn(timezone, new Date(time - 1)) > day) time -= QUARTER;
	return new Date(time - 1000);
}

/** The day on which an instant falls, as YYYY-MM-DD. */
export function dayIn(timezone: string, instant: Date): string {
	let format = dayFormats.get(timezone);
	if (!format) {
		format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
		dayFormats.set(timezone, format);
	}
	return format.format(instant);
}

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Short months have no 31st. */
function threeMonthsAfter(day: string): string {
	const [year, month, date] = day.split('-').map(Number);
	const lastOfMonth = new Date(Date.UTC(year, month + 3, 0));
	lastOfMonth.setUTCDate(Math.min(date, lastOfMonth.getUTCDate()));
	return lastOfMonth.toISOString().slice(0, 10);
}
