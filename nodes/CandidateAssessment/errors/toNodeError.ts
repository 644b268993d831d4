import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { ApiError, type ErrorMessage } from './ItemError';

/**
 * The error that n8n shows, without the node's parameters, which may hold a secret, and without an item index: n8n
 * would append it to the message, counted from 0.
 * @param details shown below the description
 */
export function toNodeError(
	context: { getNode(): INode },
	error: Error & ErrorMessage,
	{ prefix = '', details = '' } = {},
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const node: INode = { ...context.getNode(), parameters: {} };
	const exact = [error.description, details].filter(Boolean).join('\n\n');
	const description = exact.replace(TAG, '‹');
	const message = (prefix + error.message).replace(TAG, '‹');
	const httpCode = error instanceof ApiError ? error.httpStatus?.toString() : undefined;
	const nodeError =
		error instanceof ApiError
			? new NodeApiError(node, {}, { message, description, httpCode })
			: new NodeOperationError(node, message, { description });
	// n8n replaces a message that contains a code such as ECONNREFUSED.
	nodeError.message = message;
	nodeError.cause = error;
	// The editor's panel shows it in place of the description.
	nodeError.context.descriptionTemplate = toHtml(exact);
	return nodeError;
}

/** The documents' address. Only what begins with it becomes a link. */
export const DOCUMENTS =
	'https://github.com/n8n-nodes-candidate-assessment/n8n-nodes-candidate-assessment/blob/main/docs/';

/** HTML that the editor renders as the text itself. It would turn text in backquotes into code. */
export function toHtml(text: string): string {
	const escape = (character: string) => `&#${character.charCodeAt(0)};`;
	const html = text.replace(/[&<>`]/g, escape).replaceAll('\n', '<br>');
	const page =
		/https:\/\/github\.com\/(?:n8n-nodes-candidate-assessment\/){2}blob\/main\/docs\/([\w.#-]+\w)/g;
	return html.replace(page, '<a href="$&" target="_blank">$1</a>');
}

/** The editor renders HTML in pop-ups and on the canvas; elsewhere it shows the same text unrendered. */
const TAG = /<(?=[a-z/!?])/gi;

export function messageWithAdvice({ message, description }: ErrorMessage): string {
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}
