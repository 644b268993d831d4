import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

const description = `The endpoints of the assessment service, as the mock service implements them.
Every request needs the headers \`Accept: application/json\`, \`Content-Type: application/json\` (even without a
body) and \`Authorization: Bearer <access token>\`. Every success is a 200 with the resource in \`data\` and
\`meta: null\`. The specification does not say how errors look: their statuses and bodies are assumptions.`;

/**
 * Describes the API at /openapi.json, generated from the schemas of its routes. Call before the routes are
 * registered. Routes without a tag are left out.
 *
 * @param base the address of the service
 */
export function describeApi(app: FastifyInstance, base: () => string): void {
	app.register(swagger, {
		hideUntagged: true,
		// The description keeps the wording of the schemas.
		convertConstToEnum: false,
		openapi: {
			openapi: '3.1.0',
			info: { title: 'Candidate Assessment Partner API', version: '1.0', description },
			tags: [
				{ name: 'Candidates', description: 'Invite candidates and retrieve their results' },
				{ name: 'Webhooks', description: 'Manage the webhooks that the service calls' },
			],
			components: {
				securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } },
			},
			security: [{ accessToken: [] }],
		},
	});
	app.get('/openapi.json', async () => ({ ...app.swagger(), servers: [{ url: base() }] }));
}
