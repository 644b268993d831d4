import Fastify from 'fastify';
import { validate } from '@readme/openapi-parser';
import { ada, call, candidatesPath, invite, register, start } from './support';

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- the document is read like JSON */
type Document = any;

const webhookPath = '/partner/v1.0/webhooks/{webhook_id}';
const endpoints = [
	['post', candidatesPath],
	['get', `${candidatesPath}/invitation/{invitation_code}`],
	['put', webhookPath],
	['put', `${webhookPath}/status`],
	['delete', webhookPath],
] as const;

const describeService = async () => {
	const service = await start();
	const document: Document = (await call(service, 'GET', '/openapi.json', undefined, {})).body;
	return { service, document };
};

const responseOf = (
	document: Document,
	[method, path]: readonly [string, string],
	status: number,
) => document.paths[path][method].responses[status].content['application/json'].schema;

/** Whether a JSON value matches a schema, checked without any help from the mock service. */
async function matches(schema: object, value: unknown): Promise<boolean> {
	const app = Fastify({
		ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
	});
	app.post('/', { schema: { body: schema } }, async () => 'valid');
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	const headers = { 'content-type': 'application/json' };
	const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(value) });
	await app.close();
	return status === 200;
}

describe('the OpenAPI document', () => {
	it('is valid, and names the address of the service', async () => {
		const { service, document } = await describeService();
		expect(document.servers).toEqual([{ url: service.baseUrl }]);
		// The validator resolves references in place.
		expect(await validate(structuredClone(document))).toMatchObject({ valid: true, warnings: [] });
	});

	it('has the five endpoints, with the bearer token, and no other', async () => {
		const { document } = await describeService();
		const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => [method, path]),
		);
		expect(described.sort()).toEqual(endpoints.map((endpoint) => [...endpoint]).sort());
		const [[scheme]] = document.security.map(Object.keys);
		expect(document.components.securitySchemes[scheme]).toEqual({ type: 'http', scheme: 'bearer' });
	});

	it('has an example of each body that the service accepts', async () => {
		const { service, document } = await describeService();
		for (const [method, path] of endpoints) {
			const content = document.paths[path][method].requestBody?.content['application/json'];
			if (!content) continue;
			const url = path.replace('{webhook_id}', service.webhookId);
			const { status } = await call(service, method.toUpperCase(), url, content.example);
			expect([path, status]).toEqual([path, 200]);
		}
	});

	it('describes each response as it is', async () => {
		const { service, document } = await describeService();
		await register(service, 'http://127.0.0.1:9/', 'a secret');
		const anonymous = { ...ada, email: undefined, is_anonymous_candidate: true };
		const code = await invite(service);
		const requests: Array<[number, string, unknown?]> = [
			[0, candidatesPath, ada],
			[0, candidatesPath, anonymous],
			[0, candidatesPath, { ...ada, job_id: 'x' }],
			[1, `${candidatesPath}/invitation/${code}`],
			[1, `${candidatesPath}/invitation/unknown`],
			[3, `/partner/v1.0/webhooks/${service.webhookId}/status`, { status: 'inactive' }],
			[4, `/partner/v1.0/webhooks/${service.webhookId}`],
			[4, `/partner/v1.0/webhooks/${service.webhookId}`],
			[4, '/partner/v1.0/webhooks/12'],
		];
		const statuses: number[] = [];
		for (const [index, path, body] of requests) {
			const method = endpoints[index][0].toUpperCase();
			const response = await call(service, method, path, body);
			statuses.push(response.status);
			const schema = responseOf(document, endpoints[index], response.status);
			expect([path, await matches(schema, response.body)]).toEqual([path, true]);
		}
		expect(statuses).toEqual([200, 200, 400, 200, 404, 200, 200, 404, 400]);
		await service.finish(code);
		const { body } = await call(service, 'GET', `${candidatesPath}/invitation/${code}`);
		expect(body.data.scores).toHaveLength(2);
		expect(await matches(responseOf(document, endpoints[1], 200), body)).toBe(true);
		expect(await matches(responseOf(document, endpoints[1], 200), { data: {}, meta: null })).toBe(
			false,
		);
	});
});
