import type {
	FastifyError,
	FastifyInstance,
	FastifyRequest,
	FastifySchemaValidationError,
} from 'fastify';
import { toCreateResponse, newInvitation, toRetrieveResponse } from './candidates.mts';
import {
	errorBody,
	failures,
	isGone,
	requiredMediaType,
	secretAfterUpdate,
	type ErrorDetail,
	type FailureCode,
} from './assumptions.mts';
import { deadlineError } from './deadline.mts';
import type { Faults } from './faults.mts';
import type { Recorder } from './recorder.mts';
import * as schemas from './schemas.mts';
import type { Store } from './store.mts';
import type {
	InvitationRequest,
	RouteName,
	StoredWebhook,
	Webhook,
	WebhookRequest,
	WebhookStatus,
} from './types.mts';

/** What the endpoints work with. */
export interface ApiContext {
	store: Store;
	recorder: Recorder;
	faults: Faults;
	accessToken: string;
	now: () => Date;
	/** The base of every link, known once the service listens. */
	base: () => string;
}

/** A request that failed, and why. */
class ApiError extends Error {
	readonly code: FailureCode;
	readonly details: ErrorDetail[];

	constructor(code: FailureCode, details: ErrorDetail[] = []) {
		super(failures[code].message);
		this.code = code;
		this.details = details;
	}
}

/**
 * The five endpoints (specification, "Endpoints"), as a Fastify plugin to register under /partner.
 * Each request is recorded, meets any injected fault, and is then checked: token, headers, body, rules.
 */
export function api(context: ApiContext) {
	const { store, recorder, faults, accessToken, now, base } = context;

	return async (app: FastifyInstance) => {
		allowEmptyJson(app);
		// The response schemas document the API. What is sent does not depend on them.
		app.setSerializerCompiler(() => (data) => JSON.stringify(data));
		recorder.recordRequests(app);
		faults.attach(app);
		recorder.recordResponses(app);
		app.addHook('preValidation', (request, _reply, done) => {
			done(checkHeaders(request, accessToken));
		});
		app.setErrorHandler(async (error: FastifyError | ApiError, _request, reply) => {
			const { code, details } = toApiError(error);
			return await reply.code(failures[code].status).send(errorBody(code, details));
		});
		app.setNotFoundHandler(() => {
			throw new ApiError('not_found');
		});

		app.post<{ Body: InvitationRequest }>(
			'/v1.0/standard/candidates',
			endpoint('createInvitation', schemas.createInvitation),
			async (request) => {
				const at = now();
				const { deadline } = request.body;
				const rule = deadline === undefined ? undefined : deadlineError(deadline, at);
				if (rule) throw new ApiError('invalid', [{ field: 'deadline', rule }]);

				const invitation = newInvitation(request.body, at);
				store.invitations.set(invitation.invitation_code, invitation);
				store.changed();
				return success(request, toCreateResponse(invitation, base()));
			},
		);

		app.get<{ Params: { invitation_code: string } }>(
			'/v1.0/standard/candidates/invitation/:invitation_code',
			endpoint('getCandidate', schemas.getCandidate),
			async (request) => {
				const invitation = store.invitations.get(request.params.invitation_code);
				if (!invitation) throw new ApiError('candidate_not_found');
				return success(request, toRetrieveResponse(invitation, base()));
			},
		);

		app.put<{ Params: WebhookParams; Body: WebhookRequest }>(
			'/v1.0/webhooks/:webhook_id',
			endpoint('updateWebhook', schemas.updateWebhook),
			async (request) => {
				const { name, url, events, secret } = request.body;
				return success(
					request,
					changeWebhook(request.params, (webhook) => {
						Object.assign(webhook, { name, url, events });
						webhook.secret = secretAfterUpdate(webhook.secret, secret);
					}),
				);
			},
		);

		app.put<{ Params: WebhookParams; Body: { status: WebhookStatus } }>(
			'/v1.0/webhooks/:webhook_id/status',
			endpoint('setWebhookStatus', schemas.setWebhookStatus),
			async (request) =>
				success(
					request,
					changeWebhook(request.params, (webhook) => {
						webhook.status = request.body.status;
					}),
				),
		);

		app.delete<{ Params: WebhookParams }>(
			'/v1.0/webhooks/:webhook_id',
			endpoint('deleteWebhook', schemas.deleteWebhook),
			async (request) =>
				success(
					request,
					changeWebhook(request.params, (webhook) => {
						webhook.is_deleted = true;
					}),
				),
		);
	};

	/** The envelope of every success (specification, "What the service does"). */
	function success<T>(request: FastifyRequest, data: T): { data: T; meta: null } {
		recorder.processed(request.record);
		return { data, meta: null };
	}

	/** Changes the webhook named in the path and returns it as the API shows it, without its secret. */
	function changeWebhook(
		{ webhook_id }: WebhookParams,
		change: (webhook: StoredWebhook) => void,
	): Webhook {
		const webhook = store.webhooks.get(webhook_id.toLowerCase());
		if (!webhook || isGone(webhook)) throw new ApiError('webhook_not_found');
		change(webhook);
		store.changed();
		const { secret: _writeOnly, ...visible } = webhook;
		return visible;
	}
}

