import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { webhookId } from '../actions/webhook/webhooks';
import { readCredentials } from '../transport/credentials';
import { carriesSecret, readBody, toItem } from './call';
import { passOn } from './passOn';
import { readParameters } from './properties';
import { digestOf, getStaticData, webhookSecret } from './webhookSecret';

/**
 * The service calls. Every call that carries the secret starts the workflow: the service sends only what
 * the webhook subscribes to, and the specification doesn't show its shape. Every other call gets 401 and
 * one line in n8n's log, and starts no execution, whatever is broken on our side.
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
	void passOn(this);
	return { workflowData: [[{ json }]] };
}

/**
 * A call is genuine if it carries the registered or the current secret. The registered one comes first, since it doesn't
 * need the credential.
 */
async function reasonToReject(context: IWebhookFunctions): Promise<string | undefined> {
	const { rawHeaders } = context.getRequestObject();
	if (carriesSecret(rawHeaders, getStaticData(context).secretDigest)) return undefined;
	try {
		const { accessToken } = await readCredentials(context);
		const current = webhookSecret(accessToken, webhookId(readParameters(context)));
		const isGenuine = carriesSecret(rawHeaders, digestOf(current));
		return isGenuine ? undefined : "the webhook's secret is missing or wrong";
	} catch (error) {
		return `n8n couldn't read the secret to compare it with. ${(error as Error).message}`;
	}
}
