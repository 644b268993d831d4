import type { IDataObject } from 'n8n-workflow';
import type { ErrorMessage } from '../errors/ItemError';

/** A request to the service. The path is percent-encoded and relative to the base URL. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	body?: IDataObject;
}

export type StatusMessages = Readonly<Record<number, ErrorMessage>>;

/** An operation's own words for a request that failed. */
export interface MessageOptions {
	/** For HTTP statuses with a meaning of their own to this operation. */
	statusMessages?: StatusMessages;
	/** For every other failure, in place of the general messages. */
	fallbackMessage?: ErrorMessage;
	/** For a request that may have been carried out, and must not be repeated. */
	unknownOutcome?: ErrorMessage;
}

export interface RetryPolicy extends MessageOptions {
	/** It's safe to repeat, even if the service has already carried it out. */
	isRepeatable: boolean;
	isRead?: boolean;
}

/** An operation's own knowledge of its request. */
export interface RequestPolicy extends RetryPolicy {
	/** Whether the envelope's `data` proves success, whatever error stands beside it. */
	isConfirmedBy(data: IDataObject, request: ApiRequest): boolean;
	/** Whether `data` is a resource, which no error may show. */
	isResource?(data: IDataObject): boolean;
	/** The `data` to assume if a retry gets this status, such as 404 for a deletion that worked before. */
	successOnRetry?: Readonly<Record<number, IDataObject>>;
	/** A secret in the request, hidden in errors like the access token. */
	secret?(request: ApiRequest): string | undefined;
}

export interface HttpResponse {
	kind: 'response';
	status: number;
	headers: Readonly<Record<string, unknown>>;
	text: string;
}

/** An attempt without a complete response. */
export interface NetworkError {
	kind: 'networkError';
	/** Empty for an error in n8n or in this node, which has a message and a cause. */
	code: string;
	message?: string;
	cause?: unknown;
	/** False only if certainly nothing reached the service. */
	wasSent: boolean;
}

export type Reply = HttpResponse | NetworkError;

export type Attempt<T> = { kind: 'success'; data: T } | Reply;

/** As the node's options describe them. `timeout` and `maxWait` are in seconds. */
export type SendOptions = Record<'concurrency' | 'maxRetries' | 'timeout' | 'maxWait', number>;
