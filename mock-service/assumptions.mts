/**
 * Everything the specification leaves open ("not shown"), and what this mock service assumes. The real service
 * may differ in every one of these, so nothing built against it should rely on them.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Delivery, Invitation, Score, StoredWebhook } from './types.mts';

// Errors ("Errors": statuses and the shape of the body are not shown)

/** One rule that a request broke: the path of the field in the body, and the rule in words. */
export interface ErrorDetail {
	field: string;
	rule: string;
}

/** Every failure by its code, with its status and message. */
export const failures = {
	malformed: { status: 400, message: 'The body is not valid JSON.' },
	invalid: { status: 400, message: 'The request breaks a rule. See details.' },
	unauthorized: { status: 401, message: 'The access token is missing or invalid.' },
	job_not_found: { status: 404, message: 'No job has this ID. A webhook has it.' },
	candidate_not_found: { status: 404, message: 'No candidate has this invitation code.' },
	webhook_not_found: { status: 404, message: 'No webhook has this ID.' },
	not_found: { status: 404, message: 'No endpoint exists at this address.' },
	not_acceptable: { status: 406, message: 'The Accept header must include application/json.' },
	too_large: { status: 413, message: 'The body is larger than this service accepts.' },
	unsupported: { status: 415, message: 'The Content-Type header must be application/json.' },
	internal: { status: 500, message: 'Something went wrong in the service.' },
	injected: { status: 500, message: 'This fault was injected.' },
} as const;

export type FailureCode = keyof typeof failures;

/** The body of an error. It never repeats a value of the request. */
export function errorBody(code: FailureCode, details: ErrorDetail[] = []) {
	return { error: { code, message: failures[code].message, details } };
}

// Rules where the specification names a field but no rule

/** A text field of an invitation, or a webhook's name, that is empty or blank counts as missing. */
export const minTextLength = 1;
export const nonBlankPattern = '\\S';

/** Any UUID is the ID of a job that exists, except a webhook's: the two are easily mixed up. One serves as a sample. */
export const isJob = (id: string, webhooks: ReadonlyMap<string, StoredWebhook>) =>
	!webhooks.has(id.toLowerCase());
export const sampleJobId = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

/**
 * "Within 3 months of the current date": the last day counts in full, wherever on Earth the partner is. The
 * current date is the latest one anywhere (UTC+14), and the last day ends where it ends last (UTC-12).
 */
export const latestDateOffsetHours = 14;
export const latestEndOfDayOffsetHours = -12;

/** No child of a skill or a work experience is required, and their texts can have any length. */
export const requiredInSkill: string[] = [];
export const requiredInWorkExperience: string[] = [];

/** A webhook's URL can be http: a demo runs on one machine, without certificates. Non-ASCII is allowed. */
export const webhookUrlPattern =
	'^[hH][tT][tT][pP][sS]?://[^\\s/?#"<>\\\\^`{|}][^\\s"<>\\\\^`{|}]*$';
export const isUrl = (text: string) => URL.canParse(text);

/** A secret must be a valid header value: visible ASCII characters, with spaces only in between. */
export const secretPattern = '^([!-~]([ -~]*[!-~])?)?$';

/** An update always replaces the secret: without one, or with an empty one, the webhook has none. */
export const secretAfterUpdate = (sent?: string): string | null => sent || null;

/** The events a webhook can subscribe to: the only known one, and no wildcard. */
export const resultReady = 'candidate_application_result_ready';
export const allowedEvents: string[] = [resultReady];

/** Every request for a deleted webhook gets 404, even a second DELETE. */
export const isGone = (webhook: StoredWebhook) => webhook.is_deleted;

/** The headers in the specification are enforced, even on GET and DELETE: 406 and 415. */
export const requiredMediaType = 'application/json';

// Invitations (the same ext_reference_id can be sent again: every request creates a new invitation)

/** Identifiers: an invitation code that needs no encoding in a path, and a candidate ID. */
export const newInvitationCode = () => randomBytes(12).toString('hex');
export const newCandidateId = () => `cand_${randomBytes(8).toString('hex')}`;

/** The code is the last path segment of the invitation link. */
export const invitationLink = (base: string, code: string) => `${base}/invitations/${code}`;
export const reportPdfLink = (base: string, code: string) => `${base}/reports/${code}.pdf`;
export const reportProfileLink = (base: string, code: string) => `${base}/profiles/${code}`;

/** A personal detail that was omitted for an anonymous candidate is null in the response. */
export const omittedDetail = null;

/** Until the assessment is finished, the report links are null and both lists of scores are empty. */
export const pendingLink = null;
export const pendingScores: Score[] = [];

const scoreTypes = ['role_fit', 'organizational_fit'];
const additionalScoreTypes = ['reasoning_numeric', 'reasoning_verbal', 'reasoning_logical'];

/** Scores from 40 to 99, derived from the invitation code: the same code has the same scores. */
export function makeScores(code: string): Pick<Invitation, 'scores' | 'additional_scores'> {
	const score = (type: string): Score => ({
		score_format: 100,
		score_type: type,
		score_value: 40 + (createHash('sha256').update(`${code}:${type}`).digest().readUInt16BE() % 60),
	});
	return {
		scores: scoreTypes.map(score),
		additional_scores: additionalScoreTypes.map(score),
	};
}

// Webhooks and deliveries

/** A new webhook before its first update: inactive, with a URL that leads nowhere. */
export function newWebhook(at: Date, partial: Partial<StoredWebhook> = {}): StoredWebhook {
	return {
		id: randomUUID(),
		partner_id: 'partner_demo',
		name: 'Not registered yet',
		url: 'https://example.com/not-registered-yet',
		events: [resultReady],
		status: 'inactive',
		is_deleted: false,
		created_at: at.toISOString(),
		created_by: 1,
		secret: null,
		...partial,
	};
}

/** The payload of a delivery: enough to fetch the result, and no personal details. */
export function deliveryPayload(event: string, invitation: Invitation, at: Date) {
	return {
		event,
		candidate_id: invitation.candidate_id,
		ext_reference_id: invitation.ext_reference_id,
		job_id: invitation.job_id,
		invitation_code: invitation.invitation_code,
		status: invitation.status,
		occurred_at: at.toISOString(),
	};
}

/** The header that carries the secret, verbatim. Without a secret the header is not sent. */
export const secretHeader = 'X-Webhook-Secret';

/** How long a receiver has to respond. */
export const deliveryTimeoutMs = 10_000;

/** A delivery is attempted once, and a redirect is not followed. It can be redelivered by hand. */
export const deliveryRedirect = 'manual';

/** Delivered means that the receiver responded with a status from 200 to 299. */
export const isDelivered = ({ status }: Pick<Delivery, 'status'>) =>
	status !== null && status >= 200 && status < 300;
