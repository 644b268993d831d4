import { evaluate, type ExpressionContext } from './jointEvaluation';
import { STEPS, TEXT } from './expressionSyntax';

/** What stands in the braces of an expression that is nothing else. */
const WHOLE = /^=\{\{((?:(?!\{\{|\}\}).)*)(?<!\\)\}\}$/s;

/**
 * Why an expression gave nothing, where JavaScript throws at it: n8n has undefined then, and keeps the
 * reason to itself.
 */
export function explain(
	context: ExpressionContext,
	expression: string,
	index: number,
): string | undefined {
	const [, code] = WHOLE.exec(expression) ?? [];
	if (code === undefined) return undefined;
	const error = errorOf(context, code, index);
	return error && reasonOf(code, error);
}

/** Why an expression failed, unless it only looked for something that the item does not have. */
export function failure(
	context: ExpressionContext,
	expression: string,
	value: unknown,
	index: number,
): string | undefined {
	// Only with a text around it, or another expression, does one that failed give a text.
	if (value !== undefined && WHOLE.test(expression)) return undefined;
	for (const [, code] of expression.matchAll(/\{\{(.*?)(?<!\\)\}\}/gs)) {
		// It costs an evaluation to ask, and lists often lack what is optional.
		if (PATH.test(code)) continue;
		const error = errorOf(context, code, index);
		if (error && !isMissing(code, error)) return reasonOf(code, error);
	}
	return undefined;
}

interface ThrownError {
	name: string;
	message: string;
}

function errorOf(context: ExpressionContext, code: string, index: number): ThrownError | undefined {
	const thrown = evaluate(
		context,
		`(() => { try { (${code}\n); return null } catch (problem) { return [problem?.name, problem?.message] } })()`,
		index,
	);
	if (!Array.isArray(thrown)) return undefined;
	// An expression may throw anything, of any shape.
	const [name, message] = thrown.map((part) => (typeof part === 'string' ? part : ''));
	return { name, message };
}

/**
 * JavaScript's message is used only as far as it repeats the expression, since it may hold values.
 * So may the name of an error, unless it is one of JavaScript's own.
 */
function reasonOf(code: string, error: ThrownError): string {
	const { name, message } = error;
	const key = missingKey(error);
	if (key !== undefined && code.includes(key)) return message;
	const called = /(?<![\w$])([\w$]+) is not a function$/.exec(message);
	if (called && code.includes(called[1])) return called[0];
	const isOwn = /^(?:Range|Reference|Syntax|Type|URI)Error$/.test(name);
	return `JavaScript threw ${isOwn ? `a ${name}` : 'an error'}`;
}

function missingKey({ message }: ThrownError): string | undefined {
	return /^Cannot read properties of (?:undefined|null) \(reading '(.+)'\)$/.exec(message)?.[1];
}

/** A path into an item or what else n8n provides. To get hold of another node's item takes a call. */
const ANY_PATH = (() => {
	const root = String.raw`(?:\$(?:input|\(\s*${TEXT}\s*\))\.(?:first|last)\(\s*\)|\$\(\s*${TEXT}\s*\)|\$\w+)`;
	return root + STEPS;
})();
const PATH = new RegExp(String.raw`^\s*${ANY_PATH}\s*$`, 'u');
const ONE_PATH = new RegExp(
	String.raw`^(?<before>[^$]*)(?<path>${ANY_PATH})(?<after>[^$]*)$`,
	'su',
);

/**
 * Whether a path led nowhere, so that nothing was lost. What is done to its value plays no part
 * then, as in `$json.name.trim()`. A second path, or a function, may have had a value.
 */
function isMissing(code: string, error: ThrownError): boolean {
	const key = missingKey(error);
	const { before, path, after } = ONE_PATH.exec(code)?.groups ?? {};
	if (key === undefined || path === undefined) return false;
	const isCall = /[\p{L}\p{N}_)\]]\s*\(/u.test(before);
	const isFunction = /=>|\bfunction\b/.test(code);
	return !isCall && !isFunction && path.includes(key) && !after.includes(key);
}
