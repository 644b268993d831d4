import { ExpressionParser, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { inOneLine } from '../utils/inOneLine';
import { memoized, NodeParameters, type Field, type Places } from './NodeParameters';
import { isEmpty } from './rules';

/** Yields the parameters of each item. For speed alone, whatever is the same for all items is read once. */
export function* readItems(
	context: IExecuteFunctions,
	places: Places,
	identifyingFields?: readonly string[],
) {
	const timezone = context.getTimezone();
	const raw = { rawExpressions: true };
	const entered = memoized((path) => context.getNodeParameter(path, 0, null, raw));
	const parsed = memoized(parse);
	for (const index of context.getInputData().keys()) {
		let json: IDataObject | undefined;
		const item: Item = {
			json: () => (json ??= context.getWorkflowDataProxy(index).$json as IDataObject),
			evaluate: (expression) => context.evaluateExpression(expression, index),
		};
		const read = (path: string) => readField(entered(path), parsed, item);
		yield new NodeParameters(places, read, timezone, identifyingFields);
	}
}

/** An item as n8n sees it: in a tool, `$json` isn't the node's own input. */
interface Item {
	json(): IDataObject;
	/** Takes an expression without its "=". Throws as n8n does. */
	evaluate(expression: string): unknown;
}

/** Evaluates each placeholder on its own: in a template, n8n would leave a gap where one has no value or throws. */
function readField(raw: unknown, parsed: typeof parse, item: Item): Field {
	let gap: string | undefined;
	const value = filledIn(raw, (expression) => {
		const { parts, isTemplate } = parsed(expression);
		if (!isTemplate) return valueOf(parts[1] as Placeholder, item);
		const texts = parts.map((part) => {
			if (typeof part === 'string') return part;
			const filling = valueOf(part, item);
			gap ??= gapIn(part, filling);
			return isMissing(filling) ? '' : String(filling);
		});
		return texts.join('');
	});
	return { value, gap };
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
	/** The field that the code reads and the methods of a text that it calls, if it does nothing else. */
	plain?: { name: string; methods: string[] };
}

/**
 * `$json.name` or `$json["first name"]`, and methods behind it. These are read without n8n, for speed alone: in n8n 2.x,
 * one evaluation takes longer than everything else that the node does for an item.
 */
const PLAIN =
	/^\s*\$json(?:\.(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(?<quote>['"])(?<key>[^'"\\{}\n\r]*)\k<quote>\s*\])(?<calls>(?:\??\.(?:trim|toLowerCase|toUpperCase)\(\))*)\s*$/u;

/**
 * Splits an expression as n8n does: into placeholders and the text around them. With no text around it, a placeholder
 * keeps the type of its value. Otherwise the expression is a template, and its value is a text.
 */
function parse(expression: string) {
	const chunks = ExpressionParser.splitExpression(expression.slice('='.length));
	const parts = chunks.map(({ type, text }): string | Placeholder => {
		if (type === 'text') return text;
		// n8n accepts "}}" in code only escaped, and drops the escape when it splits.
		const code = text.replace('}}', '\\}}');
		const quote = inOneLine(`{{${text}}}`, 100);
		const match = PLAIN.exec(text)?.groups;
		if (!match) return { code, quote };
		const { name = match.key, calls } = match;
		return { code, quote, plain: { name, methods: calls.match(/\w+/g) ?? [] } };
	});
	// n8n decides it like this: an unclosed brace at the very end makes a third, empty part.
	return { parts, isTemplate: parts.length !== 2 || parts[0] !== '' };
}

function valueOf(placeholder: Placeholder, item: Item): unknown {
	const { code, plain } = placeholder;
	if (plain) {
		const value = item.json()[plain.name];
		if (typeof value === 'string') {
			return plain.methods.reduce((text, method) => text[method as 'trim'](), value);
		}
		const isPrimitive = value !== Object(value);
		if (isPrimitive && plain.methods.length === 0) return value;
	}
	const value = item.evaluate(`{{ ${code} }}`);
	if (isMissing(value)) throwIfCodeThrows(placeholder, item);
	return value;
}

/** Throws where n8n hides it, except for a path that leads nowhere. JavaScript's message may hold values: it stays. */
function throwIfCodeThrows({ code, quote }: Placeholder, item: Item): void {
	let message: unknown;
	try {
		message = item.evaluate(
			`{{ (() => { try { void (${code}\n) } catch (error) { return String(error?.message) } })() }}`,
		);
	} catch {
		// Not all code works inside a function.
	}
	if (typeof message !== 'string' || message.startsWith('Cannot read properties of ')) return;
	throw new Error(`JavaScript threw an error at ${quote}`);
}

/** True for a value that n8n leaves out of a template. */
function isMissing(value: unknown): boolean {
	return value === undefined || value === null || Number.isNaN(value);
}

/** Why a template is incomplete: "APP-{{ $json.id }}" would be the same for all items without an ID. */
function gapIn({ code, quote }: Placeholder, value: unknown): string | undefined {
	// `?? ''` is the documented way to say that a part may be empty.
	if (/\?\?\s*(?:''|"")\s*$/.test(code)) return undefined;
	if (isMissing(value) || isEmpty(value)) {
		return `incomplete, because ${quote} gave no value for this item`;
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return `incomplete, because ${quote} gave a number with too many digits. Format it as text at its source`;
	}
	return undefined;
}
