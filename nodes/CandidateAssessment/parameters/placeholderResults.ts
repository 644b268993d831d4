import type { IExecuteFunctions, IWorkflowDataProxyData } from 'n8n-workflow';
import { isMissing, type Expression } from './Expression';
import { inOneLine } from './rules';

/** What one placeholder gave for an item: a value, nothing that could tell items apart, or an error. */
export type PlaceholderResult = { kind: 'value' } | { kind: 'nothing' | 'error'; message: string };

/** One item, as expressions see it. */
export interface ExpressionItem {
	context: Pick<IExecuteFunctions, 'evaluateExpression'>;
	index: number;
	data(): IWorkflowDataProxyData;
}

/**
 * What the placeholders of an expression gave. Where JavaScript throws at code, n8n has nothing
 * instead and keeps the reason to itself; a template hides even that nothing was there. So where
 * something may have given nothing, each placeholder is evaluated once more, by itself.
 *
 * @param value what the whole expression gave
 */
export function placeholderResults(
	item: ExpressionItem,
	expression: Expression,
	value: unknown,
): PlaceholderResult[] {
	const { isTemplate, isPredictable, placeholders } = expression;
	const isInDoubt = mayLackSomething(item, expression, value);
	// A path into the item fails at nothing, and what it gave is known.
	if (!isTemplate && (!isInDoubt || isPredictable)) return [];
	const results = placeholders.map(({ code, path }): PlaceholderResult => {
		const name = isTemplate ? inOneLine(`{{${code}}}`, 100) : 'the expression';
		if (!path) return isInDoubt ? evaluated(item, code, name) : { kind: 'value' };
		try {
			return resultOf(path(item.data()), name);
		} catch {
			return evaluated(item, code, name);
		}
	});
	// Without text around it, the field itself says that it is empty.
	return results.filter(({ kind }) => isTemplate || kind === 'error');
}

/** One piece of code that cannot be read gave something if the text is longer than the rest of it. */
function mayLackSomething(item: ExpressionItem, expression: Expression, value: unknown): boolean {
	if (!expression.isTemplate) return isMissing(value);
	if (expression.placeholders.filter(({ path }) => !path).length > 1) return true;
	try {
		return String(value).trim().length <= String(expression.read(item.data())).trim().length;
	} catch {
		return true;
	}
}

function evaluated(
	{ context, index }: ExpressionItem,
	code: string,
	name: string,
): PlaceholderResult {
	const evaluate = (text: string): unknown => {
		try {
			return context.evaluateExpression(`{{ ${text} }}`, index);
		} catch {
			return undefined;
		}
	};
	const result = evaluate(
		`(() => { try { return [(${code}\n)] } catch (error) { return { name: error?.name, message: error?.message } } })()`,
	);
	if (Array.isArray(result)) return resultOf(result[0], name);
	// Not all code can stand within other code.
	if (typeof result !== 'object' || result === null) return resultOf(evaluate(code), name);
	const reason = reasonOf(code, result);
	if (reason === undefined) return resultOf(undefined, name);
	return { kind: 'error', message: `${name} failed: ${reason}` };
}

function resultOf(value: unknown, name: string): PlaceholderResult {
	const isEmptyList = Array.isArray(value) && value.length === 0;
	const nothing = (given: string): PlaceholderResult => ({
		kind: 'nothing',
		message: `incomplete, because ${name} gave ${given}`,
	});
	if (isMissing(value) || isEmptyList || (typeof value === 'string' && value.trim() === '')) {
		return nothing('no value for this item');
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return nothing('a number that is too long to be exact; it must be passed as text');
	}
	return { kind: 'value' };
}

/**
 * Undefined for a path that led nowhere, which is no error. JavaScript's message is used only as far
 * as it repeats the expression, since it may hold values. So may the name of an error that is not
 * JavaScript's own.
 */
function reasonOf(code: string, thrown: { name?: unknown; message?: unknown }): string | undefined {
	const message = String(thrown.message);
	if (/^Cannot read properties of (?:undefined|null)/.test(message)) return undefined;
	const [words, called] = /(?<![\w$])([\w$]+) is not a function$/.exec(message) ?? [];
	if (words && code.includes(called)) return words;
	const isOwn = /^(?:Range|Reference|Syntax|Type|URI)Error$/.test(String(thrown.name));
	return `JavaScript threw ${isOwn ? `a ${thrown.name}` : 'an error'}`;
}
