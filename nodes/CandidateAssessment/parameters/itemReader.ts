import { ExpressionParser, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { inOneLine } from '../utils/inOneLine';
import { memoized, type ParameterReader } from './NodeParameters';
import { isEmpty } from './rules';

/**
 * Prepares to read the fields of every item, by its index. n8n evaluates the expressions, each placeholder on its own:
 * in a template, n8n would leave a gap where a value is missing or JavaScript throws. Only plain fields of the item,
 * such as `$json.name.trim()`, are read without n8n: in n8n 2.x, one evaluation takes longer than everything else that
 * the node does for an item.
 */
export function itemReader(context: IExecuteFunctions, read: ParameterReader) {
	const raw = { rawExpressions: true };
	const entered = memoized((path) => context.getNodeParameter(path, 0, null, raw));
	const parsed = memoized(parse);
	return (index: number) => {
		const evaluate = (expression: string) => context.evaluateExpression(expression, index);
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
function filledIn(raw: unknown, fill: (expression: string) => unknown): unknown {
	if (typeof raw === 'string') return raw.startsWith('=') ? fill(raw) : raw;
	if (Array.isArray(raw)) return raw.map((entry) => filledIn(entry, fill));
	if (typeof raw !== 'object' || raw === null) return raw;
	return Object.fromEntries(
		Object.entries(raw).map(([key, field]) => [key, filledIn(field, fill)]),
	);
}

interface Placeholder {
	code: string;
	/** With its braces, as errors quote it. */
	quote: string;
	/** If the code only reads a field of the item and calls methods of a text: which ones. */
	field?: { name: string; methods: string[] };
}

/** `$json.name` or `$json["first name"]`, and methods behind it. */
const FIELD =
	/^\s*\$json(?:\.([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(['"])([^'"\\{}\n\r]*)\2\s*\])((?:\??\.(?:trim|toLowerCase|toUpperCase)\(\))*)\s*$/u;

/**
 * Splits an expression as n8n does: into placeholders and the text around them. With nothing around it, a
 * placeholder gives its value. Otherwise it is a template, which gives a text.
 */
function parse(expression: string) {
	const chunks = ExpressionParser.splitExpression(expression.slice('='.length));
	const parts = chunks.map(({ type, text }): string | Placeholder => {
		if (type === 'text') return text;
		// n8n accepts "}}" in code only escaped, and drops the escape when it splits.
		const code = text.replace('}}', '\\}}');
		const quote = inOneLine(`{{${text}}}`, 100);
		const [match, name, , quotedName, calls] = FIELD.exec(text) ?? [];
		if (match === undefined) return { code, quote };
		return { code, quote, field: { name: name ?? quotedName, methods: calls.match(/\w+/g) ?? [] } };
	});
	// As n8n decides it: an unclosed brace at the very end makes a third, empty part.
	return { parts, isTemplate: parts.length !== 2 || parts[0] !== '' };
}

/** n8n's value of an expression, without its "=". Throws as n8n does. */
type Evaluate = (expression: string) => unknown;

function valueOf(placeholder: Placeholder, item: () => IDataObject, evaluate: Evaluate): unknown {
	const { code, field } = placeholder;
	if (field) {
		const value = item()[field.name];
		if (typeof value === 'string') {
			return field.methods.reduce((text, method) => text[method as 'trim'](), value);
		}
		const isPrimitive = value !== Object(value);
		if (isPrimitive && field.methods.length === 0) return value;
	}
	const value = evaluate(`{{ ${code} }}`);
	if (isMissing(value)) throwIfCodeThrows(placeholder, evaluate);
	return value;
}

/**
 * Evaluates code that gave nothing once more: a path that leads nowhere is no error. JavaScript's message isn't passed
 * on: it may hold values.
 */
function throwIfCodeThrows({ code, quote }: Placeholder, evaluate: Evaluate): void {
	let message: unknown;
	try {
		message = evaluate(
			`{{ (() => { try { void (${code}\n) } catch (error) { return String(error?.message) } })() }}`,
		);
	} catch {
		// Not all code works inside a function.
	}
	if (typeof message !== 'string') return;
	if (/^Cannot read properties of (?:undefined|null)/.test(message)) return;
	throw new Error(`JavaScript threw an error at ${quote}`);
}

/** n8n leaves it out of a template. */
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
		return `incomplete, because ${quote} gave a number with too many digits. Format it as text at its source`;
	}
	return undefined;
}
