import type { PartnerService } from '../../mock-service/service.mts';
import { call, invite, receiver, register, start, today } from './support';

const get = async (service: PartnerService, path: string) =>
	await call(service, 'GET', path, undefined, {});

/** Submits the only form on a page, as a browser does, and returns the page it leads to. */
async function submit(service: PartnerService, html: string) {
	const forms = [...html.matchAll(/<form method="(\w+)" action="([^"]+)"/g)];
	expect(forms).toHaveLength(1);
	const [, method, action] = forms[0];
	const type = { 'content-type': 'application/x-www-form-urlencoded' };
	const response = await call(service, method.toUpperCase(), action, '', type);
	expect(response.status).toBe(303);
	return await get(service, response.headers.get('location') ?? '');
}

describe('the invitation link', () => {
	it('greets the candidate, without a name who is anonymous, and offers one button', async () => {
		const service = await start();
		await invite(service);
		const { pathname } = new URL(service.invitations[0].invitation_link);
		const { status, body, headers } = await get(service, pathname);
		expect(status).toBe(200);
		expect(headers.get('content-type')).toContain('text/html');
		for (const part of ['Hello Ada Lovelace', 'APP-1001', '2027-02-28, 12:00 UTC']) {
			expect(body).toContain(part);
		}
		expect(body.match(/<button type="submit">([^<]+)</)?.[1]).toBe('Finish Assessment');
		const code = await invite(service, { is_anonymous_candidate: true });
		const anonymous = (await get(service, `/invitations/${code}`)).body;
		expect(anonymous).toContain('Hello Candidate');
		expect(anonymous).not.toContain('Ada');
	});

	it('finishes the assessment with its form, delivers once, and thanks with working links', async () => {
		const service = await start();
		const partner = await receiver();
		await register(service, partner.url);
		const code = await invite(service);
		const open = (await get(service, `/invitations/${code}`)).body;

		const thanks = await submit(service, open);

		expect(thanks.status).toBe(200);
		expect(thanks.body).toContain('Thank you, Ada Lovelace');
		expect(service.invitations[0]).toMatchObject({ status: 'completed', completed_at: today });
		while (service.deliveries[0].status === null) await get(service, '/');

		const links = [...thanks.body.matchAll(/href="(\/(?:profiles|reports)\/[^"]+)"/g)];
		expect(links).toHaveLength(2);
		for (const [, link] of links) expect((await get(service, link)).status).toBe(200);

		expect((await submit(service, open)).body).toContain('Thank you');
		expect(partner.received).toHaveLength(1);
	});

	it('says if the invitation has expired, and finishes nothing', async () => {
		let now = new Date(today);
		const service = await start({ now: () => now });
		const code = await invite(service, { deadline: '2026-12-01T12:00:00Z' });
		now = new Date('2026-12-01T12:00:00Z');
		const open = (await get(service, `/invitations/${code}`)).body;
		expect(open).toContain('Finish Assessment');
		now = new Date('2026-12-01T12:00:00.001Z');
		const late = await submit(service, open);
		expect(late.status).toBe(410);
		expect(late.body).toContain('has expired');
		expect(late.body).not.toContain('Finish Assessment');
		expect(service.invitations[0].status).toBe('invited');
	});
});

describe('the result', () => {
	it('has a profile with all scores, skills, and work experience', async () => {
		const service = await start();
		const code = await invite(service, {
			skills: [{ name: 'Chess', proficiency: 'novice' }],
			work_experiences: [{ organization: 'Example Ltd', role: 'Clerk' }],
		});
		await service.finish(code);
		const { pathname } = new URL(service.invitations[0].report_profile_link ?? '');
		const { status, body } = await get(service, pathname);
		expect(status).toBe(200);
		for (const part of ['Ada Lovelace', 'Chess, novice', 'Clerk, Example Ltd']) {
			expect(body).toContain(part);
		}
		const { scores, additional_scores } = service.invitations[0];
		expect(body.match(/<progress value="\d+"/g)).toEqual(
			[...scores, ...additional_scores].map((one) => `<progress value="${one.score_value}"`),
		);
	});

	it('has a report that is a PDF of one page', async () => {
		const service = await start();
		await service.finish(await invite(service, { first_name: '山田', last_name: 'x'.repeat(255) }));
		const response = await fetch(service.invitations[0].report_pdf_link ?? '');
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toBe('application/pdf');
		const text = new TextDecoder('latin1').decode(await response.arrayBuffer());
		expect(text.startsWith('%PDF-')).toBe(true);
		expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
		expect(text).toContain('/Count 1');
	});
});

