import type { FastifyInstance } from 'fastify';
import {
	routeNames,
	type ApplicationCount,
	type Counts,
	type InvitationRequest,
	type RecordedRequest,
	type RouteName,
} from './types.mts';

declare module 'fastify' {
	interface FastifyRequest {
		/** The record of this request. */
		record: RecordedRequest;
	}
	interface FastifyContextConfig {
		/** The endpoint this route belongs to. */
		endpoint?: RouteName;
	}
}

/** Records the requests to the service, for tests. */
export interface Recorder {
	/** The requests to the API, oldest first. */
	requests: RecordedRequest[];
	/** The downloads of reports, oldest first. */
	downloads: RecordedRequest[];
	/** Forgets all requests. */
	clear(): void;
	/** Records the requests of this Fastify instance as they arrive. Call before any other hook is added. */
	recordRequests(app: FastifyInstance): void;
	/** Records the responses of this Fastify instance. Call after every hook that may delay a response. */
	recordResponses(app: FastifyInstance): void;
}

/** @param now the clock */
export function createRecorder(now: () => Date): Recorder {
	const requests: RecordedRequest[] = [];
	const downloads: RecordedRequest[] = [];
	const inFlight = new Set<RecordedRequest>();

	return {
		requests,
		downloads,
		clear() {
			requests.length = 0;
			downloads.length = 0;
		},
		recordRequests(app) {
			app.addHook('onRequest', (request, reply, done) => {
				const route = request.routeOptions.config.endpoint;
				const record: RecordedRequest = {
					route,
					method: request.method,
					path: request.url,
					headers: { ...request.headers },
					body: undefined,
					at: now().toISOString(),
					status: null,
					inFlight: 0,
					processed: false,
				};
				request.record = record;
				if (route === 'downloadReport') {
					downloads.push(record);
				} else {
					requests.push(record);
					inFlight.add(record);
					reply.raw.once('close', () => inFlight.delete(record));
				}
				record.inFlight = inFlight.size;
				done();
			});
			app.addHook('preValidation', (request, _reply, done) => {
				request.record.body = request.body;
				done();
			});
		},
		recordResponses(app) {
			app.addHook('onSend', ({ record }, reply, payload, done) => {
				record.status = reply.raw.destroyed ? null : reply.statusCode;
				// A request ends just before its response leaves, not after it. Otherwise a client that sends the
				// next one as soon as it has the response would appear to have one more in flight than it has.
				// A body that takes its time is a stream: that request ends with its connection.
				if (!isStream(payload)) inFlight.delete(record);
				done(null, payload);
			});
		},
	};
}

const isStream = (payload: unknown) =>
	typeof payload === 'object' && payload !== null && 'pipe' in payload;

/** Counts requests by endpoint, and requests and invitations by application. */
export function countRequests({ requests, downloads }: Recorder): Counts {
	const routes = Object.fromEntries(routeNames.map((name) => [name, 0])) as Counts['requests'];
	const applications = new Map<string, ApplicationCount>();
	for (const { route, body, processed } of [...requests, ...downloads]) {
		if (!route) continue;
		routes[route] += 1;
		if (route !== 'createInvitation' || typeof body !== 'object' || body === null) continue;
		const { job_id, ext_reference_id, email } = body as Partial<InvitationRequest>;
		const application = {
			job_id: String(job_id).toLowerCase(),
			ext_reference_id: String(ext_reference_id),
			email: typeof email === 'string' ? email.toLowerCase() : null,
		};
		const key = JSON.stringify(application);
		const count = applications.get(key) ?? { ...application, requests: 0, created: 0 };
		count.requests += 1;
		if (processed) count.created += 1;
		applications.set(key, count);
	}
	return { requests: routes, applications: [...applications.values()] };
}
