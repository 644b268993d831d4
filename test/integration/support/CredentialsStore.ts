import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type IHttpRequestOptions,
	type INodeProperties,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

export type Credential = ICredentialDataDecryptedObject;

type BuiltCredential = typeof import('../../../credentials/CandidateAssessmentApi.credentials');
const { CandidateAssessmentApi } = jest.requireActual<BuiltCredential>(
	'../../dist/credentials/CandidateAssessmentApi.credentials',
);
const { authenticate } = new CandidateAssessmentApi();
type Authenticate = Extract<typeof authenticate, (...args: never) => unknown>;

/** n8n's store of credentials, which authenticates as the credential type defines it. */
export abstract class CredentialsStore extends ICredentialsHelper {
	async authenticate(
		credential: Credential,
		_type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await (authenticate as Authenticate)(credential, request);
	}

	// No node of this package needs the rest.
	getParentTypes = (): string[] => [];
	isCredentialUsableByNode = () => true;
	preAuthentication = async () => undefined;
	runPreAuthentication = async () => undefined;
	getCredentialsProperties = (): INodeProperties[] => [];
	updateCredentials = async () => {};
	updateCredentialsOauthTokenData = async () => {};
	async getCredentials(): Promise<ICredentials> {
		throw new Error('Nothing asks for stored credentials here');
	}
}

/** The data that n8n hands to all of its contexts. */
export function additionalDataWith(
	credentialsHelper: ICredentialsHelper,
	origin = 'https://n8n.example.com',
	editorOrigin = origin,
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper,
		currentNodeExecutionIndex: 0,
		executionId: '1',
		webhookBaseUrl: `${origin}/webhook`,
		webhookTestBaseUrl: `${editorOrigin}/webhook-test`,
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
