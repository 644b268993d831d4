/**
 * The schemas of the five endpoints: the API checks requests against them, and /openapi.json is generated
 * from them. Nothing is coerced, and unknown fields are rejected. How far away a deadline may be is checked
 * in deadline.mts.
 */
import {
	allowedEvents,
	failures,
	minTextLength,
	nonBlankPattern,
	requiredInSkill,
	requiredInWorkExperience,
	resultReady,
	sampleJobId,
	secretPattern,
	webhookUrlPattern,
	type FailureCode,
} from './assumptions.mts';

const text = (description: string, maxLength?: number) => ({
	type: 'string',
	minLength: minTextLength,
	pattern: nonBlankPattern,
	$comment: 'must not be empty',
	...(maxLength === undefined ? {} : { maxLength }),
	description,
});

const uuid = {
	type: 'string',
	format: 'uuid',
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

const jobId = {
	...uuid,
	description: 'Identifier of the job in the service',
	examples: [sampleJobId],
};
const isAnonymous = {
	type: 'boolean',
	description: 'When true, email, first_name and last_name become optional',
};

const skill = {
	type: 'object',
	additionalProperties: false,
	required: requiredInSkill,
	properties: {
		name: { type: 'string', description: 'Name of the skill' },
		proficiency: { type: 'string', description: 'One value is known: novice' },
	},
};

const workExperience = {
	type: 'object',
	additionalProperties: false,
	required: requiredInWorkExperience,
	properties: {
		organization: { type: 'string', description: 'Employer name' },
		role: { type: 'string', description: 'Job role' },
		is_current: { type: 'boolean', description: 'Whether the position is current' },
		responsibilities_achievements: { type: 'string', description: 'Free text' },
		start_date: { ...date, description: 'Start of the position' },
		end_date: { ...date, description: 'End of the position' },
	},
};

// Responses

/** An object in a response: it has every field, and no other. */
const resource = (properties: Record<string, object>) => ({
	type: 'object',
	additionalProperties: false,
	required: Object.keys(properties),
	properties,
});

const nullable = (type: string, rest: object = {}) => ({ type: [type, 'null'], ...rest });
const timestamp = { type: 'string', format: 'date-time' };

const score = resource({
	score_format: { type: 'integer', description: 'Scale of the score', examples: [100] },
	score_type: { type: 'string', examples: ['role_fit', 'reasoning_numeric'] },
	score_value: { type: 'number', description: 'Score on the scale given by score_format' },
});

const invitation = {
	candidate_id: { type: 'string', description: 'Assigned by the service' },
	ext_reference_id: { type: 'string', maxLength: 50 },
	job_id: jobId,
	is_anonymous_candidate: isAnonymous,
	email: nullable('string', { maxLength: 255 }),
	first_name: nullable('string', { maxLength: 255 }),
	last_name: nullable('string', { maxLength: 255 }),
	status: { type: 'string', description: 'Values seen: invited, completed' },
	invitation_link: {
		type: 'string',
		format: 'uri',
		description: 'Link the candidate uses to take the assessment',
	},
	invitation_expired_at: { ...timestamp, description: 'Expiry of the invitation' },
	created_at: timestamp,
};

const candidate = {
	...invitation,
	report_pdf_link: nullable('string', { description: 'Link to the report as PDF' }),
	report_profile_link: nullable('string', { description: 'Link to the profile' }),
	scores: {
		type: 'array',
		items: score,
		description: 'score_type is role_fit or organizational_fit',
	},
	additional_scores: {
		type: 'array',
		items: score,
		description: 'score_type is reasoning_numeric, reasoning_verbal, or reasoning_logical',
	},
};

const event = { type: 'string', enum: allowedEvents };
const webhookStatus = { type: 'string', enum: ['active', 'inactive'] };

const webhook = {
	id: uuid,
	partner_id: { type: 'string', description: 'Identifier of the owning partner' },
	name: { type: 'string' },
	url: { type: 'string', format: 'uri' },
	events: { type: 'array', items: event },
	status: webhookStatus,
	is_deleted: { type: 'boolean', description: 'true once deleted' },
	created_at: timestamp,
	created_by: { type: 'integer', description: 'Identifier of the creator' },
};

/** The envelope of every success (specification, "What the service does"). */
const envelope = (data: Record<string, object>) => ({
	description: 'Success',
	...resource({
		data: resource(data),
		meta: { type: 'null', description: 'Always null' },
	}),
});

const errorSchema = (codes: FailureCode[]) =>
	resource({
		error: resource({
			code: { type: 'string', enum: codes },
			message: { type: 'string', examples: [failures[codes[0]].message] },
			details: {
				type: 'array',
				items: resource({
					field: { type: 'string', examples: ['skills.3.name'] },
					rule: { type: 'string', description: 'The rule that the field breaks' },
				}),
			},
		}),
	});

/** The responses to a failed request, by status. */
function failureResponses(...codes: FailureCode[]): Record<number, object> {
	const statuses = new Set(codes.map((code) => failures[code].status));
	return Object.fromEntries(
		[...statuses].map((status) => {
			const sameStatus = codes.filter((code) => failures[code].status === status);
			const messages = sameStatus.map((code) => failures[code].message).join(' ');
			return [status, { description: `Assumption: ${messages}`, ...errorSchema(sameStatus) }];
		}),
	);
}

const always: FailureCode[] = ['unauthorized', 'not_acceptable', 'unsupported', 'internal'];

// Endpoints

/** Specification, "1. Create a candidate invitation". */
export const createInvitation = {
	tags: ['Candidates'],
	operationId: 'createInvitation',
	summary: 'Create a candidate invitation',
	body: {
		type: 'object',
		additionalProperties: false,
		required: ['job_id', 'ext_reference_id', 'is_anonymous_candidate'],
		properties: {
			job_id: jobId,
			ext_reference_id: text("Partner's job application identifier", 50),
			is_anonymous_candidate: isAnonymous,
			email: text('Required unless is_anonymous_candidate is true', 255),
			first_name: text('Required unless is_anonymous_candidate is true', 255),
			last_name: text('Required unless is_anonymous_candidate is true', 255),
			deadline: {
				...utcDateTime,
				description:
					'Invitation deadline. Must be within 3 months of the current date; defaults to 3 months when omitted',
			},
			skills: { type: 'array', maxItems: 15, items: skill },
			work_experiences: { type: 'array', maxItems: 10, items: workExperience },
		},
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
	response: {
		200: envelope(invitation),
		...failureResponses('malformed', 'invalid', 'too_large', ...always),
	},
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
			invitation_code: {
				type: 'string',
				description: 'In the mock service, the last path segment of the invitation link',
			},
		},
	},
	response: {
		200: envelope(candidate),
		...failureResponses('candidate_not_found', ...always),
	},
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
		type: 'object',
		additionalProperties: false,
		required: ['name', 'url', 'events'],
		properties: {
			name: text('Webhook name'),
			url: {
				type: 'string',
				format: 'uri',
				pattern: webhookUrlPattern,
				$comment: 'must be an http or https URL',
				description: 'Target of the webhook calls',
			},
			events: {
				type: 'array',
				items: event,
				description: 'Events that trigger the webhook',
			},
			secret: {
				type: 'string',
				pattern: secretPattern,
				$comment: 'must be a valid header value',
				writeOnly: true,
				description: 'Secret placed in the webhook headers so that receivers can verify calls',
			},
		},
		examples: [
			{
				name: 'Results',
				url: 'https://n8n.example.com/webhook/results',
				events: [resultReady],
				secret: 'a secret of at least 16 characters',
			},
		],
	},
	response: {
		200: envelope(webhook),
		...failureResponses('malformed', 'invalid', 'webhook_not_found', 'too_large', ...always),
	},
};

/** Specification, "4. Update a webhook's status". */
export const setWebhookStatus = {
	tags: ['Webhooks'],
	operationId: 'setWebhookStatus',
	summary: "Update a webhook's status",
	params: webhookParams,
	body: {
		type: 'object',
		additionalProperties: false,
		required: ['status'],
		properties: { status: webhookStatus },
		examples: [{ status: 'active' }],
	},
	response: {
		200: envelope(webhook),
		...failureResponses('malformed', 'invalid', 'webhook_not_found', ...always),
	},
};

/** Specification, "5. Delete a webhook". */
export const deleteWebhook = {
	tags: ['Webhooks'],
	operationId: 'deleteWebhook',
	summary: 'Delete a webhook',
	description: 'Returns the deleted webhook, with is_deleted true and its status unchanged.',
	params: webhookParams,
	response: {
		200: envelope(webhook),
		...failureResponses('invalid', 'webhook_not_found', ...always),
	},
};
