import type { FastifyInstance } from 'fastify';
import type { Fault, Faults } from './faults.mts';
import { routeNames } from './types.mts';

const count = { type: 'integer', minimum: 1 };

const faultSchema = {
	type: 'object',
	additionalProperties: false,
	required: ['route'],
	properties: {
		route: { enum: ['*', ...routeNames] },
		times: count,
		every: count,
		status: { type: 'integer', minimum: 200, maximum: 599 },
		headers: { type: 'object', additionalProperties: { type: 'string' } },
		body: {},
		contentType: { type: 'string' },
		retryAfter: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
		redirectTo: { type: 'string' },
		processFirst: { type: 'boolean' },
		delayMs: { type: 'integer', minimum: 0 },
		reset: { enum: ['before', 'after'] },
		answersLate: { type: 'boolean' },
	},
};

/**
 * Fault injection over HTTP: POST /faults takes a Fault as JSON (without `when`), GET /faults lists the active
 * ones (timesLeft null means no limit), DELETE /faults clears them all.
 */
export function controlRoutes(app: FastifyInstance, faults: Faults): void {
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
}
