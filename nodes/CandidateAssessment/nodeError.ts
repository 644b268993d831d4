import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type IHookFunctions,
	type INode,
} from 'n8n-workflow';
import { RuleBroken } from './input/rules';
import { BadCredential } from './service/connection';
import { ServiceFailure } from './service/explain';

interface Context {
	itemIndex?: number;
	/** Put before the message: which item it is about. */
	prefix?: string;
	/** Put behind the description: the account of the batch. */
	account?: string;
}

/** Turns what went wrong into the error that n8n shows, without the node's parameters (a secret may be among them). */
export function nodeError(
	from: Pick<IExecuteFunctions | IHookFunctions, 'getNode'>,
	problem: Error,
	{ itemIndex, prefix = '', account = '' }: Context = {},
): NodeApiError | NodeOperationError {
	if (problem instanceof NodeApiError || problem instanceof NodeOperationError) return problem;
	const node: INode = { ...from.getNode(), parameters: {} };
	const message = prefix + problem.message;
	if (problem instanceof ServiceFailure) {
		const description = [problem.description, account].filter(Boolean).join('\n\n');
		const httpCode = problem.status?.toString();
		return new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
	}
	if (problem instanceof RuleBroken || problem instanceof BadCredential) {
		return new NodeOperationError(node, message, { description: account, itemIndex });
	}
	return new NodeOperationError(node, problem, { itemIndex });
}
