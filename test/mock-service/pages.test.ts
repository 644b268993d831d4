import { call, invite, receiver, start } from './support';

it('every page escapes what comes from elsewhere, and shows no secret', async () => {
	const service = await start();
	const get = async (path: string) => (await call(service, 'GET', path, undefined, {})).body;
	const evil = '"><script>alert(1)</script>';
	const secret = 'a secret for the receiver';
	const { url } = await receiver({ status: 500, body: evil });
	service.createWebhook({ name: evil, url, status: 'active', secret });
	const code = await invite(service, {
		ext_reference_id: evil,
		first_name: evil,
		last_name: evil,
		skills: [{ name: evil, proficiency: evil }],
		work_experiences: [{ organization: evil, role: evil }],
	});
	const open = await get(`/invitations/${code}`);
	await service.finish(code);
	const finished = ['/', `/invitations/${code}`, `/profiles/${code}`];
	for (const page of [open, ...(await Promise.all(finished.map(get)))]) {
		expect(page).toContain('&lt;script&gt;alert(1)');
		expect(page).not.toContain('<script>alert');
		expect(page).not.toContain(secret);
	}
});
