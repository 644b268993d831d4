import AjvCompiler from '@fastify/ajv-compiler';
import { call } from '../support/invite.mts';
import { ada, candidatesPath, invite, resultReady, start } from './support/service';

const WEBHOOK = '/partner/v1.0/webhooks/{webhook_id}';
const CANDIDATE = `${candidatesPath}/invitation/{invitation_code}`;

const describeService = async () => {
	const service = await start();
	return { service, document: (await call(service, 'GET', '/openapi.json')).body };
};

const compile = AjvCompiler()(
	{},
	{ customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
) as (route: { schema: object }) => (value: unknown) => unknown;

/** Whether a JSON value matches a schema, checked without any help from the mock service. */
const matches = (schema: object, value: unknown) => compile({ schema })(value) === true;

it('the service accepts the example of each request that the OpenAPI document describes', async () => {
	const { service, document } = await describeService();
	const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { requestBody }]) => ({ method, path, requestBody })),
	);
	const withBody = described.filter(({ requestBody }) => requestBody);
	expect(withBody.length).toBeGreaterThan(0);
	for (const { method, path, requestBody } of withBody) {
		const url = path.replace('{webhook_id}', service.webhookId);
		const { example } = requestBody.content['application/json'];
		const { status } = await call(service, method.toUpperCase(), url, example);
		expect([method, path, status]).toEqual([method, path, 200]);
	}
});

it('the OpenAPI document describes each response as it is', async () => {
	const { service, document } = await describeService();
	const code = await invite(service);
	const { webhookId } = service;
	const webhook = {
		name: 'Results',
		url: 'https://a.example/',
		events: [resultReady],
		secret: 's',
	};
	/** A method, a path of the document, its ID, and the body. */
	const requests: Array<[string, string, string?, object?]> = [
		['POST', candidatesPath, '', ada],
		['POST', candidatesPath, '', { ...ada, email: undefined, is_anonymous_candidate: true }],
		['POST', candidatesPath, '', { ...ada, job_id: 'x' }],
		// Mixing up the two IDs has its own error.
		['POST', candidatesPath, '', { ...ada, job_id: webhookId.toUpperCase() }],
		['GET', CANDIDATE, code],
		['GET', CANDIDATE, 'unknown'.repeat(60)],
		['PUT', WEBHOOK, webhookId, webhook],
		['PUT', `${WEBHOOK}/status`, webhookId, { status: 'inactive' }],
		['DELETE', WEBHOOK, webhookId],
		['DELETE', WEBHOOK, webhookId],
		['DELETE', WEBHOOK, '12'],
	];
	const expectDescribed = async ([method, template, id = '', sent]: (typeof requests)[number]) => {
		const path = template.replace(/{.*}/, id);
		const { status, body } = await call(service, method, path, sent);
		const { content } = document.paths[template][method.toLowerCase()].responses[status];
		const { schema } = content['application/json'];
		expect([path, matches(schema, body)]).toEqual([path, true]);
		expect(matches(schema, { data: {}, meta: null })).toBe(false);
		return status;
	};
	const statuses: number[] = [];
	for (const request of requests) statuses.push(await expectDescribed(request));
	expect(statuses).toEqual([200, 200, 400, 404, 200, 404, 200, 200, 200, 404, 400]);
	await service.finish(code);
	await expectDescribed(requests[4]);
});
