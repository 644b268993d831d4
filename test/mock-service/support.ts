import Fastify from 'fastify';
import {
	startPartnerService,
	type InvitationRequest,
	type PartnerService,
	type PartnerServiceOptions,
} from '../../mock-service/service.mts';

/** The day on which the tests take place: one whose third month on is shorter. */
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
	await Promise.all(running.splice(0).map(async (one) => await one.close()));
});

/** Starts a service that stops after the test. Its clock stands still. */
export async function start(options: PartnerServiceOptions = {}): Promise<PartnerService> {
	const service = await startPartnerService({ now: () => new Date(today), ...options });
	running.push(service);
	return service;
}

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever JSON an answer holds */
type Json = any;

export interface Answer {
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

/** Sends a request as the specification has it. A body that is a string is sent as it is. */
export async function call(
	service: PartnerService,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> | Headers = required(service),
): Promise<Answer> {
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

/** Invites a candidate and gives the code, the link's last segment. */
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

export interface Received {
	headers: Record<string, unknown>;
	body: Json;
}

/** A partner's server that takes deliveries, and answers as it is told. */
export async function receiver(answer: { status?: number; body?: string; location?: string } = {}) {
	const received: Received[] = [];
	const app = Fastify({ forceCloseConnections: true });
	app.post('/webhook', async (request, reply) => {
		received.push({ headers: request.headers, body: request.body });
		if (answer.location) reply.header('location', answer.location);
		return await reply.code(answer.status ?? 200).send(answer.body ?? 'taken');
	});
	const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/webhook`;
	running.push(app);
	return { url, received, close: async () => await app.close() };
}

/** Registers a URL with the service's webhook through the API, and makes it active. */
export async function register(service: PartnerService, url: string, secret?: string) {
	const path = `/partner/v1.0/webhooks/${service.webhookId}`;
	const body = { name: 'Results', url, events: [resultReady], ...(secret ? { secret } : {}) };
	expect((await call(service, 'PUT', path, body)).status).toBe(200);
	expect((await call(service, 'PUT', `${path}/status`, { status: 'active' })).status).toBe(200);
}
