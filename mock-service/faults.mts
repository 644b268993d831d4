/**
 * Fault injection: the next requests to an endpoint are rejected, delayed, or reset. For tests and demos
 * only, which is why the service listens on the loopback interface alone.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './assumptions.mts';
import type { RecordedRequest, RouteName } from './types.mts';

/** A fault to inject. At least one of status, headers, body, retryAfter, delayMs, reset, redirectTo is required. */
export interface Fault {
	/** The endpoint, or '*' for every request to the API. */
	route: RouteName | '*';
	/** How many requests it applies to. Defaults to 1, or with `every` to no limit. */
	times?: number;
	/** Applies only to every nth matching request. */
	every?: number;
	/** Which requests match. In-process only. */
	when?: (request: RecordedRequest) => boolean;
	/** Status of the response. Defaults to 302 with redirectTo, 429 with retryAfter, or else 200. */
	status?: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON. A string is sent verbatim, with contentType (default text/plain). */
	body?: unknown;
	contentType?: string;
	/** The Retry-After header: seconds or an HTTP date. */
	retryAfter?: number | string;
	/** Wait first. Without anything else, the request is then processed as usual. */
	delayMs?: number;
	/** Reset the connection before or after the service has processed the request. */
	reset?: 'before' | 'after';
	redirectTo?: string;
}

/** An injected fault and how often it has been applied. */
export interface ActiveFault extends Fault {
	id: number;
	/** Matching requests so far. */
	seen: number;
	/** Requests it was applied to. */
	applied: number;
	/** Requests it will still apply to. */
	timesLeft: number;
}

/** Injects faults and applies them to requests. */
export interface Faults {
	/** Injects a fault. Throws if it has no effect. A request meets the oldest fault that matches. */
	inject(fault: Fault): ActiveFault;
	/** The faults with times left, oldest first. */
	list(): ActiveFault[];
	/** Clears all faults and ends every delay in progress. */
	clear(): void;
	/** Applies faults to every request of this Fastify instance. */
	attach(api: FastifyInstance): void;
}

/** @param onChange called whenever a fault is injected, applied, or cleared */
export function createFaults(onChange: () => void): Faults {
	let active: ActiveFault[] = [];
	let nextId = 1;
	let delays = new AbortController();
	/** Requests to reset once the service has processed them. */
	const resetAfter = new WeakSet<FastifyRequest>();

	/** Finds the fault for this request, if any, and counts it. */
	function findFault(request: RecordedRequest): ActiveFault | undefined {
		for (const fault of active) {
			if (fault.route !== '*' && fault.route !== request.route) continue;
			if (fault.when && !fault.when(request)) continue;
			fault.seen += 1;
			if (fault.every && fault.seen % fault.every !== 0) continue;
			fault.applied += 1;
			fault.timesLeft -= 1;
			if (fault.timesLeft <= 0) active = active.filter((other) => other !== fault);
			onChange();
			return fault;
		}
		return undefined;
	}

	return {
		inject(spec) {
			if (!hasEffect(spec)) throw new Error('This fault has no effect.');
			const times = spec.times ?? (spec.every ? Infinity : 1);
			const fault = { ...spec, id: nextId, seen: 0, applied: 0, timesLeft: times };
			nextId += 1;
			active.push(fault);
			onChange();
			return fault;
		},
		list: () => [...active],
		clear() {
			active = [];
			delays.abort();
			delays = new AbortController();
			onChange();
		},
		attach(api) {
			api.addHook('preValidation', async (request, reply) => {
				const fault = active.length > 0 ? findFault(request.record) : undefined;
				if (!fault) return undefined;
				if (fault.delayMs) {
					await wait(fault.delayMs, undefined, { signal: delays.signal }).catch(() => undefined);
				}
				if (fault.reset === 'before') return resetConnection(reply);
				if (fault.reset === 'after') resetAfter.add(request);
				return hasResponse(fault) ? respond(reply, fault) : undefined;
			});
			api.addHook('onSend', (request, reply, payload, done) => {
				if (resetAfter.has(request)) {
					request.record.status = null;
					reply.raw.socket?.resetAndDestroy();
				}
				done(null, payload);
			});
		},
	};
}

/** Whether this fault responds in place of the service, instead of only delaying or resetting. */
export const hasResponse = (fault: Fault) =>
	fault.reset === undefined &&
	[fault.status, fault.headers, fault.body, fault.retryAfter, fault.redirectTo].some(
		(part) => part !== undefined,
	);

const hasEffect = (fault: Fault) =>
	hasResponse(fault) || fault.delayMs !== undefined || fault.reset !== undefined;

function respond(reply: FastifyReply, fault: Fault) {
	if (fault.retryAfter !== undefined) reply.header('retry-after', String(fault.retryAfter));
	if (fault.redirectTo !== undefined) reply.header('location', fault.redirectTo);
	if (typeof fault.body === 'string') reply.type(fault.contentType ?? 'text/plain; charset=utf-8');
	const status = fault.status ?? defaultStatus(fault);
	return reply
		.code(status)
		.headers(fault.headers ?? {})
		.send(fault.body ?? (status >= 400 ? errorBody('injected') : ''));
}

/** The status of a fault that names none. */
export function defaultStatus({ redirectTo, retryAfter }: Fault): number {
	if (redirectTo !== undefined) return 302;
	return retryAfter === undefined ? 200 : 429;
}

function resetConnection(reply: FastifyReply) {
	reply.hijack();
	reply.raw.socket?.resetAndDestroy();
	return reply;
}
