import {
	jsonParse,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { passOnToTest, type N8nRequest } from './passOn';
import { reasonToReject } from './secret';

/**
 * Every call that carries the secret starts the workflow. Events aren't filtered: the service sends only those that the
 * webhook subscribes to, and the specification doesn't show their shape. Every other call gets 401 and one line in n8n's
 * log, even if the credential can't be read.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const reason = await reasonToReject(this);
	if (reason !== undefined) {
		const { id } = this.getWorkflow();
		this.logger.warn(`A call to the trigger of workflow ${id} was rejected: ${reason}`);
		this.getResponseObject().status(401).json({ message: 'The secret is missing or wrong' });
		return { noWebhookResponse: true };
	}
	const json = toItem(await readBody(this));
	// The workflow doesn't wait for it.
	void passOnToTest(this);
	return { workflowData: [[{ json }]] };
}

/**
 * The delivered body. The specification ("Events") shows no content type, so JSON is read as JSON whatever the type: n8n
 * would break up JSON that is sent as a form. Everything else is as n8n parses it, or text.
 */
async function readBody(context: IWebhookFunctions): Promise<unknown> {
	const request: N8nRequest = context.getRequestObject();
	const parsed: unknown = context.getBodyData();
	// n8n leaves bodies of unknown type unread.
	if (parsed === undefined) await request.readRawBody?.();
	if (!request.rawBody) return parsed;
	const text = decode(request.rawBody, request.headers['content-type']);
	const body = jsonParse<unknown>(text, { fallbackValue: parsed ?? text });
	// Some clients encode JSON twice.
	const inner = typeof body === 'string' && jsonParse<unknown>(body, { fallbackValue: null });
	return inner && typeof inner === 'object' ? inner : body;
}

/** Text in the character set that its content type declares, or else in UTF-8. */
function decode(bytes: Uint8Array, contentType = ''): string {
	const [, label = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
	try {
		return new TextDecoder(label).decode(bytes);
	} catch {
		// There is no such character set.
		return new TextDecoder().decode(bytes);
	}
}

/** The whole body; anything but an object becomes `{ body }`. */
function toItem(body: unknown): IDataObject {
	const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
	return isObject ? (body as IDataObject) : { body: body as IDataObject };
}
