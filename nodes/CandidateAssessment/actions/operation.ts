import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ItemOutput } from '../errors/ItemOutcome';
import type { Application } from '../memory/claim';
import type { NodeParameters } from '../parameters/NodeParameters';
import type { ApiClient } from '../transport/ApiClient';
import type { ApiRequest, RequestPolicy } from '../transport/types';

/**
 * One operation: what the user sees, and a pure function from what the user entered to one API
 * request. Register it in `actions/index.ts`; everything else is the same for all of them.
 */
export interface Operation extends RequestPolicy {
	name: string;
	/** As workflows store it, such as `invite`. It never changes. */
	value: string;
	action: string;
	description: string;
	/** The operation's own properties; the registry ties them to the operation. */
	properties: INodeProperties[];
	/** Names of properties that identify something: an incomplete template would give several items the same value. */
	identifyingFields?: readonly string[];
	/** Throws `InvalidParameterError` if a parameter is missing or breaks a rule of the specification. */
	request(params: NodeParameters): ApiRequest;
	/** Turns the envelope's `data` into the output. If left out, `data` is the output. Throws like `request`. */
	output?(params: NodeParameters): (data: IDataObject, client: ApiClient) => Promise<ItemOutput>;
	/** Tells the user which item this is. Throws like `request`. */
	reference?(params: NodeParameters): string | undefined;
	/** The part of an output that the user must get even if the batch fails, such as a link. */
	receipt?(output: IDataObject): unknown;
	/** What the user should know of a list as a whole: of its valid items' requests, and of what the service answered. */
	hints?(requests: ApiRequest[], answers: IDataObject[], baseUrl: string): string[];
	/** Requests are sent one after the other: a later item may set again what an earlier one has set. */
	isSequential?: boolean;
	/** With it, an item is sent once over all executions of a node, unless the user wants otherwise. */
	application?(params: NodeParameters, request: ApiRequest): Application;
}
