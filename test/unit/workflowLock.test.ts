import * as fc from 'fast-check';
import type { ICheckProcessedContextData as Context } from 'n8n-workflow';
import { Deduplicator, rowOf } from '../support/Deduplicator';
import { histories } from '../support/histories.mts';
import { newWorkflow, processOf, World } from './simulatedHistory';

const HISTORIES = histories(400);
const NODE = 'invite';

/** What one process does: tasks at certain times, and perhaps its death after so many steps. */
const process = fc.record({
	startsAt: fc.array(fc.oneof(fc.constant(0), fc.nat(20_000)), { minLength: 1, maxLength: 4 }),
	diesAfter: fc.oneof({ arbitrary: fc.constant(Infinity), weight: 2 }, fc.nat(200)),
});
const history = fc.record({
	processes: fc.array(process, { minLength: 2, maxLength: 5 }),
	seed: fc.integer(),
});
const removeDuplicates = fc.record({
	mode: fc.constantFrom('entries' as const, 'latestIncrementalKey' as const),
	/** What it does, and when. */
	uses: fc.array(
		fc.record({ at: fc.oneof(fc.constant(0), fc.nat(20_000)), isCleaning: fc.boolean() }),
		{ minLength: 1, maxLength: 6 },
	),
});

type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** What other nodes work on, and whether all of the lock's tasks are over. */
interface Place {
	world: World;
	rows: Map<string, string>;
	workflow: string;
	isQuiet(): boolean;
}

/** Lets processes run their tasks under the lock, to the end, and others work beside them. */
async function run(
	{ processes: plans, seed }: History,
	task: (step: () => Promise<void>) => Promise<void>,
	others: (place: Place) => Promise<void> = async () => {},
): Promise<void> {
	const world = new World(seed);
	const rows = new Map<string, string>();
	const workflow = newWorkflow();
	let failure: Error | undefined;
	const fail = (error: Error) => (failure ??= error);
	const processes = plans.map(({ startsAt, diesAfter }, number) => {
		const life = processOf(number, world, rows);
		const helpers = life.deduplicator.helpersOf(workflow, NODE);
		const context = { getWorkflow: () => ({ id: workflow, active: true }), helpers };
		const step = async () => await world.step(life);
		const running = { life, diesAfter, open: startsAt.length };
		for (const milliseconds of startsAt) {
			void world
				.step(life, milliseconds)
				.then(async () => await life.withLock(context, async () => await task(step)))
				.then(() => running.open--, fail);
		}
		return running;
	});
	const isQuiet = () => processes.every(({ open }) => open === 0);
	let isOthersOver = false;
	void others({ world, rows, workflow, isQuiet }).then(() => (isOthersOver = true), fail);
	await world.run((step) => {
		if (failure) throw failure;
		for (const process of processes.filter(({ diesAfter }) => diesAfter === step)) {
			world.kill(process.life);
			process.open = 0;
		}
		return isOthersOver && isQuiet();
	});
}

it('of all processes, one at a time has the lock, also after others died with it', async () => {
	await fc.assert(
		fc.asyncProperty(history, async (plan) => {
			let holder: object | undefined;
			await run(plan, async (step) => {
				const me = (holder = {});
				// Whoever died in here has it no more once somebody else has.
				for (let steps = 0; steps < 4; steps++) {
					await step();
					expect(holder).toBe(me);
				}
			});
		}),
		{ numRuns: HISTORIES },
	);
}, 3_600_000);

it('a Remove Duplicates node of the same workflow loses no entry, and fails for a moment at most', async () => {
	await fc.assert(
		fc.asyncProperty(history, removeDuplicates, async (plan, { mode, uses }) => {
			const work = async ({ world, rows, workflow, isQuiet }: Place) => {
				const life = {};
				const database = new Deduplicator(rows, async () => await world.step(life));
				const row = rowOf('workflow', { workflow: { id: workflow } } as Context);
				const helpers = database.helpersOf(workflow, 'other');
				const seen: number[] = [];
				const clean = async () => {
					await helpers.clearAllProcessedItems('workflow', { mode });
					seen.splice(0);
				};
				for (const [item, { at, isCleaning }] of uses.entries()) {
					await world.step(life, at);
					if (isCleaning && database.valueOf(row)?.mode === mode) await clean();
					const since = world.now;
					const add = helpers.checkProcessedAndRecord;
					while (!(await add([item], 'workflow', { mode }).catch(() => undefined))) {
						await world.step(life, 500);
						if (world.now - since < 60_000) continue;
						// All have died. The error says how to go on.
						expect(isQuiet()).toBe(true);
						await clean();
					}
					seen.push(item);
					const another = new Deduplicator(new Map(rows), async () => {}).helpersOf(workflow, '');
					const { new: found } = await another.checkProcessedAndRecord(seen, 'workflow', { mode });
					expect(found).toEqual([]);
				}
			};
			await run(plan, async (step) => await step(), work);
		}),
		{ numRuns: HISTORIES },
	);
}, 3_600_000);
