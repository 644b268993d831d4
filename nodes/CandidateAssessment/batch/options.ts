import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { dateContextOf, parameterReader } from '../parameters/NodeParameters';
import { integer } from '../parameters/rules';
import type { SendOptions } from '../transport/ApiClient';

const LIMITS = {
	concurrency: { min: 1, max: 100 },
	maxRetries: { min: 0, max: 20 },
	timeout: { min: 1, max: 600_000 },
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
			// Why so many: docs/profile.md.
			default: 30,
			description:
				'How many requests may be under way at once. Fewer are while the service says that it is busy.',
		},
		{
			displayName: 'Max Retries',
			name: 'maxRetries',
			type: 'number',
			typeOptions: { minValue: LIMITS.maxRetries.min, maxValue: LIMITS.maxRetries.max },
			default: 5,
			description:
				'How often a request is sent again when the service is busy. An invitation is never sent again where the candidate may already have been invited.',
		},
		{
			displayName: 'Timeout (Ms)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: LIMITS.timeout.min, maxValue: LIMITS.timeout.max },
			default: 30000,
			description: 'How many milliseconds to wait for an answer',
		},
	],
};

/** What goes for an option that the user did not add. */
const DEFAULTS = Object.fromEntries(
	(optionsProperty.options as INodeProperties[]).map((option) => [option.name, option.default]),
) as unknown as SendOptions;

/** One set for the whole batch, read for its first item. Throws `InvalidField` where an option is no whole number within its limits. */
export function sendOptions(context: IExecuteFunctions): SendOptions {
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
	};
}
