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

it('the invitation link finishes the assessment once, and leads to the results', async () => {
	const service = await start();
	const partner = await receiver();
	await register(service, partner.url);
	const code = await invite(service);
	const open = (await get(service, `/invitations/${code}`)).body;

	const thanks = await submit(service, open);

	expect(thanks.body).toContain('Thank you, Ada Lovelace');
	expect(service.invitations[0]).toMatchObject({ status: 'completed', completed_at: today });
	while (service.deliveries[0].status === null) await get(service, '/');
	const links = [...thanks.body.matchAll(/href="(\/(?:profiles|reports)\/[^"]+)"/g)];
	expect(links).toHaveLength(2);
	for (const [, link] of links) expect((await get(service, link)).status).toBe(200);
	expect((await submit(service, open)).body).toContain('Thank you');
	expect(partner.received).toHaveLength(1);
});

it('every page escapes external data', async () => {
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

it('a result that is not there yet is not found', async () => {
	const service = await start();
	const code = await invite(service);
	for (const path of ['/nowhere', `/profiles/${code}`, `/reports/${code}.pdf`]) {
		const { status, body } = await get(service, path);
		expect([path, status]).toEqual([path, 404]);
		expect(body).toContain('not found');
	}
});
