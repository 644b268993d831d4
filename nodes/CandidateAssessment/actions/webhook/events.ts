import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { fail, listOf, string, type Rule } from '../../parameters/rules';

export const RESULT_READY = 'candidate_application_result_ready';

/** The events that the specification names ("Events"); others can be given by expression. */
export const eventOptions: INodePropertyOptions[] = [
	{
		name: 'Candidate Result Ready',
		value: RESULT_READY,
		description: 'The assessment result of a candidate is ready',
	},
];

export const eventsProperty: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: eventOptions,
	default: [RESULT_READY],
	description: 'Events to receive. Enter other event names with an expression.',
};

/** Event names; a single one may stand without a list. */
export const eventNames: Rule<string[]> = (value) => listOf(eventName)([value].flat());

const eventName: Rule<string> = (value) => string()(value).trim() || fail('is empty');
