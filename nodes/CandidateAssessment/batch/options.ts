import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Operation } from '../actions/operation';
import { field, NOT_IN_TOOLS } from '../parameters/field';
import { NodeParameters, placesOf } from '../parameters/NodeParameters';
import { boolean, integer } from '../parameters/rules';
import type { SendOptions } from '../transport/types';

/** Minimum, maximum, and default. Why thirty: docs/performance.md. */
const LIMITS = {
	concurrency: [1, 100, 30],
	maxRetries: [0, 20, 5],
	maxWait: [0, 3600, 60],
	timeout: [1, 600, 30],
} satisfies Record<keyof SendOptions, number[]>;

export const optionsProperty = field('Options', 'options', {
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		field('Check Only', 'checkOnly', {
			type: 'boolean',
			// Users only add it to switch it on.
			default: true,
			displayOptions: { show: { '/operation': ['invite'] } },
			description:
				"Whether to only check the list. Nothing is sent, the 'Invited' output stays empty, and a message says who would be invited. The first item's value applies to all.",
		}),
		field('Concurrency', 'concurrency', {
			...numberIn(LIMITS.concurrency),
			...NOT_IN_TOOLS,
			description:
				'Maximum number of requests to send at once. The node sends fewer while the service is rate limiting, and changes webhooks one after the other.',
		}),
		field('Max Retries', 'maxRetries', {
			...numberIn(LIMITS.maxRetries),
			description:
				'Maximum retries per request. An invitation that might have been accepted is never retried.',
		}),
		field('Max Wait (Seconds)', 'maxWait', {
			...numberIn(LIMITS.maxWait),
			description:
				'Maximum time in seconds to wait when the service asks for a pause. If it asks for longer, the node stops sending.',
		}),
		field('Timeout (Seconds)', 'timeout', {
			...numberIn(LIMITS.timeout),
			description: 'How many seconds to wait for the complete response to one attempt',
		}),
	],
});

function numberIn([minValue, maxValue, value]: number[]): Partial<INodeProperties> {
	return { type: 'number', typeOptions: { minValue, maxValue }, default: value };
}

export type Options = ReturnType<typeof readOptions>;

/** One set for the whole batch, read for its first item. Throws `InvalidParameterError` if an option breaks its rule. */
export function readOptions(context: IExecuteFunctions, { isSequential, application }: Operation) {
	const params = new NodeParameters(placesOf([optionsProperty]), (path) => {
		// An option that wasn't added is off. One whose expression returns nothing fails.
		const fallback = path === 'options.checkOnly' ? false : null;
		return { value: context.getNodeParameter(path, 0, fallback) };
	});
	const values = Object.entries(LIMITS).map(([name, [min, max, value]]) => [
		name,
		params.optional(name, integer({ min, max })) ?? value,
	]);
	return {
		...(Object.fromEntries(values) as SendOptions),
		...(isSequential && { concurrency: 1 }),
		checkOnly: !!application && params.required('checkOnly', boolean),
	};
}
