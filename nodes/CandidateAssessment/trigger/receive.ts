import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { webhookId } from '../actions/webhook/webhooks';
import type { NodeParameters } from '../parameters/NodeParameters';
import { boolean, string } from '../parameters/rules';
import { forwardableHeaders, parseBody, toItem } from './delivery';
import { readParameters, registrationOf } from './properties';
import { currentSecretDigest } from './secret';
import { getStaticData } from './staticData';
import { findSecretHeaders, isGenuine } from './verify';

/**
 * Every call that carries the secret starts the workflow: the service sends only what the webhook
 * subscribes to, and what that looks like is not specified. Every other call gets 401, starts no
 * execution and writes nothing, whatever is broken on this side. Never throws because of a parameter or
 * the credential.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const params = readParameters(this);
	const secretHeaders = await verifiedHeaders(this, params);
	if (!secretHeaders) {
		this.getResponseObject().status(401).json({ message: 'The secret is missing or wrong' });
		return { noWebhookResponse: true };
	}
	const headers = ifValid(() => params.optional('includeHeaders', boolean))
		? forwardableHeaders(this.getHeaderData() as IDataObject, secretHeaders)
		: undefined;
	return { workflowData: [[{ json: toItem(await bodyOf(this), headers) }]] };
}

/**
 * The headers that carry the secret; undefined if the call is not genuine. The remembered secret comes
 * first: it needs no look at the credential. With manual registration only the current one counts, so
 * that a leaked secret that was replaced lets nobody in.
 */
async function verifiedHeaders(context: IWebhookFunctions, params: NodeParameters) {
	const { rawHeaders } = context.getRequestObject();
	const onlyHeader = ifValid(() => params.optional('secretHeader', string()))?.trim();
	const verify = (digest: string | undefined) => {
		const headers = digest === undefined ? undefined : findSecretHeaders(rawHeaders, digest);
		return headers && isGenuine(headers, onlyHeader) ? headers : undefined;
	};

	const isManual = ifValid(() => registrationOf(params)) === 'manual';
	const remembered = isManual ? undefined : getStaticData(context).secretDigest;
	const id = isManual ? undefined : ifValid(() => webhookId(params));
	return verify(remembered) ?? verify(await currentSecretDigest(context, id));
}

function ifValid<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/** n8n leaves a body unread whose content type it does not know. */
async function bodyOf(context: IWebhookFunctions): Promise<unknown> {
	const parsed: unknown = context.getBodyData();
	if (parsed !== undefined) return parseBody(parsed);
	const request: N8nRequest = context.getRequestObject();
	await request.readRawBody?.();
	return parseBody(request.rawBody?.toString());
}

/** With what n8n adds to a request, and gives no type for. */
type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']> & {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
};
