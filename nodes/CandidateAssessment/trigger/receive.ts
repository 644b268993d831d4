import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { webhookId } from '../actions/webhook/webhooks';
import type { NodeParameters } from '../parameters/NodeParameters';
import { boolean, string } from '../parameters/rules';
import { currentSecretDigest } from './currentSecret';
import { forwardableHeaders, parseBody, toItem } from './delivery';
import { readParameters, registrationOf } from './properties';
import { getStaticData } from './staticData';
import { findSecretHeaders, isGenuine } from './verify';

/**
 * Every call that carries the secret starts the workflow: the service sends only what the webhook
 * subscribes to, and what that looks like is not specified. Every other call gets 401, starts no
 * execution and writes nothing, whatever is broken on this side. Never throws because of a parameter or
 * the credential.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	// Without those whose expression fails.
	const get = (name: string) => ifValid(() => context.getNodeParameter(name, null));
	const params = readParameters(context, get);
	const secretHeaders = await verifiedHeaders(context, params);
	if (!secretHeaders) {
		context.getResponseObject().status(401).json(NOT_GENUINE);
		return { noWebhookResponse: true };
	}
	const headers = ifValid(() => params.optional('includeHeaders', boolean))
		? forwardableHeaders(context.getHeaderData() as IDataObject, secretHeaders)
		: undefined;
	return { workflowData: [[{ json: toItem(await bodyOf(context), headers) }]] };
}

/** For callers who do not know the secret. */
const NOT_GENUINE = { message: 'The secret is missing or wrong' };

/**
 * The headers that carry the secret; undefined if the call is not genuine. What is remembered comes
 * first: it is at hand, while the current secret is in the credential.
 */
async function verifiedHeaders(
	context: IWebhookFunctions,
	params: NodeParameters,
): Promise<Map<string, string> | undefined> {
	const { rawHeaders } = context.getRequestObject();
	const onlyHeader = ifValid(() => params.optional('secretHeader', string()))?.trim();
	const verify = (digest: string | undefined) => {
		const found = digest === undefined ? undefined : findSecretHeaders(rawHeaders, digest);
		return found && isGenuine(found, onlyHeader) ? found : undefined;
	};

	const isManual = ifValid(() => registrationOf(params)) === 'manual';
	const id = isManual ? undefined : ifValid(() => webhookId(params));
	return (
		verify(getStaticData(context).secretDigest) ?? verify(await currentSecretDigest(context, id))
	);
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
