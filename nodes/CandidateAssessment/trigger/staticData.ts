import type { IHookFunctions } from 'n8n-workflow';

/** Kept in the workflow's static data. A test has its own, and sees no other. */
export interface TriggerStaticData {
	/** While published: digest of the registered secret, so that a replaced access token turns no genuine call away. */
	secretDigest?: string;
	/** Of a test: the webhook may have been changed, and is to be given back. */
	isBorrowed?: boolean;
}

export function getStaticData(
	context: Pick<IHookFunctions, 'getWorkflowStaticData'>,
): TriggerStaticData {
	return context.getWorkflowStaticData('node');
}
