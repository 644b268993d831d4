/** The responses of the endpoints, for /openapi.json. They don't change what is sent. */
import { allowedEvents, failures, type FailureCode } from './assumptions.mts';

/** An object that has every field, and no other. */
const resource = (properties: Record<string, object>) => ({
	type: 'object',
	additionalProperties: false,
	required: Object.keys(properties),
	properties,
});

const string = (description: string, rest: object = {}) => ({
	type: 'string',
	description,
	...rest,
});
const orNull = (rest: object) => ({ type: ['string', 'null'], ...rest });
const timestamp = { type: 'string', format: 'date-time' };
const uuid = { type: 'string', format: 'uuid' };

const scores = (description: string) => ({
	type: 'array',
	description,
	items: resource({
		score_format: { type: 'integer', description: 'Scale of the score', examples: [100] },
		score_type: { type: 'string', examples: ['role_fit', 'reasoning_numeric'] },
		score_value: { type: 'number', description: 'Score on the scale given by score_format' },
	}),
});

export const invitation = {
	candidate_id: string('Assigned by the service'),
	ext_reference_id: { type: 'string', maxLength: 50 },
	job_id: uuid,
	is_anonymous_candidate: { type: 'boolean' },
	email: orNull({ maxLength: 255 }),
	first_name: orNull({ maxLength: 255 }),
	last_name: orNull({ maxLength: 255 }),
	status: string('Values seen: invited, completed'),
	invitation_link: string('Link the candidate uses to take the assessment', { format: 'uri' }),
	invitation_expired_at: { ...timestamp, description: 'Expiry of the invitation' },
	created_at: timestamp,
};

export const candidate = {
	...invitation,
	report_pdf_link: orNull({ description: 'Link to the report as PDF' }),
	report_profile_link: orNull({ description: 'Link to the profile' }),
	scores: scores('score_type is role_fit or organizational_fit'),
	additional_scores: scores(
		'score_type is reasoning_numeric, reasoning_verbal, or reasoning_logical',
	),
};

export const webhook = {
	id: uuid,
	partner_id: string('Identifier of the owning partner'),
	name: { type: 'string' },
	url: { type: 'string', format: 'uri' },
	events: { type: 'array', items: { type: 'string', enum: allowedEvents } },
	status: { type: 'string', enum: ['active', 'inactive'] },
	is_deleted: { type: 'boolean', description: 'true once deleted' },
	created_at: timestamp,
	created_by: { type: 'integer', description: 'Identifier of the creator' },
};

/** The responses of an endpoint, by status: the envelope of success, and the failures that it can have. */
export function responses(data: Record<string, object>, ...codes: FailureCode[]) {
	const success = resource({
		data: resource(data),
		meta: { type: 'null', description: 'Always null' },
	});
	const all = [...codes, 'unauthorized', 'not_acceptable', 'unsupported', 'internal'] as const;
	const withStatus = (status: number) => all.filter((code) => failures[code].status === status);
	return {
		200: { description: 'Success', ...success },
		...Object.fromEntries(
			all.map((code) => [failures[code].status, failure(withStatus(failures[code].status))]),
		),
	};
}

function failure(codes: readonly FailureCode[]) {
	const messages = codes.map((code) => failures[code].message);
	const detail = resource({
		field: { type: 'string', examples: ['skills.3.name'] },
		rule: string('The rule that the field breaks'),
	});
	const error = resource({
		code: { type: 'string', enum: codes },
		message: { type: 'string', examples: messages.slice(0, 1) },
		details: { type: 'array', items: detail },
	});
	return { description: `Assumption: ${messages.join(' ')}`, ...resource({ error }) };
}
