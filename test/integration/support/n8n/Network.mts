import { Readable } from 'node:stream';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import type { PartnerService } from '../../../../mock-service/service.mts';
import type { VirtualClock } from './VirtualClock.mts';

/** A request's fate on its way. */
export type Fault =
	/** No connection is made. */
	| 'unreachable'
	/** The service answers with this, and does nothing. */
	| { status: number; body?: string; retryAfter?: number }
	/** The request takes effect, and the response is lost. */
	| 'responseLost'
	/** The request takes effect, and the response never comes. */
	| 'stalled'
	/** n8n is killed before the request is sent. */
	| 'killedBefore'
	/** n8n is killed after the request has taken effect. */
	| 'killedAfter';

/** A running n8n, until it is killed. */
export interface Process {
	isAlive: boolean;
}

const FOREVER = new Promise<never>(() => {});

export interface Options {
	extra: { credentialsDecrypted: ICredentialsDecrypted<ICredentialDataDecryptedObject> };
	send(extra: Options['extra']): Promise<IN8nHttpFullResponse>;
}

/** The connection between n8n and the mock service. */
export class Network {
	/** Faults of the next requests, one each; `undefined` lets one through. */
	faults: Array<Fault | undefined> = [];
	/** The access tokens that the service accepts. */
	readonly tokens = new Set<string>();
	/** The number of requests. */
	sent = 0;
	/** Whether the service adds a slash to each URL that it is sent. */
	addsSlash = false;
	/** How long each request takes, in milliseconds of virtual time. */
	latency = 0;

	constructor(
		private readonly service: PartnerService,
		private readonly clock: VirtualClock,
	) {}

	/** A request as the service takes it. It arrives even if the client has given up. */
	toService({ abortSignal: _, ...options }: IHttpRequestOptions): IHttpRequestOptions {
		const body = options.body as { url?: string } | undefined;
		if (!body?.url || !this.addsSlash) return options;
		return { ...options, body: { ...body, url: body.url.replace(/\/?(\?|$)/, '/$1') } };
	}

	/** Sends a request of n8n-core's, with the token that the service really has. */
	async exchange(process: Process, { extra, send }: Options): Promise<IN8nHttpFullResponse> {
		if (!process.isAlive) return await FOREVER;
		this.sent++;
		if (this.latency > 0) await this.clock.sleep(this.latency);
		const fault = this.faults.shift();
		if (fault === 'unreachable') throw connectionError('ECONNREFUSED');
		if (fault === 'killedBefore') {
			process.isAlive = false;
			return await FOREVER;
		}
		if (typeof fault === 'object') {
			const headers = fault.retryAfter ? { 'retry-after': String(fault.retryAfter) } : {};
			return response(fault.status, fault.body ?? '{"message":"a fault"}', headers);
		}
		const { data } = extra.credentialsDecrypted;
		if (!this.tokens.has(String(data?.accessToken))) return response(401, '{}');
		const real = {
			credentialsDecrypted: {
				...extra.credentialsDecrypted,
				data: { ...data, accessToken: this.service.accessToken },
			},
		};
		const answer = await this.carryOut(async () => await send(real));
		if (fault === 'killedAfter') process.isAlive = false;
		if (fault === 'killedAfter' || fault === 'stalled' || !process.isAlive) return await FOREVER;
		if (fault === 'responseLost') throw connectionError('ECONNRESET');
		return answer;
	}

	private async carryOut(send: () => Promise<IN8nHttpFullResponse>): Promise<IN8nHttpFullResponse> {
		this.clock.inFlight++;
		try {
			const answer = await send();
			const chunks: Buffer[] = [];
			for await (const chunk of answer.body as unknown as Readable) chunks.push(chunk as Buffer);
			return response(answer.statusCode, Buffer.concat(chunks).toString(), answer.headers);
		} finally {
			this.clock.inFlight--;
		}
	}
}

function response(statusCode: number, text: string, headers = {}): IN8nHttpFullResponse {
	return {
		statusCode,
		headers,
		body: Readable.from([Buffer.from(text)]) as unknown as IN8nHttpFullResponse['body'],
	};
}

function connectionError(code: string): Error {
	return Object.assign(new Error(code), { code, isAxiosError: true });
}
