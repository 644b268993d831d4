import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';
import { field } from '../nodes/CandidateAssessment/parameters/field';
import { connectionCheck, TEST_PATH } from '../nodes/CandidateAssessment/transport/connectionCheck';
import { parseCredentials, withToken } from '../nodes/CandidateAssessment/transport/credentials';

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
		field('Base URL', 'baseUrl', {
			required: true,
			placeholder: 'e.g. https://assessment.example.com',
			description: 'Base URL of the assessment service',
			hint: 'Leave out the /partner/… path',
		}),
		field('Access Token', 'accessToken', {
			typeOptions: { password: true },
			required: true,
			description: 'Access token issued by the assessment service',
		}),
	];

	/** A function: the declarative form can't see where a request goes. Throws `CredentialError`. */
	authenticate: IAuthenticate = async (credential, request) => {
		const credentials = parseCredentials(credential);
		if (request.url !== TEST_PATH) return withToken(request, credentials);
		// n8n would wait for five minutes.
		const test = { ...request, baseURL: credentials.baseUrl, timeout: 30_000 };
		return withToken(test, credentials);
	};

	test = connectionCheck;
}
