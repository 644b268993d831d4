import * as fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { ApiError } from '../../nodes/CandidateAssessment/errors/ItemError';
import { applicationKey } from '../../nodes/CandidateAssessment/memory/memory';
import type { PreparedItem } from '../../nodes/CandidateAssessment/batch/prepareItems';
import { isFailure, type ItemOutcome } from '../../nodes/CandidateAssessment/actions/ItemOutcome';
import { runBatch } from '../../nodes/CandidateAssessment/batch/runBatch';
import {
	earlierTries,
	type EarlierTries,
} from '../../nodes/CandidateAssessment/memory/earlierTries';
import { SendOnce } from '../../nodes/CandidateAssessment/memory/sendOnce';
import type { Application } from '../../nodes/CandidateAssessment/actions/operation';
import { histories } from '../support/histories.mts';
import { remembered, seededRandom, SimulatedStore, World } from './simulatedHistory';

/**
 * Any history of lists with duplicates, faults, outages, crashes between any two steps, stops, tries and
 * re-runs: nobody is invited twice, and everybody is accounted for. HISTORIES asks for more of them.
 */
const HISTORIES = histories(400);

const NODE = {
	id: '',
	name: '',
	type: '',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
} as INode;

/** What happens to a request, and whether the service has taken it by then. */
const FAULTS = {
	none: { outcome: 'succeeded', isTaken: true },
	throttledAtFirst: { outcome: 'succeeded', isTaken: true },
	refused: { outcome: 'refused', isTaken: false },
	neverSent: { outcome: 'notSent', isTaken: false },
	resetBeforeTaken: { outcome: 'unknown', isTaken: false },
	answerLost: { outcome: 'unknown', isTaken: true },
} as const;
type Fault = keyof typeof FAULTS;

interface Row {
	person: string;
	mode: Application['ifAlreadySent'];
	fault: Fault;
}

interface Execution {
	rows: Row[];
	concurrency: number;
	continueOnFail: boolean;
	/** After how many steps the process dies. */
	crashAfter: number;
	/** After how many steps the user stops it. */
	stopAfter: number;
	/** From one step to another the service takes nothing and answers nothing. */
	outage: { from: number; to: number };
	/** How often n8n may run the node: with Retry On Fail more than once. */
	tries: number;
}

/** Everybody that there is; the lists are drawn from them. */
const PEOPLE = Array.from({ length: 12 }, (_, index) => `p${index}`);

const row: fc.Arbitrary<Row> = fc.record({
	person: fc.constantFrom(...PEOPLE),
	mode: fc.oneof(
		{ arbitrary: fc.constant<Row['mode']>('skip'), weight: 8 },
		fc.constantFrom<Row['mode']>('resendUnknown', 'inviteAgain', 'fail'),
	),
	fault: fc.oneof(
		{ arbitrary: fc.constant<Fault>('none'), weight: 6 },
		fc.constantFrom(...(Object.keys(FAULTS) as Fault[])),
	),
});

const never = fc.constant(Infinity);
const execution: fc.Arbitrary<Execution> = fc
	.record({
		rows: fc.array(row, { maxLength: 24 }),
		concurrency: fc.integer({ min: 1, max: 4 }),
		continueOnFail: fc.boolean(),
		crashAfter: fc.oneof(never, fc.nat(120)),
		stopAfter: fc.oneof({ arbitrary: never, weight: 3 }, fc.nat(120)),
		outage: fc.oneof(
			{ arbitrary: fc.constant({ from: Infinity, to: Infinity }), weight: 3 },
			fc.record({ from: fc.nat(80), to: fc.oneof(never, fc.integer({ min: 80, max: 160 })) }),
		),
		tries: fc.oneof({ arbitrary: fc.constant(1), weight: 3 }, fc.integer({ min: 2, max: 3 })),
	})
	.map((plan) => (plan.tries > 1 ? { ...plan, rows: plan.rows.map(withoutInviteAgain) } : plan));

