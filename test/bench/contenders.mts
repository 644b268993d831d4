import type { WorkflowNode } from '../../tools/n8n/client.mts';
import { ACTION, CREDENTIAL, withCredential } from '../../demo/workflows/parts.mts';
import type { BenchEnvironment } from './environment.mts';

export const NAMES = {
	ours: 'Candidate Assessment',
	httpRequest: 'HTTP Request with our credential',
	httpRequestPlain: 'HTTP Request, token in plain text',
};
export type Contender = keyof typeof NAMES;

/** What fills the four fields of a list: reference, email, first and last name. */
const EXPRESSIONS = {
	'four fields': ['$json.ref', '$json.email', '$json.first', '$json.last'],
	'four with a method': [
		...['$json.ref.trim()', '$json.email.toLowerCase()'],
		...['$json.first.trim()', '$json.last.trim()'],
	],
	'one put together': ['$json.ref + "-x"', '$json.email', '$json.first', '$json.last'],
	'four longer paths': [
		...['$json.person.ref', '$json.person.email'],
		...['$json.person.first', '$json.person.last'],
	],
};
export type Expressions = keyof typeof EXPRESSIONS;
export const USUAL_EXPRESSIONS: Expressions = 'four fields';

/** The node that is measured. */
export const NODE = 'Send';
const JOB_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';
const NODE_BASE = { id: 'send', name: NODE, position: [400, 0] as [number, number] };

/** An expression for a list of candidates, different in each run: nobody is invited twice. */
export function candidates(count: number): string {
	return `((run) => Array.from({ length: ${count} }, (_, i) => ({ ref: run + '-' + (i + 1), email: 'nathan' + i + '@example.com', first: 'Nathan', last: 'Smith ' + i })).map((person) => ({ ...person, person })))(Date.now())`;
}

/** The node that sends a list. Of HTTP Request there are no variants. */
export function nodeOf(
	environment: BenchEnvironment,
	contender: Contender,
	expressions = USUAL_EXPRESSIONS,
): WorkflowNode {
	const credentials = withCredential(environment.credential);
	if (contender === 'ours') {
		const [extReferenceId, email, firstName, lastName] = EXPRESSIONS[expressions].map(
			(expression) => `={{ ${expression} }}`,
		);
		const parameters = {
			resource: 'candidate',
			operation: 'invite',
			jobId: JOB_ID,
			isAnonymousCandidate: false,
			extReferenceId,
			email,
			firstName,
			lastName,
		};
		return { ...NODE_BASE, type: ACTION, typeVersion: 1, parameters, credentials };
	}
	const { baseUrl, accessToken } = environment.service;
	const http = { ...NODE_BASE, type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
	const headers = [{ name: 'Accept', value: 'application/json' }];
	// At its best: a single expression for the whole body, and everything is sent at once.
	const parameters = {
		method: 'POST',
		url: `${baseUrl}/partner/v1.0/standard/candidates`,
		sendHeaders: true,
		headerParameters: { parameters: headers },
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ JSON.stringify({ job_id: "${JOB_ID}", ext_reference_id: $json.ref, is_anonymous_candidate: false, email: $json.email, first_name: $json.first, last_name: $json.last }) }}`,
		options: { response: { response: { responseFormat: 'json' } } },
	};
	if (contender === 'httpRequestPlain') {
		headers.push({ name: 'Authorization', value: `Bearer ${accessToken}` });
		return { ...http, parameters };
	}
	const authentication = 'predefinedCredentialType';
	return {
		...http,
		parameters: { ...parameters, authentication, nodeCredentialType: CREDENTIAL },
		credentials,
	};
}
