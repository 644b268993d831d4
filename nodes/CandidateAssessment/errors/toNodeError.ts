import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type IHookFunctions,
	type INode,
} from 'n8n-workflow';
import { ApiError } from './ItemError';

interface ErrorContext {
	/** Precedes the message: which item it is about. */
	prefix?: string;
	/** Follows the description: what became of the rest of the batch. */
	details?: string;
}

/**
 * Turns what went wrong into the error that n8n shows, without the node's parameters (a secret may be
 * among them). It carries no item index: n8n would append it to the message, counted from 0, where the
 * prefix already names the item as people count.
 */
export function toNodeError(
	context: Pick<IExecuteFunctions | IHookFunctions, 'getNode'>,
	error: Error & Advice,
	{ prefix = '', details = '' }: ErrorContext = {},
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const node: INode = { ...context.getNode(), parameters: {} };
	const description = [error.description, details].filter(Boolean).join('\n\n');
	// Of a tool's error n8n hands the model the message only: it has to say what to do as well.
	const message = prefix + (isTool(node) ? messageWithAdvice(error) : error.message);
	const httpCode = error instanceof ApiError ? error.httpStatus?.toString() : undefined;
	const nodeError =
		error instanceof ApiError
			? new NodeApiError(node, {}, { message, description, httpCode })
			: new NodeOperationError(node, message, { description });
	// n8n puts words of its own in the place of a message that holds a code such as ECONNREFUSED.
	nodeError.message = message;
	return nodeError;
}

/** An AI agent uses the node as a tool. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

interface Advice {
	description?: string | null;
}

/** The message and the advice in one text. */
export function messageWithAdvice({
	message,
	description,
}: Pick<Error, 'message'> & Advice): string {
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}
