import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { momentOf, readerOf } from '../input/Given';
import { text, yesOrNo } from '../input/rules';
import { eventNames } from '../operations/webhook/events';
import { webhookId } from '../operations/webhook/webhookId';
import { CREDENTIAL_TYPE } from '../service/connection';
import { headersToPassOn, isOtherEvent, itemFrom } from './delivery';
import { triggerFields } from './fields';
import { remembered } from './registration';
import { digestOf, webhookSecret } from './secret';
import { headersWithSecret } from './verify';

/**
 * Lets a call in that carries the secret, and turns any other away with 401: no execution starts
 * and nothing is written. An event that the trigger does not listen to is answered 200 and dropped.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const read = readerOf(triggerFields, momentOf(context));
	const given = read((name) => context.getNodeParameter(name, null));
	const { rawHeaders } = context.getRequestObject();

	const digests = await digestsThatCount(context, webhookId(given));
	const onlyHeader = given.optional('secretHeader', text())?.trim();
	if (headersWithSecret(rawHeaders, digests, onlyHeader).size === 0) {
		context.getResponseObject().status(401).json({ message: 'The secret is missing or wrong' });
		return { noWebhookResponse: true };
	}

	const body: unknown = context.getBodyData();
	if (isOtherEvent(body, given.required('events', eventNames))) {
		return { webhookResponse: { message: 'Not an event that this workflow listens to' } };
	}
	const passOn = given.optional('includeHeaders', yesOrNo)
		? headersToPassOn(
				context.getHeaderData() as IDataObject,
				// The secret may stand in more headers than the one that counts.
				headersWithSecret(rawHeaders, digests),
			)
		: undefined;
	return { workflowData: [[{ json: itemFrom(body, passOn) }]] };
}

/** Of the secret as it would be registered now, and of the one that publishing registered. */
async function digestsThatCount(context: IWebhookFunctions, id: string): Promise<string[]> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	const current = webhookSecret(credential, id);
	const { secretDigest } = remembered(context);
	return [current && digestOf(current), secretDigest].filter((digest) => digest !== undefined);
}
