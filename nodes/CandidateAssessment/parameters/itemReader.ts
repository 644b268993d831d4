import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { evaluate, jointEvaluation, rawParameter, type ExpressionContext } from './jointEvaluation';
import { dateContextOf, parameterReader, type NodeParameters } from './NodeParameters';

/**
 * Prepares to read the fields of every item of an execution.
 *
 * @returns what reads one item's; it never throws, since each field fails when it is asked for
 */
export function itemReader(
	context: ExpressionContext & Pick<IExecuteFunctions, 'getTimezone'>,
	properties: readonly INodeProperties[],
): (index: number) => NodeParameters {
	const read = parameterReader(properties, dateContextOf(context));
	const fields = properties.filter(({ type }) => type !== 'notice');
	const entered = new Map(fields.map(({ name }) => [name, rawParameter(context, name)]));
	const valuesOf = jointEvaluation(context, fields);
	return (index) =>
		read({
			value: valuesOf(index),
			entered: (name) => entered.get(name),
			explain: (expression) => explain(context, expression, index),
		});
}

/**
 * Why an expression gave nothing, which n8n does not say: where JavaScript throws, n8n has undefined.
 * JavaScript's message is used only as far as it repeats the expression, since it may hold values.
 */
function explain(
	context: ExpressionContext,
	expression: string,
	index: number,
): string | undefined {
	const [, code] = /^=\{\{((?:(?!\{\{|\}\})[^\\])*)\}\}$/s.exec(expression) ?? [];
	if (code === undefined) return undefined;
	const message = evaluate(
		context,
		`(() => { try { (${code}\n); return null } catch (problem) { return problem.message } })()`,
		index,
	);
	if (typeof message !== 'string') return undefined;
	const [, path] = /^Cannot read properties of \w+ \(reading '(.+)'\)$/.exec(message) ?? [];
	if (path !== undefined && code.includes(path)) return message;
	const [called, name] = /(?<![\w$])([\w$]+) is not a function$/.exec(message) ?? [];
	return name !== undefined && code.includes(name) ? called : undefined;
}
