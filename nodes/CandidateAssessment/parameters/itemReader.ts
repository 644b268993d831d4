import type { IExecuteFunctions, INodeProperties, IWorkflowDataProxyData } from 'n8n-workflow';
import { Expression } from './Expression';
import { memoized, parameterReader } from './NodeParameters';

/**
 * Prepares to read the fields of every item of an execution. Paths into the item are read directly; n8n
 * evaluates everything else.
 * @returns a reader for the item at an index; a field that fails does so when it is asked for
 */
export function itemReader(context: IExecuteFunctions, properties: readonly INodeProperties[]) {
	const read = parameterReader(properties, context.getTimezone());
	const entered = memoized((path) =>
		context.getNodeParameter(path, 0, null, { rawExpressions: true }),
	);
	const parsed = memoized((text) => new Expression(text));
	return (index: number) => {
		let proxy: IWorkflowDataProxyData | undefined;
		const item = {
			data: () => (proxy ??= context.getWorkflowDataProxy(index)),
			evaluate: (expression: string) => context.evaluateExpression(expression, index),
		};
		return read((path) => {
			let gap: string | undefined;
			const value = filledIn(entered(path), (text) => {
				const result = parsed(text).evaluate(item);
				gap ??= result.gap;
				return result.value;
			});
			return { value, gap };
		}, context.getInputData()[index].json);
	};
}

/** A copy with the values in place of the expressions, as n8n makes it. */
function filledIn(raw: unknown, valueOf: (expression: string) => unknown): unknown {
	if (typeof raw === 'string') return raw.startsWith('=') ? valueOf(raw) : raw;
	if (Array.isArray(raw)) return raw.map((entry) => filledIn(entry, valueOf));
	if (typeof raw !== 'object' || raw === null) return raw;
	return Object.fromEntries(
		Object.entries(raw).map(([key, field]) => [key, filledIn(field, valueOf)]),
	);
}