/** n8n must not repeat on its own what is sent again in any case. */
function withoutInviteAgain(row: Row): Row {
	return { ...row, mode: row.mode === 'inviteAgain' ? 'resendUnknown' : row.mode };
}

const history = fc.record({
	executions: fc.array(execution, { minLength: 1, maxLength: 5 }),
	seed: fc.integer(),
});

const STOPPED = new ApiError({ message: 'stopped' }, { outcome: 'notSent' });

/** What one execution knows of the people it has sent an invitation for. */
class Trace {
	readonly onTheirWay = new Set<string>();
	readonly unknown = new Set<string>();
	/** In this try: whether one has succeeded, and whether the outage was noticed. */
	hasSucceeded = false;
	hasNoticed = false;
	/** In this try: sent into the outage that was noticed. */
	lost = 0;

	/** @param inDoubt who was in doubt when it began: only they are sent again with `resendUnknown` */
	constructor(readonly inDoubt: ReadonlySet<string>) {}

	startTry(): void {
		this.hasSucceeded = false;
		this.hasNoticed = false;
		this.lost = 0;
	}
}

/** The partner service, the store, and what is true of everybody. */
class Simulation {
	readonly world: World;
	readonly store: SimulatedStore;
	/** How often the service has taken an invitation, by person. */
	readonly taken = new Map<string, number>();
	/** Whose last invitation has no end that the node knows. */
	readonly withoutEnd = new Set<string>();
	/** Whom another execution at the same time sends again: who of the two comes first is chance. */
	private sentAgain = new Set<string>();
	/** Those of them that a crash met: if the first one was not accepted, nothing tells of the second. */
	private readonly lost = new Set<string>();

	constructor(seed: number) {
		this.world = new World(seededRandom(seed));
		this.store = new SimulatedStore(this.world);
	}

	/**
	 * Lets one execution go to its end or its crash, and checks what it leaves. Gives each row's
	 * outcome, or nothing where it did not come to an end or sent nothing.
	 */
	async execute(plan: Execution): Promise<ItemOutcome[] | undefined> {
		const before = await this.peopleInDoubt();
		const takenBefore = new Map(this.taken);
		const trace = new Trace(before);
		const stop = new AbortController();
		const run = await this.world.run(
			async () => await this.runTries(plan, trace, stop),
			plan.crashAfter,
			(step) => step === plan.stopAfter && stop.abort(STOPPED),
		);
		this.store.restart();
		const outcomes = run.crashed ? undefined : run.result;
		const after = await this.peopleInDoubt();
		// Whoever was sent without an end is not sent again, not even after an earlier success.
		const { onTheirWay, unknown } = trace;
		expect([...after]).toEqual(expect.arrayContaining([...onTheirWay, ...unknown]));
		const added = [...after].filter((person) => !before.has(person) && !unknown.has(person));
		// A crash leaves a few in doubt, an end nobody who is not named.
		expect(added.length).toBeLessThanOrEqual(run.crashed ? 2 * plan.concurrency : 0);
		for (const person of [...added, ...unknown]) this.withoutEnd.add(person);
		if (outcomes) this.expectTrue(plan.rows, outcomes, takenBefore);
		return outcomes;
	}

	/** Lets two executions go on at once, in one process, to their ends or their common crash. */
	async executeTogether(plans: Execution[]): Promise<void> {
		const before = await this.peopleInDoubt();
		const traces = plans.map(() => new Trace(before));
		const again = plans
			.flatMap(({ rows }) => rows)
			.filter(({ mode }) => mode === 'inviteAgain' || mode === 'resendUnknown');
		this.sentAgain = new Set(again.map(({ person }) => person));
		const run = await this.world.run(
			async () =>
				await Promise.all(
					plans.map(async (plan, index) => await this.runTries(plan, traces[index])),
				),
			plans[0].crashAfter,
		);
		this.store.restart();
		for (const person of await this.peopleInDoubt()) {
			const isExplained =
				run.crashed ||
				before.has(person) ||
				traces.some(({ unknown }) => unknown.has(person)) ||
				this.sentAgain.has(person);
			expect(isExplained).toBe(true);
			this.withoutEnd.add(person);
		}
		if (run.crashed) for (const person of this.sentAgain) this.lost.add(person);
		this.sentAgain.clear();
	}

