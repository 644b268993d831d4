import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { NodeParameters } from '../parameters/NodeParameters';
import type { ApiRequest, StatusMessages } from '../transport/types';

/**
 * One operation: what the user sees, and a pure function from what the user entered to one API
 * request. Register it in `operations/index.ts`; everything else is the same for all of them.
 */
export interface Operation extends INodePropertyOptions {
	/** As workflows store it, such as `invite`. It never changes. */
	value: string;
	action: string;
	description: string;
	/** The operation's own fields; the registry ties them to the operation. */
	properties: INodeProperties[];
	/** Throws `InvalidField` where a field is missing or breaks a rule of the specification. */
	request(params: NodeParameters): ApiRequest;
	/** How the envelope's `data` becomes the output item; as it is where left out. Throws like `request`. */
	output?(params: NodeParameters): (data: IDataObject) => IDataObject;
	/** The file to download for an item, if any. Throws like `request`. */
	download?(params: NodeParameters): BinaryDownload | undefined;
	/** What tells one item from another to the user, for the account of a batch that failed. */
	reference?(request: ApiRequest): string;
	/** What an HTTP status means here, where the common words would say less. */
	statusMessages?: StatusMessages;
}

/** A PDF that the service's answer links to, to go along with the item as binary data. */
export interface BinaryDownload {
	/** The binary field that takes it. */
	field: string;
	/** Throws `FileProblem` where the answer has no link. */
	link(data: IDataObject): string;
	name(data: IDataObject): string;
}
