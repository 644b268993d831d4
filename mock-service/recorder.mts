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

/** Records requests. */
export interface Recorder {
	/** Oldest first. */
	requests: RecordedRequest[];
	clear(): void;
	/** Records every request of this Fastify instance as it arrives. */
	attach(api: FastifyInstance): void;
}

/**
 * Records the requests to the API, for tests and the overview page.
 *
 * @param maxRequests how many to keep; the oldest are dropped first
 * @param now the clock
 * @param onResponse called before each response leaves
 */
export function createRecorder(
	maxRequests: number,
	now: () => Date,
	onResponse: () => void,
): Recorder {
	const requests: RecordedRequest[] = [];
	let inFlight = 0;

	return {
		requests,
		clear() {
			requests.length = 0;
		},
		attach(api) {
			api.addHook('onRequest', (request, reply, done) => {
				inFlight += 1;
				request.record = {
					route: request.routeOptions.config.endpoint,
					method: request.method,
					path: request.url,
					headers: { ...request.headers },
					body: undefined,
					at: now().toISOString(),
					status: null,
					inFlight,
					processed: false,
				};
				requests.push(request.record);
				if (requests.length > maxRequests) requests.shift();

				let over = false;
				const end = () => {
					if (!over) inFlight -= 1;
					over = true;
				};
				// A request ends just before its response leaves, not after it. Otherwise a client that sends the
				// next one as soon as it has the response would appear to have one more in flight than it has.
				endings.set(request.record, end);
				reply.raw.once('close', end);
				done();
			});
			api.addHook('preValidation', (request, _reply, done) => {
				request.record.body = request.body;
				done();
			});
			api.addHook('onSend', (request, reply, payload, done) => {
				request.record.status = reply.raw.destroyed ? null : reply.statusCode;
				endings.get(request.record)?.();
				onResponse();
				done(null, payload);
			});
		},
	};
}

const endings = new WeakMap<RecordedRequest, () => void>();
