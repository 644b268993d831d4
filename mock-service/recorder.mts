import type { FastifyInstance } from 'fastify';
import type { RecordedRequest, RouteName } from './types.mts';

declare module 'fastify' {
	interface FastifyRequest {
		/** What is recorded of this request. */
		record: RecordedRequest;
	}
	interface FastifyContextConfig {
		/** The endpoint that this route is. */
		endpoint?: RouteName;
	}
}

/** The list of recorded requests, oldest first. */
export interface Recorder {
	requests: RecordedRequest[];
	clear(): void;
	/** Records every request of this Fastify instance, from its arrival on. */
	attach(api: FastifyInstance): void;
}

/**
 * Records the requests to the API, for tests and for the overview.
 *
 * @param maxRequests how many are kept: the oldest go first
 * @param now the clock
 * @param onAnswer called after each answer
 */
export function createRecorder(
	maxRequests: number,
	now: () => Date,
	onAnswer: () => void,
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
					taken: false,
				};
				requests.push(request.record);
				if (requests.length > maxRequests) requests.shift();

				let over = false;
				const end = () => {
					if (!over) inFlight -= 1;
					over = true;
				};
				// A request is over just before its answer leaves, not after: else a client that sends the next
				// one on receiving the answer would seem to have one more under way than it has.
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
				onAnswer();
				done(null, payload);
			});
		},
	};
}

const endings = new WeakMap<RecordedRequest, () => void>();
