/**
 * Faults on order: the next requests to an endpoint are refused, delayed or cut off as ordered. For tests and
 * demos only, which is why the service that offers this listens on the loopback interface alone.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './assumptions.mts';
import type { RecordedRequest, RouteName } from './types.mts';

/** What may be ordered. At least one of status, headers, body, retryAfter, delayMs, reset, redirectTo. */
export interface FaultOrder {
	/** The endpoint, or '*' for every request to the API. */
	route: RouteName | '*';
	/** To how many requests it applies: 1 if not given; without end if `every` is given. */
	times?: number;
	/** Only to every n-th request that matches. */
	every?: number;
	/** In-process only: which requests match. */
	when?: (request: RecordedRequest) => boolean;
	/** The status answered. If not given: 302 with redirectTo, 429 with retryAfter, else 200. */
	status?: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON. A string is sent as it is, as contentType (text/plain if not given). */
	body?: unknown;
	contentType?: string;
	/** The header Retry-After: seconds, or an HTTP date. */
	retryAfter?: number | string;
	/** Wait first. With nothing else ordered, the request is then taken as usual. */
	delayMs?: number;
	/** Break the connection, before or after the service has done what the request asks. */
	reset?: 'before' | 'after';
	redirectTo?: string;
}

/** An order that stands, with what has become of it. */
export interface StandingFault extends FaultOrder {
	id: number;
	/** Matching requests so far. */
	seen: number;
	/** Requests to which it was applied. */
	applied: number;
	/** Requests to which it will still apply. */
	timesLeft: number;
}

/** Orders of faults and their fulfilment. */
export interface Faults {
	/** Places an order. Throws where it orders nothing. The oldest order that matches a request applies. */
	order(order: FaultOrder): StandingFault;
	/** The orders with times left, oldest first. */
	list(): StandingFault[];
	/** Withdraws every order, and ends every delay that is under way. */
	clear(): void;
	/** Applies the orders to every request of this Fastify instance. */
	attach(api: FastifyInstance): void;
}

/** @param onChange called after every order, application and withdrawal */
export function createFaults(onChange: () => void): Faults {
	let standing: StandingFault[] = [];
	let nextId = 1;
	let delays = new AbortController();
	/** Requests that are to be cut off once the service has done what they ask. */
	const cutOffAfter = new WeakSet<FastifyRequest>();

	/** The fault that this request meets, or undefined. */
	function take(request: RecordedRequest): StandingFault | undefined {
		for (const fault of standing) {
			if (fault.route !== '*' && fault.route !== request.route) continue;
			if (fault.when && !fault.when(request)) continue;
			fault.seen += 1;
			if (fault.every && fault.seen % fault.every !== 0) continue;
			fault.applied += 1;
			fault.timesLeft -= 1;
			if (fault.timesLeft <= 0) standing = standing.filter((other) => other !== fault);
			onChange();
			return fault;
		}
		return undefined;
	}

	return {
		order(order) {
			if (!ordersSomething(order)) throw new Error('This order of a fault orders nothing.');
			const times = order.times ?? (order.every ? Infinity : 1);
			const fault = { ...order, id: nextId, seen: 0, applied: 0, timesLeft: times };
			nextId += 1;
			standing.push(fault);
			onChange();
			return fault;
		},
		list: () => [...standing],
		clear() {
			standing = [];
			delays.abort();
			delays = new AbortController();
			onChange();
		},
		attach(api) {
			api.addHook('preValidation', async (request, reply) => {
				const fault = standing.length > 0 ? take(request.record) : undefined;
				if (!fault) return undefined;
				if (fault.delayMs) {
					await wait(fault.delayMs, undefined, { signal: delays.signal }).catch(() => undefined);
				}
				if (fault.reset === 'before') return cutOff(reply);
				if (fault.reset === 'after') cutOffAfter.add(request);
				return answersItself(fault) ? answer(reply, fault) : undefined;
			});
			api.addHook('onSend', (request, reply, payload, done) => {
				if (cutOffAfter.has(request)) {
					request.record.status = null;
					reply.raw.socket?.resetAndDestroy();
				}
				done(null, payload);
			});
		},
	};
}

/** Whether this order answers in the service's place, rather than only to delay or to cut off. */
export const answersItself = (order: FaultOrder) =>
	order.reset === undefined &&
	[order.status, order.headers, order.body, order.retryAfter, order.redirectTo].some(
		(part) => part !== undefined,
	);

const ordersSomething = (order: FaultOrder) =>
	answersItself(order) || order.delayMs !== undefined || order.reset !== undefined;

function answer(reply: FastifyReply, fault: FaultOrder) {
	if (fault.retryAfter !== undefined) reply.header('retry-after', String(fault.retryAfter));
	if (fault.redirectTo !== undefined) reply.header('location', fault.redirectTo);
	if (typeof fault.body === 'string') reply.type(fault.contentType ?? 'text/plain; charset=utf-8');
	const status = fault.status ?? statusOf(fault);
	return reply
		.code(status)
		.headers(fault.headers ?? {})
		.send(fault.body ?? (status >= 400 ? errorBody('ordered') : ''));
}

/** The status that an order answers with where it names none. */
export function statusOf({ redirectTo, retryAfter }: FaultOrder): number {
	if (redirectTo !== undefined) return 302;
	return retryAfter === undefined ? 200 : 429;
}

function cutOff(reply: FastifyReply) {
	reply.hijack();
	reply.raw.socket?.resetAndDestroy();
	return reply;
}
