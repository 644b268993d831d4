import type { FastifyInstance } from 'fastify';
import type { RecordedRequest, RouteName } from './types.mts';

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
	const inFlight = new Set<RecordedRequest>();

	return {
		requests,
		clear() {
			requests.length = 0;
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
				if (route !== 'downloadReport') {
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
				inFlight.delete(record);
				done(null, payload);
			});
		},
	};
}
