import Fastify from 'fastify';
import {
	startPartnerService,
	type InvitationRequest,
	type PartnerService,
	type PartnerServiceOptions,
} from '../../../mock-service/service.mts';

/** The tests' date. The month three months later is shorter. */
export const today = '2026-11-30T12:00:00.000Z';

export const candidatesPath = '/partner/v1.0/standard/candidates';
export const resultReady = 'candidate_application_result_ready';

/** A valid invitation of a named candidate. */
export const ada: InvitationRequest = {
	job_id: '6f1c7a52-6f4c-4c7a-9f51-3f0d4b1c2d3e',
	ext_reference_id: 'APP-1001',
	is_anonymous_candidate: false,
	email: 'ada@example.com',
	first_name: 'Ada',
	last_name: 'Lovelace',
};

const running: Array<{ close(): Promise<unknown> }> = [];

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (server) => await server.close()));
});

/** Starts a service that stops after the test. Its clock does not move. */
export async function start(options: PartnerServiceOptions = {}): Promise<PartnerService> {
	const service = await startPartnerService({ now: () => new Date(today), ...options });
	running.push(service);
	return service;
}

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- any JSON */
type Json = any;

export interface ApiResponse {
	status: number;
	headers: Headers;
	body: Json;
}

/** The headers that the specification requires. */
export const required = (service: PartnerService): Record<string, string> => ({
	accept: 'application/json',
	'content-type': 'application/json',
	authorization: `Bearer ${service.accessToken}`,
});

/** Sends a request as specified. A string is sent verbatim. */
export async function call(
	service: PartnerService,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> | Headers = required(service),
): Promise<ApiResponse> {
	const response = await fetch(service.baseUrl + path, {
		method,
		headers,
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
		redirect: 'manual',
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.startsWith('application/json');
	return {
		status: response.status,
		headers: response.headers,
		body: isJson ? JSON.parse(text) : text,
	};
}

/** Invites a candidate and returns the invitation code, the last segment of the link. */
export async function invite(
	service: PartnerService,
	request: Partial<InvitationRequest> = {},
): Promise<string> {
	const { status, body } = await call(service, 'POST', candidatesPath, { ...ada, ...request });
	expect(status).toBe(200);
	return body.data.invitation_link.split('/').pop();
}

export const retrieve = async (service: PartnerService, code: string) =>
	await call(service, 'GET', `${candidatesPath}/invitation/${code}`);

interface Received {
	headers: Record<string, unknown>;
	body: Json;
}

/** A partner's server that receives deliveries and sends the given response. */
export async function receiver(response: { status?: number; body?: string } = {}) {
	const received: Received[] = [];
	const app = Fastify({ forceCloseConnections: true });
	app.post('/webhook', async (request, reply) => {
		received.push({ headers: request.headers, body: request.body });
		return await reply.code(response.status ?? 200).send(response.body ?? 'received');
	});
	const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/webhook`;
	running.push(app);
	return { url, received };
}

/** Registers a URL for the webhook through the API and activates it. */
export async function register(service: PartnerService, url: string, secret?: string) {
	const path = `/partner/v1.0/webhooks/${service.webhookId}`;
	const body = { name: 'Results', url, events: [resultReady], ...(secret ? { secret } : {}) };
	expect((await call(service, 'PUT', path, body)).status).toBe(200);
	expect((await call(service, 'PUT', `${path}/status`, { status: 'active' })).status).toBe(200);
}