interface WebhookParams {
	webhook_id: string;
}

const endpoint = (name: RouteName, schema: object) => ({
	config: { endpoint: name },
	schema,
});

/** The specification requires Content-Type on GET and DELETE too, where the body is empty. */
function allowEmptyJson(app: FastifyInstance) {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(requiredMediaType, { parseAs: 'string' }, (request, body, done) => {
		if (body === '') return done(null, undefined);
		try {
			return done(null, JSON.parse(body as string));
		} catch {
			request.record.body = body;
			return done(new ApiError('malformed'));
		}
	});
}

/** The headers that the specification requires under "Endpoints" and "Authentication". */
function checkHeaders({ headers }: FastifyRequest, accessToken: string): ApiError | undefined {
	const acceptsJson = (header?: string) =>
		header?.toLowerCase().includes(requiredMediaType) ?? false;
	if (headers.authorization !== `Bearer ${accessToken}`) return new ApiError('unauthorized');
	if (!acceptsJson(headers.accept)) return new ApiError('not_acceptable');
	if (!acceptsJson(headers['content-type'])) return new ApiError('unsupported');
	return undefined;
}

/** Maps any error to one of the failures in assumptions.mts. */
function toApiError(error: FastifyError | ApiError): ApiError {
	if (error instanceof ApiError) return error;
	if (error.validation) return new ApiError('invalid', toDetails(error.validation));
	if (error.statusCode === 413) return new ApiError('too_large');
	if (error.statusCode === 415) return new ApiError('unsupported');
	if (error.statusCode !== undefined && error.statusCode < 500) return new ApiError('malformed');
	return new ApiError('internal');
}

/** One issue from the validator; parentSchema is there because the validator is set to verbose. */
type ValidationIssue = FastifySchemaValidationError & {
	params: { missingProperty?: string; additionalProperty?: string; limit?: number };
	parentSchema?: { $comment?: string; enum?: string[] };
};

/** The broken rules in words, each once, without the values that broke them. */
function toDetails(errors: ValidationIssue[]): ErrorDetail[] {
	const details = new Map<string, ErrorDetail>();
	for (const error of errors) {
		if (error.keyword === 'if') continue;
		const field = fieldOf(error);
		const rule = ruleOf(error);
		details.set(`${field} ${rule}`, { field, rule });
	}
	return [...details.values()];
}

/** The field's path in the body, such as skills.3.name, or "body" for the body as a whole. */
function fieldOf({ instancePath, params }: ValidationIssue): string {
	const child = params.missingProperty ?? params.additionalProperty;
	const path = instancePath.split('/').slice(1);
	return [...path, ...(child === undefined ? [] : [child])].join('.') || 'body';
}

function ruleOf({ keyword, params, parentSchema, message = '' }: ValidationIssue): string {
	switch (keyword) {
		case 'required':
			return 'is required';
		case 'additionalProperties':
			return 'is not a field of this request';
		case 'minLength':
			return 'must not be empty';
		case 'maxLength':
			return `must have at most ${params.limit} characters`;
		case 'maxItems':
			return `must have at most ${params.limit} items`;
		case 'enum':
			return `must be one of: ${parentSchema?.enum?.join(', ')}`;
		case 'pattern':
		case 'format':
			return parentSchema?.$comment ?? message;
		default:
			return message;
	}
}
