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
	/** False only if certainly nothing reached the service. */
	wasSent: boolean;
}

export type FailedAttempt = HttpResponse | NetworkError;
