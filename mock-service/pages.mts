import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ApiContext } from './api.mts';
import { isDelivered, sampleJobId } from './assumptions.mts';
import { candidateName, isExpired, withLinks } from './candidates.mts';
import { controlRoutes } from './controlRoutes.mts';
import { dateLabel, scoreLabel, timeLabel } from './labels.mts';
import { makeReport } from './report.mts';
import type { Invitation } from './types.mts';

/** Everything the pages need. */
interface PagesContext extends ApiContext {
	/** Finishes an open assessment. */
	finish: (invitation: Invitation) => Promise<unknown>;
	/** ID of the first webhook. */
	webhookId: string;
	webhookUses: string[];
}

/** How many rows of each list the overview shows. */
const maxRows = 25;

const nodeModules = join(import.meta.dirname, '..', 'node_modules');

/** The files that pages load, by their name under /assets/. */
const assets = {
	// Styles plain HTML, so that our own style is short.
	'pico.css': join(nodeModules, '@picocss', 'pico', 'css', 'pico.indigo.min.css'),
	'service.css': join(import.meta.dirname, 'public', 'service.css'),
	'copy.js': join(import.meta.dirname, 'public', 'copy.js'),
	'htmx.js': join(nodeModules, 'htmx.org', 'dist', 'htmx.min.js'),
};

/** Everything comes from this service: no external script, style or image, and none inline. */
const contentSecurityPolicy =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const views = new Eta({ views: join(import.meta.dirname, 'views'), cache: true });
const helpers = { dateLabel, timeLabel, scoreLabel, candidateName, isDelivered };

/** The pages for candidates and for users of the demo, as a Fastify plugin. */
export function pages(context: PagesContext) {
	return async (app: FastifyInstance) => {
		// The only button sends no fields.
		const form = 'application/x-www-form-urlencoded';
		app.addContentTypeParser(form, { parseAs: 'string' }, async () => undefined);
		for (const [name, path] of Object.entries(assets)) {
			const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
			app.get(`/assets/${name}`, async (_request, reply) =>
				reply.type(`${type}; charset=utf-8`).send(await readFile(path)),
			);
		}
		app.addHook('onRequest', (_request, reply, done) => {
			reply.header('content-security-policy', contentSecurityPolicy);
			reply.header('referrer-policy', 'no-referrer');
			done();
		});
		app.setNotFoundHandler((_request, reply) => notFound(reply, 'Page'));

		controlRoutes(app, context.faults);
		candidatePages(app, context);
		resultPages(app, context);
		overview(app, context);
	};
}

function render(reply: FastifyReply, view: string, data: object, status = 200) {
	return reply
		.code(status)
		.header('cache-control', 'no-store')
		.type('text/html; charset=utf-8')
		.send(views.render(view, { ...helpers, ...data }));
}

function notFound(reply: FastifyReply, what: 'Page' | 'Invitation' | 'Result') {
	return render(reply, 'notFound', { title: `${what} not found` }, 404);
}

interface CodeParams {
	Params: { code: string };
}

/** The invitation link and its button. */
function candidatePages(app: FastifyInstance, { store, finish, now }: PagesContext) {
	app.get<CodeParams>('/invitations/:code', (request, reply) => {
		const invitation = store.invitations.get(request.params.code);
		if (!invitation) return notFound(reply, 'Invitation');
		if (isExpired(invitation, now())) return render(reply, 'expired', { invitation }, 410);
		const view = invitation.status === 'completed' ? 'finished' : 'invitation';
		return render(reply, view, { invitation });
	});

	app.post<CodeParams>('/invitations/:code/finish', (request, reply) => {
		const invitation = store.invitations.get(request.params.code);
		if (!invitation) return notFound(reply, 'Invitation');
		// The candidate does not wait for the delivery to the partner's system.
		if (invitation.status === 'invited' && !isExpired(invitation, now())) void finish(invitation);
		return reply.redirect(`/invitations/${invitation.invitation_code}`, 303);
	});
}

/** The two report links: the profile and the report as PDF. */
function resultPages(app: FastifyInstance, { store, recorder, faults }: PagesContext) {
	const finished = (code: string) => {
		const invitation = store.invitations.get(code);
		return invitation?.status === 'completed' ? invitation : undefined;
	};

	app.get<CodeParams>('/profiles/:code', (request, reply) => {
		const invitation = finished(request.params.code);
		if (!invitation) return notFound(reply, 'Result');
		return render(reply, 'profile', { invitation });
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
				if (!invitation) return notFound(reply, 'Result');
				const report = await makeReport(invitation);
				request.record.processed = true;
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
	const { store, accessToken, webhookId, webhookUses, now, base } = context;

	const lists = () => ({
		invitationCount: store.invitations.size,
		invitations: newestFirst(store.invitations).map((invitation) => ({
			...withLinks(invitation, base()),
			badge: isExpired(invitation, now()) ? 'expired' : invitation.status,
		})),
		deliveryCount: store.deliveries.size,
		deliveries: newestFirst(store.deliveries),
		webhooks: [...store.webhooks.values()].map(({ secret, ...webhook }) => ({
			...webhook,
			badge: webhook.is_deleted ? 'deleted' : webhook.status,
			hasSecret: secret !== null,
		})),
	});

	app.get<{ Querystring: { seen?: string } }>('/', (request, reply) => {
		const content = lists();
		const revision = createHash('sha256').update(JSON.stringify(content)).digest('hex');
		if (request.query.seen === revision) return reply.code(204).send();
		const ids = [...new Set([webhookId, ...store.webhooks.keys()])];
		const connection = [
			['Base URL', base()],
			['Access Token', accessToken],
			['Job ID', sampleJobId, 'Any other UUID works, too, but not a webhook’s.'],
			...webhookUses.map((use, index) => ['Webhook ID', ids[index], use]),
		];
		return render(reply, 'overview', { ...content, connection, revision });
	});
}

function newestFirst<T>(records: Map<string, T>): T[] {
	return [...records.values()].slice(-maxRows).reverse();
}
