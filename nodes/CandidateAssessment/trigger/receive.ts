import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readBody, toItem } from './body';
import { passOnToTest } from './passOn';
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
