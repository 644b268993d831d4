import type { Owner } from './client.types.mts';

/** A request that n8n refused or didn't answer. */
export class N8nRequestError extends Error {
	readonly method: string;
	readonly path: string;
	/** 0 if there was no response. */
	readonly status: number;
	/** n8n's own error message. */
	readonly reason: string;

	constructor(method: string, path: string, status: number, reason: string, cause?: unknown) {
		super(`n8n, asked to ${method} ${path}: ${status || 'no answer'}, ${reason}`, { cause });
		this.name = 'N8nRequestError';
		this.method = method;
		this.path = path;
		this.status = status;
		this.reason = reason;
	}
}

/** A session with n8n, like its editor's. */
export class N8nConnection {
	readonly baseUrl: string;
	/** n8n's version, such as "2.41.1". */
	version = '';
	#cookie = '';

	protected constructor(baseUrl: string) {
		this.baseUrl = baseUrl;
	}

	/** Logs in. An n8n without an owner gets this one. */
	protected async logIn(owner: Owner): Promise<void> {
		type Settings = {
			versionCli?: string;
			userManagement: { showSetupOnFirstLoad?: boolean };
		};
		const { userManagement } = await this.request<Settings>('GET', '/rest/settings');
		if (userManagement.showSetupOnFirstLoad) {
			await this.request('POST', '/rest/owner/setup', owner);
		} else {
			const { email, password } = owner;
			await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
		}
		// n8n 2.x shows its version only after the login.
		this.version = (await this.request<Settings>('GET', '/rest/settings')).versionCli ?? '';
	}

	get isVersion1(): boolean {
		return this.version.startsWith('1.');
	}

	/** From 2.40 on, n8n registers a workflow's triggers after it has responded, and tries several times. */
	get registersLater(): boolean {
		const [major, minor] = this.version.split('.').map(Number);
		return major > 1 && minor >= 40;
	}

	/** Sends any request to n8n. Returns the `data` of the response. */
	async request<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		let response: Response;
		let text: string;
		try {
			response = await fetch(this.baseUrl + path, {
				method,
				headers: {
					accept: 'application/json',
					// n8n ties a login to the browser that made it.
					'browser-id': 'candidate-assessment-demo',
					...(body !== undefined && { 'content-type': 'application/json' }),
					...(this.#cookie && { cookie: this.#cookie }),
				},
				body: body === undefined ? undefined : JSON.stringify(body),
				signal: AbortSignal.timeout(60_000),
			});
			text = await response.text();
		} catch (error) {
			const reason = String((error as Error).cause ?? error);
			throw new N8nRequestError(method, path, 0, reason, error);
		}
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
		if (cookies.length > 0) this.#cookie = cookies.join('; ');

		const answer = parseJson(text);
		if (!response.ok) {
			const reason = answer?.message ?? text.slice(0, 300);
			throw new N8nRequestError(method, path, response.status, reason);
		}
		return answer && 'data' in answer ? answer.data : answer;
	}
}

function parseJson(text: string): any {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
