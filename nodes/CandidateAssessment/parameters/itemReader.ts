import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { Expression } from './Expression';
import { ExpressionErrors } from './ExpressionErrors';
import { jointEvaluation, rawParameter, type ExpressionContext } from './jointEvaluation';
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
	const expressions = new Map<string, Expression>();
	const parsed = (text: string): Expression => {
		const expression = expressions.get(text) ?? new Expression(text);
		expressions.set(text, expression);
		return expression;
	};
	return (index) => {
		const { value, known } = valuesOf(index);
		const errors = new ExpressionErrors(context, index, known);
		return read({
			value,
			entered: (name) => entered.get(name),
			explain: (expression) => errors.explain(parsed(expression)),
			failure: (expression, gave) => errors.failure(parsed(expression), gave),
			gap: (expression, gave) => errors.gap(parsed(expression), gave),
		});
	};
}
