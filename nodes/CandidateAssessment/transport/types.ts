import type { IDataObject } from 'n8n-workflow';
import type { MessageOptions } from '../errors/types';

/** One request to the partner service. The path is percent-encoded and relative to the base URL. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	body?: IDataObject;
}

/** The operation alone can know this of its request. */
export interface RequestPolicy extends MessageOptions {
	/** Sending it again does no harm, even if the service has already carried it out. */
	isRepeatable: boolean;
	/** True if the envelope's `data` proves that it was carried out. If left out, any does beside no error. */
	isConfirmedBy?(data: IDataObject, request: ApiRequest): boolean;
	/** By status: the `data` it stands for when an earlier attempt may have been carried out. */
	doneIfRepeated?: Readonly<Record<number, IDataObject>>;
	/** The texts of the request that must never show up in an error. */
	confidential?(request: ApiRequest): string[];
}

/** An HTTP response with its body as text. */
export interface HttpResponse {
	kind: 'response';
	status: number;
	headers: Readonly<Record<string, unknown>>;
	text: string;
}

/** An attempt without a complete response. */
export interface NetworkError {
	kind: 'networkError';
	code: string;
	/** False only when it is certain that nothing reached the service. */
	wasSent: boolean;
}

/** An attempt that did not give what was asked for. */
export type FailedAttempt = HttpResponse | NetworkError;

export type Attempt<T> = { kind: 'success'; data: T } | FailedAttempt;

/** How requests are sent. */
export interface SendOptions {
	/** Maximum number of requests in flight. */
	concurrency: number;
	/** Maximum number of retries for each request. */
	maxRetries: number;
	/** For one attempt, body included, in seconds. */
	timeout: number;
	/** The longest wait that the service may ask for, in seconds. */
	maxWait: number;
}
