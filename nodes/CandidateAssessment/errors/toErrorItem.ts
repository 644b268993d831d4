import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { adviceOf, toNodeError } from './toNodeError';
import { ApiError } from './ApiError';

/**
 * Makes the items of `On Error: Continue`: `{ error, outcome, httpStatus? }`. Where the node has an
 * error output, an item is led there by its `error`; items that failed alike share one.
 * @param outcome what became of the item: `invalid`, `refused`, `unknown` or `notSent`
 */
export function errorItemMaker(
	context: IExecuteFunctions,
): (index: number, outcome: string, error: Error) => INodeExecutionData {
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const nodeErrors = new Map<string, NodeApiError | NodeOperationError>();
	const sharedError = (error: Error) => {
		const known = nodeErrors.get(error.message);
		if (known) return known;
		const nodeError = toNodeError(context, error);
		nodeErrors.set(error.message, nodeError);
		return nodeError;
	};
	return (index, outcome, error) => {
		const httpStatus = error instanceof ApiError ? error.httpStatus : undefined;
		return {
			json: {
				error: [error.message, adviceOf(error)].filter(Boolean).join('. '),
				outcome,
				...(httpStatus !== undefined && { httpStatus }),
			},
			pairedItem: { item: index },
			...(hasErrorOutput && { error: sharedError(error) }),
		};
	};
}
