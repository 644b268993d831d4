import { updateDisplayOptions, type INodeProperties, type NodeHint } from 'n8n-workflow';
import { get } from './candidate/get.operation';
import { invite } from './candidate/invite.operation';
import { field } from '../parameters/field';
import type { Operation } from './operation';
import { deleteWebhook } from './webhook/delete.operation';
import { setStatus } from './webhook/setStatus.operation';
import { update } from './webhook/update.operation';

/** Every resource with its operations, in the order in which the editor lists them. */
const resources = [
	{ name: 'Candidate', value: 'candidate', defaultOperation: 'invite', operations: [get, invite] },
	{
		name: 'Webhook',
		value: 'webhook',
		defaultOperation: 'update',
		operations: [deleteWebhook, setStatus, update],
	},
];

/** Throws if no such operation is registered, as in a workflow of a newer version. */
export function findOperation(resource: string, operation: string): Operation {
	const { operations } = withName(resource, resources, 'resource');
	return withName(operation, operations, `operation of "${resource}"`);
}

function withName<T extends { value: string }>(name: string, all: readonly T[], what: string): T {
	const named = all.find(({ value }) => value === name);
	if (named) return named;
	const values = all.map(({ value }) => value).join(', ');
	throw new Error(`There is no ${what} called "${name}". Use one of: ${values}.`);
}

/** The choice of resource and operation, and each operation's fields. */
export const operationProperties: INodeProperties[] = [
	field('Resource', 'resource', {
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'candidate',
	}),
	...resources.flatMap(({ value: resource, defaultOperation, operations }) => [
		field('Operation', 'operation', {
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: operations.map(({ name, value, action, description }) => ({
				name,
				value,
				action,
				description,
			})),
			default: defaultOperation,
		}),
		...operations.flatMap(({ value, properties }) =>
			updateDisplayOptions({ show: { resource: [resource], operation: [value] } }, properties),
		),
	]),
];

const subtitles = resources.flatMap(({ name: resourceName, value: resource, operations }) =>
	operations.map(({ name, value }) => [`${resource}:${value}`, `${resourceName}: ${name}`]),
);

// False for an expression, which decides in each run.
const IS_CHECK =
	'$parameter["operation"] === "invite" && $parameter["options"]?.["checkOnly"] === true';

/** Shown under the node on the canvas: "Candidate: Invite". The map is flat, since "}}" would end the expression. */
export const operationSubtitle = `={{ ${JSON.stringify(Object.fromEntries(subtitles))}[$parameter["resource"] + ":" + $parameter["operation"]] + (${IS_CHECK} ? " (Check Only)" : "") }}`;

/** Hints that n8n shows even before a run. */
export const actionHints: NodeHint[] = [
	{
		message:
			'To build the next steps without sending invitations, select <b>set mock data</b> below',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		// Only a tool has a type of description. It has no mock data.
		displayCondition:
			'={{ $parameter["operation"] === "invite" && !$parameter["descriptionType"] }}',
	},
	{
		message:
			'With <b>Invite Again</b>, every run invites all candidates in its input, including those already invited. To invite only new candidates, select <b>Skip</b>.',
		type: 'warning',
		location: 'outputPane',
		displayCondition:
			'={{ $parameter["operation"] === "invite" && $parameter["alreadyInvited"] === "inviteAgain" }}',
	},
];
