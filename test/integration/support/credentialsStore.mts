import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

export type Credential = ICredentialDataDecryptedObject;

type BuiltCredential = typeof import('../../../credentials/CandidateAssessmentApi.credentials.ts');
const { CandidateAssessmentApi } = jest.requireActual<BuiltCredential>(
	'../../../dist/credentials/CandidateAssessmentApi.credentials',
);
const { authenticate } = new CandidateAssessmentApi();
type Authenticate = Extract<typeof authenticate, (...args: never) => unknown>;

/** n8n's store of credentials, which authenticates as the credential type defines it. No node asks for the rest. */
export function credentialsStore(find: (id: string | null) => Credential): ICredentialsHelper {
	const store: Partial<ICredentialsHelper> = {
		async getDecrypted(_additionalData, { id }) {
			// n8n asks its database here, and does other work meanwhile.
			await new Promise(setImmediate);
			return { ...find(id) };
		},
		authenticate: async (credential, _type, request) =>
			await (authenticate as Authenticate)(credential, request as IHttpRequestOptions),
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => undefined,
	};
	return store as ICredentialsHelper;
}

/** The data that n8n hands to all of its contexts. */
export function additionalDataWith(
	credentialsHelper: ICredentialsHelper,
	origin = 'https://n8n.example.com',
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper,
		currentNodeExecutionIndex: 0,
		executionId: '1',
		webhookBaseUrl: `${origin}/webhook`,
		webhookTestBaseUrl: `${origin}/webhook-test`,
		webhookWaitingBaseUrl: `${origin}/webhook-waiting`,
		formWaitingBaseUrl: `${origin}/form-waiting`,
		variables: {},
		logAiEvent: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** Node types by name. Each has one version. */
export function nodeTypesBy(getByName: (name: string) => INodeType): INodeTypes {
	return { getByName, getByNameAndVersion: getByName, getKnownTypes: () => ({}) };
}
