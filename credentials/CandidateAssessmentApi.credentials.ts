import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import {
	connectionCheck,
	TEST_PATH,
	watchStatus,
} from '../nodes/CandidateAssessment/transport/connectionCheck';
import {
	CredentialError,
	hasOwnConnection,
	parseCredentials,
	requestUrl,
} from '../nodes/CandidateAssessment/transport/credentials';
import { webhookSecret } from '../nodes/CandidateAssessment/trigger/secret';

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
			description:
				'Leave empty to derive it from the access token. Otherwise, at least 16 characters.',
		},
	];

	/**
	 * A function, because the token goes to the Base URL only, whichever node sends it: the declarative
	 * form can't see where it goes. Throws `CredentialError`, which the connection test shows.
	 */
	authenticate: IAuthenticate = async (credential, request) => {
		const parsed = parseCredentials(credential);
		const { baseUrl, accessToken } = parsed;
		const sent = { ...request };
		if (request.url === TEST_PATH) {
			sent.baseURL = baseUrl;
			// n8n would wait for five minutes.
			sent.timeout = 30_000;
			Object.assign(sent, watchStatus());
			// Only the trigger needs the secret, but a user wants to hear of a bad one now.
			webhookSecret(parsed, 'any webhook');
		}
		if (requestUrl(sent)?.origin !== new URL(baseUrl).origin) {
			throw new CredentialError(
				'The access token can only be sent to the Base URL in its credential. Use another credential for this address.',
			);
		}
		if (hasOwnConnection(sent)) {
			throw new CredentialError(
				"The access token can't be sent with 'Proxy', 'Ignore SSL Issues', 'SSL Certificates' or a 'Host' header. Remove them from this node.",
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
