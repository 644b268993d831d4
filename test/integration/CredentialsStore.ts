import { ICredentialsHelper, type ICredentials, type INodeProperties } from 'n8n-workflow';

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
