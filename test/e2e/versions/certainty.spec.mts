import { setTimeout as sleep } from 'node:timers/promises';

import { itemsOf } from '../../../tools/n8n/client.mts';
import { freePort } from '../../../tools/n8n/ports.mts';
import {
	afterReading,
	BrokenService,
	healthy,
	onFirstBytes,
	untrusted,
} from '../support/brokenService.mts';
import { credentialFor } from '../../support/credentials.mts';
import {
	ACTION_NODE,
	actionNode,
	anonymousInvitation,
	itemsWorkflow,
	START,
} from '../support/workflows.mts';
import { expect, test as base } from '../support/fixtures.mts';

/** Invites the same candidate each time it's called. Returns the outcome unless it succeeded. */
type InviteAgain = () => Promise<unknown>;

const test = base.extend<{ inviteAt: (baseUrl: string) => Promise<InviteAgain> }>({
	inviteAt: async ({ n8n }, use) =>
		await use(async (baseUrl) => {
			const credential = await n8n.client.createCredential(
				credentialFor({ baseUrl, accessToken: 'an-access-token' }),
			);
			const parameters = anonymousInvitation({ options: { maxRetries: 0, timeout: 2 } });
			const invite = actionNode(credential, parameters, { onError: 'continueRegularOutput' });
			const workflow = itemsWorkflow('Certainty', "[{ ref: 'APP-1' }]", invite);
			const { id } = await n8n.client.createWorkflow(workflow);
			return async () => {
				const execution = await n8n.client.runToEnd(id, START, 60_000);
				return itemsOf(execution, ACTION_NODE)[0]?.json.outcome;
			};
		}),
});

const UNKNOWN: Array<[string, BrokenService['behavior']]> = [
	['cut before it was read', (socket) => void sleep(100).then(() => socket.resetAndDestroy())],
	['cut while it was read', onFirstBytes((socket) => socket.resetAndDestroy())],
	['cut after it was read', afterReading((response) => response.socket?.destroy())],
	['reset after it was read', afterReading((response) => response.socket?.resetAndDestroy())],
	['without an answer in time', afterReading(() => {})],
	...[408, 460, 499].map((status): (typeof UNKNOWN)[number] => [
		`answered with ${status} after it was read`,
		afterReading((response) => response.writeHead(status).end()),
	]),
	['with a nonsensical answer', onFirstBytes((socket) => socket.end('hello\r\n\r\n'))],
	[
		'with half an answer',
		afterReading((response) => {
			response.writeHead(200, { 'content-length': 100 }).write('{"data":{"candidate_id":');
			setTimeout(() => response.socket?.destroy(), 100);
		}),
	],
];

for (const [what, behavior] of UNKNOWN) {
	test(`an invitation ${what} is in doubt, and is not sent again`, async ({ broken, inviteAt }) => {
		const invite = await inviteAt(broken.baseUrl);
		broken.behavior = behavior;
		expect(await invite()).toBe('unknown');
		const { connections } = broken;
		expect(connections).toBe(1);
		broken.behavior = healthy;
		await invite();
		expect(broken.connections).toBe(connections);
	});
}

const NOT_SENT: Array<[string, BrokenService['behavior'], host?: string]> = [
	['over TLS that nobody answers', onFirstBytes((socket) => socket.end())],
	['over TLS to what speaks none', healthy],
	['to a service with an untrusted certificate', untrusted],
	['to a host that nobody knows', healthy, 'nobody.invalid'],
];

for (const [what, behavior, host] of NOT_SENT) {
	test(`an invitation ${what} was not sent, and is tried again`, async ({ broken, inviteAt }) => {
		const invite = await inviteAt(`https://${host ?? '127.0.0.1'}:${broken.port}`);
		broken.behavior = behavior;
		for (const _ of ['first', 'second']) expect(await invite()).toBe('notSent');
		expect(broken.connections).toBe(host ? 0 : 2);
		expect(broken.requests).toBe(0);
	});
}

test('an invitation to a port where nobody listened is sent later', async ({ inviteAt }) => {
	const port = await freePort();
	const invite = await inviteAt(`http://127.0.0.1:${port}`);
	expect(await invite()).toBe('notSent');
	const service = new BrokenService();
	await service.start(port);
	expect(await invite()).toBeUndefined();
	expect(service.requests).toBe(1);
	await service.stop();
});

const NAMED = {
	...{ isAnonymousCandidate: false, firstName: 'Jane', lastName: 'Smith' },
	email: '={{ $json.ref }}@people.example',
};
const LISTS = [1, 30].flatMap((concurrency) =>
	(['stopWorkflow', 'continueRegularOutput'] as const).map((onError) => ({ concurrency, onError })),
);

for (const { concurrency, onError } of LISTS) {
	test(`with answers that come one request late, Concurrency ${concurrency}, and ${onError}, nobody gets another's link`, async ({
		n8n: { client },
		service,
		credential,
	}) => {
		for (const who of [NAMED, {}]) {
			const first = `R-100-${who === NAMED}`;
			const refs = [first, ...Array.from({ length: 34 }, (_, index) => `R-${101 + index}`)];
			service.faults.clear();
			service.faults.inject({
				...{ route: 'createInvitation', answersLate: true },
				when: ({ body }) => (body as { ext_reference_id: string }).ext_reference_id !== first,
			});
			const parameters = anonymousInvitation({ ...who, options: { concurrency } });
			const run = async (items: string[]) => {
				const invite = actionNode(credential, parameters, { onError });
				const json = JSON.stringify(items.map((ref) => ({ ref })));
				const { id } = await client.createWorkflow(itemsWorkflow('Late answers', json, invite));
				return await client.runToEnd(id, START, 60_000);
			};
			// The next request gets this one's response.
			await run(['R-099']);
			const execution = await run(refs);
			const shown = JSON.stringify(execution);
			const whose = service.invitations
				.filter(({ invitation_link }) => shown.includes(invitation_link))
				.map(({ ext_reference_id }) => ext_reference_id);
			expect(whose).toEqual([first]);
			const outcomes = itemsOf(execution, ACTION_NODE).map(({ json }) => json.outcome);
			if (onError === 'stopWorkflow') {
				expect(execution.status).toBe('error');
				expect(outcomes).toEqual([]);
			} else {
				expect(outcomes).toHaveLength(refs.length);
				expect(new Set(outcomes)).toEqual(new Set([undefined, 'unknown', 'notSent']));
			}
		}
	});
}
