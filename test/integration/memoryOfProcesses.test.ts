import { useVirtualTime } from './n8n/virtualTime.mts';
import * as fc from 'fast-check';
import type { DeduplicationHelperFunctions, IExecuteFunctions, INode } from 'n8n-workflow';
import { Memory, type Claim, type Remembered } from '../../nodes/CandidateAssessment/memory/memory';
import { collectGarbage } from '../support/collectGarbage.mts';
import { histories } from '../support/histories.mts';
import { seededRandom } from '../unit/simulatedHistory';
import { Deduplicator } from './Deduplicator';
import type { VirtualClock } from './n8n/VirtualClock.mts';

/**
 * Workers of n8n share a memory that has no lock: each reads all entries and writes all of them back,
 * within milliseconds as a rule. HISTORIES asks for more of them.
 */
const HISTORIES = histories(150);

const WORKFLOW = 'w1';
const NODE = { id: 'n1' } as INode;

type StoreModule = typeof import('../../nodes/CandidateAssessment/memory/memoryStore');

type StoreContext = ConstructorParameters<StoreModule['NodeMemoryStore']>[0];

/** What an execution of the node has. */
function executionOf(deduplicator: Deduplicator): StoreContext {
	const context = { workflow: { id: WORKFLOW, active: true }, node: NODE };
	const helpers: DeduplicationHelperFunctions = {
		checkProcessedAndRecord: async (items, scope, options) =>
			await deduplicator.checkProcessedAndRecord(items, scope, context, options),
		checkProcessedItemsAndRecord: () => Promise.reject(new Error('Nothing uses it')),
		removeProcessed: async (items, scope, options) =>
			await deduplicator.removeProcessed(items, scope, context, options),
		clearAllProcessedItems: async () => await deduplicator.clearAllProcessedItems(),
		getProcessedDataCount: async (scope) =>
			await deduplicator.getProcessedDataCount(scope, context),
	};
	return {
		getWorkflow: () => context.workflow,
		getNode: () => NODE,
		helpers: helpers as IExecuteFunctions['helpers'],
	};
}

/** Makes the memories that executions have in another process. */
function startProcess(): (execution: StoreContext) => Memory {
	let module: StoreModule | undefined;
	jest.isolateModules(() => {
		const file = '../../nodes/CandidateAssessment/memory/memoryStore';
		module = jest.requireActual<StoreModule>(file);
	});
	const { NodeMemoryStore } = module as StoreModule;
	return (execution) => new Memory(new NodeMemoryStore(execution));
}

/** A node's memory as another process has it. */
function memoryOfProcess(deduplicator: Deduplicator): Memory {
	return startProcess()(executionOf(deduplicator));
}

/** A list that a process invites: when it begins, and in milliseconds how long the service takes. */
interface List {
	process: number;
	startsAt: number;
	responseTime: number;
	groups: number;
}

const list: fc.Arbitrary<List> = fc.record({
	process: fc.nat(2),
	startsAt: fc.nat(500),
	responseTime: fc.constantFrom(0, 5, 50, 200),
	groups: fc.integer({ min: 1, max: 4 }),
});

/** Claims group by group, and records what was taken with the next one. Gives the keys of those. */
async function invite(
	clock: VirtualClock,
	memory: Memory,
	{ groups, ...list }: List,
	name: string,
) {
	await clock.sleep(list.startsAt);
	const sent: string[] = [];
	let ended: string[] = [];
	for (let group = 0; group < groups; group++) {
		const keys = [`${name}-${group}-a`, `${name}-${group}-b`];
		const candidacies = keys.map((key) => ({ key, again: false }));
		await memory.claim(candidacies, { taken: asClaims(ended), released: [] });
		await clock.sleep(list.responseTime);
		sent.push(...keys);
		ended = keys;
	}
	await memory.settle({ taken: asClaims(ended), released: [] });
	return sent;
}

/** How one application is invited, time and again. */
interface Run {
	process: number;
	mode: 'skip' | 'fail' | 'inviteAgain';
	end: 'taken' | 'released' | 'unknown';
	responseTime: number;
	/** In milliseconds, until it runs again. */
	pause: number;
}

const run: fc.Arbitrary<Run> = fc.record({
	process: fc.nat(2),
	mode: fc.constantFrom('skip', 'skip', 'fail', 'inviteAgain'),
	end: fc.constantFrom('taken', 'released', 'released', 'unknown'),
	responseTime: fc.constantFrom(0, 5, 50, 200),
	pause: fc.integer({ min: 1_000, max: 5_000 }),
});

/** Whether what was remembered may be remembered so now: what is not certain may be in doubt. */
const isKept = (before: Remembered, now: Remembered) => now === before || now === 'inDoubt';

