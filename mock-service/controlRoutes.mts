import type { FastifyInstance } from 'fastify';
import { defaultStatus, hasResponse, type Fault, type Faults } from './faults.mts';
import type { Recorder } from './recorder.mts';

const routeLabels: Record<Fault['route'], string> = {
	'*': 'Every endpoint',
	createInvitation: 'Create an invitation',
	getCandidate: 'Retrieve a candidate',
	updateWebhook: 'Update a webhook',
	setWebhookStatus: 'Set a webhook’s status',
	deleteWebhook: 'Delete a webhook',
	downloadReport: 'Download a report',
};
const routes = Object.keys(routeLabels);

/** The endpoints in the form on the overview page. */
export const faultRoutes = Object.entries(routeLabels).map(([route, label]) => ({ route, label }));

/** The faults in the form on the overview page. */
export const faultPresets: ReadonlyArray<{
	name: string;
	label: string;
	fault: Omit<Fault, 'route'>;
}> = [
	{ name: 'rate-limit', label: '429, retry after 2 s', fault: { status: 429, retryAfter: 2 } },
	{ name: 'unavailable', label: '503, retry after 5 s', fault: { status: 503, retryAfter: 5 } },
	{ name: 'error', label: '500', fault: { status: 500 } },
	{ name: 'slow', label: 'Delay of 3 s', fault: { delayMs: 3000 } },
	{ name: 'reset-before', label: 'Connection reset before processing', fault: { reset: 'before' } },
	{ name: 'reset-after', label: 'Connection reset after processing', fault: { reset: 'after' } },
	{ name: 'stall', label: 'Response that stalls', fault: { stall: true } },
];

const count = { type: 'integer', minimum: 1 };
const milliseconds = { type: 'integer', minimum: 0 };

const faultSchema = {
	type: 'object',
	additionalProperties: false,
	required: ['route'],
	properties: {
		route: { enum: routes },
		times: count,
		every: count,
		nth: count,
		status: { type: 'integer', minimum: 200, maximum: 599 },
		headers: { type: 'object', additionalProperties: { type: 'string' } },
		body: {},
		contentType: { type: 'string' },
		retryAfter: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
		redirectTo: { type: 'string' },
		processFirst: { type: 'boolean' },
		delayMs: milliseconds,
		responseDelayMs: milliseconds,
		reset: { enum: ['before', 'after'] },
		stall: { type: 'boolean' },
		trickleMs: count,
	},
};

const formSchema = {
	type: 'object',
	required: ['route', 'fault', 'times'],
	properties: {
		route: { enum: routes },
		fault: { enum: faultPresets.map(({ name }) => name) },
		times: { type: 'string', pattern: '^[1-9][0-9]{0,3}$' },
	},
};

/**
 * Controls over HTTP, for tests and demos.
 *
 * - POST /faults injects a Fault given as JSON (all but `when`), GET /faults lists the active ones (timesLeft
 *   null means no limit), DELETE /faults clears them all.
 * - GET /counts returns the Counts, DELETE /counts forgets all requests and starts at 0.
 */
export function controlRoutes(app: FastifyInstance, faults: Faults, recorder: Recorder): void {
	app.post<{ Body: Fault }>(
		'/faults',
		{ schema: { body: faultSchema } },
		async (request, reply) => {
			try {
				return faults.inject(request.body);
			} catch (error) {
				return await reply.code(400).send({ message: (error as Error).message });
			}
		},
	);
	app.get('/faults', async () => faults.list());
	app.delete('/faults', async (_request, reply) => {
		faults.clear();
		return await reply.code(204).send();
	});

	app.get('/counts', async () => recorder.counts());
	app.delete('/counts', async (_request, reply) => {
		recorder.clear();
		return await reply.code(204).send();
	});

	// The two forms on the overview page.
	app.post<{ Body: { route: Fault['route']; fault: string; times: string } }>(
		'/faults/form',
		{ schema: { body: formSchema } },
		async ({ body }, reply) => {
			const preset = faultPresets.find(({ name }) => name === body.fault);
			faults.inject({ ...preset?.fault, route: body.route, times: Number(body.times) });
			return reply.redirect('/', 303);
		},
	);
	app.post('/faults/clear', async (_request, reply) => {
		faults.clear();
		return reply.redirect('/', 303);
	});
}

/** An active fault in words, for the overview page. */
export function describeFault(fault: Fault): string {
	const parts = [
		fault.delayMs !== undefined && `delayed by ${fault.delayMs} ms`,
		fault.reset !== undefined && `connection reset ${fault.reset} processing`,
		hasResponse(fault) && `status ${fault.status ?? defaultStatus(fault)}`,
		fault.retryAfter !== undefined && `Retry-After ${fault.retryAfter}`,
		fault.redirectTo !== undefined && `redirect to ${fault.redirectTo}`,
		fault.body !== undefined && 'custom body',
		fault.processFirst && 'after processing',
		fault.responseDelayMs !== undefined && `response delayed by ${fault.responseDelayMs} ms`,
		fault.stall && 'response stalls',
		fault.trickleMs !== undefined && `response trickles, a space every ${fault.trickleMs} ms`,
		fault.every !== undefined && `one of every ${fault.every} requests`,
		fault.nth !== undefined && `only request ${fault.nth}`,
	];
	return `${routeLabels[fault.route]}: ${parts.filter(Boolean).join(', ')}`;
}