	/** As n8n does it: again after a failure, or where the first item that comes out is one. */
	private async runTries(
		plan: Execution,
		trace: Trace,
		stop = new AbortController(),
	): Promise<ItemOutcome[] | undefined> {
		const input = [{ json: {} }];
		const node = { ...NODE, retryOnFail: plan.tries > 1 };
		for (let left = plan.tries; ; left--) {
			const tries = earlierTries({ getNode: () => node, getInputData: () => input });
			trace.startTry();
			const outcomes = await this.runList(plan, trace, tries, stop.signal);
			const [first] = outcomes?.filter(({ kind }) => kind !== 'alreadySent') ?? [];
			const hasFailed = plan.continueOnFail
				? first && first.kind !== 'succeeded'
				: !outcomes || outcomes.some(({ kind }) => !['succeeded', 'alreadySent'].includes(kind));
			if (!hasFailed) tries?.clear();
			if (!hasFailed || left <= 1 || stop.signal.aborted) return outcomes;
		}
	}

	/** As the node does it. */
	private async runList(
		{ rows, concurrency, continueOnFail, outage }: Execution,
		trace: Trace,
		tries: EarlierTries | undefined,
		execution: AbortSignal,
	): Promise<ItemOutcome[] | undefined> {
		const stop = new AbortController();
		execution.addEventListener('abort', () => stop.abort(STOPPED));
		const list = rows.map(itemOf);
		const once = await SendOnce.open(this.store, list, tries, concurrency);
		const isInvalid = once.outcomes.some((outcome) => outcome?.kind === 'invalid');
		if (!continueOnFail && isInvalid) return undefined;
		const sent = await runBatch(
			once.pending,
			async (index, place) =>
				await once.send(place, async () => {
					if (stop.signal.aborted) return { kind: 'notSent', error: STOPPED };
					return await this.send(rows[index], trace, outage);
				}),
			{ concurrency, continueOnFail, stop },
		);
		expect(await once.close()).not.toContainEqual(expect.stringContaining("couldn't record"));
		return once.complete(sent);
	}

	/** The service and the way to it. */
	private async send(
		{ person, mode, fault }: Row,
		trace: Trace,
		{ from, to }: Execution['outage'],
	): Promise<ItemOutcome> {
		// The first one goes alone, until one has succeeded.
		expect(trace.hasSucceeded || trace.onTheirWay.size === 0).toBe(true);
		const isIntoOutage = trace.hasNoticed;
		trace.onTheirWay.add(person);
		await this.world.step();
		const isAway = this.world.steps >= from && this.world.steps < to;
		const { outcome, isTaken } = isAway ? FAULTS.resetBeforeTaken : FAULTS[fault];
		// With Continue an outage costs three, however long it is.
		if (isAway && isIntoOutage) expect(++trace.lost).toBeLessThanOrEqual(3);
		if (fault === 'throttledAtFirst') await this.world.step();
		if (isTaken) {
			const count = this.taken.get(person) ?? 0;
			const isMeant =
				mode === 'inviteAgain' ||
				this.sentAgain.has(person) ||
				this.lost.has(person) ||
				(mode === 'resendUnknown' && trace.inDoubt.has(person) && !trace.unknown.has(person));
			if (count > 0 && !isMeant) throw new Error(`${person} was invited twice`);
			this.taken.set(person, count + 1);
		}
		await this.world.step();
		trace.onTheirWay.delete(person);
		if (outcome === 'unknown') trace.unknown.add(person);
		trace.hasNoticed ||= isAway;
		trace.hasSucceeded ||= outcome === 'succeeded';
		return outcome === 'succeeded'
			? { kind: outcome, output: { json: {} } }
			: { kind: outcome, error: new Error(fault) };
	}

