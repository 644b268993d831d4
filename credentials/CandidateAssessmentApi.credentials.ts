import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

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
			placeholder: 'https://assessment.example.com',
			description: 'Where the assessment service answers, as its people have told you',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The token that the assessment service has given you',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'What the service must show when it calls the trigger: at least 16 characters. Leave it empty and the trigger makes one of its own from the access token.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: { Authorization: '=Bearer {{$credentials.accessToken}}' },
		},
	};

	/**
	 * No endpoint only checks a token, so the test asks for an invitation code that cannot exist.
	 * A JSON answer, found or not found, means connected.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "")}}',
			url: '/partner/v1.0/standard/candidates/invitation/n8n-connection-test',
			method: 'GET',
			headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: [401, 403] },
		},
		rules: [
			{
				type: 'responseCode',
				properties: { value: 401, message: 'The access token was refused' },
			},
			{
				type: 'responseCode',
				properties: { value: 403, message: 'The access token was refused' },
			},
		],
	};
}
