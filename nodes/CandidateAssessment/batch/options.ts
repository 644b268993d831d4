import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Operation } from '../actions/operation';
import { parameterReader } from '../parameters/NodeParameters';
import { boolean, integer } from '../parameters/rules';
import type { SendOptions } from '../transport/types';

/** Minimum, maximum, and default. Why thirty: docs/performance.md. */
const LIMITS = {
	concurrency: [1, 100, 30],
	maxRetries: [0, 20, 5],
	maxWait: [0, 3600, 60],
	timeout: [1, 600, 30],
} satisfies Record<keyof SendOptions, number[]>;

/** A tool runs for one item. */
const NOT_IN_TOOLS = { displayOptions: { hide: { '@tool': [true] } } };

export const optionsProperty: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		toggle(
			'Check Only',
			'checkOnly',
			"Whether to only check the list. Nothing is sent, nobody comes out at 'Invited', and a message says who would be invited. It's read for the first item, and counts for all.",
			{ displayOptions: { show: { '/operation': ['invite'] } } },
		),
		option(
			'Concurrency',
			'concurrency',
			'Maximum number of requests to send at once. The node sends fewer while the service is rate limiting, and changes webhooks one after the other.',
			NOT_IN_TOOLS,
		),
		toggle(
			'Include Other Input Fields',
			'includeOtherFields',
			"Whether to output the input item's fields and files as well. If names clash, the service's value wins.",
			NOT_IN_TOOLS,
		),
		option(
			'Max Retries',
			'maxRetries',
			'Maximum retries per request. An invitation that might have been accepted is never retried.',
		),
		option(
			'Max Wait (Seconds)',
			'maxWait',
			'Maximum time in seconds to wait when the service asks for a pause. If it asks for longer, the node stops sending.',
		),
		option(
			'Timeout (Seconds)',
			'timeout',
			'How many seconds to wait for the complete response to one attempt',
		),
	],
};

function option(
	displayName: string,
	name: keyof SendOptions,
	description: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	const [minValue, maxValue, value] = LIMITS[name];
	const typeOptions = { minValue, maxValue };
	return { displayName, name, type: 'number', typeOptions, default: value, description, ...more };
}

/** Who adds it wants it on. */
function toggle(
	displayName: string,
	name: string,
	description: string,
	more: Partial<INodeProperties>,
): INodeProperties {
	return { displayName, name, type: 'boolean', default: true, description, ...more };
}

export type Options = ReturnType<typeof readOptions>;

/** One set for the whole batch, read for its first item. Throws `InvalidParameterError` if an option breaks its rule. */
export function readOptions(context: IExecuteFunctions, { isSequential }: Operation) {
	const read = parameterReader([optionsProperty]);
	const params = read((path) => ({ value: context.getNodeParameter(path, 0, null) }));
	// If its expression gives nothing, Check Only must not count as off.
	const strict = read((path) => ({ value: context.getNodeParameter(path, 0, false) }));
	const values = Object.entries(LIMITS).map(([name, [min, max, value]]) => [
		name,
		params.optional(name, integer({ min, max })) ?? value,
	]);
	return {
		...(Object.fromEntries(values) as SendOptions),
		...(isSequential && { concurrency: 1 }),
		includeOtherFields: params.optional('includeOtherFields', boolean) ?? false,
		/** Look up only. */
		checkOnly: strict.required('checkOnly', boolean),
	};
}
