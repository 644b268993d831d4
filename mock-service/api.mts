import type {
	FastifyError,
	FastifyInstance,
	FastifyRequest,
	FastifySchemaValidationError,
} from 'fastify';
import { createdData, newInvitation, retrievedData } from './candidates.mts';
import {
	errorBody,
	failures,
	isGone,
	requiredMediaType,
	secretAfterUpdate,
	type ErrorDetail,
	type FailureCode,
} from './assumptions.mts';
import { brokenDeadlineRule } from './deadline.mts';
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
	/** The address that links begin with, known once the service listens. */
	base: () => string;
}

/** A request that fails, and why. */
class Refusal extends Error {
	readonly code: FailureCode;
	readonly details: ErrorDetail[];

	constructor(code: FailureCode, details: ErrorDetail[] = []) {
		super(failures[code].message);
		this.code = code;
		this.details = details;
	}
}

/**
 * The five endpoints (specification, "Endpoints"), as a Fastify plugin to be registered under /partner.
 * On its way a request is recorded, meets an ordered fault, and is checked: token, headers, body, rules.
 */
export function api(context: ApiContext) {
	const { store, recorder, faults, accessToken, now, base } = context;

	return async (app: FastifyInstance) => {
		acceptEmptyJson(app);
		recorder.attach(app);
		faults.attach(app);
		app.addHook('preValidation', (request, _reply, done) => {
			done(refusalOfHeaders(request, accessToken));
		});
		app.setErrorHandler(async (error: FastifyError | Refusal, _request, reply) => {
			const { code, details } = asRefusal(error);
			return await reply.code(failures[code].status).send(errorBody(code, details));
		});
		app.setNotFoundHandler(() => {
			throw new Refusal('not_found');
		});

		app.post<{ Body: InvitationRequest }>(
			'/v1.0/standard/candidates',
			endpoint('createInvitation', schemas.createInvitation),
			async (request) => {
				const at = now();
				const { deadline } = request.body;
				const rule = deadline === undefined ? undefined : brokenDeadlineRule(deadline, at);
				if (rule) throw new Refusal('invalid', [{ field: 'deadline', rule }]);

				const invitation = newInvitation(request.body, at);
				store.invitations.set(invitation.invitation_code, invitation);
				store.changed();
				return taken(request, createdData(invitation, base()));
			},
		);

		app.get<{ Params: { invitation_code: string } }>(
			'/v1.0/standard/candidates/invitation/:invitation_code',
			endpoint('getCandidate'),
			async (request) => {
				const invitation = store.invitations.get(request.params.invitation_code);
				if (!invitation) throw new Refusal('candidate_not_found');
				return taken(request, retrievedData(invitation, base()));
			},
		);

		app.put<{ Params: WebhookParams; Body: WebhookRequest }>(
			'/v1.0/webhooks/:webhook_id',
			endpoint('updateWebhook', schemas.updateWebhook),
			async (request) => {
				const { name, url, events, secret } = request.body;
				return taken(
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
				taken(
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
				taken(
					request,
					changeWebhook(request.params, (webhook) => {
						webhook.is_deleted = true;
					}),
				),
		);
	};

	/** Changes the webhook that a path names, and gives it as the API shows it: without its secret. */
	function changeWebhook(
		{ webhook_id }: WebhookParams,
		change: (webhook: StoredWebhook) => void,
	): Webhook {
		const webhook = store.webhooks.get(webhook_id.toLowerCase());
		if (!webhook || isGone(webhook)) throw new Refusal('webhook_not_found');
		change(webhook);
		store.changed();
		const { secret: _writeOnly, ...shown } = webhook;
		return shown;
	}
}

interface WebhookParams {
	webhook_id: string;
}

const endpoint = (name: RouteName, schema: object = {}) => ({
	config: { endpoint: name },
	schema,
});

/** The envelope of every success (specification, "What the service does"). */
function taken<T>(request: FastifyRequest, data: T): { data: T; meta: null } {
	request.record.taken = true;
	return { data, meta: null };
}

/** The specification wants Content-Type on GET and DELETE too, where the body is empty. */
function acceptEmptyJson(app: FastifyInstance) {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(requiredMediaType, { parseAs: 'string' }, (request, body, done) => {
		if (body === '') return done(null, undefined);
		try {
			return done(null, JSON.parse(body as string));
		} catch {
			request.record.body = body;
			return done(new Refusal('malformed'));
		}
	});
}

/** The headers that the specification requires under "Endpoints" and "Authentication". */
function refusalOfHeaders({ headers }: FastifyRequest, accessToken: string): Refusal | undefined {
	const names = (header?: string) => header?.toLowerCase().includes(requiredMediaType) ?? false;
	if (headers.authorization !== `Bearer ${accessToken}`) return new Refusal('unauthorized');
	if (!names(headers.accept)) return new Refusal('not_acceptable');
	if (!names(headers['content-type'])) return new Refusal('unsupported');
	return undefined;
}

/** Every error as one of the failures in choices.mts. */
function asRefusal(error: FastifyError | Refusal): Refusal {
	if (error instanceof Refusal) return error;
	if (error.validation) return new Refusal('invalid', detailsOf(error.validation));
	if (error.statusCode === 413) return new Refusal('too_large');
	if (error.statusCode === 415) return new Refusal('unsupported');
	if (error.statusCode !== undefined && error.statusCode < 500) return new Refusal('malformed');
	return new Refusal('internal');
}

/** What the validator says of a broken rule; parentSchema is there because it is set to be verbose. */
type BrokenRule = FastifySchemaValidationError & {
	params: { missingProperty?: string; additionalProperty?: string; limit?: number };
	parentSchema?: { $comment?: string; enum?: string[] };
};

/** The broken rules in words, each once, without the values that broke them. */
function detailsOf(errors: BrokenRule[]): ErrorDetail[] {
	const details = new Map<string, ErrorDetail>();
	for (const error of errors) {
		if (error.keyword === 'if') continue;
		const field = fieldOf(error);
		const rule = ruleOf(error);
		details.set(`${field} ${rule}`, { field, rule });
	}
	return [...details.values()];
}

/** The field's path in the body, such as skills.3.name; for the body as a whole, "body". */
function fieldOf({ instancePath, params }: BrokenRule): string {
	const child = params.missingProperty ?? params.additionalProperty;
	const path = instancePath.split('/').slice(1);
	return [...path, ...(child === undefined ? [] : [child])].join('.') || 'body';
}

function ruleOf({ keyword, params, parentSchema, message = '' }: BrokenRule): string {
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
