import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { parameterReader, type NodeParameters } from '../parameters/NodeParameters';
import { oneOf } from '../parameters/rules';
import { eventsProperty, RESULT_READY, webhookIdProperty } from '../actions/webhook/webhooks';

type Registration = 'automatic' | 'manual';

// A constant, because the linter takes any literal name that begins with "secret" for a secret.
const SECRET_HEADER = 'secretHeader';

const showFor = (registration: Registration) => ({ show: { '/registration': [registration] } });

export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Registration',
		name: 'registration',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Publishing registers this workflow with the assessment service',
			},
			{
				name: 'Manual',
				value: 'manual',
				description: "Enter this workflow's URL in the assessment service yourself",
			},
		],
		default: 'automatic',
		description: 'Who tells the assessment service where to send results',
	},
	{ ...webhookIdProperty, displayOptions: showFor('automatic') },
	{
		displayName:
			"Use a separate webhook for each workflow. Publishing replaces the webhook's current URL. If another system gets results there now, it stops getting them.",
		name: 'webhookNotice',
		type: 'notice',
		default: '',
		displayOptions: showFor('automatic'),
	},
	{
		displayName: `In the assessment service, set up a webhook with the 'Production URL' (see 'Webhook URLs' above), the event ${RESULT_READY}, and the 'Webhook Secret' of your credential. Then publish the workflow.`,
		name: 'manualNotice',
		type: 'notice',
		default: '',
		displayOptions: showFor('manual'),
	},
	{ ...eventsProperty, displayOptions: showFor('automatic') },
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
				// Who adds it wants it on.
				default: true,
				description:
					"Whether to add the call's headers to the output as requestHeaders, without the secret",
			},
			{
				displayName: 'Secret Header',
				name: SECRET_HEADER,
				type: 'string',
				default: '',
				placeholder: 'e.g. X-Webhook-Secret',
				description:
					'Name of the header that carries the secret. If empty, the secret can be in any header.',
			},
			{
				displayName: 'Webhook Name',
				name: 'webhookName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Results to n8n',
				displayOptions: showFor('automatic'),
				description:
					'Name of the webhook in the assessment service. Defaults to "n8n: " followed by the workflow name.',
			},
		],
	},
];

/** Each parameter is read when it's asked for. */
export function readParameters(context: IHookFunctions | IWebhookFunctions): NodeParameters {
	const read = parameterReader(triggerProperties);
	return read((path) => ({ value: context.getNodeParameter(path, null) }));
}

export function registrationOf(params: NodeParameters): Registration {
	return params.required('registration', oneOf('automatic', 'manual'));
}

/** The value, or undefined if the parameter is broken: a genuine call starts the workflow anyway. */
export function ifValid<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}
