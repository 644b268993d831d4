import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startPartnerService, type PartnerService } from '../mock-service/service.mts';
import { N8nClient, N8nRequestError } from '../tools/n8n/client.mts';
import { DemoError } from '../tools/n8n/errors.mts';
import type { Installation } from '../tools/n8n/install.mts';
import { installPackage } from '../tools/n8n/package.mts';
import { startN8n, type N8nProcess } from '../tools/n8n/process.mts';
import { readState, writeState, type DemoState } from './state.mts';
import { firstResult } from './workflows/first-result.mts';
import { CREDENTIAL } from './workflows/parts.mts';
import { resultReady } from './workflows/result-ready.mts';

/** The owner of the demo's n8n signs in with this and the password in the demo's state. */
export const OWNER_EMAIL = 'demo@example.com';

/** A webhook serves one workflow, so each of these has its own. */
const WEBHOOK_USES = ['Used by “Result ready”.', 'For your own workflow.', 'For an example.'];

export interface DemoOptions {
	installation: Installation;
	/** The packed package. */
	tarball: string;
	/** Keeps the demo's data between starts. */
	dataFolder: string;
	/** Ports default to free ones. */
	port?: number;
	servicePort?: number;
	/** More settings of n8n. */
	env?: Record<string, string>;
	signal?: AbortSignal;
}

/** A running demo. */
export interface Demo {
	service: PartnerService;
	n8n: N8nProcess;
	client: N8nClient;
	/** The secrets, and the IDs of the credential and workflows in n8n. */
	state: Required<DemoState>;
	dataFolder: string;
	/** Stops n8n and the service. */
	stop(): Promise<void>;
}

/** Starts the mock assessment service and an n8n with the package, and sets up the credential and workflows. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
	const { installation, tarball, dataFolder, signal } = options;
	const undo: Array<() => unknown> = [];
	const stop = async () => {
		for (const step of undo.splice(0).reverse()) await step();
	};
	try {
		// Makes files readable for their owner only, including n8n's.
		process.umask(0o077);
		await mkdir(dataFolder, { recursive: true });
		await chmod(dataFolder, 0o700);
		const state = await readState(dataFolder);
		await writeState(dataFolder, state);
		const service = await startPartnerService({
			port: options.servicePort,
			accessToken: state.accessToken,
			webhookId: state.webhookId,
			webhookUses: WEBHOOK_USES,
			dataFile: join(dataFolder, 'service.json'),
		});
		undo.push(() => service.close());

		const userFolder = join(dataFolder, 'n8n');
		await mkdir(userFolder, { recursive: true });
		await installPackage({ tarball, userFolder, signal });
		const n8n = await startN8n({
			installation,
			userFolder,
			port: options.port,
			logFile: join(dataFolder, 'n8n.log'),
			env: options.env,
			signal,
		});
		undo.push(() => n8n.stop());

		const client = await logIn(n8n.baseUrl, state.password);
		const save = () => writeState(dataFolder, state);
		await setUp({ client, service, state, save, n8nUrl: n8n.baseUrl });
		signal?.throwIfAborted();
		return { service, n8n, client, state: state as Required<DemoState>, dataFolder, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function logIn(baseUrl: string, password: string): Promise<N8nClient> {
	const owner = { email: OWNER_EMAIL, password, firstName: 'Demo', lastName: 'Owner' };
	try {
		return await N8nClient.connect(baseUrl, owner);
	} catch (error) {
		if (!(error instanceof N8nRequestError) || error.status !== 401) throw error;
		throw new DemoError("The demo's n8n does not take the demo's password any more.", [
			'If you changed it, change it back, or start over:  npm start -- --fresh',
		]);
	}
}

interface SetUp {
	client: N8nClient;
	service: PartnerService;
	state: DemoState;
	save: () => Promise<void>;
	n8nUrl: string;
}

/** Sets up the credential and the two workflows. If they exist, only changed addresses are updated. */
async function setUp({ client, service, state, save, n8nUrl }: SetUp): Promise<void> {
	const data = { baseUrl: service.baseUrl, accessToken: state.accessToken };
	const credential = { name: 'Candidate Assessment demo', type: CREDENTIAL, data };
	const moved = state.serviceUrl !== service.baseUrl || state.n8nUrl !== n8nUrl;

	if (!state.credentialId) {
		state.credentialId = (await client.createCredential(credential)).id;
		await save();
	} else if (state.serviceUrl !== service.baseUrl) {
		await ifThere(client.updateCredential(state.credentialId, credential));
	}
	const used = { id: state.credentialId, name: credential.name, type: CREDENTIAL };
	if (!state.firstResultId) {
		const { id } = await client.createWorkflow(await firstResult(used, service.sampleJobId));
		state.firstResultId = id;
		await save();
	}
	if (!state.resultWorkflowId) {
		const { id } = await client.createWorkflow(resultReady(used, service.webhookId));
		await client.publish(id);
		state.resultWorkflowId = id;
	} else if (moved) {
		await publishAgain(client, state.resultWorkflowId);
	}
	Object.assign(state, { serviceUrl: service.baseUrl, n8nUrl });
	await save();
}

/** Registers n8n's new address with the service, by publishing the same version once more. */
async function publishAgain(client: N8nClient, workflowId: string): Promise<void> {
	const workflow = await ifThere(client.getWorkflow(workflowId));
	if (!workflow?.active) return;
	await client.unpublish(workflowId);
	await client.publish(workflowId, { versionId: workflow.activeVersionId ?? undefined });
}

/** Returns undefined on 404: the user may have deleted the demo's credential or workflow. */
async function ifThere<T>(request: Promise<T>): Promise<T | undefined> {
	try {
		return await request;
	} catch (error) {
		if (error instanceof N8nRequestError && error.status === 404) return undefined;
		throw error;
	}
}
