import { ExpressionParser } from 'n8n-workflow';

/**
 * An expression, as n8n splits it: code in braces, and the text around it. With nothing around it,
 * it gives the value of its code. Otherwise it is a template, which gives a text.
 */
export class Expression {
	/** What stands in its braces, in order, each once. */
	readonly codes: string[];
	readonly isTemplate: boolean;
	/** Whether n8n is certain to read it like this. A backslash escapes braces, and n8n refuses `.constructor`. */
	readonly isCertain: boolean;
	private readonly parts: Array<{ code?: string; text: string }>;

	/** @param entered as the user entered it, "=" included */
	constructor(entered: string) {
		this.parts = ExpressionParser.splitExpression(entered.slice('='.length)).map(({ type, text }) =>
			// n8n takes the "}}" in a code only with this escape, which it drops when it splits.
			type === 'code' ? { code: text.replace('}}', '\\}}'), text: '' } : { text },
		);
		this.codes = [...new Set(this.parts.flatMap(({ code }) => code ?? []))];
		const text = this.parts.map((part) => part.text).join('');
		// As n8n tells it: an open brace at the very end makes a third part, an empty one.
		this.isTemplate = this.parts.length !== 2 || text !== '';
		this.isCertain = !/\\|\.\s*constructor/.test(entered);
	}

	/** What it gives where its codes give these values. In a template, one without a value shows as nothing. */
	valueFrom(values: ReadonlyMap<string, unknown>): unknown {
		if (!this.isTemplate) return values.get(this.codes[0]);
		return this.parts
			.map(({ code, text }) => (code === undefined ? text : shown(values.get(code))))
			.join('');
	}
}

/** Whether a template shows nothing of a value because it is none. The empty text is an answer. */
export function isGap(value: unknown): boolean {
	return value === undefined || value === null || Number.isNaN(value);
}

/** A text, number, or boolean as a template shows it. */
function shown(value: unknown): string {
	return isGap(value) ? '' : String(value);
}
