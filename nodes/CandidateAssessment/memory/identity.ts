import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

/**
 * What tells one application from another. Case doesn't matter in emails and job UUIDs. Records depend on it and on its
 * digest, so neither ever changes: each node would forget everybody, and invite them again (storedForms.test.ts).
 */
export function identityOf(body: IDataObject = {}) {
	return {
		jobId: String(body.job_id).toLowerCase(),
		reference: String(body.ext_reference_id),
		email: String(body.email ?? '').toLowerCase(),
	};
}

/** A digest, which tells nothing about the candidate. */
export function applicationKey(body: IDataObject = {}): string {
	const identity = JSON.stringify(Object.values(identityOf(body)));
	const digest = createHash('sha256').update(identity).digest();
	return digest.subarray(0, 16).toString('base64');
}
