import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { ApiError } from './ItemError';

/**
 * The error that n8n shows, without the node's parameters, which may hold a secret, and without an item index: n8n would
 * append it to the message, counted from 0.
 * @param details stand below the description
 */
export function toNodeError(
	context: { getNode(): INode },
	error: Error & Advice,
	{ prefix = '', details = '' } = {},
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const node: INode = { ...context.getNode(), parameters: {} };
	const description = [error.description, details].filter(Boolean).join('\n\n');
	const message = prefix + error.message;
	const httpCode = error instanceof ApiError ? error.httpStatus?.toString() : undefined;
	const nodeError =
		error instanceof ApiError
			? new NodeApiError(node, {}, { message, description, httpCode })
			: new NodeOperationError(node, message, { description });
	// n8n replaces a message that contains a code such as ECONNREFUSED.
	nodeError.message = message;
	// The editor shows a description in one line. It takes line breaks from a template, which is HTML.
	if (description.includes('\n')) nodeError.context.descriptionTemplate = toHtml(description);
	return nodeError;
}

function toHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>');
}

export interface Advice {
	description?: string | null;
}

export function messageWithAdvice({ message, description }: { message: string } & Advice): string {
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}
