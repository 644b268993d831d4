/**
 * The request bodies of the specification ("Endpoints", "Limits"), checked by code that shares
 * nothing with the rules under test, neither functions nor libraries. Each check gives what the
 * body breaks; nothing where it is right.
 */
type Check = (value: unknown, place: string) => string[];

const MONTHS_AHEAD = 3;

export function invitationFaults(body: unknown, now: Date): string[] {
	const isAnonymous = (body as { is_anonymous_candidate?: unknown }).is_anonymous_candidate;
	const personal = isAnonymous === true ? optional(string(255)) : string(255);
	return object({
		job_id: uuid,
		ext_reference_id: string(50),
		is_anonymous_candidate: boolean,
		email: personal,
		first_name: personal,
		last_name: personal,
		deadline: optional(deadline(now)),
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

/** The latest deadline that may be asked for, by UTC's calendar; short months have no 31st. */
export function latestDeadline(now: Date): Date {
	const latest = new Date(now);
	latest.setUTCDate(1);
	latest.setUTCMonth(latest.getUTCMonth() + MONTHS_AHEAD);
	const lastDay = new Date(Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth() + 1, 0));
	latest.setUTCDate(Math.min(now.getUTCDate(), lastDay.getUTCDate()));
	return latest;
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
			...unless(unknown.length === 0, `${place} has fields that the specification does not know`),
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
		];
	};
}

function optional(check: Check): Check {
	return (value, place) => (value === undefined ? [] : check(value, place));
}

function deadline(now: Date): Check {
	return (value, place) => {
		const isUtc = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);
		if (!isUtc) return [`${place} is no UTC date-time`];
		const due = new Date(value);
		return [
			...unless(due > now, `${place} is not in the future`),
			...unless(due <= latestDeadline(now), `${place} is more than 3 months away`),
		];
	};
}

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
