import type { IDataObject } from 'n8n-workflow';

/** One request to the partner service. The path is percent-encoded and stands below the base URL. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	body?: IDataObject;
}

/** An answer with its raw text, or with the file that was asked for. */
export interface HttpResponse {
	kind: 'response';
	status: number;
	headers: Readonly<Record<string, unknown>>;
	text: string;
	file?: Buffer;
}

/** What came of one attempt: an answer, or a connection that failed. */
export type Attempt = HttpResponse | { kind: 'networkError'; code: string; sent: boolean };

/** What a user reads: what happened, and what to do about it. */
export interface ErrorMessage {
	message: string;
	description?: string;
}

/** Words for HTTP statuses that mean something of their own to one operation. */
export type StatusMessages = Readonly<Record<number, ErrorMessage>>;