describe('the overview', () => {
	it('shows how to connect, then invitations and deliveries, newest first', async () => {
		const service = await start();
		const { baseUrl, accessToken, webhookId, sampleJobId } = service;
		const nothing = ['No invitations yet', 'No results yet'];
		const empty = (await get(service, '/')).body;
		for (const part of [baseUrl, accessToken, webhookId, sampleJobId, ...nothing]) {
			expect(empty).toContain(part);
		}
		const partner = await receiver({ status: 503, body: 'busy' });
		await register(service, partner.url);
		for (const ext_reference_id of ['APP-FIRST', 'APP-SECOND']) {
			await service.finish(await invite(service, { ext_reference_id }));
		}
		const { body } = await get(service, '/');
		const order = [...body.matchAll(/APP-FIRST|APP-SECOND/g)].map(([text]) => text);
		expect(order).toEqual(['APP-SECOND', 'APP-FIRST', 'APP-SECOND', 'APP-FIRST']);
		expect(body).toContain('503');
		expect(body).toContain('busy');
	});

	it('has a webhook for each use, whose ID can be copied', async () => {
		const webhookUses = ['For the demo.', 'For you.', 'For an example.'];
		const service = await start({ webhookUses });
		const { body } = await get(service, '/');
		const copied = [...body.matchAll(/data-copy="([^"]+)"/g)].map(([, text]) => text);
		expect(copied.slice(-3)).toEqual(service.webhooks.map(({ id }) => id));
		expect(body.match(/For (the demo|you|an example)\./g)).toEqual(webhookUses);
	});

	it('refreshes its lists only when something has changed', async () => {
		const service = await start();
		const poll = (html: string) => /hx-get="([^"]+)"/.exec(html)?.[1] ?? '';
		const { body } = await get(service, '/');
		expect((await get(service, poll(body))).status).toBe(204);
		await invite(service);
		const changed = await get(service, poll(body));
		expect(changed.status).toBe(200);
		expect(changed.body).toContain('Ada Lovelace');
		expect((await get(service, poll(changed.body))).status).toBe(204);
	});
});

describe('every page', () => {
	it('escapes external data', async () => {
		const service = await start();
		const evil = '"><script>alert(1)</script>';
		const partner = await receiver({ status: 500, body: evil });
		service.createWebhook({ name: evil, url: partner.url, status: 'active' });
		const code = await invite(service, {
			ext_reference_id: evil,
			first_name: evil,
			last_name: evil,
			skills: [{ name: evil, proficiency: evil }],
			work_experiences: [{ organization: evil, role: evil }],
		});
		const open = await get(service, `/invitations/${code}`);
		await service.finish(code);
		const others = ['/', `/invitations/${code}`, `/profiles/${code}`].map(
			async (path) => await get(service, path),
		);
		for (const { body } of [open, ...(await Promise.all(others))]) {
			expect(body).toContain('&lt;script&gt;alert(1)');
			expect(body).not.toContain('<script>alert');
		}
	});

	it('loads scripts and styles from this service alone, and they exist', async () => {
		const service = await start();
		const { body, headers } = await get(service, '/');
		expect(headers.get('content-security-policy')).toContain("default-src 'none'");
		const assets = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
		expect(assets).toHaveLength(4);
		for (const path of assets) expect((await get(service, path)).status).toBe(200);
		expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!127\.0\.0\.1)/);
	});

	it('has a counterpart for an address where there is nothing, or nothing yet', async () => {
		const service = await start();
		const code = await invite(service);
		for (const path of [
			...['/nowhere', '/invitations/unknown', '/profiles/unknown'],
			...[`/profiles/${code}`, `/reports/${code}.pdf`],
		]) {
			const { status, body } = await get(service, path);
			expect([path, status]).toEqual([path, 404]);
			expect(body).toContain('not found');
		}
	});
});