	/** Whether what each row's outcome says is so. */
	private expectTrue(
		rows: readonly Row[],
		outcomes: readonly ItemOutcome[],
		takenBefore: ReadonlyMap<string, number>,
	): void {
		for (const [index, outcome] of outcomes.entries()) {
			const { person } = rows[index];
			const total = this.taken.get(person) ?? 0;
			const isTakenNow = total > (takenBefore.get(person) ?? 0);
			const isListedBefore = rows.findIndex((row) => row.person === person) < index;
			switch (outcome.kind) {
				case 'succeeded':
					expect(isTakenNow).toBe(true);
					break;
				case 'unknown':
					expect(this.withoutEnd).toContain(person);
					break;
				case 'refused':
					expect(isTakenNow).toBe(false);
					break;
				case 'notSent':
					expect(isTakenNow && !isListedBefore).toBe(false);
					break;
				case 'alreadySent':
				case 'invalid':
					expect(total > 0 || isListedBefore).toBe(true);
					break;
				default:
					outcome satisfies never;
			}
		}
	}

	private async peopleInDoubt(): Promise<Set<string>> {
		const states = await Promise.all(
			PEOPLE.map(async (person) => await remembered(this.store.entries, applicationKey([person]))),
		);
		return new Set(PEOPLE.filter((_person, index) => states[index] === 'inDoubt'));
	}
}

function itemOf({ person, mode }: Row): PreparedItem {
	return {
		kind: 'ready',
		reference: person,
		request: { method: 'POST', path: '/' },
		application: {
			identity: [person],
			ifAlreadySent: mode,
			notConfirmed: { message: 'Not confirmed', description: 'Look for it' },
		},
	};
}

it(`${HISTORIES} histories leave nobody invited twice, and everybody accounted for`, async () => {
	await fc.assert(
		fc.asyncProperty(history, async ({ executions, seed }) => {
			const simulation = new Simulation(seed);
			for (const plan of executions) await simulation.execute(plan);
			await expectEverybodyInvitedOrNamed(simulation);
		}),
		{ numRuns: HISTORIES },
	);
}, 600_000);

it('executions of one node at the same time invite nobody twice either', async () => {
	await fc.assert(
		fc.asyncProperty(history, async ({ executions, seed }) => {
			const simulation = new Simulation(seed);
			for (let first = 0; first < executions.length; first += 2) {
				await simulation.executeTogether(executions.slice(first, first + 2));
			}
			await expectEverybodyInvitedOrNamed(simulation);
		}),
		{ numRuns: HISTORIES },
	);
}, 600_000);

/** Run again until nothing changes: who can be invited is, and who is in doubt is named. */
async function expectEverybodyInvitedOrNamed(simulation: Simulation): Promise<void> {
	const everybody: Execution = {
		rows: PEOPLE.map((person) => ({ person, mode: 'skip', fault: 'none' })),
		concurrency: 3,
		continueOnFail: false,
		crashAfter: Infinity,
		stopAfter: Infinity,
		outage: { from: Infinity, to: Infinity },
		tries: 1,
	};
	await simulation.execute(everybody);
	const taken = new Map(simulation.taken);
	const outcomes = await simulation.execute(everybody);
	expect(simulation.taken).toEqual(taken);
	expect(outcomes?.some(isFailure)).toBe(false);
	for (const [index, person] of PEOPLE.entries()) {
		if (outcomes?.[index].kind === 'alreadySent') expect(taken.get(person)).toBeGreaterThan(0);
		else expect(outcomes?.[index]).toMatchObject({ kind: 'unknown', fromEarlierExecution: true });
	}
}
