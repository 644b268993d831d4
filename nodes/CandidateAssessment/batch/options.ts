import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { dateContextOf } from '../parameters/dates';
import { parameterReader } from '../parameters/NodeParameters';
import { integer } from '../parameters/rules';
import type { SendOptions } from '../transport/ApiClient';

const LIMITS = {
	concurrency: { min: 1, max: 100 },
	maxRetries: { min: 0, max: 20 },
	timeout: { min: 1, max: 600 },
	maxWait: { min: 0, max: 3600 },
};

export const optionsProperty: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: LIMITS.concurrency.min, maxValue: LIMITS.concurrency.max },
			// Why this many: docs/profile.md.
			default: 30,
			description:
				'Maximum number of requests to send at once. The node sends fewer while the service is rate limiting.',
		},
		{
			displayName: 'Max Retries',
			name: 'maxRetries',
			type: 'number',
			typeOptions: { minValue: LIMITS.maxRetries.min, maxValue: LIMITS.maxRetries.max },
			default: 5,
			description:
				'Maximum retries per request. An invitation that might have been accepted is never retried.',
		},
		{
			displayName: 'Max Wait (Seconds)',
			name: 'maxWait',
			type: 'number',
			typeOptions: { minValue: LIMITS.maxWait.min, maxValue: LIMITS.maxWait.max },
			default: 60,
			description:
				'Longest wait that the service may ask for. If it asks for more, the node sends nothing else.',
		},
		{
			displayName: 'Timeout (Seconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: LIMITS.timeout.min, maxValue: LIMITS.timeout.max },
			default: 30,
			description: 'Maximum time for one attempt, until the whole response has arrived',
		},
	],
};

/** The value of an option that the user did not add. */
const DEFAULTS = Object.fromEntries(
	(optionsProperty.options as INodeProperties[]).map((option) => [option.name, option.default]),
) as unknown as SendOptions;

/** One set for the whole batch, read for its first item. Throws `InvalidParameterError` if an option is no integer within its limits. */
export function readSendOptions(context: IExecuteFunctions): SendOptions {
	const params = parameterReader(
		[optionsProperty],
		dateContextOf(context),
	)((name) => context.getNodeParameter(name, 0, {}));
	const option = (name: keyof SendOptions) =>
		params.optional(name, integer(LIMITS[name])) ?? DEFAULTS[name];
	return {
		concurrency: option('concurrency'),
		maxRetries: option('maxRetries'),
		timeout: option('timeout'),
		maxWait: option('maxWait'),
	};
}
