import type { FastifyInstance } from 'fastify';
import type { Fault, Faults } from './faults.mts';
import { countRequests, type Recorder } from './recorder.mts';
import { routeNames } from './types.mts';

const count = { type: 'integer', minimum: 1 };
const milliseconds = { type: 'integer', minimum: 0 };

const faultSchema = {
	type: 'object',
	additionalProperties: false,
	required: ['route'],
	properties: {
		route: { enum: ['*', ...routeNames] },
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

	app.get('/counts', async () => countRequests(recorder));
	app.delete('/counts', async (_request, reply) => {
		recorder.clear();
		return await reply.code(204).send();
	});
}
