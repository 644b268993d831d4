import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/** Kept in the workflow's static data. A test has its own, and sees no other. */
export interface TriggerStaticData {
	/** Digest of the registered secret. It counts even after the access token was replaced. */
	secretDigest?: string;
	/** Of a test: it, or an earlier one, may have changed the webhook. n8n hands over no data while it begins. */
	isBorrowed?: boolean;
}

export function getStaticData(context: IHookFunctions | IWebhookFunctions): TriggerStaticData {
	return context.getWorkflowStaticData('node');
}
