/**
 * `npm run mock-service`: the mock assessment service on its own, for anyone who builds against the API.
 *
 * Options: --port (4010), --token (random), --webhook-id (random), --data (a file to keep the data in).
 */
import { parseArgs } from 'node:util';
import { startPartnerService } from './service.mts';

const usage =
	'npm run mock-service -- [--port 4010] [--token <token>] [--webhook-id <uuid>] [--data <file>]';

function readOptions() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			token: { type: 'string' },
			'webhook-id': { type: 'string' },
			data: { type: 'string' },
		},
	});
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65535) {
		throw new Error(`--port must be a number from 0 to 65535, not ${values.port}.`);
	}
	const webhookId = values['webhook-id'];
	if (webhookId !== undefined && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(webhookId)) {
		throw new Error('--webhook-id must be a UUID.');
	}
	return { port, webhookId, accessToken: values.token, dataFile: values.data };
}

function fail(error: unknown, advice: string): never {
	console.error(`${(error as Error).message}\n${advice}`);
	process.exit(1);
}

let options: ReturnType<typeof readOptions>;
try {
	options = readOptions();
} catch (error) {
	fail(error, `Usage: ${usage}`);
}
const service = await startPartnerService(options).catch((error: Error) =>
	fail(error, 'If the port is in use, choose another one with --port.'),
);

const { baseUrl, accessToken, webhookId, sampleJobId } = service;
const invitation = {
	job_id: sampleJobId,
	ext_reference_id: 'application-1',
	is_anonymous_candidate: true,
};
const fault = { route: 'createInvitation', status: 429, retryAfter: 2, times: 3 };

console.log(`The mock assessment service is running, for this machine only.

  Base URL        ${baseUrl}
  Access token    ${accessToken}
  Webhook ID      ${webhookId}
  Sample Job ID   ${sampleJobId}  (any other UUID works, too)

  Overview        ${baseUrl}/
  OpenAPI         ${baseUrl}/openapi.json

Invite a candidate:

  curl ${baseUrl}/partner/v1.0/standard/candidates \\
    -H 'Authorization: Bearer ${accessToken}' \\
    -H 'Accept: application/json' -H 'Content-Type: application/json' \\
    -d '${JSON.stringify(invitation)}'

Inject a fault, here a rate limit for the next three invitations:

  curl ${baseUrl}/faults -H 'Content-Type: application/json' \\
    -d '${JSON.stringify(fault)}'

DELETE ${baseUrl}/faults clears all faults. mock-service/faults.mts lists what a fault can do.

Press Ctrl+C to stop the service.`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, async () => {
		await service.close();
		process.exit(0);
	});
}
