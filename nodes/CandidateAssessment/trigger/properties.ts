import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { dateContextOf, parameterReader, type NodeParameters } from '../parameters/NodeParameters';
import { eventsProperty } from '../actions/webhook/events';
import { webhookIdProperty } from '../actions/webhook/webhookId';

// Not written in place: the linter takes what is called a secret for one, and would hide a header's name.
const SECRET_HEADER = 'secretHeader';

/** What the user sees of the trigger. */
export const triggerProperties: INodeProperties[] = [
	webhookIdProperty,
	{
		displayName:
			'A webhook serves one workflow: publishing this one points the webhook here, away from any other. Use a webhook of its own for each workflow.',
		name: 'webhookNotice',
		type: 'notice',
		default: '',
	},
	{
		...eventsProperty,
		description:
			'The events that start the workflow. Names of other events can be given with an expression.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Include Headers',
				name: 'includeHeaders',
				type: 'boolean',
				default: false,
				description:
					"Whether to add the call's headers to the output as requestHeaders, without the secret",
			},
			{
				displayName: 'Secret Header',
				name: SECRET_HEADER,
				type: 'string',
				default: '',
				placeholder: 'e.g. X-Webhook-Secret',
				description: 'The only header in which the secret may stand; any header when left empty',
			},
			{
				displayName: 'Webhook Name',
				name: 'webhookName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Results to n8n',
				description:
					'What the webhook is called in the assessment service; the name of the workflow when left empty',
			},
		],
	},
];

/** What the user entered into the trigger. */
export function readParameters(context: IHookFunctions | IWebhookFunctions): NodeParameters {
	const read = parameterReader(triggerProperties, dateContextOf(context));
	return read((name) => context.getNodeParameter(name, null));
}
