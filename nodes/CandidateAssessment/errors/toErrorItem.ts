import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { ApiError } from './ItemError';
import { messageWithAdvice, toNodeError } from './toNodeError';

/**
 * Makes the items of `On Error: Continue`: `{ error, outcome, httpStatus? }`.
 * @param outcome what became of the item: `invalid`, `refused`, `unknown` or `notSent`
 */
export function toErrorItem(
	context: Pick<IExecuteFunctions, 'getNode'>,
	index: number,
	outcome: string,
	error: Error,
): INodeExecutionData {
	const httpStatus = error instanceof ApiError ? error.httpStatus : undefined;
	const item: INodeExecutionData = {
		json: {
			error: messageWithAdvice(error),
			outcome,
			...(httpStatus !== undefined && { httpStatus }),
		},
		pairedItem: { item: index },
	};
	if (context.getNode().onError === 'continueErrorOutput') {
		// Leads the item to the error output. If n8n could enumerate it, it would replace `json` by its message.
		Object.defineProperty(item, 'error', { get: () => toNodeError(context, error) });
	}
	return item;
}
