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
	if (response.status !== 303) return response;
	return await get(service, response.headers.get('location') ?? '');
}

describe('the invitation link', () => {
	it('greets the candidate and offers one button', async () => {
		const service = await start();
		await invite(service);
		const { pathname } = new URL(service.invitations[0].invitation_link);
		const { status, body, headers } = await get(service, pathname);
		expect(status).toBe(200);
		expect(headers.get('content-type')).toContain('text/html');
		expect(body).toContain('Hello Ada Lovelace');
		expect(body).toContain('APP-1001');
		expect(body).toContain('Feb 28, 2027, 12:00 UTC');
		expect(body.match(/<button type="submit">([^<]+)</)?.[1]).toBe('Finish Assessment');
	});

	it('calls an anonymous candidate "Candidate", whatever was sent', async () => {
		const service = await start();
		const code = await invite(service, { is_anonymous_candidate: true });
		const { body } = await get(service, `/invitations/${code}`);
		expect(body).toContain('Hello Candidate');
		expect(body).not.toContain('Ada');
	});

	it('finishes the assessment with its form, delivers, and shows a thank-you page with working links', async () => {
		const service = await start();
		const partner = await receiver();
		await register(service, partner.url);
		const code = await invite(service);

		const thanks = await submit(service, (await get(service, `/invitations/${code}`)).body);

		expect(thanks.status).toBe(200);
		expect(thanks.body).toContain('Thank you, Ada Lovelace');
		expect(service.invitations[0]).toMatchObject({ status: 'completed', completed_at: today });
		while (service.deliveries[0].status === null) await get(service, '/activity');
		expect(partner.received).toHaveLength(1);

		const links = [...thanks.body.matchAll(/href="(\/(?:profiles|reports)\/[^"]+)"/g)];
		expect(links).toHaveLength(2);
		for (const [, link] of links) expect((await get(service, link)).status).toBe(200);
	});

	it('says if the assessment is already finished, and does not deliver again', async () => {
		const service = await start();
		const partner = await receiver();
		await register(service, partner.url);
		const code = await invite(service);
		const open = (await get(service, `/invitations/${code}`)).body;
		await service.finish(code);
		expect((await get(service, `/invitations/${code}`)).body).toContain('You have finished');
		const again = await submit(service, open);
		expect([again.status, again.body.includes('You have finished')]).toEqual([200, true]);
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
		const late = await get(service, `/invitations/${code}`);
		expect(late.status).toBe(410);
		expect(late.body).toContain('has expired');
		expect(late.body).not.toContain('Finish Assessment');
		expect((await submit(service, open)).status).toBe(410);
		expect(service.invitations[0].status).toBe('invited');
	});

	it.each(['/invitations/unknown', '/invitations/unknown/thank-you'])(
		'says if the invitation is unknown: %s',
		async (path) => {
			const { status, body } = await get(await start(), path);
			expect(status).toBe(404);
			expect(body).toContain('Invitation not found');
		},
	);

	it('shows no thank-you page before the assessment is finished', async () => {
		const service = await start();
		const code = await invite(service);
		const { body } = await get(service, `/invitations/${code}/thank-you`);
		expect(body).toContain('Finish Assessment');
		expect(body).not.toContain('Thank you');
	});
});

describe('the result', () => {
	it('has a profile with all scores, skills, and work experience', async () => {
		const service = await start();
		const code = await invite(service, {
			skills: [{ name: 'Chess', proficiency: 'novice' }],
			work_experiences: [{ organization: 'Example Ltd', role: 'Clerk', start_date: '2020-01-01' }],
		});
		await service.finish(code);
		const { pathname } = new URL(service.invitations[0].report_profile_link ?? '');
		const { status, body } = await get(service, pathname);
		expect(status).toBe(200);
		for (const part of ['Ada Lovelace', 'Chess', 'novice', 'Clerk, Example Ltd', '2020-01-01']) {
			expect(body).toContain(part);
		}
		const { scores, additional_scores } = service.invitations[0];
		expect(body.match(/<progress value="\d+"/g)).toEqual(
			[...scores, ...additional_scores].map((one) => `<progress value="${one.score_value}"`),
		);
	});

	it.each([
		['Latin letters', 'Zoë', 'Müller'],
		['letters that the built-in fonts of PDF lack', 'Łukasz', 'Żółć'],
		['another script', '山田', '太郎'],
		['a very long name', 'x'.repeat(255), 'y'.repeat(255)],
	])('has a report that is a PDF of one page: %s', async (_what, first_name, last_name) => {
		const service = await start();
		await service.finish(await invite(service, { first_name, last_name }));
		const response = await fetch(service.invitations[0].report_pdf_link ?? '');
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toBe('application/pdf');
		const text = new TextDecoder('latin1').decode(await response.arrayBuffer());
		expect(text.startsWith('%PDF-')).toBe(true);
		expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
		expect(text).toContain('/Count 1');
	});

	it('does not exist before the assessment is finished', async () => {
		const service = await start();
		const code = await invite(service);
		for (const path of [`/profiles/${code}`, `/reports/${code}.pdf`, '/profiles/unknown']) {
			expect((await get(service, path)).status).toBe(404);
		}
	});
});

