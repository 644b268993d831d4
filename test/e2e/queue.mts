/** The package in n8n's queue mode: main, webhook process and two workers on PostgreSQL and Redis. */
import { CREDENTIAL } from '../../demo/workflows/parts.mts';
import type { Checks } from '../support/checks.mts';
import { startCluster } from '../support/cluster.mts';
import { onGround, type Ground } from '../support/testEnvironment.mts';
import { checkLostWorker } from './queue/lostWorker.mts';
import { checkLoop } from './queue/loop.mts';

const LINE = '2.41';

export default async function queue(checks: Checks): Promise<void> {
	const run = async (ground: Ground) => {
		const cluster = await startCluster(ground);
		try {
			const { client, service } = cluster;
			const check = checks.about(`n8n ${client.version}, queue mode`);
			const { baseUrl, accessToken } = service;
			const data = { baseUrl, accessToken, webhookSecret: '' };
			const credential = await client.createCredential({ name: 'Queue', type: CREDENTIAL, data });
			const loop = await checkLoop(check, cluster, credential);
			await checkLostWorker(check, cluster, credential, loop.workflowId);
			await loop.checkEnd();
		} finally {
			await cluster.stop();
		}
	};
	await onGround('queue', LINE, run, checks);
}
