import { ExpressionParser, type IWorkflowDataProxyData } from 'n8n-workflow';
import { inOneLine } from '../inOneLine';
import { itemPath, type ItemPath } from './itemPath';
import { isEmpty } from './rules';

/** One item, as expressions see it. */
export interface ExpressionItem {
	data(): IWorkflowDataProxyData;
	/** n8n's value of an expression, without its "=". Throws as n8n does. */
	evaluate(expression: string): unknown;
}

/** Code in braces, which gives a value. */
interface Placeholder {
	code: string;
	/** The code in braces, as errors quote it. */
	quote: string;
	/** Where the code is only a path into the item. */
	path?: ItemPath;
}

/**
 * An expression, split as n8n splits it: placeholders, and the text around them. With nothing
 * around it, a placeholder gives its value. Otherwise it is a template, which gives a text.
 *
 * n8n leaves a gap in a template where a value is missing or JavaScript throws. So each placeholder is
 * evaluated on its own, and once more if it gave nothing, to find out why.
 */
export class Expression {
	private readonly parts: Array<string | Placeholder>;
	private readonly isTemplate: boolean;

	/** @param entered as the user entered it, "=" included */
	constructor(private readonly entered: string) {
		const chunks = ExpressionParser.splitExpression(entered.slice('='.length));
		// As n8n decides it: an unclosed brace at the very end makes a third, empty part.
		this.isTemplate = chunks.length !== 2 || chunks[0].text !== '';
		this.parts = chunks.map(({ type, text }) => {
			if (type === 'text') return text;
			const quote = inOneLine(`{{${text}}}`, 100);
			// n8n accepts "}}" in code only escaped, and drops the escape when it splits.
			return { code: text.replace('}}', '\\}}'), quote, path: itemPath(text) };
		});
	}

	/**
	 * The value for an item, and why a template is incomplete, if it is: "APP-{{ $json.id }}" would be the
	 * same for all items without an ID. Throws if JavaScript or n8n throws.
	 */
	evaluate(item: ExpressionItem): { value: unknown; gap?: string } {
		const [, only] = this.parts;
		if (!this.isTemplate) return { value: valueOf(only as Placeholder, item) };
		let gap: string | undefined;
		const texts = this.parts.map((part) => {
			if (typeof part === 'string') return part;
			const value = valueOf(part, item);
			gap ??= gapIn(part, value);
			return isMissing(value) ? '' : String(value);
		});
		// A backslash may escape braces, which only n8n resolves.
		if (this.entered.includes('\\')) return { value: item.evaluate(this.entered.slice(1)), gap };
		return { value: texts.join(''), gap };
	}
}

function valueOf(placeholder: Placeholder, item: ExpressionItem): unknown {
	const { code, path } = placeholder;
	try {
		if (path) return path(item.data());
	} catch {
		// Only n8n can read this path.
	}
	const value = item.evaluate(`{{ ${code} }}`);
	if (isMissing(value)) throwIfFailed(placeholder, item);
	return value;
}

/** True for what n8n leaves out of a template. */
function isMissing(value: unknown): boolean {
	return value === undefined || value === null || Number.isNaN(value);
}

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

/**
 * A path that leads nowhere is no error. JavaScript's message may hold values, and so may the name of a
 * custom error. Only what repeats the expression and the names of JavaScript's own errors are used.
 */
function throwIfFailed({ code, quote }: Placeholder, item: ExpressionItem): void {
	let thrown: { name?: unknown; message?: unknown } | undefined;
	try {
		thrown = item.evaluate(
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
