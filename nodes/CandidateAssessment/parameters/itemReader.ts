import type { IExecuteFunctions, INodeProperties, IWorkflowDataProxyData } from 'n8n-workflow';
import { dateContextOf } from './dates';
import { Expression, expressionsIn } from './Expression';
import { parameterReader, type NodeParameters } from './NodeParameters';
import { placeholderResults, type PlaceholderResult } from './placeholderResults';

/** Of n8n's execution context, what reads parameters. */
export type ReadingContext = Pick<
	IExecuteFunctions,
	'getNodeParameter' | 'evaluateExpression' | 'getWorkflowDataProxy' | 'getTimezone'
>;

/**
 * Prepares to read the fields of every item of an execution. Paths into the item are read without
 * an evaluation; everything else is n8n's.
 *
 * @returns what reads one item's; it never throws, since each field fails when it is asked for
 */
export function itemReader(
	context: ReadingContext,
	properties: readonly INodeProperties[],
): (index: number) => NodeParameters {
	const read = parameterReader(properties, dateContextOf(context));
	const entered = new Map<string, unknown>();
	const expressions = new Map<string, Expression>();
	const predictable = new Set<string>();
	for (const property of properties.filter(({ type }) => type !== 'notice')) {
		const raw: unknown = context.getNodeParameter(property.name, 0, null, { rawExpressions: true });
		entered.set(property.name, raw);
		const inside = expressionsIn(raw).map(({ text }) => new Expression(text));
		inside.forEach((expression) => expressions.set(expression.entered, expression));
		// Where a type is to be validated, n8n converts the value.
		const isConverted = JSON.stringify(property).includes('"validateType"');
		if (!isConverted && inside.every((one) => one.isPredictable)) predictable.add(property.name);
	}
	const parsed = (text: string) => expressions.get(text) as Expression;
	return (index) => {
		let proxy: IWorkflowDataProxyData | undefined;
		const data = () => (proxy ??= context.getWorkflowDataProxy(index));
		const results = new Map<string, PlaceholderResult[]>();
		return read({
			value(name) {
				try {
					if (predictable.has(name)) {
						return filledIn(entered.get(name), (text) => parsed(text).read(data()));
					}
				} catch {
					// Something on the way is not simple.
				}
				return context.getNodeParameter(name, index, null);
			},
			entered: (name) => entered.get(name),
			results(text, value) {
				const found =
					results.get(text) ?? placeholderResults({ context, index, data }, parsed(text), value);
				results.set(text, found);
				return found;
			},
		});
	};
}

/** A copy with the values in place of the expressions, as n8n makes it. */
function filledIn(raw: unknown, valueOf: (expression: string) => unknown): unknown {
	if (typeof raw === 'string') return raw.startsWith('=') ? valueOf(raw) : raw;
	if (Array.isArray(raw)) return raw.map((entry) => filledIn(entry, valueOf));
	if (typeof raw !== 'object' || raw === null) return raw;
	return Object.fromEntries(Object.entries(raw).map(([key, one]) => [key, filledIn(one, valueOf)]));
}