/** Invites as the node does. Gives what has to be remembered in the end; throws if something was lost. */
async function inviteAgainAndAgain(
	clock: VirtualClock,
	memories: Memory[],
	runs: Run[],
	key: string,
): Promise<Remembered> {
	let state: Remembered = 'new';
	const check = ({ before }: Claim) => {
		if (!isKept(state, before)) throw new Error(`${key} was ${state} and is ${before}`);
		state = before;
	};
	for (const { process, mode, end, responseTime, pause } of runs) {
		const memory = memories[process];
		if (mode === 'fail') (await memory.look([key])).forEach(check);
		const again = mode === 'inviteAgain';
		const claims = await memory.claim([{ key, again }], { taken: [], released: [] });
		claims.forEach(check);
		if (state === 'new' || again) {
			await clock.sleep(responseTime);
			await memory.settle({ taken: [], released: [], ...(end !== 'unknown' && { [end]: claims }) });
			if (end === 'taken') state = 'taken';
			if (end === 'unknown') state = 'inDoubt';
		}
		await clock.sleep(pause);
	}
	return state;
}

const asClaims = (keys: string[]) => keys.map((key) => ({ key, before: 'new' as const }));

/** A read-and-write that takes long, in milliseconds, and how many go before it. */
const slow = fc.record({ after: fc.nat(30), delay: fc.integer({ min: 100, max: 2_900 }) });

describe('A memory that several processes share without a lock', () => {
	it('holds in the end all that was sent, also where one read-and-write took seconds', async () => {
		const lists = fc.array(list, { minLength: 2, maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(lists, slow, fc.nat(), async (all, { after, delay }, seed) => {
				const clock = useVirtualTime();
				const random = seededRandom(seed);
				const deduplicator = new Deduplicator();
				let reads = 0;
				deduplicator.delay = () => (reads++ === after ? delay : 20 * random());
				const memories = [0, 1, 2].map(() => memoryOfProcess(deduplicator));
				const invited = all.map((one, index) =>
					invite(clock, memories[one.process], one, `list-${index}`),
				);
				const sent = (await clock.until(Promise.all(invited)))?.flat() ?? [];
				await clock.pass(60_000);
				const found = await clock.until(memoryOfProcess(deduplicator).look(sent));
				expect(found?.filter(({ before }) => before !== 'taken')).toEqual([]);
			}),
			{ numRuns: HISTORIES },
		);
	}, 600_000);

	it('never takes for new what was sent, nor for taken what is in doubt', async () => {
		const lives = fc.array(fc.array(run, { minLength: 1, maxLength: 5 }), {
			minLength: 2,
			maxLength: 8,
		});
		await fc.assert(
			fc.asyncProperty(lives, fc.nat(), async (all, seed) => {
				const clock = useVirtualTime();
				const random = seededRandom(seed);
				const deduplicator = new Deduplicator();
				deduplicator.delay = () => 20 * random();
				const memories = [0, 1, 2].map(() => memoryOfProcess(deduplicator));
				const keys = all.map((_runs, index) => `application-${index}`);
				const ends = await clock.until(
					Promise.all(
						all.map(async (runs, index) => inviteAgainAndAgain(clock, memories, runs, keys[index])),
					),
				);
				await clock.pass(60_000);
				const found = await clock.until(memoryOfProcess(deduplicator).look(keys));
				expect(
					found?.filter(({ before }, index) => !isKept(ends?.[index] ?? 'new', before)),
				).toEqual([]);
			}),
			{ numRuns: HISTORIES },
		);
	}, 600_000);

	it('looks again as soon at what is claimed while older claims wait for their last look', async () => {
		const clock = useVirtualTime();
		const deduplicator = new Deduplicator();
		const [one, other] = [0, 1].map(() => memoryOfProcess(deduplicator));
		const claim = async (memory: Memory, key: string) =>
			await memory.claim([{ key, again: false }], { taken: [], released: [] });
		await clock.until(claim(one, 'earlier'));
		await clock.pass(400);
		deduplicator.delay = () => 50;
		const overwriting = claim(other, 'of the other');
		await clock.pass(20);
		deduplicator.delay = () => 0;
		await clock.until(Promise.all([claim(one, 'overwritten'), overwriting]));
		await clock.pass(300);
		expect(await clock.until(claim(other, 'overwritten'))).toMatchObject([{ before: 'inDoubt' }]);
	});

	it('keeps no execution that is over, however often the node runs', async () => {
		const clock = useVirtualTime();
		const deduplicator = new Deduplicator();
		const memoryOf = startProcess();
		const run = async (name: string) => {
			const execution = executionOf(deduplicator);
			const once = { process: 0, startsAt: 0, responseTime: 0, groups: 1 };
			await clock.until(invite(clock, memoryOf(execution), once, name));
			return new WeakRef(execution);
		};
		const first = await run('first');
		for (const name of ['second', 'third', 'fourth', 'fifth']) {
			await clock.pass(2_000);
			await run(name);
		}
		collectGarbage();
		expect(first.deref()).toBeUndefined();
	});
});
