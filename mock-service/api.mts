import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { toCreateResponse, newInvitation, toRetrieveResponse } from './candidates.mts';
import {
	errorBody,
	failures,
	isGone,
	isJob,
	requiredMediaType,
	secretAfterUpdate,
} from './assumptions.mts';
import { ApiError, toApiError } from './apiError.mts';
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

/** Everything the endpoints need. */
export interface ApiContext {
	store: Store;
	recorder: Recorder;
	faults: Faults;
	accessToken: string;
	now: () => Date;
	/** The base of every link, known once the service listens. */
	base: () => string;
}

/**
 * The endpoints (specification, "Endpoints"), as a Fastify plugin to register under /partner.
 * Each request is recorded, meets any injected fault, and is then checked: token, headers, body, rules.
 */
export function api(context: ApiContext) {
	const { store, recorder, faults, accessToken, now, base } = context;

	return async (app: FastifyInstance) => {
		allowEmptyJson(app);
		// Response schemas only document the API; they don't change what is sent.
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
				if (!isJob(request.body.job_id, store.webhooks)) throw new ApiError('job_not_found');
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
						Object.assign(webhook, { name, url, events, secret: secretAfterUpdate(secret) });
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
		request.record.processed = true;
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

/** The specification requires Content-Type even on GET and DELETE, where the body is empty. */
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
