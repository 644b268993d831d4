/**
 * The request bodies of the specification ("Endpoints", "Limits"), checked by code that shares
 * nothing with the rules under test, neither functions nor libraries. Each check gives what the
 * body breaks; nothing where it is right.
 */
type Check = (value: unknown, place: string) => string[];

const MONTHS_AHEAD = 3;

export function invitationFaults(body: unknown, now: Date, timezone: string): string[] {
	const isAnonymous = (body as { is_anonymous_candidate?: unknown }).is_anonymous_candidate;
	const personal = (check: Check) => (isAnonymous === true ? optional(check) : check);
	return object({
		job_id: uuid,
		ext_reference_id: reference,
		is_anonymous_candidate: boolean,
		email: personal(email),
		first_name: personal(string(255)),
		last_name: personal(string(255)),
		deadline: optional(deadline(now, timezone)),
		skills: optional(
			list(object({ name: optional(string()), proficiency: optional(string()) }), 15),
		),
		work_experiences: optional(
			list(
				object({
					organization: optional(string()),
					role: optional(string()),
					is_current: optional(boolean),
					responsibilities_achievements: optional(string()),
					start_date: optional(day),
					end_date: optional(day),
				}),
				10,
			),
		),
	})(body, 'body');
}

export function webhookFaults(body: unknown): string[] {
	return object({
		name: string(),
		url: httpUrl,
		events: list(string()),
		secret: optional(string()),
	})(body, 'body');
}

export function statusFaults(body: unknown): string[] {
	const status: Check = (value, place) =>
		unless(value === 'active' || value === 'inactive', `${place} is no status`);
	return object({ status })(body, 'body');
}

/**
 * The latest deadline that may be asked for: the last second of the day 3 months from today, in
 * whichever of the time zone and UTC it ends later.
 */
export function latestDeadline(now: Date, timezone: string): Date {
	const ends = [timezone, 'UTC'].map((zone) =>
		endOfDay(threeMonthsAfter(dayIn(zone, now)), zone).getTime(),
	);
	return new Date(Math.max(...ends));
}

/** The last second of a day, as the clocks of a time zone have it. */
export function endOfDay(day: string, timezone: string): Date {
	const QUARTER = 15 * 60 * 1000;
	const DAY = 96 * QUARTER;
	// No zone is a day and a half away from UTC, and all change clocks at quarters of an hour.
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
	const lastOfMonth = new Date(Date.UTC(year, month - 1 + MONTHS_AHEAD + 1, 0));
	lastOfMonth.setUTCDate(Math.min(date, lastOfMonth.getUTCDate()));
	return lastOfMonth.toISOString().slice(0, 10);
}

/** Of a text as a reader counts: a pair of surrogates is one. */
export function charactersIn(text: string): number {
	return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '_').length;
}

function object(checks: Record<string, Check>): Check {
	return (value, place) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) {
			return [`${place} is no object`];
		}
		const properties = new Map(Object.entries(value));
		const unknown = [...properties.keys()].filter((name) => !Object.hasOwn(checks, name));
		return [
			...unless(properties.size > 0, `${place} is empty`),
			...unless(unknown.length === 0, `${place}: not in the specification: ${unknown.join()}`),
			...Object.entries(checks).flatMap(([name, check]) =>
				check(properties.get(name), `${place}.${name}`),
			),
		];
	};
}

function list(check: Check, max = Infinity): Check {
	return (value, place) => {
		if (!Array.isArray(value)) return [`${place} is no list`];
		return [
			...unless(value.length > 0, `${place} is empty`),
			...unless(value.length <= max, `${place} has ${value.length} entries`),
			...value.flatMap((entry, index) => check(entry, `${place}[${index}]`)),
		];
	};
}

function string(max = Infinity): Check {
	return (value, place) => {
		if (typeof value !== 'string') return [`${place} is no string`];
		return [
			...unless(/\S/.test(value), `${place} is empty`),
			...unless(charactersIn(value) <= max, `${place} has more than ${max} characters`),
			...unless(isWhole(value), `${place} has half a character`),
			...unless(!hasLeftover(value, max === Infinity), `${place} has a leftover`),
		];
	};
}

/** Some of what no text should hold, or none but free text; the tests of leftovers know all of it. */
function hasLeftover(value: string, isFree: boolean): boolean {
	const isFound = (one: string) => (isFree ? value.trim() === one : value.includes(one));
	return /\ufffd|Ã¼/.test(value) || ['&#39;', '#REF!', '#N/A'].some(isFound);
}

const reference: Check = (value, place) => [
	...string(50)(value, place),
	...unless(!/^="|E\+14$|undefined/.test(String(value)), `${place} is no reference`),
];

function optional(check: Check): Check {
	return (value, place) => (value === undefined ? [] : check(value, place));
}

function deadline(now: Date, timezone: string): Check {
	return (value, place) => {
		const isUtc = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);
		if (!isUtc) return [`${place} is no UTC date-time`];
		const due = new Date(value);
		return [
			...unless(due > now, `${place} is not in the future`),
			...unless(due <= latestDeadline(now, timezone), `${place} is more than 3 months away`),
		];
	};
}

const email: Check = (value, place) => {
	const parts = typeof value === 'string' ? value.split('@') : [];
	return [
		...string(255)(value, place),
		...unless(parts.length === 2 && !parts.includes(''), `${place} is no email address`),
		...unless(!/[\s,;:<>()[\]\\"]/.test(parts.join('')), `${place} has more than an address`),
	];
};

const boolean: Check = (value, place) =>
	unless(typeof value === 'boolean', `${place} is no boolean`);

const uuid: Check = (value, place) => {
	const groups = typeof value === 'string' ? value.split('-') : [];
	const lengths = groups.map(({ length }) => length).join();
	const isHex = groups.every((group) => /^[0-9A-Fa-f]*$/.test(group));
	return unless(lengths === '8,4,4,4,12' && isHex, `${place} is no UUID`);
};

const day: Check = (value, place) => {
	if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return [`${place} is no day`];
	const date = new Date(`${value}T00:00:00Z`);
	const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
	return unless(exists, `${place} is a day that does not exist`);
};

const httpUrl: Check = (value, place) => {
	const isUrl = typeof value === 'string' && /^https?:\/\/[^\s/?#]/i.test(value);
	if (!isUrl || !URL.canParse(value)) return [`${place} is no web address`];
	// What RFC 3986 lets stand nowhere in an address.
	return unless(!/[\s"<>\\^`{|}]/.test(value), `${place} has a character that no address has`);
};

function isWhole(text: string): boolean {
	try {
		return encodeURIComponent(text) !== '';
	} catch {
		return false;
	}
}

function unless(isRight: boolean, fault: string): string[] {
	return isRight ? [] : [fault];
}
