import { ExpressionParser, type IWorkflowDataProxyData } from 'n8n-workflow';
import { itemPath, type ItemPath } from './itemPath';

/** Code in braces, which gives a value. */
export interface Placeholder {
	code: string;
	/** Where the code is only a path into the item. */
	path?: ItemPath;
}

/**
 * An expression, split as n8n splits it: placeholders, and the text around them. With nothing
 * around it, a placeholder gives its value. Otherwise it is a template, which gives a text.
 */
export class Expression {
	readonly placeholders: Placeholder[];
	readonly isTemplate: boolean;
	/** Whether its value can be read without n8n. A backslash escapes braces, and n8n refuses `.constructor`. */
	readonly isPredictable: boolean;
	private readonly parts: Array<string | Placeholder>;

	/** @param entered as the user entered it, "=" included */
	constructor(readonly entered: string) {
		this.parts = ExpressionParser.splitExpression(entered.slice('='.length)).map(({ type, text }) =>
			// n8n takes the "}}" in a code only with this escape, which it drops when it splits.
			type === 'code' ? { code: text.replace('}}', '\\}}'), path: itemPath(text) } : text,
		);
		this.placeholders = this.parts.filter((part) => typeof part !== 'string');
		// As n8n tells it: an open brace at the very end makes a third part, an empty one.
		this.isTemplate = this.parts.length !== 2 || this.parts[0] !== '';
		this.isPredictable =
			this.placeholders.every(({ path }) => path) && !/\\|constructor/.test(entered);
	}

	/**
	 * The value for an item, as far as it can be read: in a template, other code shows as nothing.
	 * Throws where n8n has to be asked.
	 */
	read(data: IWorkflowDataProxyData): unknown {
		const [text, placeholder] = this.parts;
		if (!this.isTemplate && typeof placeholder === 'object') return placeholder.path?.(data);
		return [text, ...this.parts.slice(1)]
			.map((part) => (typeof part === 'string' ? part : shown(part.path?.(data))))
			.join('');
	}
}

/** Whether a template shows nothing of a value because it is none. */
export function isMissing(value: unknown): boolean {
	return value === undefined || value === null || Number.isNaN(value);
}

function shown(value: unknown): string {
	return isMissing(value) ? '' : String(value);
}

/** The expressions in a parameter and in the rows of its form, each with its value. */
export function expressionsIn(
	entered: unknown,
	value?: unknown,
): Array<{ text: string; value: unknown }> {
	if (typeof entered === 'string') return entered.startsWith('=') ? [{ text: entered, value }] : [];
	if (typeof entered !== 'object' || entered === null) return [];
	return Object.entries(entered).flatMap(([name, one]) =>
		expressionsIn(one, ownField(value, name)),
	);
}

export function ownField(collection: unknown, name: string): unknown {
	const properties = Object(collection) as Record<string, unknown>;
	return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
