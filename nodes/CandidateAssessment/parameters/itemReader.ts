import type { IExecuteFunctions, INodeProperties, IWorkflowDataProxyData } from 'n8n-workflow';
import { dateContextOf } from './dates';
import { Expression } from './Expression';
import { parameterReader, type NodeParameters } from './NodeParameters';
import { placeholderProblems, type PlaceholderProblem } from './placeholderResults';

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
	const entered = new Map(
		properties
			.filter(({ type }) => type !== 'notice')
			.map(({ name }) => [
				name,
				context.getNodeParameter(name, 0, null, { rawExpressions: true }) as unknown,
			]),
	);
	const expressions = new Map<string, Expression>();
	const parsed = (text: string): Expression => {
		const expression = expressions.get(text) ?? new Expression(text);
		expressions.set(text, expression);
		return expression;
	};
	const predictable = new Set(
		properties
			.filter((property) => !isConverted(property))
			.map(({ name }) => name)
			.filter((name) =>
				expressionsIn(entered.get(name)).every((text) => parsed(text).isPredictable),
			),
	);
	return (index) => {
		let proxy: IWorkflowDataProxyData | undefined;
		const data = () => (proxy ??= context.getWorkflowDataProxy(index));
		const problems = new Map<string, PlaceholderProblem[]>();
		return read({
			value(name) {
				if (predictable.has(name)) {
					try {
						return filledIn(entered.get(name), (text) => parsed(text).read(data()));
					} catch {
						// Something on the way is not simple.
					}
				}
				return context.getNodeParameter(name, index, null);
			},
			entered: (name) => entered.get(name),
			problems(text, value) {
				const found =
					problems.get(text) ?? placeholderProblems({ context, index, data }, parsed(text), value);
				problems.set(text, found);
				return found;
			},
		});
	};
}

/** Whether n8n converts the parameter after it is evaluated. */
function isConverted(property: INodeProperties): boolean {
	return JSON.stringify(property).includes('"validateType"');
}

/** The expressions in a parameter, as the user entered them. */
function expressionsIn(raw: unknown): string[] {
	if (typeof raw === 'string') return raw.startsWith('=') ? [raw] : [];
	return typeof raw === 'object' && raw !== null ? Object.values(raw).flatMap(expressionsIn) : [];
}

/** A copy with the values in place of the expressions, as n8n makes it. */
function filledIn(raw: unknown, valueOf: (expression: string) => unknown): unknown {
	if (typeof raw === 'string') return raw.startsWith('=') ? valueOf(raw) : raw;
	if (Array.isArray(raw)) return raw.map((entry) => filledIn(entry, valueOf));
	if (typeof raw !== 'object' || raw === null) return raw;
	return Object.fromEntries(Object.entries(raw).map(([key, one]) => [key, filledIn(one, valueOf)]));
}
