import {
	ExpressionParser,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';
import { inOneLine } from '../inOneLine';
import { memoized, parameterReader } from './NodeParameters';
import { isEmpty } from './rules';

/**
 * Prepares to read the fields of every item. n8n evaluates all expressions of an item at once: in n8n 2.x,
 * a single evaluation takes as long as everything else that is done for the item. Only plain values of the
 * item, such as `$json.name.trim()`, are read without n8n.
 * @returns a reader for the item at an index; a field that fails does so when it is asked for
 */
export function itemReader(context: IExecuteFunctions, properties: readonly INodeProperties[]) {
	const read = parameterReader(properties, context.getTimezone());
	const entered = memoized((path) =>
		context.getNodeParameter(path, 0, null, { rawExpressions: true }),
	);
	const parsed = memoized(parse);
	const codes = new Set<string>();
	return (index: number) => {
		const evaluate: Evaluate = (expression) => context.evaluateExpression(expression, index);
		let item: IDataObject | undefined;
		const results = new Map<string, Result>();
		const valueOf = (placeholder: Placeholder) => {
			item ??= context.getWorkflowDataProxy(index).$json as IDataObject;
			const plain = placeholder.read?.(item);
			if (plain) return plain[0];
			const { code } = placeholder;
			codes.add(code);
			if (!results.has(code)) {
				const others = [...codes].filter((each) => !results.has(each));
				evaluateAll(others, evaluate).forEach((result, place) =>
					results.set(others[place], result),
				);
			}
			return valueOrError(placeholder, results.get(code) as Result, evaluate);
		};
		return read((path) => {
			let gap: string | undefined;
			const value = filledIn(entered(path), (text) => {
				const { parts, isTemplate } = parsed(text);
				if (!isTemplate) return valueOf(parts[1] as Placeholder);
				const texts = parts.map((part) => {
					if (typeof part === 'string') return part;
					const filling = valueOf(part);
					gap ??= gapIn(part, filling);
					return isMissing(filling) ? '' : String(filling);
				});
				return texts.join('');
			});
			return { value, gap };
		}, context.getInputData()[index].json);
	};
}

/** A copy with the values in place of the expressions, as n8n makes it. */
function filledIn(raw: unknown, valueOf: (expression: string) => unknown): unknown {
	if (typeof raw === 'string') return raw.startsWith('=') ? valueOf(raw) : raw;
	if (Array.isArray(raw)) return raw.map((entry) => filledIn(entry, valueOf));
	if (typeof raw !== 'object' || raw === null) return raw;
	return Object.fromEntries(
		Object.entries(raw).map(([key, field]) => [key, filledIn(field, valueOf)]),
	);
}

/** Code in braces, which gives a value. */
interface Placeholder {
	code: string;
	/** With its braces, as errors quote it. */
	quote: string;
	/** Reads a field of the item without n8n. The value is in a list; none if only n8n can read it. */
	read?: (item: IDataObject) => [unknown] | undefined;
}

/**
 * Splits an expression as n8n does: into placeholders and the text around them. With nothing around it, a
 * placeholder gives its value. Otherwise it is a template, which gives a text.
 */
function parse(expression: string) {
	const chunks = ExpressionParser.splitExpression(expression.slice('='.length));
	const parts = chunks.map(({ type, text }): string | Placeholder => {
		if (type === 'text') return text;
		const quote = inOneLine(`{{${text}}}`, 100);
		// n8n accepts "}}" in code only escaped, and drops the escape when it splits.
		return { code: text.replace('}}', '\\}}'), quote, read: plainField(text) };
	});
	// As n8n decides it: an unclosed brace at the very end makes a third, empty part.
	return { parts, isTemplate: parts.length !== 2 || parts[0] !== '' };
}

/** `$json.name` or `$json["first name"]`, and methods behind it. */
const FIELD =
	/^\s*\$json(?:\.([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(?:'([^'\\{}\n\r]*)'|"([^"\\{}\n\r]*)")\s*\])((?:\??\.(?:trim|toLowerCase|toUpperCase)\(\))*)\s*$/u;

function plainField(code: string): Placeholder['read'] {
	const match = FIELD.exec(code);
	if (!match) return undefined;
	const [, name, single, double, calls] = match;
	const key = name ?? single ?? double;
	const methods = (calls.match(/\w+/g) ?? []) as Array<'trim' | 'toLowerCase' | 'toUpperCase'>;
	return (item) => {
		const value = item[key];
		if (typeof value === 'string') {
			return [methods.reduce<string>((text, method) => text[method](), value)];
		}
		const isPlain = value === null || ['undefined', 'number', 'boolean'].includes(typeof value);
		return isPlain && methods.length === 0 ? [value] : undefined;
	};
}

/** n8n's value of an expression, without its "=". Throws as n8n does. */
type Evaluate = (expression: string) => unknown;

/** The result of evaluating code. Empty if the code doesn't work inside a function. */
interface Result {
	value?: unknown;
	/** By JavaScript or n8n. */
	thrown?: { name?: unknown; message?: unknown };
}

const TRY =
	'(code) => { try { return { value: code() } } catch (error) { return { thrown: { name: error?.name, message: error?.message } } } }';

/** Evaluates all at once, or one by one if n8n refuses one of them. */
function evaluateAll(codes: string[], evaluate: Evaluate): Result[] {
	try {
		const list = codes.map((code) => `() => (${code}\n)`).join(', ');
		const results = evaluate(`{{ [${list}].map(${TRY}) }}`);
		if (Array.isArray(results)) return results as Result[];
	} catch {
		// One by one, below.
	}
	return codes.length > 1 ? codes.flatMap((code) => evaluateAll([code], evaluate)) : [{}];
}

/**
 * A path that leads nowhere is no error. JavaScript's message may hold values, and so may the name of a
 * custom error. Only what repeats the expression and the names of JavaScript's own errors are used.
 */
function valueOrError({ code, quote }: Placeholder, result: Result, evaluate: Evaluate): unknown {
	const { thrown } = result;
	if ('value' in result && typeof result.value !== 'function') return result.value;
	const message = String(thrown?.message);
	if (/^Cannot read properties of (?:undefined|null)/.test(message)) return undefined;
	// n8n's own errors explain themselves, also for a function that was not called.
	const value = evaluate(`{{ ${code} }}`);
	if (!thrown) return value;
	const [words, called] = /(?<![\w$])([\w$]+) is not a function$/.exec(message) ?? [];
	if (words && code.includes(called)) throw new Error(words);
	const isBuiltIn = /^(?:Range|Reference|Syntax|Type|URI)Error$/.test(String(thrown.name));
	throw new Error(
		`JavaScript threw ${isBuiltIn ? `a ${String(thrown.name)}` : 'an error'} at ${quote}`,
	);
}

/** True for what n8n leaves out of a template. */
function isMissing(value: unknown): boolean {
	return value === undefined || value === null || Number.isNaN(value);
}

/** Why a template is incomplete: "APP-{{ $json.id }}" would be the same for all items without an ID. */
function gapIn({ code, quote }: Placeholder, value: unknown): string | undefined {
	// The documented way to say that a part may be empty.
	if (/\?\?\s*(?:''|"")\s*$/.test(code)) return undefined;
	if (isMissing(value) || isEmpty(value)) {
		return `incomplete, because ${quote} gave no value for this item`;
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return `incomplete, because ${quote} gave a number that is too long to be exact; it must be passed as text`;
	}
	return undefined;
}
