import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { connectionTest } from '../nodes/CandidateAssessment/transport/connectionTest';

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
			hint: 'Without /partner/… at its end',
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
			placeholder: 'Usually left empty',
			description:
				'What the service must show when it calls the trigger: at least 16 characters. Leave it empty and the trigger makes one of its own from the access token.',
		},
	];

	/** A function, since n8n evaluates the declarative form's expression again for every request. */
	authenticate: IAuthenticate = async ({ accessToken }, request) => ({
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${String(accessToken).trim()}` },
	});

	test: ICredentialTestRequest = connectionTest;
}
