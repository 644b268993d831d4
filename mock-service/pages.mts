import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import formbody from '@fastify/formbody';
import { Eta } from 'eta';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { candidateName, isExpired, withLinks } from './candidates.mts';
import { isDelivered, isGone } from './assumptions.mts';
import { isCalled, type Deliveries } from './deliveries.mts';
import { faultLabel, faultPresets, faultRoutes, faultsOverHttp } from './fault-routes.mts';
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
	/** Finishes an assessment that is open. */
	finish: (invitation: Invitation) => Promise<Delivery[]>;
	accessToken: string;
	webhookId: string;
	now: () => Date;
	/** The address that links begin with. */
	base: () => string;
}

/** How many rows the overview shows of each list. */
const shownRows = 25;
const shownRequests = 8;

const nodeModules = join(import.meta.dirname, '..', 'node_modules');
const stylesheet = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/** The files that pages load, by the name under /assets/. */
const assets = {
	'pico.css': {
		type: stylesheet,
		path: join(nodeModules, '@picocss', 'pico', 'css', 'pico.indigo.min.css'),
	},
	'service.css': { type: stylesheet, path: join(import.meta.dirname, 'public', 'service.css') },
	'htmx.js': { type: script, path: join(nodeModules, 'htmx.org', 'dist', 'htmx.min.js') },
};

/** Everything comes from here: no script, style or picture of anybody else, and none inside a page. */
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

/** The pages that a candidate and a person who watches a demo see, as a Fastify plugin. */
export function pages(context: PagesContext) {
	return async (app: FastifyInstance) => {
		app.register(formbody);
		for (const [name, { type, path }] of Object.entries(assets)) {
			const content = readFileSync(path);
			app.get(`/assets/${name}`, (_request, reply) => reply.type(type).send(content));
		}
		app.addHook('onRequest', (_request, reply, done) => {
			reply.header('content-security-policy', contentSecurityPolicy);
			reply.header('referrer-policy', 'no-referrer');
			done();
		});
		app.setNotFoundHandler((_request, reply) => message(reply, 'unknown-page'));

		faultsOverHttp(app, context.faults);
		candidatePages(app, context);
		resultPages(app, context);
		overview(app, context);
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
		title: 'There is no such page',
		text: 'The address leads nowhere. Please check that the link is complete.',
	},
	'unknown-invitation': {
		status: 404,
		title: 'We do not know this invitation',
		text: 'Please check that the link is complete, or ask the company that invited you for a new one.',
	},
	'no-result': {
		status: 404,
		title: 'There is no result here',
		text: 'A result appears as soon as the assessment is finished.',
	},
	'not-active': {
		status: 409,
		title: 'This cannot be delivered again',
		text: 'The delivery is unknown, or its webhook is not active any more.',
	},
} as const;

/** A page that says one thing. */
function message(reply: FastifyReply, name: keyof typeof messages) {
	return show(reply, 'message', messages[name], messages[name].status);
}

interface CodeParams {
	Params: { code: string };
}

/** The invitation link, its button, and what comes after it. */
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
		// The candidate does not wait for the partner's system to take the event.
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

/** The two report links: the profile, and the report as PDF. */
function resultPages(app: FastifyInstance, { store, base }: PagesContext) {
	const finished = (code: string) => {
		const invitation = store.invitations.get(code);
		return invitation?.status === 'completed' ? invitation : undefined;
	};

	app.get<CodeParams>('/profiles/:code', (request, reply) => {
		const invitation = finished(request.params.code);
		if (!invitation) return message(reply, 'no-result');
		return show(reply, 'profile', { invitation: withLinks(invitation, base()) });
	});

	app.get<CodeParams>('/reports/:code.pdf', async (request, reply) => {
		const invitation = finished(request.params.code);
		if (!invitation) return message(reply, 'no-result');
		return await reply
			.type('application/pdf')
			.header('cache-control', 'no-store')
			.header('content-disposition', 'inline; filename="assessment-report.pdf"')
			.send(await makeReport(invitation));
	});
}

/** The overview: a page that fetches its lists anew whenever something has changed. */
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
			underWay: one.status === null && one.error === null,
			repeatable: isCallable(one),
		})),
		webhooks: [...store.webhooks.values()].map(({ secret, ...webhook }) => ({
			...webhook,
			hasSecret: secret !== null,
			gone: isGone({ ...webhook, secret }),
		})),
		requests: recorder.requests.slice(-shownRequests).reverse(),
		faults: faults.list().map((fault) => ({
			...fault,
			label: faultLabel(fault),
			routeLabel: faultRoutes.find(({ route }) => route === fault.route)?.label,
		})),
	});

	function isCallable({ webhook_id }: Delivery) {
		const webhook = store.webhooks.get(webhook_id);
		return webhook !== undefined && isCalled(webhook);
	}

	app.get('/', (_request, reply) =>
		show(reply, 'overview', {
			...activity(),
			baseUrl: base(),
			accessToken,
			webhookId,
			faultRoutes,
			faultPresets,
		}),
	);

	app.get<{ Querystring: { seen?: string } }>('/activity', (request, reply) => {
		if (request.query.seen === store.revision()) return reply.code(204).send();
		return show(reply, 'activity', activity());
	});

	app.post<{ Params: { id: string } }>('/deliveries/:id/again', (request, reply) => {
		const delivery = store.deliveries.get(request.params.id);
		if (!delivery || !isCallable(delivery)) return message(reply, 'not-active');
		void deliveries.again(delivery.id);
		return reply.redirect('/', 303);
	});
}

function newestFirst<T>(records: Map<string, T>): T[] {
	return [...records.values()].slice(-shownRows).reverse();
}
