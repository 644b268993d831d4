import { jsonParse, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';

/**
 * The delivered body. The specification ("Events") shows no content type, so JSON is read as JSON whatever the type: n8n
 * would break up JSON that is sent as a form. Everything else is as n8n parses it, or text.
 */
export async function readBody(context: IWebhookFunctions): Promise<unknown> {
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

/** The parts of a call that the trigger reads. n8n adds the last two. */
export interface N8nRequest {
	headers: Record<string, unknown> & { 'content-type'?: string };
	socket: { localAddress?: string; localPort?: number };
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/** The whole body; anything but an object becomes `{ body }`. */
export function toItem(body: unknown): IDataObject {
	const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
	return isObject ? (body as IDataObject) : { body: body as IDataObject };
}
