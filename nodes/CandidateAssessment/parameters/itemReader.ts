import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { explain, failure } from './expressionErrors';
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
	return (index) =>
		read({
			value: valuesOf(index).value,
			entered: (name) => entered.get(name),
			explain: (expression) => explain(context, expression, index),
			failure: (expression, value) => failure(context, expression, value, index),
		});
}
