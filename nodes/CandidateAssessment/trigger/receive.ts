import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { webhookId } from '../actions/webhook/webhooks';
import type { NodeParameters } from '../parameters/NodeParameters';
import { boolean, string } from '../parameters/rules';
import { readCredentials } from '../transport/credentials';
import { webhookSecret } from '../transport/webhookSecret';
import { forwardableHeaders, readBody, toItem, verifySecret } from './call';
import { passOn } from './passOn';
import { ifValid, readParameters, registrationOf } from './properties';
import { digestOf, getStaticData } from './secret';

/**
 * The service calls. Every call that carries the secret starts the workflow: the service sends only what
 * the webhook subscribes to, and the specification doesn't show its shape. Every other call gets 401 and
 * one line in n8n's log, and starts no execution, whatever is broken on our side.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const params = readParameters(this);
	const secretHeaders = await verify(this, params);
	if (typeof secretHeaders === 'string') {
		const { id } = this.getWorkflow();
		this.logger.warn(`A call to the trigger of workflow ${id} was rejected: ${secretHeaders}`);
		this.getResponseObject().status(401).json({ message: 'The secret is missing or wrong' });
		return { noWebhookResponse: true };
	}
	const headers = ifValid(() => params.optional('includeHeaders', boolean))
		? forwardableHeaders(this.getHeaderData(), secretHeaders)
		: undefined;
	const json = toItem(await readBody(this), headers);
	void passOn(this);
	return { workflowData: [[{ json }]] };
}

/**
 * A call is genuine if it carries the remembered or the current secret. The remembered one comes first, since
 * it doesn't need the credential. With manual registration only the current one counts, so that a leaked
 * secret lets nobody in once it's replaced. A broken parameter or credential never makes it throw.
 * Returns the headers that carry the secret, or why the call is rejected.
 */
async function verify(
	context: IWebhookFunctions,
	params: NodeParameters,
): Promise<ReadonlyMap<string, string> | string> {
	const { rawHeaders } = context.getRequestObject();
	const onlyHeader = ifValid(() => params.optional('secretHeader', string()));
	const isManual = ifValid(() => registrationOf(params)) === 'manual';
	const remembered = isManual ? undefined : getStaticData(context).secretDigest;
	const genuine = verifySecret(rawHeaders, remembered, onlyHeader);
	if (genuine) return genuine;
	try {
		const credentials = await readCredentials(context);
		// Only a derived secret needs the ID.
		const id = isManual || credentials.webhookSecret ? undefined : webhookId(params);
		const current = digestOf(webhookSecret(credentials, id));
		const headers = verifySecret(rawHeaders, current, onlyHeader);
		return headers ?? "the webhook's secret is missing or wrong";
	} catch (error) {
		return `n8n couldn't read the secret to compare it with. ${(error as Error).message}`;
	}
}
