import {
	ICredentialsHelper,
	type ICredentials,
	type INodeProperties,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** What n8n asks of its store of credentials, and no node of this package needs. */
export abstract class CredentialsStore extends ICredentialsHelper {
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

/** What n8n hands to all of its contexts. */
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

/** Node types by name, of which each has one version. */
export function nodeTypesBy(getByName: (name: string) => INodeType): INodeTypes {
	return { getByName, getByNameAndVersion: getByName, getKnownTypes: () => ({}) };
}
