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

/** Records and counts requests. */
export interface Recorder {
	/** The requests to the API, oldest first. */
	requests: RecordedRequest[];
	/** The downloads of reports, oldest first. */
	downloads: RecordedRequest[];
	/** Counts every request, even those that are no longer recorded. */
	counts(): Counts;
	/** Forgets all requests and starts counting at 0. */
	clear(): void;
	/** Records the requests of this Fastify instance as they arrive. Call before any other hook is added. */
	recordRequests(app: FastifyInstance): void;
	/** Records the responses of this Fastify instance. Call after every hook that may delay a response. */
	recordResponses(app: FastifyInstance): void;
	/** Records that the service did what a request asked. */
	processed(request: RecordedRequest): void;
}

/**
 * Records the requests to the service, for tests and the overview page.
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
	const downloads: RecordedRequest[] = [];
	const routes = new Map<RouteName, number>();
	const applications = new Map<string, ApplicationCount>();
	let inFlight = 0;

	function add(record: RecordedRequest) {
		const list = record.route === 'downloadReport' ? downloads : requests;
		list.push(record);
		if (list.length > maxRequests) list.shift();
		if (record.route) routes.set(record.route, (routes.get(record.route) ?? 0) + 1);
	}

	/** The count of the application that a request to create an invitation is about. */
	function applicationOf({ route, body }: RecordedRequest): ApplicationCount | undefined {
		if (route !== 'createInvitation' || typeof body !== 'object' || body === null) return undefined;
		const { job_id, ext_reference_id, email } = body as Partial<InvitationRequest>;
		const application = {
			job_id: String(job_id).toLowerCase(),
			ext_reference_id: String(ext_reference_id),
			email: typeof email === 'string' ? email.toLowerCase() : null,
		};
		const key = JSON.stringify(application);
		const count = applications.get(key) ?? { ...application, requests: 0, created: 0 };
		applications.set(key, count);
		return count;
	}

	return {
		requests,
		downloads,
		counts: () => ({
			requests: Object.fromEntries(
				routeNames.map((name) => [name, routes.get(name) ?? 0]),
			) as Counts['requests'],
			applications: [...applications.values()].map((count) => ({ ...count })),
		}),
		clear() {
			requests.length = 0;
			downloads.length = 0;
			routes.clear();
			applications.clear();
		},
		recordRequests(app) {
			app.addHook('onRequest', (request, reply, done) => {
				const route = request.routeOptions.config.endpoint;
				const isApi = route !== 'downloadReport';
				if (isApi) inFlight += 1;
				request.record = {
					route,
					method: request.method,
					path: request.url,
					headers: { ...request.headers },
					body: undefined,
					at: now().toISOString(),
					status: null,
					inFlight,
					processed: false,
				};
				add(request.record);

				let over = false;
				const end = () => {
					if (isApi && !over) inFlight -= 1;
					over = true;
				};
				endings.set(request.record, end);
				reply.raw.once('close', end);
				done();
			});
			app.addHook('preValidation', (request, _reply, done) => {
				request.record.body = request.body;
				const application = applicationOf(request.record);
				if (application) application.requests += 1;
				done();
			});
		},
		recordResponses(app) {
			app.addHook('onSend', (request, reply, payload, done) => {
				request.record.status = reply.raw.destroyed ? null : reply.statusCode;
				// A request ends just before its response leaves, not after it. Otherwise a client that sends the
				// next one as soon as it has the response would appear to have one more in flight than it has.
				// A body that takes its time is a stream: that request ends with its connection.
				if (!isStream(payload)) endings.get(request.record)?.();
				onResponse();
				done(null, payload);
			});
		},
		processed(request) {
			request.processed = true;
			const application = applicationOf(request);
			if (application) application.created += 1;
		},
	};
}

const endings = new WeakMap<RecordedRequest, () => void>();

const isStream = (payload: unknown) =>
	typeof payload === 'object' && payload !== null && 'pipe' in payload;
