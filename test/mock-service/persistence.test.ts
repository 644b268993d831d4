import { invite, receiver, register, retrieve, start } from './support';
import { dataFile } from './program.mts';

afterAll(dataFile.remove);

it('a data file keeps invitations, webhooks and deliveries between starts', async () => {
	const partner = await receiver();
	const before = await start({ dataFile: dataFile.path });
	await register(before, partner.url, 'the secret of the receiver');
	const [done, open] = [await invite(before), await invite(before)];
	await before.finish(done);
	await before.close();

	const after = await start({ dataFile: dataFile.path });
	expect(after.webhookId).toBe(before.webhookId);
	expect(after.accessToken).not.toBe(before.accessToken);
	expect(after.deliveries).toEqual(before.deliveries);
	const { data } = (await retrieve(after, done)).body;
	expect(data.status).toBe('completed');
	expect(data.report_pdf_link).toBe(`${after.baseUrl}/reports/${done}.pdf`);
	await after.finish(open);
	expect(partner.received[1].headers['x-webhook-secret']).toBe('the secret of the receiver');
});

it('a data file is readable for its owner only, and holds no access token', async () => {
	const service = await start({ dataFile: dataFile.path });
	await invite(service);
	await service.close();
	expect(dataFile.permissions()).toBe('600');
	expect(dataFile.text()).not.toContain(service.accessToken);
});

it('a data file that holds something else is not overwritten', async () => {
	dataFile.write('not ours');
	await expect(start({ dataFile: dataFile.path })).rejects.toThrow('Move it away');
	expect(dataFile.text()).toBe('not ours');
});
