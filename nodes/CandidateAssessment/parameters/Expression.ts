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
	/** As errors show it. */
	shown: string;
	/** Where the code is only a path into the item. */
	path?: ItemPath;
}

/**
 * An expression, split as n8n splits it: placeholders, and the text around them. With nothing
 * around it, a placeholder gives its value. Otherwise it is a template, which gives a text.
 *
 * n8n shows nothing in a template where a value is missing, and has nothing where JavaScript throws.
 * So each placeholder is evaluated by itself, and once more where it gave nothing.
 */
export class Expression {
	private readonly parts: Array<string | Placeholder>;
	private readonly isTemplate: boolean;

	/** @param entered as the user entered it, "=" included */
	constructor(private readonly entered: string) {
		const chunks = ExpressionParser.splitExpression(entered.slice('='.length));
		// As n8n tells it: an open brace at the very end makes a third part, an empty one.
		this.isTemplate = chunks.length !== 2 || chunks[0].text !== '';
		this.parts = chunks.map(({ type, text }) => {
			if (type === 'text') return text;
			const shown = inOneLine(`{{${text}}}`, 100);
			// n8n takes the "}}" in a code only with this escape, which it drops when it splits.
			return { code: text.replace('}}', '\\}}'), shown, path: itemPath(text) };
		});
	}

	/**
	 * The value for an item, and why a template has a gap in it, if it has: "APP-{{ $json.id }}" would
	 * be the same for all items without an ID. Throws where JavaScript or n8n did.
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
		// A backslash may escape braces.
		if (this.entered.includes('\\')) return { value: item.evaluate(this.entered.slice(1)), gap };
		return { value: texts.join(''), gap };
	}
}

function valueOf(placeholder: Placeholder, item: ExpressionItem): unknown {
	const { code, path } = placeholder;
	try {
		if (path) return path(item.data());
	} catch {
		// Something on the way is not simple.
	}
	const value = item.evaluate(`{{ ${code} }}`);
	if (isMissing(value)) throwIfFailed(placeholder, item);
	return value;
}

/** True for what shows as nothing in a template. */
function isMissing(value: unknown): boolean {
	return value === undefined || value === null || Number.isNaN(value);
}

function gapIn({ code, shown }: Placeholder, value: unknown): string | undefined {
	// As docs/inviting.md has it, for a part that may be empty.
	if (/\?\?\s*(?:''|"")\s*$/.test(code)) return undefined;
	if (isMissing(value) || isEmpty(value)) {
		return `incomplete, because ${shown} gave no value for this item`;
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return `incomplete, because ${shown} gave a number that is too long to be exact; it must be passed as text`;
	}
	return undefined;
}

/**
 * A path that led nowhere is no error. JavaScript's message is used only as far as it repeats the
 * expression, since it may hold values. So may the name of an error that is not JavaScript's own.
 */
function throwIfFailed({ code, shown }: Placeholder, item: ExpressionItem): void {
	let thrown: { name?: unknown; message?: unknown } | undefined;
	try {
		thrown = item.evaluate(
			`{{ (() => { try { void (${code}\n) } catch (error) { return { name: error?.name, message: error?.message } } })() }}`,
		) as typeof thrown;
	} catch {
		// Not all code can stand within other code.
	}
	const message = String(thrown?.message);
	if (!thrown || /^Cannot read properties of (?:undefined|null)/.test(message)) return;
	const [words, called] = /(?<![\w$])([\w$]+) is not a function$/.exec(message) ?? [];
	if (words && code.includes(called)) throw new Error(words);
	const isOwn = /^(?:Range|Reference|Syntax|Type|URI)Error$/.test(String(thrown.name));
	throw new Error(
		`JavaScript threw ${isOwn ? `a ${String(thrown.name)}` : 'an error'} at ${shown}`,
	);
}
