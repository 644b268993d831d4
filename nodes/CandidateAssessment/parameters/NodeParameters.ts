import type { INodeProperties } from 'n8n-workflow';
import type { DateContext } from './dates';
import { expressionsIn, ownField } from './Expression';
import type { PlaceholderResult } from './placeholderResults';
import { isEmpty, ValidationError, type Rule } from './rules';

/** Where one item's parameters come from. */
export interface ParameterSource {
	/** n8n's value of a parameter, or of a field inside one ("additionalFields.deadline"). Throws as n8n does. */
	value(name: string): unknown;
	/** The parameter as the user entered it, expressions unevaluated. */
	entered?(name: string): unknown;
	/** What the placeholders of an expression gave, as far as something may be wrong with it. */
	results?(expression: string, value: unknown): PlaceholderResult[];
}

interface Requirements {
	/**
	 * Whether each part of a template must give something, since the field tells one thing from
	 * another: "APP-{{ $json.id }}" would be the same for all items without an ID.
	 */
	everyPart?: boolean;
}

/** What one field holds for one item. */
interface Field {
	value?: unknown;
	/** What n8n said when it could not evaluate the field. */
	error?: Error;
	/** As the user entered it, expressions unevaluated. */
	entered?: unknown;
}

/** What the user entered for one item, read field by field through the rules. */
export class NodeParameters {
	/**
	 * @param fields by name; those inside a collection stand beside the others
	 * @param labels the fields' names as the user sees them
	 * @param dateContext what dates are read against
	 * @param results see `ParameterSource`
	 */
	constructor(
		private readonly fields: ReadonlyMap<string, Field>,
		private readonly labels: ReadonlyMap<string, string>,
		readonly dateContext: DateContext,
		private readonly results: NonNullable<ParameterSource['results']> = () => [],
	) {}

	/** The checked value. Throws `InvalidParameterError` where the field is empty or breaks its rule. */
	required<T>(name: string, rule: Rule<T>, { everyPart = false }: Requirements = {}): T {
		const isFilled = this.has(name);
		if (everyPart) this.failWhere(name, 'nothing');
		if (!isFilled) this.fail(name, this.whyEmpty(name));
		try {
			return rule(this.fields.get(name)?.value);
		} catch (error) {
			return this.fail(name, (error as Error).message);
		}
	}

	/** The checked value, or undefined where the field was left empty. Throws `InvalidParameterError`. */
	optional<T>(name: string, rule: Rule<T>, requirements?: Requirements): T | undefined {
		return this.has(name) ? this.required(name, rule, requirements) : undefined;
	}

	/** Whether the field holds something. Throws `InvalidParameterError` where its expression is broken. */
	has(name: string): boolean {
		const { value, error } = this.fields.get(name) ?? {};
		if (error) this.fail(name, `the expression failed: ${error.message}`, error);
		// Where JavaScript throws, n8n has nothing, which must not pass for a field left empty.
		this.failWhere(name, 'error');
		return !isEmpty(value);
	}

	/** The expression that the user entered into the field, if it is one. */
	expression(name: string): string | undefined {
		return expressionIn(this.fields.get(name)?.entered);
	}

	fail(name: string, problem: string, cause?: Error): never {
		throw new InvalidParameterError(this.labels.get(name) ?? name, problem, cause);
	}

	/** Fails where a placeholder of the field gave such a result. */
	private failWhere(name: string, kind: 'nothing' | 'error'): void {
		const { entered, value } = this.fields.get(name) ?? {};
		for (const expression of expressionsIn(entered, value)) {
			for (const result of this.results(expression.text, expression.value)) {
				if (result.kind !== 'value' && result.kind === kind) this.fail(name, result.message);
			}
		}
	}

	private whyEmpty(name: string): string {
		const isFromExpression = this.expression(name) !== undefined;
		return this.fields.get(name)?.value === undefined && isFromExpression
			? 'required, but the expression gave no value for this item'
			: 'required, but empty';
	}
}

/** A field that cannot be sent as it is: "Skills: 17 given, at most 15 are allowed". */
export class InvalidParameterError extends ValidationError {
	/** n8n's own explanation of a broken expression. */
	readonly description?: string;

	constructor(label: string, problem: string, cause?: Error & { description?: string | null }) {
		super(`${label}: ${problem}`, { cause });
		this.description = cause?.description ?? undefined;
	}
}

/**
 * Prepares to read the fields, once for all items. What it returns takes one item's parameters, at
 * least n8n's own way to get one of them in the context at hand. It never throws: a field that
 * cannot be evaluated fails when it is asked for.
 */
export function parameterReader(
	properties: readonly INodeProperties[],
	dateContext: DateContext,
): (source: ParameterSource | ParameterSource['value']) => NodeParameters {
	const labels = labelsOf(properties);
	const namesInside = new Map(
		properties
			.filter(({ type }) => type !== 'notice')
			.map((field) => [field.name, fieldsInside(field)?.map(({ name }) => name)]),
	);
	return (given) => {
		const source = typeof given === 'function' ? { value: given } : given;
		const fields = new Map<string, Field>();
		namesInside.forEach((inside, name) => {
			const entered = source.entered?.(name);
			const field = evaluate(source, name);
			if (!inside) {
				fields.set(name, { ...field, entered });
				return;
			}
			for (const one of inside) {
				fields.set(one, {
					// Which of the collection's fields is broken, only each of them can tell.
					...(field.error
						? evaluate(source, `${name}.${one}`)
						: // A collection from an expression may hold anything: only its own fields count.
							{ value: ownField(field.value, one) }),
					// A collection may be one expression, which then stands for each of its fields.
					entered: typeof entered === 'string' ? entered : ownField(entered, one),
				});
			}
		});
		return new NodeParameters(fields, labels, dateContext, source.results);
	};
}

function evaluate(source: ParameterSource, name: string): Field {
	try {
		return { value: source.value(name) };
	} catch (error) {
		return { error: error as Error };
	}
}

/** An expression begins with "="; a resource locator holds it as its value. */
function expressionIn(entered: unknown): string | undefined {
	const text = typeof entered === 'object' ? ownField(entered, 'value') : entered;
	return typeof text === 'string' && text.startsWith('=') ? text : undefined;
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
