import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ItemOutput } from '../errors/ItemError';
import type { ApplicationId } from '../memory/alreadyInvited';
import type { NodeParameters } from '../parameters/NodeParameters';
import type { ApiClient } from '../transport/ApiClient';
import type { ApiRequest, RequestPolicy } from '../transport/types';

/**
 * One operation: what the user sees, and a pure function from what the user entered to one API request. Register it in
 * `actions/index.ts`; everything else is the same for all operations.
 */
export interface Operation extends RequestPolicy {
	name: string;
	/** The name that workflows store, such as `invite`. It never changes. */
	value: string;
	action: string;
	description: string;
	/** The operation's own properties; the registry ties them to the operation. */
	properties: INodeProperties[];
	/** Properties that identify something. A template with a gap is refused there: several items would have the same value. */
	identifyingFields?: readonly string[];
	/** Throws `InvalidParameterError` if a parameter is missing or breaks a rule of the specification. */
	request(params: NodeParameters): ApiRequest;
	/** Turns the envelope's `data` into the output. Defaults to `data` itself. Throws like `request`. */
	output?(params: NodeParameters): (data: IDataObject, client: ApiClient) => Promise<ItemOutput>;
	/** Tells the user which item this is. Throws like `request`. */
	reference?(params: NodeParameters): string | undefined;
	/** The field, such as `invitation_link`, that comes from the service's answer alone, and is told even if the batch fails. */
	receipt?: string;
	/** Hints about the whole list, such as "Several candidates have the same email address", from its valid items' requests and the service's answers. */
	hints?(requests: ApiRequest[], answers: IDataObject[], baseUrl: string): string[];
	/** Whether to send requests one after the other: a later item may overwrite what an earlier one has set. */
	isSequential?: boolean;
	/** An item with an application is sent once over all executions of a node, unless the user wants otherwise. */
	application?(params: NodeParameters, request: ApiRequest): ApplicationId;
}
