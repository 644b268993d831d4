import type { IExecuteFunctions, IWorkflowDataProxyData } from 'n8n-workflow';
import { isMissing, type Expression, type Placeholder } from './Expression';
import { inOneLine } from './rules';

/** What one placeholder gave for an item. The words complete "it gave …" or "it failed: …". */
export type PlaceholderResult =
	{ kind: 'value' } | { kind: 'nothing'; words: string } | { kind: 'error'; words: string };

/** A result that a field may not have, as a message. */
export interface PlaceholderProblem {
	kind: 'nothing' | 'error';
	message: string;
}

/** One item, as expressions see it. */
export interface ExpressionItem {
	context: Pick<IExecuteFunctions, 'evaluateExpression'>;
	index: number;
	data(): IWorkflowDataProxyData;
}

/**
 * What is wrong with an expression for an item. Where JavaScript throws at code, n8n has nothing
 * instead and keeps the reason to itself; a template hides even that nothing was there. So where
 * something may have given nothing, each placeholder is evaluated once more, by itself.
 *
 * @param value what the whole expression gave
 */
export function placeholderProblems(
	item: ExpressionItem,
	expression: Expression,
	value: unknown,
): PlaceholderProblem[] {
	const isInDoubt = mayLackSomething(item, expression, value);
	if (!expression.isTemplate && (!isInDoubt || expression.isPredictable)) return [];
	return expression.placeholders.flatMap((placeholder): PlaceholderProblem[] => {
		const result = resultOf(item, placeholder, isInDoubt);
		const name = expression.isTemplate
			? inOneLine(`{{${placeholder.code}}}`, 100)
			: 'the expression';
		if (result.kind === 'error') {
			return [{ kind: 'error', message: `${name} failed: ${result.words}` }];
		}
		// Without text around it, the field as a whole says that it is empty.
		if (result.kind === 'value' || !expression.isTemplate) return [];
		return [{ kind: 'nothing', message: `incomplete, because ${name} gave ${result.words}` }];
	});
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

function resultOf(
	item: ExpressionItem,
	{ code, path }: Placeholder,
	isInDoubt: boolean,
): PlaceholderResult {
	if (!path) return isInDoubt ? evaluated(item, code) : { kind: 'value' };
	try {
		return resultFrom(path(item.data()));
	} catch {
		return evaluated(item, code);
	}
}

function evaluated({ context, index }: ExpressionItem, code: string): PlaceholderResult {
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
	if (Array.isArray(result)) return resultFrom(result[0]);
	if (typeof result === 'object' && result !== null) return resultFromError(code, result);
	// Not all code can stand within other code.
	return resultFrom(evaluate(code));
}

function resultFrom(value: unknown): PlaceholderResult {
	const isEmptyList = Array.isArray(value) && value.length === 0;
	if (isMissing(value) || isEmptyList || (typeof value === 'string' && value.trim() === '')) {
		return { kind: 'nothing', words: 'no value for this item' };
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		const words = 'a number that is too long to be exact; it must be passed as text';
		return { kind: 'nothing', words };
	}
	return { kind: 'value' };
}

/**
 * A path that led nowhere gave nothing. JavaScript's message is used only as far as it repeats the
 * expression, since it may hold values. So may the name of an error that is not JavaScript's own.
 */
function resultFromError(
	code: string,
	thrown: { name?: unknown; message?: unknown },
): PlaceholderResult {
	const message = String(thrown.message);
	if (/^Cannot read properties of (?:undefined|null)/.test(message)) return resultFrom(undefined);
	const [words, name] = /(?<![\w$])([\w$]+) is not a function$/.exec(message) ?? [];
	if (words && code.includes(name)) return { kind: 'error', words };
	const isOwn = /^(?:Range|Reference|Syntax|Type|URI)Error$/.test(String(thrown.name));
	return { kind: 'error', words: `JavaScript threw ${isOwn ? `a ${thrown.name}` : 'an error'}` };
}
