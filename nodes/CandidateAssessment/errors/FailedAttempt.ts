export interface HttpResponse {
	kind: 'response';
	status: number;
	headers: Readonly<Record<string, unknown>>;
	text: string;
}

/** An attempt without a complete response. */
export interface NetworkError {
	kind: 'networkError';
	/** Empty for an error in n8n or in this node, which has only a message. */
	code: string;
	message: string;
	/** False only if certainly nothing reached the service. */
	wasSent: boolean;
}

export type FailedAttempt = HttpResponse | NetworkError;