describe('the overview', () => {
	it('shows how to connect, and says that it has no data yet', async () => {
		const service = await start();
		const { status, body } = await get(service, '/');
		expect(status).toBe(200);
		const { baseUrl, accessToken, webhookId, sampleJobId } = service;
		for (const part of [baseUrl, accessToken, webhookId, sampleJobId]) {
			expect(body).toContain(part);
		}
		expect(body).toContain('No invitations yet');
		expect(body).toContain('No deliveries yet');
	});

	it('shows invitations and deliveries, newest first', async () => {
		const service = await start();
		const partner = await receiver({ status: 503, body: 'busy' });
		await register(service, partner.url);
		const codes = [
			await invite(service, { ext_reference_id: 'APP-FIRST' }),
			await invite(service, { ext_reference_id: 'APP-SECOND' }),
		];
		for (const code of codes) await service.finish(code);
		const { body } = await get(service, '/');
		const order = [...body.matchAll(/APP-FIRST|APP-SECOND/g)].map(([text]) => text);
		expect(order).toEqual(['APP-SECOND', 'APP-FIRST', 'APP-SECOND', 'APP-FIRST']);
		expect(body).toContain('503');
		expect(body).toContain('busy');
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
		expect(changed.body).not.toContain('<html');
		expect((await get(service, poll(changed.body))).status).toBe(204);
	});

	it('shows the newest of many and how many there are', async () => {
		const service = await start();
		for (let number = 1; number <= 27; number += 1) {
			await invite(service, { ext_reference_id: `APP-${number}-` });
		}
		const { body } = await get(service, '/');
		expect(body).toContain('<span class="count">27</span>');
		expect(body).toContain('APP-27-');
		expect(body).toContain('APP-3-');
		expect(body).not.toContain('APP-2-');
	});

	it('redelivers at the press of a button', async () => {
		const service = await start();
		const partner = await receiver();
		await register(service, partner.url);
		await service.finish(await invite(service));
		const { body } = await get(service, '/');
		const [, action] = /action="(\/deliveries\/[^"]+)"/.exec(body) ?? [];
		const form = { 'content-type': 'application/x-www-form-urlencoded' };
		expect((await call(service, 'POST', action, '', form)).status).toBe(303);
		while (service.deliveries[1].status === null) await get(service, '/activity');
		expect(partner.received).toHaveLength(2);
		expect((await call(service, 'POST', '/deliveries/unknown/redeliver', '', form)).status).toBe(
			409,
		);
	});
});

describe('every page', () => {
	it('escapes external data', async () => {
		const service = await start();
		const evil = '"><script>alert(1)</script>';
		const partner = await receiver({ status: 500, body: evil });
		service.createWebhook({
			name: evil,
			url: partner.url,
			status: 'active',
			events: ['candidate_application_result_ready', evil],
		});
		const code = await invite(service, {
			ext_reference_id: evil,
			first_name: evil,
			last_name: evil,
			skills: [{ name: evil, proficiency: evil }],
			work_experiences: [{ organization: evil, role: evil, responsibilities_achievements: evil }],
		});
		await call(service, 'GET', `/partner/${encodeURIComponent(evil)}`);
		const open = await get(service, `/invitations/${code}`);
		await service.finish(code);
		const others = ['/', '/activity', `/invitations/${code}`, `/profiles/${code}`].map(
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
		expect(assets).toEqual(['/assets/pico.css', '/assets/service.css', '/assets/htmx.js']);
		for (const path of assets) expect((await get(service, path)).status).toBe(200);
		expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!127\.0\.0\.1)/);
	});

	it('has a counterpart for an address that does not exist', async () => {
		const { status, body } = await get(await start(), '/nowhere');
		expect(status).toBe(404);
		expect(body).toContain('Page not found');
	});
});
