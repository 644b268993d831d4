/**
 * The schema of each request. Nothing is coerced, and unknown fields are rejected. How far away the deadline
 * is gets checked in deadline.mts.
 */
import {
	allowedEvents,
	requiredInSkill,
	requiredInWorkExperience,
	secretPattern,
	minTextLength,
	webhookUrlPattern,
} from './assumptions.mts';

const text = (maxLength?: number) => ({
	type: 'string',
	minLength: minTextLength,
	...(maxLength === undefined ? {} : { maxLength }),
});

const uuid = {
	type: 'string',
	pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
	$comment: 'must be a UUID',
};

const date = { type: 'string', format: 'date' };

const utcDateTime = {
	type: 'string',
	format: 'date-time',
	pattern: '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+(Z|\\+00:00)$',
	$comment: 'must be a UTC date-time (ISO 8601)',
};

const skill = {
	type: 'object',
	additionalProperties: false,
	required: requiredInSkill,
	properties: { name: { type: 'string' }, proficiency: { type: 'string' } },
};

const workExperience = {
	type: 'object',
	additionalProperties: false,
	required: requiredInWorkExperience,
	properties: {
		organization: { type: 'string' },
		role: { type: 'string' },
		is_current: { type: 'boolean' },
		responsibilities_achievements: { type: 'string' },
		start_date: date,
		end_date: date,
	},
};

/** Specification, "1. Create a candidate invitation". */
export const createInvitation = {
	body: {
		type: 'object',
		additionalProperties: false,
		required: ['job_id', 'ext_reference_id', 'is_anonymous_candidate'],
		properties: {
			job_id: uuid,
			ext_reference_id: text(50),
			is_anonymous_candidate: { type: 'boolean' },
			email: text(255),
			first_name: text(255),
			last_name: text(255),
			deadline: utcDateTime,
			skills: { type: 'array', maxItems: 15, items: skill },
			work_experiences: { type: 'array', maxItems: 10, items: workExperience },
		},
		if: { properties: { is_anonymous_candidate: { const: false } } },
		then: { required: ['email', 'first_name', 'last_name'] },
	},
};

/** The path parameter of endpoints 3 to 5. */
const webhookId = { type: 'object', properties: { webhook_id: uuid } };

/** Specification, "3. Update a webhook". */
export const updateWebhook = {
	params: webhookId,
	body: {
		type: 'object',
		additionalProperties: false,
		required: ['name', 'url', 'events'],
		properties: {
			name: text(),
			url: {
				type: 'string',
				format: 'uri',
				pattern: webhookUrlPattern,
				$comment: 'must be an http or https URL',
			},
			events: { type: 'array', items: { type: 'string', enum: allowedEvents } },
			secret: {
				type: 'string',
				pattern: secretPattern,
				$comment: 'must be a valid header value',
			},
		},
	},
};

/** Specification, "4. Update a webhook's status". */
export const setWebhookStatus = {
	params: webhookId,
	body: {
		type: 'object',
		additionalProperties: false,
		required: ['status'],
		properties: { status: { type: 'string', enum: ['active', 'inactive'] } },
	},
};

/** Specification, "5. Delete a webhook". */
export const deleteWebhook = { params: webhookId };
