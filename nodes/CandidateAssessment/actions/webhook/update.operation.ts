import { field, notice } from '../../parameters/field';
import { fail, string, url, type Rule } from '../../parameters/rules';
import {
	eventNames,
	eventsProperty,
	updateWebhook,
	readWebhookId,
	webhookOperation,
	withoutSecret,
} from './webhooks';

const headerSecret: Rule<string> = (value) => {
	const secret = string()(value);
	if (/^[\x20-\x7e]+$/.test(secret)) return secret;
	return fail(
		'can contain only letters without accents, digits, spaces and common symbols, because the service sends it in a header',
	);
};

/** Specification, "3. Update a webhook". */
export const update = webhookOperation({
	name: 'Update',
	value: 'update',
	action: 'Update webhook',
	description: 'Replace the name, URL, events and secret of a webhook',
	properties: [
		field('Name', 'name', {
			required: true,
			placeholder: 'e.g. Results to n8n',
			description: 'What the webhook is called in the assessment service',
		}),
		field('URL', 'url', {
			required: true,
			placeholder: 'e.g. https://hr.example.com/assessment-results',
			description: 'The address that the service sends its events to',
		}),
		eventsProperty,
		notice(
			'replaceNotice',
			"Updating replaces all these values. If you change the URL or the secret, or leave 'Secret' empty, a trigger that uses this webhook stops getting results. To reconnect it, unpublish and publish its workflow.",
		),
		field('Secret', 'secret', {
			typeOptions: { password: true },
			description:
				'Secret that the service sends in a header of each call, so that you can verify its calls',
		}),
	],
	request: (params) =>
		updateWebhook(readWebhookId(params), {
			name: params.required('name', string()),
			url: params.required('url', url),
			events: params.required('events', eventNames),
			secret: params.optional('secret', headerSecret),
		}),
	output: (params) => async (data) => ({
		json: withoutSecret(data, params.optional('secret', headerSecret)),
	}),
});
