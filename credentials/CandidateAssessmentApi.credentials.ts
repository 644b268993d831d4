import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { usableSecret } from '../nodes/CandidateAssessment/parameters/secret';
import { connectionCheck, TEST_PATH } from '../nodes/CandidateAssessment/transport/connectionCheck';
import {
	CredentialError,
	parseCredentials,
	requestUrl,
} from '../nodes/CandidateAssessment/transport/credentials';

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
	 * A function, since the token goes to the Base URL only, whichever node asks for it: the declarative
	 * form cannot look at the address. It throws `CredentialError`, which the connection test shows.
	 */
	authenticate: IAuthenticate = async (credential, request) => {
		const { baseUrl, accessToken, webhookSecret } = parseCredentials(credential);
		const sent = { ...request };
		if (request.url === TEST_PATH) {
			sent.baseURL = baseUrl;
			// Only the trigger needs the secret, and says so when it is published: better now than then.
			if (webhookSecret) usableSecret(webhookSecret);
		}
		if (requestUrl(sent)?.origin !== new URL(baseUrl).origin) {
			throw new CredentialError(
				'The access token can only be sent to the Base URL in its credential. Use another credential for this address.',
			);
		}
		return {
			...sent,
			headers: { ...request.headers, Authorization: `Bearer ${accessToken}` },
			// n8n would send the token along to wherever a redirect leads. HTTP Request has the last two.
			disableFollowRedirect: true,
			...{ followRedirect: false, followAllRedirects: false },
		};
	};

	test: ICredentialTestRequest = connectionCheck;
}
