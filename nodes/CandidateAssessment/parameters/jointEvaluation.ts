import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { Expression } from './Expression';
import { isSimple, itemPath, type ItemPath, type SimpleValue } from './itemPath';
import { isPlain, mayChangeItem } from './plainExpressions';

/** Of n8n's execution context, what evaluates parameters. */
export type ExpressionContext = Pick<
	IExecuteFunctions,
	'getNodeParameter' | 'evaluateExpression' | 'getWorkflowDataProxy'
>;

/** One item's parameters. */
export interface ItemValues {
	/** Gives a parameter as `getNodeParameter` does, or throws as it does. */
	value(name: string): unknown;
	/** What some of the codes in its expressions gave. */
	known: ReadonlyMap<string, SimpleValue>;
}

/**
 * n8n 2.x evaluates every expression in an isolate of its own, at a fixed cost, so that the check of
 * a long list would be mostly that. Here a path into the item is read without an evaluation, and the
 * other plain codes of an item are evaluated in one go, as one list. Where that does not
 * certainly give what each of them alone gives, n8n is asked in the ordinary way: for an item that
 * fails, for values other than texts, numbers, and booleans, and for everything that is not plain.
 *
 * @param properties the parameters that will be asked for
 */
export function jointEvaluation(
	context: ExpressionContext,
	properties: readonly INodeProperties[],
): (index: number) => ItemValues {
	const joint = new Map<string, { raw: unknown; expressions: ReadonlyMap<string, Expression> }>();
	const plainCodes = new Set<string>();
	for (const property of properties) {
		const raw = rawParameter(context, property.name);
		const expressions = expressionsIn(raw);
		const codes = [...expressions.values()].flatMap((expression) => expression.codes);
		if (codes.some(mayChangeItem)) {
			const value = (name: string, index: number) => context.getNodeParameter(name, index, null);
			return (index) => ({ value: (name) => value(name, index), known: new Map() });
		}
		codes.filter(isPlain).forEach((code) => plainCodes.add(code));
		const isJoint = codes.length > 0 && [...expressions.values()].every(canBeFilledIn);
		if (isJoint && !isConverted(property)) joint.set(property.name, { raw, expressions });
	}
	const evaluation = new JointEvaluation(context, plainCodes);
	return (index) => {
		const known = evaluation.valuesOf(index);
		const isKnown = ({ codes }: Expression) => codes.every((code) => known.has(code));
		const value = (name: string) => {
			const { raw, expressions } = joint.get(name) ?? {};
			return expressions && [...expressions.values()].every(isKnown)
				? filledIn(raw, (expression) => expressions.get(expression)?.valueFrom(known))
				: context.getNodeParameter(name, index, null);
		};
		return { value, known };
	};
}

/** Whether its value is certain once those of its codes are known. */
function canBeFilledIn({ codes, isCertain }: Expression): boolean {
	return codes.length > 0 && codes.every(isPlain) && isCertain;
}

/** The parameter as the user entered it. Null where it is hidden or unknown. */
export function rawParameter(context: ExpressionContext, name: string): unknown {
	return context.getNodeParameter(name, 0, null, { rawExpressions: true });
}

/** More items that failed than worked, by so many, and evaluating together is given up. */
const PATIENCE = 10;

/** The values of plain expressions, by their code. */
class JointEvaluation {
	private readonly paths = new Map<string, ItemPath>();
	/** Paths that gave for an item what n8n gave for it, which knows names that must not be read. */
	private readonly trusted = new Set<string>();
	private failures = 0;

	/** @param codes those that are evaluated together; one that does not give a simple value is taken out */
	constructor(
		private readonly context: ExpressionContext,
		private readonly codes: Set<string>,
	) {
		for (const code of codes) {
			const path = itemPath(code);
			if (path) this.paths.set(code, path);
		}
	}

	/** The values of one item. What is not among them has to be asked for by itself. */
	valuesOf(index: number): ReadonlyMap<string, SimpleValue> {
		const read = this.readPaths(index);
		const known = new Map([...read].filter(([code]) => this.trusted.has(code)));
		const evaluated = this.evaluate(index, known);
		for (const [code, value] of read) {
			// Without a value, n8n may not have come to a name that must not be read.
			if (value === undefined || !evaluated.has(code)) continue;
			if (Object.is(value, evaluated.get(code))) this.trusted.add(code);
			else this.paths.delete(code);
		}
		return new Map([...known, ...evaluated]);
	}

	private readPaths(index: number): Map<string, SimpleValue> {
		const values = new Map<string, SimpleValue>();
		if (this.paths.size === 0) return values;
		const data = this.context.getWorkflowDataProxy(index);
		for (const [code, path] of this.paths) {
			const found = path(data);
			if (found) values.set(code, found.value);
		}
		return values;
	}

	private evaluate(index: number, known: ReadonlyMap<string, unknown>): Map<string, SimpleValue> {
		const values = new Map<string, SimpleValue>();
		const codes = [...this.codes].filter((code) => !known.has(code));
		const isUntried = (code: string) => this.paths.has(code) && !this.trusted.has(code);
		const isWorthIt = codes.length > 1 || codes.some(isUntried);
		if (!isWorthIt || this.failures > PATIENCE) return values;
		const list = evaluate(this.context, `[${codes.map((code) => `(${code})`).join(', ')}]`, index);
		// Where one expression fails, n8n makes an error of the whole, or undefined.
		if (!Array.isArray(list)) {
			this.failures++;
			return values;
		}
		this.failures--;
		list.forEach((value: unknown, position) => {
			// An object is handled by n8n in ways of its own, and so is a function.
			if (isSimple(value)) values.set(codes[position], value);
			else this.codes.delete(codes[position]);
		});
		return values;
	}
}

/** The value of some code for an item, undefined where n8n throws. */
export function evaluate(context: ExpressionContext, code: string, index: number): unknown {
	try {
		return context.evaluateExpression(`{{ ${code} }}`, index);
	} catch {
		return undefined;
	}
}

/** Whether n8n converts the parameter after it is evaluated. */
function isConverted(property: INodeProperties): boolean {
	return JSON.stringify(property).includes('"validateType"');
}

/** The expressions in a parameter, by what the user entered. */
function expressionsIn(raw: unknown): Map<string, Expression> {
	if (typeof raw === 'string') {
		return new Map(raw.startsWith('=') ? [[raw, new Expression(raw)]] : []);
	}
	if (typeof raw !== 'object' || raw === null) return new Map();
	return new Map(Object.values(raw).flatMap((one) => [...expressionsIn(one)]));
}

/** A copy with the values in place of the expressions, as n8n makes it. */
function filledIn(raw: unknown, valueOf: (expression: string) => unknown): unknown {
	if (typeof raw === 'string') return raw.startsWith('=') ? valueOf(raw) : raw;
	if (Array.isArray(raw)) return raw.map((entry) => filledIn(entry, valueOf));
	if (typeof raw !== 'object' || raw === null) return raw;
	return Object.fromEntries(Object.entries(raw).map(([key, one]) => [key, filledIn(one, valueOf)]));
}
