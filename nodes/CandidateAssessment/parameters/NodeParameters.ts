import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import { isEmpty, ValidationError, type DateContext, type Rule } from './rules';

/** What the user entered for one item, read field by field through the rules. */
export class NodeParameters {
	/**
	 * @param values the parameters by name; those inside a collection stand beside the others
	 * @param labels the fields' names as the user sees them
	 * @param dateContext what dates are read against
	 */
	constructor(
		private readonly values: Readonly<Record<string, unknown>>,
		private readonly labels: ReadonlyMap<string, string>,
		readonly dateContext: DateContext,
	) {}

	/** The checked value. Throws `InvalidField` where the field is empty or breaks its rule. */
	required<T>(name: string, rule: Rule<T>): T {
		if (!this.has(name)) this.fail(name, 'required, but empty');
		try {
			return rule(this.values[name]);
		} catch (error) {
			return this.fail(name, (error as Error).message);
		}
	}

	/** The checked value, or undefined where the field was left empty. Throws `InvalidField`. */
	optional<T>(name: string, rule: Rule<T>): T | undefined {
		return this.has(name) ? this.required(name, rule) : undefined;
	}

	has(name: string): boolean {
		return !isEmpty(this.values[name]);
	}

	fail(name: string, problem: string): never {
		throw new InvalidParameterError(this.labels.get(name) ?? name, problem);
	}
}

/** A field that cannot be sent as it is: "Skills: 17 given, at most 15 are allowed". */
export class InvalidParameterError extends ValidationError {
	constructor(label: string, problem: string) {
		super(`${label}: ${problem}`);
	}
}

/** Now, in the time zone of the workflow at hand. */
export function dateContextOf(context: { getTimezone(): string }): DateContext {
	return { now: DateTime.now(), timezone: context.getTimezone() };
}

/**
 * Prepares to read the fields, once for all items. What it returns takes `parameter`, n8n's own way
 * to get one parameter in the context at hand.
 */
export function parameterReader(
	properties: readonly INodeProperties[],
	dateContext: DateContext,
): (parameter: (name: string) => unknown) => NodeParameters {
	const labels = labelsOf(properties);
	const namesInside = new Map(
		properties
			.filter(({ type }) => type !== 'notice')
			.map((field) => [field.name, fieldsInside(field)?.map(({ name }) => name)]),
	);
	return (parameter) => {
		const values: Record<string, unknown> = {};
		namesInside.forEach((inside, name) => {
			const value = parameter(name);
			if (!inside) values[name] = value;
			// A collection from an expression may hold anything: only its own fields count.
			else inside.forEach((one) => (values[one] = ownField(value, one)));
		});
		return new NodeParameters(values, labels, dateContext);
	};
}

/** Display names by parameter name, those inside collections included. */
function labelsOf(properties: readonly INodeProperties[]): Map<string, string> {
	return new Map(
		properties.flatMap((field): Array<[string, string]> => {
			return [[field.name, field.displayName], ...labelsOf(fieldsInside(field) ?? [])];
		}),
	);
}

function fieldsInside({ type, options }: INodeProperties): INodeProperties[] | undefined {
	return type === 'collection' ? (options as INodeProperties[]) : undefined;
}

function ownField(collection: unknown, name: string): unknown {
	const properties = Object(collection) as Record<string, unknown>;
	return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
