import { CREDENTIAL, withCredential } from '../../demo/workflows/parts.mts';
import { JOB } from '../support/example.mts';
import { ACTION_NODE, actionNode, baseNode, type Part } from '../e2e/support/workflows.mts';
import type { BenchEnvironment } from './environment.mts';

export const NAMES = {
	ours: 'Candidate Assessment',
	httpRequest: 'HTTP Request with our credential',
	httpRequestPlain: 'HTTP Request, token in plain text',
};
export type Contender = keyof typeof NAMES;

const FIELDS = ['ref', 'email', 'first', 'last'];

/** An expression for a list of candidates. It differs in each run, so nobody is invited twice. */
export function candidates(count: number): string {
	return `((run) => Array.from({ length: ${count} }, (_, i) => ({ ref: run + '-' + (i + 1), email: 'nathan' + i + '@example.com', first: 'Nathan', last: 'Smith ' + i })))(Date.now())`;
}

/** The node that sends a list. */
export function nodeOf({ service, credential }: BenchEnvironment, contender: Contender): Part {
	if (contender === 'ours') {
		const [extReferenceId, email, firstName, lastName] = FIELDS.map(
			(field) => `={{ $json.${field} }}`,
		);
		return actionNode(credential, {
			resource: 'candidate',
			operation: 'invite',
			jobId: JOB,
			extReferenceId,
			email,
			firstName,
			lastName,
		});
	}
	const headers = [{ name: 'Accept', value: 'application/json' }];
	// HTTP Request at its best: one expression for the whole body, and everything sent at once.
	const http = baseNode(ACTION_NODE, 'httpRequest', 4.2, {
		method: 'POST',
		url: `${service.baseUrl}/partner/v1.0/standard/candidates`,
		sendHeaders: true,
		headerParameters: { parameters: headers },
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ JSON.stringify({ job_id: "${JOB}", ext_reference_id: $json.ref, is_anonymous_candidate: false, email: $json.email, first_name: $json.first, last_name: $json.last }) }}`,
		options: { response: { response: { responseFormat: 'json' } } },
	});
	if (contender === 'httpRequestPlain') {
		headers.push({ name: 'Authorization', value: `Bearer ${service.accessToken}` });
		return http;
	}
	http.parameters.authentication = 'predefinedCredentialType';
	http.parameters.nodeCredentialType = CREDENTIAL;
	return { ...http, credentials: withCredential(credential) };
}
