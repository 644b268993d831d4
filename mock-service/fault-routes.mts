import type { FastifyInstance } from 'fastify';
import { answersItself, statusOf, type FaultOrder, type Faults } from './faults.mts';

const anyRoute = [
	'*',
	'createInvitation',
	'getCandidate',
	'updateWebhook',
	'setWebhookStatus',
	'deleteWebhook',
] as const;

/** The endpoints that the overview's form offers. */
export const faultRoutes: ReadonlyArray<{ route: (typeof anyRoute)[number]; label: string }> = [
	{ route: '*', label: 'Every endpoint' },
	{ route: 'createInvitation', label: 'Create an invitation' },
	{ route: 'getCandidate', label: 'Retrieve a candidate' },
	{ route: 'updateWebhook', label: 'Update a webhook' },
	{ route: 'setWebhookStatus', label: 'Set a webhook’s status' },
	{ route: 'deleteWebhook', label: 'Delete a webhook' },
];

/** The faults that the overview's form offers. */
export const faultPresets: ReadonlyArray<{
	name: string;
	label: string;
	order: Omit<FaultOrder, 'route'>;
}> = [
	{ name: 'slow-down', label: '429, try again in 2 s', order: { status: 429, retryAfter: 2 } },
	{ name: 'away', label: '503, try again in 5 s', order: { status: 503, retryAfter: 5 } },
	{ name: 'broken', label: '500', order: { status: 500 } },
	{ name: 'slow', label: 'Answer after 3 s', order: { delayMs: 3000 } },
	{ name: 'cut-before', label: 'Connection reset, not taken', order: { reset: 'before' } },
	{ name: 'cut-after', label: 'Connection reset, but taken', order: { reset: 'after' } },
];

const orderSchema = {
	type: 'object',
	additionalProperties: false,
	required: ['route'],
	properties: {
		route: { enum: anyRoute },
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
		route: { enum: anyRoute },
		fault: { enum: faultPresets.map(({ name }) => name) },
		times: { type: 'string', pattern: '^[1-9][0-9]{0,3}$' },
	},
};

/**
 * Orders of faults over HTTP, for tests and demos: POST /faults with a FaultOrder as JSON (all but `when`),
 * GET /faults for those that stand (timesLeft null: without end), DELETE /faults to withdraw them all.
 */
export function faultsOverHttp(app: FastifyInstance, faults: Faults): void {
	app.post<{ Body: FaultOrder }>(
		'/faults',
		{ schema: { body: orderSchema } },
		async (request, reply) => {
			try {
				return faults.order(request.body);
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

	// The overview's two forms.
	app.post<{ Body: { route: FaultOrder['route']; fault: string; times: string } }>(
		'/faults/form',
		{ schema: { body: formSchema } },
		async ({ body }, reply) => {
			const preset = faultPresets.find(({ name }) => name === body.fault);
			faults.order({ ...preset?.order, route: body.route, times: Number(body.times) });
			return reply.redirect('/', 303);
		},
	);
	app.post('/faults/clear', async (_request, reply) => {
		faults.clear();
		return reply.redirect('/', 303);
	});
}

/** A standing fault in words, for the overview. */
export function faultLabel(fault: FaultOrder): string {
	const parts = [
		fault.delayMs !== undefined && `after ${fault.delayMs} ms`,
		fault.reset !== undefined && `connection reset ${fault.reset} it is taken`,
		answersItself(fault) && `status ${fault.status ?? statusOf(fault)}`,
		fault.retryAfter !== undefined && `Retry-After ${fault.retryAfter}`,
		fault.body !== undefined && 'a body of its own',
		fault.every !== undefined && `one request in ${fault.every}`,
	];
	return parts.filter(Boolean).join(', ');
}
