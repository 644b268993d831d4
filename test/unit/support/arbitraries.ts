import * as fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import {
	InvalidParameterError,
	NodeParameters,
	placesOf,
} from '../../../nodes/CandidateAssessment/parameters/NodeParameters';
import { ValidationError, type Rule } from '../../../nodes/CandidateAssessment/parameters/rules';
import type { Operation } from '../../../nodes/CandidateAssessment/actions/operation';
import type { ApiRequest } from '../../../nodes/CandidateAssessment/transport/types';

/** The clock of all unit tests, so that they pass on any day. */
export const NOW = '2026-11-20T09:30:00.000Z';

/** The present moment in a workflow's time zone. */
export function momentAt(now = NOW, zone = 'Europe/Berlin'): DateTime {
	return DateTime.fromISO(now, { zone });
}

/** The message of the rule that a value breaks. */
export function refusal(rule: Rule<unknown>, value: unknown): string {
	try {
		rule(value);
	} catch (error) {
		expect(error).toBeInstanceOf(ValidationError);
		return (error as Error).message;
	}
	throw new Error('The rule lets it pass');
}

/** The values that one item of an operation entered. */
export function entered(
	operation: Pick<Operation, 'properties'>,
	parameters: Readonly<Record<string, unknown>>,
	{ now = momentAt() }: { now?: DateTime } = {},
): NodeParameters {
	Settings.now = () => now.toMillis();
	const read = (path: string) => ({
		value: path.split('.').reduce<unknown>(ownProperty, parameters) ?? null,
	});
	return new NodeParameters(placesOf(operation.properties), read, now.zoneName ?? '');
}

function ownProperty(value: unknown, name: string): unknown {
	const properties = Object(value) as Record<string, unknown>;
	return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The request as the service would receive it, or the refusal. Anything else thrown fails the test. */
export function requestOrRefusal(
	operation: Operation,
	parameters: Readonly<Record<string, unknown>>,
	item?: { now?: DateTime },
): { request: ApiRequest; refusal?: undefined } | { refusal: string; request?: undefined } {
	try {
		const request = operation.request(entered(operation, parameters, item));
		return { request: { ...request, body: asReceived(request.body) } };
	} catch (error) {
		expect(error).toBeInstanceOf(InvalidParameterError);
		const { message } = error as InvalidParameterError;
		expect(message).toMatch(A_RULE);
		return { refusal: message };
	}
}

/** A refusal states a rule in our own words. A wrapped JavaScript error would still be a crash. */
const A_RULE =
	/required, but|expected|allowed|maximum|damaged character|too many digits|must be|as an ID|: not an? \w|unknown field|is empty|valid JSON|in the past|3 months|time zone isn't valid|wrong format|use either|has no invitation code|can contain only|invisible character|contains (?:'|an? )/;

function asReceived(body: ApiRequest['body']): ApiRequest['body'] {
	return body && (JSON.parse(JSON.stringify(body)) as ApiRequest['body']);
}

/** Keys with a meaning to JavaScript or to us. */
export const treacherousKey = fc.constantFrom(
	...['__proto__', 'constructor', 'toString', 'length', 'then'],
	...['mode', 'value', 'skill', 'name', 'workExperience', 'start_date'],
);

/** Any sequence of UTF-16 code units, including halves of broken characters. */
export const anyCodeUnits = fc
	.array(fc.oneof(fc.integer({ max: 0xffff, min: 0 }), fc.integer({ max: 0xdfff, min: 0xd800 })), {
		maxLength: 12,
	})
	.map((units) => String.fromCharCode(...units));

/** Whole characters from all of Unicode, except the replacement character. */
export const anyText = (constraints: fc.StringConstraints = {}) =>
	fc.string({ unit: 'binary', ...constraints }).map((text) => text.replaceAll('\ufffd', '?'));

const MEGABYTE = 2 ** 20;
const big = fc.constantFrom(
	'x'.repeat(MEGABYTE),
	'😀'.repeat(MEGABYTE / 2),
	'['.repeat(MEGABYTE),
	' '.repeat(MEGABYTE),
	`${'x'.repeat(MEGABYTE)}\ud800`,
);

/** Values that `fc.anything` doesn't make. */
const awkward = fc.constantFrom<unknown>(
	'[]',
	'[{}]',
	'[{"__proto__":{"name":"x"}}]',
	JSON.parse('{"__proto__":{"name":"x"}}'),
	JSON.parse('[{"__proto__":"x","name":"SQL"}]'),
	JSON.parse('{"skill":[{"__proto__":{"name":"x"}}]}'),
	{ skill: [null, undefined, 1] },
	{ workExperience: {} },
	{ mode: null, value: {} },
	Symbol('symbol'),
	10n,
	() => 'function',
	new Date(NaN),
	DateTime.invalid('on purpose'),
	'2026-13-45',
	'2026-11-20T09:30:00+99:99',
	'\ud800',
	...['Jos\ufffd', 'MÃ¼ller', 'Jos√©', '?ukasz', 'O&#39;Brien', '#REF!', '="00123"', "'-1", 'A\nB'],
	...['1.23457E+14', 'APP-undefined', 'NULL', "O''Brien", "['Jane']", '@SUM(A1)', 'ﬁeld', '\u3164'],
	...['a:b@c.de', 'a@b.de c', 'a@', '@b.de', 'a@b@c.de', 'a@b.de;', '"a"@b.de', 'a@[b]', 'a@b'],
	...["'a@b.de'", 'a@b.de.', 'a@b..de', 'a@-b.de', 'a@b.de/'],
	'../..',
	'https://',
);

/** Values that an expression may return by mistake or malice. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
	{
		weight: 16,
		arbitrary: fc.anything({
			key: fc.oneof(treacherousKey, fc.string()),
			maxDepth: 3,
			withBigInt: true,
			withBoxedValues: true,
			withDate: true,
			withMap: true,
			withNullPrototype: true,
			withObjectString: true,
			withSet: true,
			withSparseArray: true,
			withTypedArray: true,
		}),
	},
	{ weight: 16, arbitrary: awkward },
	{ weight: 8, arbitrary: anyCodeUnits },
	{ weight: 8, arbitrary: anyText() },
	{ weight: 4, arbitrary: fc.json() },
	{ weight: 1, arbitrary: big },
);

/** Whole characters that don't count as an empty field, without surrounding spaces. */
export const filledText = (maxLength: number) =>
	anyText({ maxLength, minLength: 1 })
		.map((value) => value.trim())
		.filter((value) => /[^\s\p{DI}\p{Cc}\u2800\ufff9-\ufffb]/u.test(value));

/** A UUID in any case, perhaps with blanks from careless copying, and the UUID to send. */
export const pastedUuid = fc
	.tuple(fc.uuid(), fc.boolean(), fc.constantFrom('', ' ', '\n', '\t '))
	.map(([uuid, isUpper, blanks]) => {
		const id = isUpper ? uuid.toUpperCase() : uuid;
		return { params: `${blanks}${id}${blanks}`, sent: id };
	});

/** Too long and too random to appear in a message by chance. */
export const token = fc.string({
	unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
	minLength: 32,
	maxLength: 48,
});
