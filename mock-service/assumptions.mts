/**
 * What the specification leaves open ("not shown"), and what this stand-in chose. The real service may
 * differ in every one of these, so nothing that is built against it should rest on them.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Delivery, Invitation, Score, StoredWebhook } from './types.mts';

// Errors ("Errors": statuses and the shape of the body are not shown)

/** One rule that a request broke: the field's path in the body, and the rule in words. */
export interface ErrorDetail {
	field: string;
	rule: string;
}

/** Every failure: its status, its code and its message. */
export const failures = {
	malformed: { status: 400, message: 'The body is not valid JSON.' },
	invalid: { status: 400, message: 'The request breaks a rule. See details.' },
	unauthorized: { status: 401, message: 'The access token is missing or not valid.' },
	candidate_not_found: { status: 404, message: 'There is no candidate for this invitation code.' },
	webhook_not_found: { status: 404, message: 'There is no webhook with this ID.' },
	not_found: { status: 404, message: 'There is nothing at this address.' },
	not_acceptable: { status: 406, message: 'The header Accept must name application/json.' },
	too_large: { status: 413, message: 'The body is larger than this service takes.' },
	unsupported: { status: 415, message: 'The header Content-Type must be application/json.' },
	internal: { status: 500, message: 'Something went wrong in the service.' },
	ordered: { status: 500, message: 'This fault was ordered.' },
} as const;

export type FailureCode = keyof typeof failures;

/** The body of an error. It never repeats a value from the request. */
export function errorBody(code: FailureCode, details: ErrorDetail[] = []) {
	return { error: { code, message: failures[code].message, details } };
}

// Rules where the specification names a field but no rule

/** An empty string in a text field of an invitation or a webhook's name counts as missing. */
export const shortestText = 1;

/** No child of a skill is required, nor of a work experience, and their texts have no bound. */
export const requiredInSkill: string[] = [];
export const requiredInWorkExperience: string[] = [];

/** A webhook's URL is http or https: a demo runs on one machine, without certificates. */
export const webhookUrlPattern = '^https?://';

/** A secret must be able to stand in a header: visible ASCII characters and spaces within. */
export const secretPattern = '^([!-~]([ -~]*[!-~])?)?$';

/** An update without a secret keeps the one before; an empty one removes it. */
export function secretAfterUpdate(before: string | null, sent: string | undefined): string | null {
	return sent === undefined ? before : sent || null;
}

/** The events a webhook may subscribe to: the one that is known. No wildcard. */
export const resultReady = 'candidate_application_result_ready';
export const allowedEvents: string[] = [resultReady];

/** A deleted webhook is gone for every later call: 404, also for a second DELETE. */
export const isGone = (webhook: StoredWebhook) => webhook.is_deleted;

/** The headers that the specification requires are required, on GET and DELETE too: 406 and 415. */
export const requiredMediaType = 'application/json';

// Invitations (the same ext_reference_id may be sent again: each request makes a new invitation)

/** Identifiers: a code that fits into a path as it is, and a candidate ID. */
export const newInvitationCode = () => randomBytes(12).toString('hex');
export const newCandidateId = () => `cand_${randomBytes(8).toString('hex')}`;

/** The code is the last path segment of the invitation link. */
export const invitationLink = (base: string, code: string) => `${base}/invitations/${code}`;
export const reportPdfLink = (base: string, code: string) => `${base}/reports/${code}.pdf`;
export const reportProfileLink = (base: string, code: string) => `${base}/profiles/${code}`;

/** A personal detail that an anonymous candidate did not give is null in the answer. */
export const detailNotGiven = null;

/** Before the assessment is finished, the report links are null and both lists of scores empty. */
export const linkBeforeResult = null;
export const scoresBeforeResult: Score[] = [];

const scoreTypes = ['role_fit', 'organizational_fit'];
const additionalScoreTypes = ['reasoning_numeric', 'reasoning_verbal', 'reasoning_logical'];

/** Scores from 40 to 99 that follow from the invitation code: the same code, the same scores. */
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

/** A new webhook, before anybody has updated it: inactive, with a URL that leads nowhere. */
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

/** What is delivered: enough to fetch the result, and no personal detail. */
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

/** The header that carries the secret, as it is. Without a secret there is no such header. */
export const secretHeader = 'X-Webhook-Secret';

/** How long a receiver may take. */
export const deliveryTimeoutMs = 10_000;

/** A delivery is tried once, and a redirect is not followed. It can be sent again by hand. */
export const deliveryRedirect = 'manual';

/** Delivered means: answered with a status from 200 to 299. */
export const isDelivered = ({ status }: Pick<Delivery, 'status'>) =>
	status !== null && status >= 200 && status < 300;
