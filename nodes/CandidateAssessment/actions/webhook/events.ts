import type { INodeProperties } from 'n8n-workflow';
import { fail, listOf, string, type Rule } from '../../parameters/rules';

/** The one event that the specification names ("Events"); others can be given by expression. */
export const RESULT_READY = 'candidate_application_result_ready';
export const RESULT_READY_NAME = 'Candidate Result Ready';

export const eventsProperty: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: RESULT_READY_NAME,
			value: RESULT_READY,
			description: 'The assessment result of a candidate is ready',
		},
	],
	default: [RESULT_READY],
	description: 'Events to receive. Enter other event names with an expression.',
};

/** Event names; a single one may stand without a list. */
export const eventNames: Rule<string[]> = (value) => listOf(eventName)([value].flat());

const eventName: Rule<string> = (value) => string()(value).trim() || fail('is empty');
