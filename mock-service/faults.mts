/**
 * Fault injection: the next requests to an endpoint are rejected, delayed, cut off, or mixed up. For tests and demos
 * only, which is why the service listens on the loopback interface alone.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './assumptions.mts';
import type { RecordedRequest, RouteName } from './types.mts';

/** A fault to inject. It needs at least one effect. */
export interface Fault {
	/** The endpoint, or '*' for every request to the API. */
	route: RouteName | '*';

	// Which requests

	/** How many requests it applies to. Defaults to 1, or with `every` or `answersLate` to no limit. */
	times?: number;
	/** Applies only to every nth matching request. */
	every?: number;
	/** Which requests match. In-process only. */
	when?: (request: RecordedRequest) => boolean;

	// A response in place of the service's own

	/** Status of the response. Defaults to 302 with redirectTo, 429 with retryAfter, or else 200. */
	status?: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON. A string is sent verbatim, with contentType (default text/plain). */
	body?: unknown;
	contentType?: string;
	/** The Retry-After header: seconds or an HTTP date. */
	retryAfter?: number | string;
	/** The Location header. */
	redirectTo?: string;
	/** Process the request before responding in place of the service. Otherwise it is not processed. */
	processFirst?: boolean;

	// The connection

	/** Wait before the request is processed. */
	delayMs?: number;
	/** Reset the connection before or after the request is processed. */
	reset?: 'before' | 'after';
	/** Each request gets the response of the one before it. The first gets none: its connection is reset. */
	answersLate?: boolean;
}

/** A response that waits for the next request. */
interface LateResponse {
	status: number;
	payload: unknown;
}

/** An injected fault and how often it has been applied. */
interface ActiveFault extends Fault {
	/** Matching requests so far. */
	seen: number;
	/** Requests it will still apply to. */
	timesLeft: number;
	/** With `answersLate`: the response that the next request gets. */
	late?: LateResponse;
}

/** Injects faults and applies them to requests. */
export interface Faults {
	/** Injects a fault. Throws if it has no effect. A request meets the oldest fault that matches. */
	inject(fault: Fault): ActiveFault;
	/** The faults with times left, oldest first. */
	list(): ActiveFault[];
	/** Clears all faults and ends every delay in progress. */
	clear(): void;
	/** Applies faults to every request of this Fastify instance. Requires that requests are recorded. */
	attach(app: FastifyInstance): void;
}

export function createFaults(): Faults {
	let active: ActiveFault[] = [];
	let cleared = new AbortController();
	const met = new WeakMap<FastifyRequest, ActiveFault>();

	/** Finds the fault for this request, if any, and counts it. */
	function findFault(request: RecordedRequest): ActiveFault | undefined {
		for (const fault of active) {
			if (!matches(fault, request)) continue;
			fault.seen += 1;
			if (fault.every && fault.seen % fault.every !== 0) continue;
			fault.timesLeft -= 1;
			if (fault.timesLeft <= 0) active = active.filter((other) => other !== fault);
			return fault;
		}
		return undefined;
	}

	const pause = async (ms: number) => {
		await wait(ms, undefined, { signal: cleared.signal }).catch(() => undefined);
	};

	return {
		inject(spec) {
			if (!hasEffect(spec)) throw new Error('This fault has no effect.');
			const times = spec.times ?? (spec.every || spec.answersLate ? Infinity : 1);
			const fault = { ...spec, seen: 0, timesLeft: times };
			active.push(fault);
			return fault;
		},
		list: () => [...active],
		clear() {
			active = [];
			cleared.abort();
			cleared = new AbortController();
		},
		attach(app) {
			app.addHook('preValidation', async (request, reply) => {
				const fault = active.length > 0 ? findFault(request.record) : undefined;
				if (!fault) return undefined;
				met.set(request, fault);
				if (fault.delayMs) await pause(fault.delayMs);
				if (fault.reset === 'before') {
					reply.hijack();
					resetConnection(reply);
					return reply;
				}
				if (hasResponse(fault) && !fault.processFirst) return reply.send(respond(reply, fault));
				return undefined;
			});
			app.addHook('onSend', (request, reply, payload, done) => {
				const fault = met.get(request);
				if (!fault) return done(null, payload);
				if (fault.reset === 'after') {
					// Without done() nothing is sent.
					return resetConnection(reply);
				}
				if (fault.answersLate) {
					const { late } = fault;
					fault.late = { status: reply.statusCode, payload };
					if (!late) return resetConnection(reply);
					reply.code(late.status).removeHeader('content-length');
					return done(null, late.payload);
				}
				const isReplaced = fault.processFirst && hasResponse(fault);
				return done(null, isReplaced ? respond(reply, fault) : payload);
			});
		},
	};
}

/** Every route of the API is covered by '*'; the report download is not part of the API. */
function matches(fault: Fault, request: RecordedRequest): boolean {
	const isRoute =
		fault.route === '*' ? request.route !== 'downloadReport' : fault.route === request.route;
	return isRoute && (fault.when?.(request) ?? true);
}

/** Whether this fault responds in place of the service, instead of only disturbing the connection. */
const hasResponse = (fault: Fault) =>
	fault.reset === undefined &&
	[fault.status, fault.headers, fault.body, fault.retryAfter, fault.redirectTo].some(
		(part) => part !== undefined,
	);

const hasEffect = (fault: Fault) =>
	fault.delayMs !== undefined ||
	fault.reset !== undefined ||
	fault.answersLate === true ||
	hasResponse(fault);

/** The status of a fault that names none. */
function defaultStatus({ redirectTo, retryAfter }: Fault): number {
	if (redirectTo !== undefined) return 302;
	return retryAfter === undefined ? 200 : 429;
}

/** Sets status and headers of the fault's response and returns its body. */
function respond(reply: FastifyReply, fault: Fault): string | Buffer {
	const status = fault.status ?? defaultStatus(fault);
	const body = fault.body ?? (status >= 400 ? errorBody('injected') : '');
	const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
	reply.code(status).removeHeader('content-length').removeHeader('content-disposition');
	reply.type(isRaw ? (fault.contentType ?? 'text/plain; charset=utf-8') : 'application/json');
	if (fault.retryAfter !== undefined) reply.header('retry-after', String(fault.retryAfter));
	if (fault.redirectTo !== undefined) reply.header('location', fault.redirectTo);
	reply.headers(fault.headers ?? {});
	return isRaw ? body : JSON.stringify(body);
}

function resetConnection(reply: FastifyReply): void {
	reply.raw.socket?.resetAndDestroy();
}
