import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import formbody from '@fastify/formbody';
import { Eta } from 'eta';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { candidateName, isExpired, withLinks } from './candidates.mts';
import { isDelivered, isGone, sampleJobId } from './assumptions.mts';
import { isActive, type Deliveries } from './deliveries.mts';
import { controlRoutes, describeFault, faultPresets, faultRoutes } from './controlRoutes.mts';
import type { Faults } from './faults.mts';
import { dateLabel, scoreLabel, timeLabel } from './labels.mts';
import type { Recorder } from './recorder.mts';
import { makeReport } from './report.mts';
import type { Store } from './store.mts';
import type { Delivery, Invitation } from './types.mts';

/** What the pages work with. */
export interface PagesContext {
	store: Store;
	recorder: Recorder;
	faults: Faults;
	deliveries: Deliveries;
	/** Finishes an open assessment. */
	finish: (invitation: Invitation) => Promise<Delivery[]>;
	accessToken: string;
	webhookId: string;
	now: () => Date;
	/** The base of every link. */
	base: () => string;
}

/** How many rows of each list the overview shows. */
const shownRows = 25;
const shownRequests = 8;

const nodeModules = join(import.meta.dirname, '..', 'node_modules');
const swaggerUi = join(nodeModules, '@fastify', 'swagger-ui', 'static');
const ownFiles = join(import.meta.dirname, 'public');
const stylesheet = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/** The files that pages load, by their name under /assets/. */
const assets = {
	'pico.css': {
		type: stylesheet,
		path: join(nodeModules, '@picocss', 'pico', 'css', 'pico.indigo.min.css'),
	},
	'service.css': { type: stylesheet, path: join(ownFiles, 'service.css') },
	'swagger-ui.css': { type: stylesheet, path: join(swaggerUi, 'swagger-ui.css') },
	'swagger-ui.js': { type: script, path: join(swaggerUi, 'swagger-ui-bundle.js') },
	'api.js': { type: script, path: join(ownFiles, 'api.js') },
	'htmx.js': { type: script, path: join(nodeModules, 'htmx.org', 'dist', 'htmx.min.js') },
};

/** Everything comes from this service: no external script, style or image, and none inline. */
const contentSecurityPolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join('; ');

const views = new Eta({ views: join(import.meta.dirname, 'views'), cache: true });
const helpers = { dateLabel, timeLabel, scoreLabel, candidateName };

/** The pages for candidates and for whoever watches a demo, as a Fastify plugin. */
export function pages(context: PagesContext) {
	return async (app: FastifyInstance) => {
		app.register(formbody);
		for (const [name, { type, path }] of Object.entries(assets)) {
			app.get(`/assets/${name}`, async (_request, reply) =>
				reply.type(type).send(await readFile(path)),
			);
		}
		app.addHook('onRequest', (_request, reply, done) => {
			reply.header('content-security-policy', contentSecurityPolicy);
			reply.header('referrer-policy', 'no-referrer');
			done();
		});
		app.setNotFoundHandler((_request, reply) => message(reply, 'unknown-page'));

		controlRoutes(app, context.faults, context.recorder);
		candidatePages(app, context);
		resultPages(app, context);
		overview(app, context);
		app.get('/docs', (_request, reply) => {
			// Swagger UI sets styles inline.
			reply.header(
				'content-security-policy',
				contentSecurityPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
			);
			return show(reply, 'docs', {});
		});
	};
}

function show(reply: FastifyReply, view: string, data: object, status = 200) {
	return reply
		.code(status)
		.header('cache-control', 'no-store')
		.type('text/html; charset=utf-8')
		.send(views.render(view, { ...helpers, ...data }));
}

const messages = {
	'unknown-page': {
		status: 404,
		title: 'Page not found',
		text: 'Please check that the link is complete.',
	},
	'unknown-invitation': {
		status: 404,
		title: 'Invitation not found',
		text: 'Please check that the link is complete, or ask the company that invited you for a new one.',
	},
	'no-result': {
		status: 404,
		title: 'Result not found',
		text: 'The result appears as soon as the assessment is finished.',
	},
	'not-active': {
		status: 409,
		title: 'Unable to redeliver',
		text: 'The delivery is unknown, or its webhook is no longer active.',
	},
} as const;

/** A page with a single message. */
function message(reply: FastifyReply, name: keyof typeof messages) {
	return show(reply, 'message', messages[name], messages[name].status);
}

interface CodeParams {
	Params: { code: string };
}

