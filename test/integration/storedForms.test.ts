import { createHash } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { rowOf } from '../support/Deduplicator';
import { deduplicator } from './support/NodeTestHarness';
import { invitation, setUp } from './support/setup';

/**
 * What stands in n8n's database, as 1.0.0 has written it. If the node wrote or read it otherwise, it would forget
 * everybody, and the next run would invite them again. So no literal here ever changes. The trigger's: trigger.test.ts.
 */
const setup = setUp();

/** As people write them: capitals, blanks, and an accent as a character of its own. */
const WRITTEN = {
	jobId: ' 3F2B8C1E-9D4A-4E6B-8A7C-5D1E2F3A4B5C',
	extReferenceId: ' Bewerbung  Zoe\u0308 / 7 ',
	email: ' Zoe\u0308.Smith@Example.COM ',
};
const DIGEST = '1hZGfn5zW0Hks2LL3Z0t8w==';
const K = `k${DIGEST}`;
const D = `d${DIGEST}`;
const R = `r${DIGEST}`;

const invite = async (more: INodeParameters = {}) =>
	await setup.harness.run(invitation({ ...WRITTEN, ...more }));

/** n8n stores a digest of each entry. */
const stored = (entries: string[]) => ({
	mode: 'entries',
	data: entries.map((entry) => createHash('md5').update(entry).digest('base64')).sort(),
});

function record() {
	const { mode, data } = deduplicator.valueOf(rowOf(deduplicator.workflowId, 'Action'))!;
	return { mode, data: [...(data as string[])].sort() };
}

it('an application is stored as its known and doubt entries while it is sent, then as known', async () => {
	setup.fault({ delayMs: 200 });
	const run = invite();
	await setup.firstRequest();
	expect(record()).toEqual(stored([K, D]));
	await run;
	expect(record()).toEqual(stored([K]));
});

it.each(['resendUnknown', 'inviteAgain'])(
	'one that is sent again (%s) is stored with a third entry, and afterwards as known',
	async (alreadyInvited) => {
		setup.fault({ status: alreadyInvited === 'resendUnknown' ? 500 : 200 });
		await invite();
		setup.service.clearRequests();
		setup.fault({ delayMs: 200 });
		const run = invite({ alreadyInvited });
		await setup.firstRequest();
		expect(record()).toEqual(stored([K, D, R]));
		await run;
		expect(record()).toEqual(stored([K]));
	},
);

it('one in doubt is stored as known and doubt, and one that was refused not at all', async () => {
	setup.fault({ status: 500 });
	await invite();
	expect(record()).toEqual(stored([K, D]));
	setup.fault({ status: 422 });
	await invite({ extReferenceId: 'APP-2' });
	expect(record()).toEqual(stored([K, D]));
});

it('an anonymous candidate with a number as the reference has an entry of this form', async () => {
	await invite({ isAnonymousCandidate: true, extReferenceId: '={{ 4711 }}', email: '' });
	expect(record()).toEqual(stored(['kJ6BYCTlHHnYyzxCHwradQQ==']));
});

it.each([
	[[K], 'This candidate was already invited'],
	[[K, D], "Couldn't confirm"],
	[[D], "Couldn't confirm"],
	[[K, D, R], "Couldn't confirm"],
])('nobody is sent again whom an earlier version has recorded as %j', async (entries, words) => {
	const { checkProcessedAndRecord } = deduplicator.helpersOf(deduplicator.workflowId, 'Action');
	await checkProcessedAndRecord(entries, 'node', { mode: 'entries' });
	const { outputs, error } = await invite();
	expect(error?.message ?? 'This candidate was already invited').toContain(words);
	expect(outputs[0] ?? []).toEqual([]);
	expect(setup.service.requests).toEqual([]);
});

it("the workflow's lock is a row of this mode, which no other node has", async () => {
	const modes = new Set<string | undefined>();
	deduplicator.failure = () => {
		modes.add(deduplicator.valueOf(rowOf(deduplicator.workflowId))?.mode);
		return undefined;
	};
	await invite();
	expect([...modes]).toEqual([undefined, 'candidateAssessmentLock']);
});
