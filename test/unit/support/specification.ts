import { DateTime } from 'luxon';
import { resultReady } from '../../../mock-service/assumptions.mts';
import { deadlineError } from '../../../mock-service/deadline.mts';
import { createInvitation, updateWebhook } from '../../../mock-service/schemas.mts';
import { validatorCompiler } from '../../../mock-service/validate.mts';

/** The mock service's objections to request bodies share nothing with the rules under test. The calendar is Luxon's. */
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
		DateTime.fromJSDate(now, { zone }).plus({ months: 3 }).endOf('day').startOf('second'),
	);
	return DateTime.max(...ends)!.toJSDate();
}

/** The last second of a day, on the clocks of a time zone. */
export function endOfDay(day: string, zone: string): Date {
	return DateTime.fromISO(day, { zone }).endOf('day').startOf('second').toJSDate();
}

/** The day on which an instant falls, as YYYY-MM-DD. */
export function dayIn(zone: string, instant: Date): string {
	return DateTime.fromJSDate(instant, { zone }).toISODate()!;
}
