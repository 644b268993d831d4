import type { IDataObject, INodeParameters } from 'n8n-workflow';
import getSchema from '../../nodes/CandidateAssessment/__schema__/v1.0.0/candidate/get.json';
import inviteSchema from '../../nodes/CandidateAssessment/__schema__/v1.0.0/candidate/invite.json';
import deleteSchema from '../../nodes/CandidateAssessment/__schema__/v1.0.0/webhook/delete.json';
import setStatusSchema from '../../nodes/CandidateAssessment/__schema__/v1.0.0/webhook/setStatus.json';
import updateSchema from '../../nodes/CandidateAssessment/__schema__/v1.0.0/webhook/update.json';
import { filesLike } from '../support/documents.mts';
import { OPERATIONS } from '../support/operations';
import { getByCode, invitation, setUp } from './setup';

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

it('Every operation has a schema, so that the editor shows its fields before anything has run', () => {
	const operations = OPERATIONS.map(({ resource, value }) => `${resource}/${value}.json`);
	const schemas = filesLike('nodes/CandidateAssessment/__schema__/v1.0.0/*/*.json');
	expect(schemas.map((file) => file.split('/').slice(-2).join('/')).sort()).toEqual(
		operations.sort(),
	);
});

describe('What the editor shows before anything has run', () => {
	it('is what Candidate: Invite gives', async () => {
		expect(shapeOfValue(await outputOf(invitation()))).toEqual(shapeOf(inviteSchema));
	});

	it('is what Candidate: Get gives of a finished assessment', async () => {
		const { invitation_link: link } = await outputOf(invitation());
		const code = String(link).split('/').pop() ?? '';
		await setup.service.finish(code);
		const output = await outputOf(getByCode(code));
		expect(shapeOfValue(output)).toEqual(shapeOf(getSchema));
	});

	it.each([
		[
			'update',
			updateSchema,
			{
				name: 'Results',
				url: 'https://hr.example.com',
				events: ['candidate_application_result_ready'],
			},
		],
		['setStatus', setStatusSchema, { status: 'active' }],
		['delete', deleteSchema, {}],
	])('is what Webhook: %s gives', async (operation, schema, more) => {
		const webhookId = setup.service.createWebhook();
		const output = await outputOf({ resource: 'webhook', operation, webhookId, ...more });
		expect(shapeOfValue(output)).toEqual(shapeOf(schema));
	});
});
