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
 * Prepares to read the fields of every item of an execution. n8n evaluates the expressions, each placeholder
 * on its own: in a template, it leaves a gap where a value is missing or JavaScript throws. Only a plain value
 * of the item, such as `$json.name.trim()`, is read without n8n: in n8n 2.x, an evaluation takes longer than
 * everything else that is done for an item.
 * @returns a reader for the item at an index; a field that fails does so when it is asked for
 */
export function itemReader(context: IExecuteFunctions, properties: readonly INodeProperties[]) {
	const read = parameterReader(properties, context.getTimezone());
	const entered = memoized((path) =>
		context.getNodeParameter(path, 0, null, { rawExpressions: true }),
	);
	const parsed = memoized(parse);
	return (index: number) => {
		const evaluate: Evaluate = (expression) => context.evaluateExpression(expression, index);
		// What `$json` means to n8n: in a tool, this is not the node's own input.
		let json: IDataObject | undefined;
		const item = () => (json ??= context.getWorkflowDataProxy(index).$json as IDataObject);
		return read((path) => {
			let gap: string | undefined;
			const value = filledIn(entered(path), (text) => {
				const { parts, isTemplate } = parsed(text);
				if (!isTemplate) return valueOf(parts[1] as Placeholder, item, evaluate);
				const texts = parts.map((part) => {
					if (typeof part === 'string') return part;
					const filling = valueOf(part, item, evaluate);
					gap ??= gapIn(part, filling);
					return isMissing(filling) ? '' : String(filling);
				});
				return texts.join('');
			});
			return { value, gap };
		});
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

function valueOf(placeholder: Placeholder, item: () => IDataObject, evaluate: Evaluate): unknown {
	const plain = placeholder.read?.(item());
	if (plain) return plain[0];
	const value = evaluate(`{{ ${placeholder.code} }}`);
	if (isMissing(value)) throwIfFailed(placeholder, evaluate);
	return value;
}

/**
 * Evaluates code that gave nothing once more, to find out why: a path that leads nowhere is no error.
 * JavaScript's message may hold values, and so may the name of a custom error. Only what repeats the
 * expression and the names of JavaScript's own errors are used.
 */
function throwIfFailed({ code, quote }: Placeholder, evaluate: Evaluate): void {
	let thrown: { name?: unknown; message?: unknown } | undefined;
	try {
		thrown = evaluate(
			`{{ (() => { try { void (${code}\n) } catch (error) { return { name: error?.name, message: error?.message } } })() }}`,
		) as typeof thrown;
	} catch {
		// Not all code works inside a function.
	}
	const message = String(thrown?.message);
	if (!thrown || /^Cannot read properties of (?:undefined|null)/.test(message)) return;
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
