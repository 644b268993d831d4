import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invite, receiver, register, retrieve, start } from './support';

const directory = mkdtempSync(join(tmpdir(), 'partner-service-'));
const dataFile = join(directory, 'data.json');
afterAll(() => rmSync(directory, { recursive: true }));

it('a data file keeps invitations, webhooks and deliveries between starts', async () => {
	const partner = await receiver();
	const before = await start({ dataFile });
	await register(before, partner.url, 'the secret of the receiver');
	const [done, open] = [await invite(before), await invite(before)];
	await before.finish(done);
	await before.close();

	const after = await start({ dataFile });
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
	const service = await start({ dataFile });
	await invite(service);
	await service.close();
	expect((statSync(dataFile).mode & 0o777).toString(8)).toBe('600');
	expect(readFileSync(dataFile, 'utf8')).not.toContain(service.accessToken);
});

it('a data file that holds something else is not overwritten', async () => {
	writeFileSync(dataFile, 'not ours');
	await expect(start({ dataFile })).rejects.toThrow('Move it away');
	expect(readFileSync(dataFile, 'utf8')).toBe('not ours');
});
