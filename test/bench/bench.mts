/**
 * `npm run bench`: measures our node and its alternatives in turn in one n8n, and a burst in queue mode. Prints
 * docs/performance.md with the new date and table, and saves it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { format } from 'prettier';

import { startPartnerService } from '../../mock-service/service.mts';
import { startCluster } from '../e2e/support/cluster.mts';
import { createCredential } from '../support/credentials.mts';
import { startTestN8n, withTestEnvironment } from '../e2e/support/testEnvironment.mts';
import { measureBatches } from './batches.mts';
import { measureBurst } from './bursts.mts';
import { measureLongTexts } from './longTexts.mts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'performance.md');
const started = Date.now();
const inCluster = await withTestEnvironment('2.x', async (environment) => {
	const { client, service, webhook, stop } = await startCluster(
		environment,
		async (postgres) => postgres,
	);
	const credential = await createCredential(client, service);
	const where = { client, service, credential, baseUrl: webhook.baseUrl, place: 'two workers' };
	const row = await measureBurst(where, 200, 0);
	await stop();
	return row;
});
await withTestEnvironment('2.x', async (prepared) => {
	const n8n = await startTestN8n(prepared);
	const { client } = n8n;
	const service = await startPartnerService();
	const environment = { client, service, credential: await createCredential(client, service) };
	const one = { ...environment, baseUrl: client.baseUrl, place: 'one process' };
	const rows = [
		...(await measureBatches(environment)),
		await measureBurst(one, 100, 0),
		await measureBurst(one, 100, 10_000),
		await measureLongTexts(environment),
		inCluster,
	];
	await service.close();
	await n8n.kill();
	const date = new Date().toISOString().slice(0, 10);
	const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
	const minutes = ((Date.now() - started) / 60_000).toFixed(1);
	const how = `n8n ${client.version}, Node.js ${process.version}, ${machine}, in ${minutes} minutes.`;
	const page = readFileSync(PAGE, 'utf8')
		.replace(/(?<=`npm run bench` on ).*/, `${date}: ${how}`)
		.replace(/(?<=\n\| ---.*\n)\|[^]*?(?=\n\n)/, rows.join('\n'));
	const report = await format(page, { parser: 'markdown', printWidth: 100 });
	console.log(report);
	writeFileSync(PAGE, report);
});
process.exit(0);
