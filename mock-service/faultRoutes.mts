import type { FastifyInstance } from 'fastify';
import { hasResponse, defaultStatus, type Fault, type Faults } from './faults.mts';

const routeNames = [
	'*',
	'createInvitation',
	'getCandidate',
	'updateWebhook',
	'setWebhookStatus',
	'deleteWebhook',
] as const;

/** The endpoints in the form on the overview page. */
export const faultRoutes: ReadonlyArray<{ route: (typeof routeNames)[number]; label: string }> = [
	{ route: '*', label: 'Every endpoint' },
	{ route: 'createInvitation', label: 'Create an invitation' },
	{ route: 'getCandidate', label: 'Retrieve a candidate' },
	{ route: 'updateWebhook', label: 'Update a webhook' },
	{ route: 'setWebhookStatus', label: 'Set a webhook’s status' },
	{ route: 'deleteWebhook', label: 'Delete a webhook' },
];

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
];

const faultSchema = {
	type: 'object',
	additionalProperties: false,
	required: ['route'],
	properties: {
		route: { enum: routeNames },
		times: { type: 'integer', minimum: 1 },
		every: { type: 'integer', minimum: 1 },
		status: { type: 'integer', minimum: 200, maximum: 599 },
		headers: { type: 'object', additionalProperties: { type: 'string' } },
		body: {},
		contentType: { type: 'string' },
		retryAfter: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
		delayMs: { type: 'integer', minimum: 0 },
		reset: { enum: ['before', 'after'] },
		redirectTo: { type: 'string' },
	},
};

const formSchema = {
	type: 'object',
	required: ['route', 'fault', 'times'],
	properties: {
		route: { enum: routeNames },
		fault: { enum: faultPresets.map(({ name }) => name) },
		times: { type: 'string', pattern: '^[1-9][0-9]{0,3}$' },
	},
};

/**
 * Faults over HTTP, for tests and demos: POST /faults with a Fault as JSON (all but `when`), GET /faults
 * to list the active ones (timesLeft null means no limit), DELETE /faults to clear them all.
 */
export function registerFaultRoutes(app: FastifyInstance, faults: Faults): void {
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
export function faultLabel(fault: Fault): string {
	const parts = [
		fault.delayMs !== undefined && `delayed by ${fault.delayMs} ms`,
		fault.reset !== undefined && `connection reset ${fault.reset} processing`,
		hasResponse(fault) && `status ${fault.status ?? defaultStatus(fault)}`,
		fault.retryAfter !== undefined && `Retry-After ${fault.retryAfter}`,
		fault.body !== undefined && 'custom body',
		fault.every !== undefined && `one of every ${fault.every} requests`,
	];
	return parts.filter(Boolean).join(', ');
}
