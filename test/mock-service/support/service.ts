import Fastify from 'fastify';
import {
	startPartnerService,
	type InvitationRequest,
	type PartnerService,
	type PartnerServiceOptions,
} from '../../../mock-service/service.mts';
import { call } from '../../support/invite.mts';

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

/** Sends the valid invitation, with these changes. */
export const post = async (service: PartnerService, change: object = {}) =>
	await call(service, 'POST', candidatesPath, { ...ada, ...change });

/** Invites a candidate and returns the invitation code. */
export async function invite(service: PartnerService): Promise<string> {
	expect((await post(service)).status).toBe(200);
	return service.invitations.at(-1)!.invitation_code;
}

export const retrieve = async (service: PartnerService, code: string) =>
	await call(service, 'GET', `${candidatesPath}/invitation/${code}`);

/** A partner's server that receives deliveries. */
export async function receiver() {
	const received: Array<{ headers: Record<string, unknown>; body: unknown }> = [];
	const app = Fastify({ forceCloseConnections: true });
	app.post('/webhook', async ({ headers, body }) => {
		received.push({ headers, body });
		return 'received';
	});
	const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/webhook`;
	running.push(app);
	return { url, received };
}
