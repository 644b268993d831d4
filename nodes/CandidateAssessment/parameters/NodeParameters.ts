import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import { isEmpty, ValidationError, type Rule } from './rules';

export interface Field {
	/** Undefined if an expression returned nothing. */
	value: unknown;
	/** Why a template in the field is incomplete. */
	gap?: string;
}

/** Fields by name: n8n's path to each ("additionalFields.deadline"), and its name in the editor. */
export type Places = ReadonlyMap<string, { path: string; label: string }>;

/** The parameters of one item, each read when it's asked for. */
export class NodeParameters {
	/**
	 * @param read reads a field by its path in n8n; what it throws becomes an `InvalidParameterError`
	 * @param identifyingFields in which no part of a template may be missing
	 */
	constructor(
		private readonly places: Places,
		private readonly read: (path: string) => Field,
		private readonly timezone = 'utc',
		private readonly identifyingFields: readonly string[] = [],
	) {}

	private readonly field = memoized((name): Field => {
		try {
			return this.read(this.places.get(name)?.path ?? name);
		} catch (thrown) {
			const error = thrown as Error;
			return this.fail(name, `the expression failed: ${error.message}`, error);
		}
	});

	/** The present moment, in the workflow's time zone; invalid if that doesn't exist. */
	readonly now = (): DateTime => DateTime.now().setZone(this.timezone);

	/** The checked value. Throws `InvalidParameterError` if the field is empty or breaks its rule. */
	required<T>(name: string, rule: Rule<T>): T {
		const { value, gap } = this.field(name);
		if (isEmpty(value)) {
			const words = 'the expression is empty for this item. Drag the field in from the input';
			this.fail(name, gap ?? `required, but ${value === undefined ? words : 'empty'}`);
		}
		if (gap && this.identifyingFields.includes(name)) this.fail(name, gap);
		try {
			return rule(value);
		} catch (error) {
			return this.fail(name, (error as Error).message);
		}
	}

	/** The checked value, or undefined if the field was left empty. Throws `InvalidParameterError`. */
	optional<T>(name: string, rule: Rule<T>): T | undefined {
		return isEmpty(this.field(name).value) ? undefined : this.required(name, rule);
	}

	fail(name: string, problem: string, cause?: Error): never {
		const label = this.places.get(name)?.label ?? name;
		throw new InvalidParameterError(`${label}: ${problem}`, { cause });
	}
}

/** A field that can't be sent as it is: "Skills: 17 given, at most 15 are allowed". */
export class InvalidParameterError extends ValidationError {
	/** n8n's own explanation of a broken expression. */
	get description(): string | undefined {
		return (this.cause as { description?: string } | undefined)?.description ?? undefined;
	}
}

export function placesOf(properties: readonly INodeProperties[], within = ''): Places {
	const places = properties.flatMap(({ name, displayName, type, options }) =>
		type === 'collection'
			? [...placesOf(options as INodeProperties[], `${name}.`)]
			: [[name, { path: within + name, label: displayName }] as const],
	);
	return new Map(places);
}

export function memoized<T>(make: (key: string) => T): (key: string) => T {
	const made = new Map<string, T>();
	return (key) => {
		if (!made.has(key)) made.set(key, make(key));
		return made.get(key) as T;
	};
}
