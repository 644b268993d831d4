import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { read } from '../support/documents.mts';
import { OPERATIONS } from '../support/operations';
import { getByCode, invitation, setUp, webhookUpdate } from './support/setup';

const setup = setUp();

/** Each field with its JSON type, nested ones included. */
function shapeOf(schema: object): unknown {
	const { type, properties } = schema as { type: string; properties?: Record<string, object> };
	if (!properties) return type === 'integer' ? 'number' : type;
	return Object.fromEntries(
		Object.entries(properties).map(([name, field]) => [name, shapeOf(field)]),
	);
}

function shapeOfValue(value: unknown): unknown {
	if (Array.isArray(value)) return 'array';
	if (typeof value !== 'object' || value === null) return typeof value;
	return Object.fromEntries(
		Object.entries(value).map(([name, field]) => [name, shapeOfValue(field)]),
	);
}

async function outputOf(parameters: INodeParameters): Promise<IDataObject> {
	const { json, error } = await setup.harness.run(parameters);
	expect(error).toBeUndefined();
	return json[0];
}

const SCHEMAS = 'nodes/CandidateAssessment/__schema__/v1.0.0';
const NAMES = OPERATIONS.map(({ resource, value }) => `${resource}/${value}`);

/** With an update's values, which the other operations ignore. */
const webhook = async (operation: string) =>
	await outputOf(webhookUpdate(setup.service.createWebhook(), { operation, status: 'active' }));

const OUTPUTS: Record<string, () => Promise<IDataObject>> = {
	'candidate/invite': async () => await outputOf(invitation()),
	'candidate/get': async () => {
		const { code } = await setup.invite();
		await setup.service.finish(code);
		return await outputOf(getByCode(code));
	},
	'webhook/update': async () => await webhook('update'),
	'webhook/setStatus': async () => await webhook('setStatus'),
	'webhook/delete': async () => await webhook('delete'),
};

it.each(NAMES)('The editor shows the fields of %s before anything has run', async (name) => {
	const file = `${SCHEMAS}/${name}.json`;
	const schema = JSON.parse(read(file));
	expect(shapeOfValue(await OUTPUTS[name]())).toEqual(shapeOf(schema));
});
