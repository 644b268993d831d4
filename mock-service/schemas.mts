/**
 * The schemas of the endpoints: the API checks requests against them, and /openapi.json is generated
 * from them. Nothing is coerced, and unknown fields are rejected. How far away a deadline may be is checked
 * in deadline.mts.
 */
import {
	allowedEvents,
	minTextLength,
	nonBlankPattern,
	requiredInSkill,
	requiredInWorkExperience,
	resultReady,
	sampleJobId,
	secretPattern,
	webhookUrlPattern,
} from './assumptions.mts';
import { candidate, invitation, responses, webhook } from './responseSchemas.mts';

const object = (required: string[], properties: Record<string, object>) => ({
	type: 'object',
	additionalProperties: false,
	required,
	properties,
});

const string = (description: string) => ({ type: 'string', description });
const date = (description: string) => ({ ...string(description), format: 'date' });

const text = (description: string, maxLength?: number) => ({
	...string(description),
	minLength: minTextLength,
	pattern: nonBlankPattern,
	$comment: 'must not be empty',
	...(maxLength !== undefined && { maxLength }),
});

const uuid = {
	type: 'string',
	format: 'uuid',
	pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
	$comment: 'must be a UUID',
};

const skill = object(requiredInSkill, {
	name: string('Name of the skill'),
	proficiency: string('One value is known: novice'),
});

const workExperience = object(requiredInWorkExperience, {
	organization: string('Employer name'),
	role: string('Job role'),
	is_current: { type: 'boolean', description: 'Whether the position is current' },
	responsibilities_achievements: string('Free text'),
	start_date: date('Start of the position'),
	end_date: date('End of the position'),
});

/** Specification, "1. Create a candidate invitation". */
export const createInvitation = {
	tags: ['Candidates'],
	operationId: 'createInvitation',
	summary: 'Create a candidate invitation',
	body: {
		...object(['job_id', 'ext_reference_id', 'is_anonymous_candidate'], {
			job_id: { ...uuid, description: 'Identifier of the job in the service' },
			ext_reference_id: text("Partner's job application identifier", 50),
			is_anonymous_candidate: {
				type: 'boolean',
				description: 'When true, email, first_name and last_name become optional',
			},
			email: text('Required unless is_anonymous_candidate is true', 255),
			first_name: text('Required unless is_anonymous_candidate is true', 255),
			last_name: text('Required unless is_anonymous_candidate is true', 255),
			deadline: {
				...string(
					'Invitation deadline. Must be within 3 months of the current date; defaults to 3 months when omitted',
				),
				format: 'date-time',
				pattern: '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+(Z|\\+00:00)$',
				$comment: 'must be a UTC date-time (ISO 8601)',
			},
			skills: { type: 'array', maxItems: 15, items: skill },
			work_experiences: { type: 'array', maxItems: 10, items: workExperience },
		}),
		if: { properties: { is_anonymous_candidate: { const: false } } },
		then: { required: ['email', 'first_name', 'last_name'] },
		examples: [
			{
				job_id: sampleJobId,
				ext_reference_id: 'application-1',
				is_anonymous_candidate: false,
				email: 'nathan@example.com',
				first_name: 'Nathan',
				last_name: 'Smith',
			},
		],
	},
	response: responses(invitation, 'malformed', 'invalid', 'job_not_found', 'too_large'),
};

/** Specification, "2. Retrieve a candidate by invitation code". */
export const getCandidate = {
	tags: ['Candidates'],
	operationId: 'getCandidate',
	summary: 'Retrieve a candidate by invitation code',
	params: {
		type: 'object',
		required: ['invitation_code'],
		properties: {
			invitation_code: string('In the mock service, the last path segment of the invitation link'),
		},
	},
	response: responses(candidate, 'candidate_not_found'),
};

/** The path parameter of endpoints 3 to 5. */
const webhookParams = {
	type: 'object',
	required: ['webhook_id'],
	properties: { webhook_id: uuid },
};

/** Specification, "3. Update a webhook". */
export const updateWebhook = {
	tags: ['Webhooks'],
	operationId: 'updateWebhook',
	summary: 'Update a webhook',
	params: webhookParams,
	body: {
		...object(['name', 'url', 'events'], {
			name: text('Webhook name'),
			url: {
				...string('Target of the webhook calls'),
				format: 'uri',
				pattern: webhookUrlPattern,
				$comment: 'must be an http or https URL',
			},
			events: {
				type: 'array',
				items: { type: 'string', enum: allowedEvents },
				description: 'Events that trigger the webhook',
			},
			secret: {
				...string('Secret placed in the webhook headers so that receivers can verify calls'),
				pattern: secretPattern,
				$comment: 'must be a valid header value',
				writeOnly: true,
			},
		}),
		examples: [
			{
				name: 'Results',
				url: 'https://n8n.example.com/webhook/results',
				events: [resultReady],
				secret: 'a secret of at least 16 characters',
			},
		],
	},
	response: responses(webhook, 'malformed', 'invalid', 'webhook_not_found', 'too_large'),
};

/** Specification, "4. Update a webhook's status". */
export const setWebhookStatus = {
	tags: ['Webhooks'],
	operationId: 'setWebhookStatus',
	summary: "Update a webhook's status",
	params: webhookParams,
	body: {
		...object(['status'], { status: { type: 'string', enum: ['active', 'inactive'] } }),
		examples: [{ status: 'active' }],
	},
	response: responses(webhook, 'malformed', 'invalid', 'webhook_not_found'),
};

/** Specification, "5. Delete a webhook". */
export const deleteWebhook = {
	tags: ['Webhooks'],
	operationId: 'deleteWebhook',
	summary: 'Delete a webhook',
	description: 'Returns the deleted webhook, with is_deleted true and its status unchanged.',
	params: webhookParams,
	response: responses(webhook, 'invalid', 'webhook_not_found'),
};
