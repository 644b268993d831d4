import type { PartnerService } from '../../mock-service/service.mts';
import { call, invite, receiver, start } from './support';

const get = async (service: PartnerService, path: string) =>
	await call(service, 'GET', path, undefined, {});

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
