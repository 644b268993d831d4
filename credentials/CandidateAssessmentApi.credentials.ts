import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { usableSecret } from '../nodes/CandidateAssessment/parameters/secret';
import {
	connectionTest,
	isConnectionTest,
} from '../nodes/CandidateAssessment/transport/connectionTest';
import { parseCredentials } from '../nodes/CandidateAssessment/transport/credentials';

export class CandidateAssessmentApi implements ICredentialType {
	name = 'candidateAssessmentApi';

	displayName = 'Candidate Assessment API';

	icon: Icon = {
		light: 'file:../icons/candidateAssessment.svg',
		dark: 'file:../icons/candidateAssessment.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-candidate-assessment/n8n-nodes-candidate-assessment#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://assessment.example.com',
			description: 'Base URL of the assessment service',
			hint: 'Leave out the /partner/… path',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Access token issued by the assessment service',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'Usually left empty',
			description:
				"Secret the service sends with each call, at least 16 characters. If empty, it's derived from the access token.",
		},
	];

	/**
	 * A function, since n8n evaluates the declarative form's expression again for every request. It
	 * throws `CredentialError`, which the connection test shows.
	 */
	authenticate: IAuthenticate = async (credential, request) => {
		const { accessToken, webhookSecret } = parseCredentials(credential);
		// Only the trigger needs the secret, and says so when it is published: better now than then.
		if (webhookSecret && isConnectionTest(request)) usableSecret(webhookSecret);
		return { ...request, headers: { ...request.headers, Authorization: `Bearer ${accessToken}` } };
	};

	test: ICredentialTestRequest = connectionTest;
}
