/**
 * Fault injection: the next requests to an endpoint are rejected, delayed, or cut off. For tests and demos
 * only, which is why the service listens on the loopback interface alone.
 */
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './assumptions.mts';
import type { RecordedRequest, RouteName } from './types.mts';

/** A fault to inject. It needs at least one effect. */
export interface Fault {
	/** The endpoint, or '*' for every request to the API. */
	route: RouteName | '*';

	// Which requests

	/** How many requests it applies to. Defaults to 1, or with `every` to no limit. */
	times?: number;
	/** Applies only to every nth matching request. */
	every?: number;
	/** Applies only to the nth matching request. */
	nth?: number;
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
	/** Wait after the request is processed, before the response is sent. */
	responseDelayMs?: number;
	/** Reset the connection before or after the request is processed. */
	reset?: 'before' | 'after';
	/** Send the headers and half of the body, then nothing more until the faults are cleared. */
	stall?: boolean;
	/** Send the headers, then a space every so many milliseconds; the body follows once the faults are cleared. */
	trickleMs?: number;
}

/** An injected fault and how often it has been applied. */
interface ActiveFault extends Fault {
	/** Matching requests so far. */
	seen: number;
	/** Requests it was applied to. */
	applied: number;
	/** Requests it will still apply to. */
	timesLeft: number;
}

/** Injects faults and applies them to requests. */
export interface Faults {
	/** Injects a fault. Throws if it makes no sense. A request meets the oldest fault that matches. */
	inject(fault: Fault): ActiveFault;
	/** The faults with times left, oldest first. */
	list(): ActiveFault[];
	/** Clears all faults and ends every delay, stall, and trickle in progress. */
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
			if (fault.nth && fault.seen !== fault.nth) continue;
			fault.applied += 1;
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
			const problem = problemOf(spec);
			if (problem) throw new Error(problem);
			const times = spec.times ?? (spec.every ? Infinity : 1);
			const fault = { ...spec, seen: 0, applied: 0, timesLeft: times };
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
				const body = fault.processFirst && hasResponse(fault) ? respond(reply, fault) : payload;
				const send = () => done(null, slowDown(fault, body as Payload, cleared.signal));
				if (fault.responseDelayMs) void pause(fault.responseDelayMs).then(send);
				else send();
				return undefined;
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

/** Why a fault makes no sense, if it does not. */
function problemOf(fault: Fault): string | undefined {
	const { delayMs, responseDelayMs, reset, stall, trickleMs } = fault;
	const disturbances = [delayMs, responseDelayMs, reset, stall, trickleMs];
	if (!hasResponse(fault) && disturbances.every((part) => part === undefined)) {
		return 'This fault has no effect.';
	}
	if (fault.every && fault.nth) return 'A fault takes either every or nth, not both.';
	if (stall && trickleMs) return 'A fault takes either stall or trickleMs, not both.';
	return undefined;
}

/** The status of a fault that names none. */
function defaultStatus({ redirectTo, retryAfter }: Fault): number {
	if (redirectTo !== undefined) return 302;
	return retryAfter === undefined ? 200 : 429;
}

type Payload = string | Buffer | null | undefined;

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

/** The body as a stream that stalls or trickles until the faults are cleared, or as it is. */
function slowDown(fault: Fault, payload: Payload, cleared: AbortSignal): Payload | Readable {
	const body = Buffer.from(payload ?? '');
	if (fault.trickleMs) return Readable.from(trickle(body, fault.trickleMs, cleared));
	if (fault.stall) return Readable.from(stall(body, cleared));
	return payload;
}

async function* trickle(body: Buffer, ms: number, cleared: AbortSignal) {
	while (!cleared.aborted) {
		yield Buffer.from(' ');
		await wait(ms, undefined, { signal: cleared }).catch(() => undefined);
	}
	yield body;
}

async function* stall(body: Buffer, cleared: AbortSignal) {
	const half = Math.ceil(body.length / 2);
	// Without a first byte not even the headers would leave.
	yield half > 0 ? body.subarray(0, half) : Buffer.from(' ');
	await new Promise((resolve) => {
		if (cleared.aborted) resolve(undefined);
		else cleared.addEventListener('abort', resolve, { once: true });
	});
	yield body.subarray(half);
}

function resetConnection(reply: FastifyReply): void {
	reply.raw.socket?.resetAndDestroy();
}
