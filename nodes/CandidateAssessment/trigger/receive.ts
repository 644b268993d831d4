import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Given } from '../parameters/NodeParameters';
import { text, yesOrNo } from '../parameters/rules';
import { eventNames } from '../actions/webhook/events';
import { webhookId } from '../actions/webhook/webhookId';
import { currentSecretDigest } from './currentSecret';
import { bodyFrom, headersToPassOn, isOtherEvent, itemFrom } from './delivery';
import { givenTo } from './properties';
import { remembered } from './registration';
import { headersWithSecret } from './verify';

/**
 * Lets a call in that carries the secret, and turns any other away with 401: no execution starts
 * and nothing is written. An event that the trigger does not listen to is answered 200 and dropped.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const given = givenTo(context);
	const digest = await digestOfSecretIn(context, given);
	if (digest === undefined) {
		context.getResponseObject().status(401).json({ message: 'The secret is missing or wrong' });
		return { noWebhookResponse: true };
	}

	const body = await bodyOf(context);
	if (isOtherEvent(body, given.required('events', eventNames))) {
		return { webhookResponse: { message: 'Not an event that this workflow listens to' } };
	}
	const passOn = given.optional('includeHeaders', yesOrNo)
		? headersToPassOn(
				context.getHeaderData() as IDataObject,
				// The secret may stand in more headers than the one that counts.
				headersWithSecret(context.getRequestObject().rawHeaders, [digest]),
			)
		: undefined;
	return { workflowData: [[{ json: itemFrom(body, passOn) }]] };
}

/**
 * The digest of the secret that the call carries; undefined for a call that is not genuine. The
 * secret that publishing registered comes first: it is at hand, the current one is in the credential.
 */
async function digestOfSecretIn(
	context: IWebhookFunctions,
	given: Given,
): Promise<string | undefined> {
	const { rawHeaders } = context.getRequestObject();
	const onlyHeader = given.optional('secretHeader', text())?.trim();
	const isCarried = (digest: string | undefined): digest is string =>
		digest !== undefined && headersWithSecret(rawHeaders, [digest], onlyHeader).size > 0;

	const { secretDigest: registered } = remembered(context);
	if (isCarried(registered)) return registered;
	const current = await currentSecretDigest(context, webhookId(given));
	return isCarried(current) ? current : undefined;
}

/** n8n leaves a body unread whose content type it does not know. */
async function bodyOf(context: IWebhookFunctions): Promise<unknown> {
	const parsed: unknown = context.getBodyData();
	if (parsed !== undefined) return bodyFrom(parsed);
	const request: N8nRequest = context.getRequestObject();
	await request.readRawBody?.();
	return bodyFrom(request.rawBody?.toString());
}

/** With what n8n adds to a request, and gives no type for. */
type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']> & {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
};
