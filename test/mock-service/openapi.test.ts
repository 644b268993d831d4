import AjvCompiler from '@fastify/ajv-compiler';
import { ada, call, candidatesPath, invite, register, start } from './support/service';

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
	return { service, document: (await call(service, 'GET', '/openapi.json', undefined, {})).body };
};

const compile = AjvCompiler()(
	{},
	{ customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
) as (route: { schema: object }) => (value: unknown) => unknown;

/** Whether a JSON value matches a schema, checked without any help from the mock service. */
const matches = (schema: object, value: unknown) => compile({ schema })(value) === true;

it('the OpenAPI document has the endpoints, with examples that the service accepts', async () => {
	const { service, document } = await describeService();
	const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => [method, path]),
	);
	expect(described.sort()).toEqual(endpoints.map((endpoint) => [...endpoint]).sort());
	for (const [method, path] of endpoints) {
		const content = document.paths[path][method].requestBody?.content['application/json'];
		if (!content) continue;
		const url = path.replace('{webhook_id}', service.webhookId);
		const { status } = await call(service, method.toUpperCase(), url, content.example);
		expect([path, status]).toEqual([path, 200]);
	}
});

it('the OpenAPI document describes each response as it is', async () => {
	const { service, document } = await describeService();
	await register(service, 'http://127.0.0.1:9/', 'a secret');
	const code = await invite(service);
	const requests: Array<[number, string, unknown?]> = [
		[0, candidatesPath, ada],
		[0, candidatesPath, { ...ada, email: undefined, is_anonymous_candidate: true }],
		[0, candidatesPath, { ...ada, job_id: 'x' }],
		// Mixing up the two IDs has its own error.
		[0, candidatesPath, { ...ada, job_id: service.webhookId.toUpperCase() }],
		[1, `${candidatesPath}/invitation/${code}`],
		[1, `${candidatesPath}/invitation/${'unknown'.repeat(60)}`],
		[3, `/partner/v1.0/webhooks/${service.webhookId}/status`, { status: 'inactive' }],
		[4, `/partner/v1.0/webhooks/${service.webhookId}`],
		[4, `/partner/v1.0/webhooks/${service.webhookId}`],
		[4, '/partner/v1.0/webhooks/12'],
	];
	const expectDescribed = async ([index, path, sent]: (typeof requests)[number]) => {
		const [method, template] = endpoints[index];
		const { status, body } = await call(service, method.toUpperCase(), path, sent);
		const { content } = document.paths[template][method].responses[status];
		const { schema } = content['application/json'];
		expect([path, matches(schema, body)]).toEqual([path, true]);
		expect(matches(schema, { data: {}, meta: null })).toBe(false);
		return status;
	};
	const statuses: number[] = [];
	for (const request of requests) statuses.push(await expectDescribed(request));
	expect(statuses).toEqual([200, 200, 400, 404, 200, 404, 200, 200, 404, 400]);
	await service.finish(code);
	await expectDescribed(requests[4]);
});
