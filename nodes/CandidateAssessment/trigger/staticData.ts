import type { IHookFunctions } from 'n8n-workflow';

/** Kept in the workflow's static data. A test has its own, and sees no other. */
export interface TriggerStaticData {
	/**
	 * While published with automatic registration: digest of the registered secret, so that calls are
	 * recognized after the access token was replaced.
	 */
	secretDigest?: string;
	/**
	 * Of a test: whether the webhook may have been changed, and has to be given back. Unknown if n8n ends
	 * the test while it begins: then n8n hands over empty data.
	 */
	isBorrowed?: boolean;
}

export function getStaticData(
	context: Pick<IHookFunctions, 'getWorkflowStaticData'>,
): TriggerStaticData {
	return context.getWorkflowStaticData('node');
}
