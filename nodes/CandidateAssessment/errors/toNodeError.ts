import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type IHookFunctions,
	type INode,
} from 'n8n-workflow';
import { ApiError } from './messages';

interface Context {
	itemIndex?: number;
	/** Put before the message: which item it is about. */
	prefix?: string;
	/** Put behind the description: the account of the batch. */
	details?: string;
}

/** Turns what went wrong into the error that n8n shows, without the node's parameters (a secret may be among them). */
export function toNodeError(
	from: Pick<IExecuteFunctions | IHookFunctions, 'getNode'>,
	problem: Error,
	{ itemIndex, prefix = '', details = '' }: Context = {},
): NodeApiError | NodeOperationError {
	if (problem instanceof NodeApiError || problem instanceof NodeOperationError) return problem;
	const node: INode = { ...from.getNode(), parameters: {} };
	const words = problem instanceof ApiError ? problem.description : undefined;
	const description = [words, details].filter(Boolean).join('\n\n');
	// Of a tool's error n8n hands the model the message only: it has to say what to do as well.
	const isTool = node.type.endsWith('Tool');
	const message = [prefix + problem.message, isTool && words].filter(Boolean).join('. ');
	if (problem instanceof ApiError) {
		const httpCode = problem.status?.toString();
		return new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
	}
	return new NodeOperationError(node, message, { description, itemIndex });
}
