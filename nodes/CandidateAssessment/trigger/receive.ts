import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { NodeParameters } from '../parameters/NodeParameters';
import { string, boolean } from '../parameters/rules';
import { eventNames } from '../actions/webhook/events';
import { webhookId } from '../actions/webhook/webhookId';
import { currentSecretDigest } from './currentSecret';
import { parseBody, forwardableHeaders, isOtherEvent, toItem } from './delivery';
import { readParameters } from './properties';
import { getStaticData } from './registration';
import { findSecretHeaders } from './verify';

/**
 * Lets a call in that carries the secret, and turns any other away with 401: no execution starts
 * and nothing is written. An event that the trigger does not listen to is answered 200 and dropped.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const params = readParameters(context);
	const digest = await verifiedDigest(context, params);
	if (digest === undefined) {
		context.getResponseObject().status(401).json({ message: 'The secret is missing or wrong' });
		return { noWebhookResponse: true };
	}

	const body = await bodyOf(context);
	if (isOtherEvent(body, params.required('events', eventNames))) {
		return { webhookResponse: { message: 'Not an event that this workflow listens to' } };
	}
	const passOn = params.optional('includeHeaders', boolean)
		? forwardableHeaders(
				context.getHeaderData() as IDataObject,
				// The secret may stand in more headers than the one that counts.
				findSecretHeaders(context.getRequestObject().rawHeaders, [digest]),
			)
		: undefined;
	return { workflowData: [[{ json: toItem(body, passOn) }]] };
}

/**
 * The digest of the secret that the call carries; undefined for a call that is not genuine. The
 * secret that publishing registered comes first: it is at hand, the current one is in the credential.
 */
async function verifiedDigest(
	context: IWebhookFunctions,
	params: NodeParameters,
): Promise<string | undefined> {
	const { rawHeaders } = context.getRequestObject();
	const onlyHeader = params.optional('secretHeader', string())?.trim();
	const isCarried = (digest: string | undefined): digest is string =>
		digest !== undefined && findSecretHeaders(rawHeaders, [digest], onlyHeader).size > 0;

	const { secretDigest: registered } = getStaticData(context);
	if (isCarried(registered)) return registered;
	const current = await currentSecretDigest(context, webhookId(params));
	return isCarried(current) ? current : undefined;
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