/** The invitation link, its button, and the page that follows. */
function candidatePages(app: FastifyInstance, { store, finish, now, base }: PagesContext) {
	const showInvitation = (reply: FastifyReply, invitation: Invitation, state: string) =>
		show(
			reply,
			'invitation',
			{ invitation: withLinks(invitation, base()), state },
			state === 'expired' ? 410 : 200,
		);

	const stateOf = (invitation: Invitation) => {
		if (invitation.status === 'completed') return 'finished';
		return isExpired(invitation, now()) ? 'expired' : 'open';
	};

	app.get<CodeParams>('/invitations/:code', (request, reply) => {
		const invitation = store.invitations.get(request.params.code);
		if (!invitation) return message(reply, 'unknown-invitation');
		return showInvitation(reply, invitation, stateOf(invitation));
	});

	app.post<CodeParams>('/invitations/:code/finish', (request, reply) => {
		const invitation = store.invitations.get(request.params.code);
		if (!invitation) return message(reply, 'unknown-invitation');
		const state = stateOf(invitation);
		if (state !== 'open') return showInvitation(reply, invitation, state);
		// The candidate does not wait for the delivery to the partner's system.
		void finish(invitation);
		return reply.redirect(`/invitations/${invitation.invitation_code}/thank-you`, 303);
	});

	app.get<CodeParams>('/invitations/:code/thank-you', (request, reply) => {
		const invitation = store.invitations.get(request.params.code);
		if (!invitation) return message(reply, 'unknown-invitation');
		const state = stateOf(invitation);
		return showInvitation(reply, invitation, state === 'finished' ? 'thank-you' : state);
	});
}

/** The two report links: the profile and the report as PDF. */
function resultPages(app: FastifyInstance, { store, recorder, faults, base }: PagesContext) {
	const finished = (code: string) => {
		const invitation = store.invitations.get(code);
		return invitation?.status === 'completed' ? invitation : undefined;
	};

	app.get<CodeParams>('/profiles/:code', (request, reply) => {
		const invitation = finished(request.params.code);
		if (!invitation) return message(reply, 'no-result');
		return show(reply, 'profile', { invitation: withLinks(invitation, base()) });
	});

	// Recorded and open to faults like an endpoint, though it is not part of the API.
	app.register(async (reports) => {
		recorder.recordRequests(reports);
		faults.attach(reports);
		recorder.recordResponses(reports);
		reports.get<CodeParams>(
			'/reports/:code.pdf',
			{ config: { endpoint: 'downloadReport' } },
			async (request, reply) => {
				const invitation = finished(request.params.code);
				if (!invitation) return message(reply, 'no-result');
				const report = await makeReport(invitation);
				recorder.processed(request.record);
				return await reply
					.type('application/pdf')
					.header('cache-control', 'no-store')
					.header('content-disposition', 'inline; filename="assessment-report.pdf"')
					.send(report);
			},
		);
	});
}

/** The overview page, which refreshes its lists whenever something has changed. */
function overview(app: FastifyInstance, context: PagesContext) {
	const { store, recorder, faults, deliveries, accessToken, webhookId, now, base } = context;

	const activity = () => ({
		revision: store.revision(),
		counts: {
			invitations: store.invitations.size,
			deliveries: store.deliveries.size,
		},
		shownRows,
		invitations: newestFirst(store.invitations).map((one) => ({
			...withLinks(one, base()),
			expired: isExpired(one, now()),
		})),
		deliveries: newestFirst(store.deliveries).map((one) => ({
			...one,
			delivered: isDelivered(one),
			inFlight: one.status === null && one.error === null,
			canRedeliver: canRedeliver(one),
		})),
		webhooks: [...store.webhooks.values()].map(({ secret, ...webhook }) => ({
			...webhook,
			hasSecret: secret !== null,
			gone: isGone({ ...webhook, secret }),
		})),
		requests: recorder.requests.slice(-shownRequests).reverse(),
		faults: faults.list().map((fault) => ({
			label: describeFault(fault),
			timesLeft: fault.timesLeft,
		})),
	});

	function canRedeliver({ webhook_id }: Delivery) {
		const webhook = store.webhooks.get(webhook_id);
		return webhook !== undefined && isActive(webhook);
	}

	app.get('/', (_request, reply) =>
		show(reply, 'overview', {
			...activity(),
			baseUrl: base(),
			accessToken,
			webhookId,
			sampleJobId,
			faultRoutes,
			faultPresets,
		}),
	);

	app.get<{ Querystring: { seen?: string } }>('/activity', (request, reply) => {
		if (request.query.seen === store.revision()) return reply.code(204).send();
		return show(reply, 'activity', activity());
	});

	app.post<{ Params: { id: string } }>('/deliveries/:id/redeliver', (request, reply) => {
		const delivery = store.deliveries.get(request.params.id);
		if (!delivery || !canRedeliver(delivery)) return message(reply, 'not-active');
		void deliveries.redeliver(delivery.id);
		return reply.redirect('/', 303);
	});
}

function newestFirst<T>(records: Map<string, T>): T[] {
	return [...records.values()].slice(-shownRows).reverse();
}
