import * as fc from 'fast-check';
import { ApiError } from '../../nodes/CandidateAssessment/errors/ItemError';
import { applicationKey } from '../../nodes/CandidateAssessment/memory/memory';
import type { PreparedItem } from '../../nodes/CandidateAssessment/batch/prepareItems';
import { isFailure, type ItemOutcome } from '../../nodes/CandidateAssessment/actions/ItemOutcome';
import { runBatch } from '../../nodes/CandidateAssessment/batch/runBatch';
import type { EarlierTries } from '../../nodes/CandidateAssessment/memory/earlierTries';
import { SendOnce } from '../../nodes/CandidateAssessment/memory/sendOnce';
import type { Application } from '../../nodes/CandidateAssessment/actions/operation';
import { histories } from '../support/histories.mts';
import { seededRandom, SimulatedStore, statesIn, World } from './simulatedHistory';

/**
 * Any history of lists with duplicates, faults, outages, crashes between any two steps, stops, tries and
 * re-runs: nobody is invited twice, and everybody is accounted for. HISTORIES asks for more of them.
 */
const HISTORIES = histories(400);

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
	checkOnly: boolean;
}

const ROW = { mode: 'skip', fault: 'none' } as const;

/** Everybody that there is; the lists are drawn from them. */
const PEOPLE = Array.from({ length: 12 }, (_, index) => `p${index}`);

const row: fc.Arbitrary<Row> = fc.record({
	person: fc.constantFrom(...PEOPLE),
	mode: fc.oneof(
		{ arbitrary: fc.constant<Row['mode']>('skip'), weight: 6 },
		{ arbitrary: fc.constant<Row['mode']>('resendUnknown'), weight: 4 },
		fc.constantFrom<Row['mode']>('skipUnknown', 'inviteAgain', 'fail'),
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
		checkOnly: fc.oneof({ arbitrary: fc.constant(false), weight: 6 }, fc.constant(true)),
	})
	.map((plan) => (plan.tries > 1 ? { ...plan, rows: plan.rows.map(withoutInviteAgain) } : plan));

/** n8n must not repeat on its own what is sent again in any case. */
function withoutInviteAgain(row: Row): Row {
	return { ...row, mode: row.mode === 'inviteAgain' ? 'resendUnknown' : row.mode };
}

const history = fc.record({
	executions: fc.array(execution, { minLength: 1, maxLength: 6 }),
	seed: fc.integer(),
});

const STOPPED = new ApiError({ message: 'stopped' }, { outcome: 'notSent' });

/** What one execution knows of the people it has sent an invitation for. */
class Trace {
	readonly onTheirWay = new Set<string>();
	readonly unknown = new Set<string>();
	/** In this try: whether one was sent, whether one has succeeded, and whether the outage was noticed. */
	hasSent = false;
	hasSucceeded = false;
	hasNoticed = false;
	/** In this try: sent into the outage that was noticed. */
	lost = 0;

	startTry(): void {
		this.hasSent = false;
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
	/** People whose last invitation has no end that the node knows: only they may be sent again. */
	private inDoubt = new Set<string>();
	/** People who were in doubt, and count as invited since somebody said so. */
	readonly settled = new Set<string>();
	/** People whose invitation is on its way, of any execution. */
	private readonly onTheirWay = new Set<string>();

	constructor(seed: number) {
		this.world = new World(seededRandom(seed));
		this.store = new SimulatedStore(this.world);
	}

	/**
	 * Lets executions go on at once, in one process, to their ends or their common crash, and checks what
	 * they leave. Gives each row's outcome if one went on alone, or nothing where it did not come to an
	 * end or sent nothing.
	 */
	async execute(...plans: Execution[]): Promise<ItemOutcome[] | undefined> {
		const before = new Set(this.inDoubt);
		const entriesBefore = [...this.store.entries];
		const takenBefore = new Map(this.taken);
		const traces = plans.map(() => new Trace());
		const stop = new AbortController();
		const run = await this.world.run(
			async () =>
				await Promise.all(
					plans.map(async (plan, index) => await this.runTries(plan, traces[index], stop)),
				),
			plans[0].crashAfter,
			(step) => step === plans[0].stopAfter && stop.abort(STOPPED),
		);
		if (run.crashed) this.store.restart();
		if (!run.crashed && plans.every(({ checkOnly }) => checkOnly)) {
			expect(this.store.entries).toEqual(entriesBefore);
		}
		const after = await this.peopleInDoubt();
		const isSettled = (person: string) =>
			plans.some(({ rows }) =>
				rows.some((row) => row.person === person && row.mode === 'skipUnknown'),
			);
		for (const person of [...this.onTheirWay, ...this.inDoubt]) {
			if (after.has(person)) continue;
			// An invitation without an end is not forgotten, not even after an earlier success.
			expect({ person, isSettled: isSettled(person) }).toEqual({ person, isSettled: true });
			this.settled.add(person);
		}
		// A crash leaves a few in doubt, an end nobody who is not named.
		const added = [...after].filter((person) => !this.inDoubt.has(person) && !before.has(person));
		const most = plans.reduce(
			(sum, { concurrency }, index) =>
				sum + (traces[index].hasSent ? 2 * concurrency : PEOPLE.length),
			0,
		);
		expect(added.length).toBeLessThanOrEqual(run.crashed ? most : 0);
		this.inDoubt = after;
		this.onTheirWay.clear();
		if (run.crashed || plans.length > 1) return undefined;
		const [outcomes] = run.result;
		if (outcomes) this.expectTrue(plans[0], outcomes, takenBefore, before);
		return outcomes;
	}

	/** As n8n does it: again after a failure, or where the first item that comes out is one. */
	private async runTries(
		plan: Execution,
		trace: Trace,
		stop: AbortController,
	): Promise<ItemOutcome[] | undefined> {
		const tries: EarlierTries | undefined = plan.tries > 1 ? new Map() : undefined;
		for (let left = plan.tries; ; left--) {
			trace.startTry();
			const outcomes = await this.runList(plan, trace, tries, stop.signal);
			const [first] = outcomes?.filter(({ kind }) => kind !== 'alreadySent') ?? [];
			const hasFailed = plan.continueOnFail
				? first && isFailure(first)
				: !outcomes || outcomes.some(isFailure);
			if (!hasFailed || left <= 1 || stop.signal.aborted) return outcomes;
		}
	}

	/** As the node does it. */
	private async runList(
		{ rows, concurrency, continueOnFail, outage, checkOnly }: Execution,
		trace: Trace,
		tries: EarlierTries | undefined,
		execution: AbortSignal,
	): Promise<ItemOutcome[] | undefined> {
		const stop = new AbortController();
		execution.addEventListener('abort', () => stop.abort(STOPPED));
		const once = await SendOnce.open(this.store, rows.map(itemOf), tries, concurrency);
		const isWrong = once.outcomes.some((outcome) => outcome && isFailure(outcome));
		if (!continueOnFail && isWrong) return undefined;
		if (checkOnly) return once.complete(once.pending.map(() => ({ kind: 'ready' })));
		const sent = await runBatch(
			once.pending,
			async (index) =>
				await once.send(index, async () => {
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
		const isMeant =
			mode === 'inviteAgain' ||
			!this.taken.has(person) ||
			(mode === 'resendUnknown' && this.inDoubt.has(person));
		// A next try does not send again what has become unknown in this execution.
		const isRepeated = this.onTheirWay.has(person) || trace.unknown.has(person);
		if (!isMeant || isRepeated) throw new Error(`${person} was sent twice`);
		this.onTheirWay.add(person);
		trace.onTheirWay.add(person);
		trace.hasSent = true;
		await this.world.step();
		const isAway = this.world.steps >= from && this.world.steps < to;
		const { outcome, isTaken } = isAway ? FAULTS.resetBeforeTaken : FAULTS[fault];
		// With Continue an outage costs three, however long it is.
		if (isAway && isIntoOutage) expect(++trace.lost).toBeLessThanOrEqual(3);
		if (fault === 'throttledAtFirst') await this.world.step();
		if (isTaken) this.taken.set(person, (this.taken.get(person) ?? 0) + 1);
		await this.world.step();
		trace.onTheirWay.delete(person);
		this.onTheirWay.delete(person);
		if (outcome === 'succeeded') this.inDoubt.delete(person);
		if (outcome === 'unknown') {
			this.inDoubt.add(person);
			trace.unknown.add(person);
		}
		trace.hasNoticed ||= isAway;
		trace.hasSucceeded ||= outcome === 'succeeded';
		return outcome === 'succeeded'
			? { kind: outcome, output: { json: {} } }
			: { kind: outcome, error: new ApiError({ message: fault }, { outcome }) };
	}

	/** Whether what each row's outcome says is so. */
	private expectTrue(
		{ rows, checkOnly }: Execution,
		outcomes: readonly ItemOutcome[],
		takenBefore: ReadonlyMap<string, number>,
		inDoubtBefore: ReadonlySet<string>,
	): void {
		for (const [index, outcome] of outcomes.entries()) {
			const { person, mode } = rows[index];
			const total = this.taken.get(person) ?? 0;
			const isTakenNow = total > (takenBefore.get(person) ?? 0);
			const first = rows.findIndex((row) => row.person === person);
			const isListedBefore = first < index;
			if (isListedBefore && mode !== 'fail') {
				expect(outcome.kind === 'unknown').toBe(outcomes[first].kind === 'unknown');
			}
			switch (outcome.kind) {
				case 'succeeded':
					expect(isTakenNow).toBe(true);
					break;
				case 'unknown':
					expect(this.inDoubt).toContain(person);
					break;
				case 'refused':
					expect(isTakenNow).toBe(false);
					break;
				case 'notSent':
					expect(isTakenNow && !isListedBefore).toBe(false);
					break;
				case 'alreadySent':
				case 'invalid':
					// An invitation of an earlier try is output with its link.
					expect(isTakenNow && !isListedBefore).toBe(false);
					if (mode === 'skipUnknown' && inDoubtBefore.has(person)) {
						expect(this.inDoubt.has(person)).toBe(checkOnly);
					} else expect(total > 0 || isListedBefore || this.settled.has(person)).toBe(true);
					break;
				case 'ready':
					expect(isTakenNow).toBe(false);
					if (mode === 'skip') expect(inDoubtBefore).not.toContain(person);
					break;
				default:
					outcome satisfies never;
			}
		}
	}

	private async peopleInDoubt(): Promise<Set<string>> {
		const keys = PEOPLE.map((person) => applicationKey([person]));
		const states = await statesIn(this.store.entries, keys);
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
			for (let first = 0; first < executions.length; first += 3) {
				await simulation.execute(...executions.slice(first, first + 3));
			}
			await expectEverybodyInvitedOrNamed(simulation);
		}),
		{ numRuns: HISTORIES },
	);
}, 600_000);

it('a crash during the lookup of a long list leaves at most a hundred in doubt', async () => {
	const list = Array.from({ length: 250 }, (_, index) => itemOf({ ...ROW, person: `p${index}` }));
	for (let crashAfter = 0; crashAfter < 14; crashAfter++) {
		const world = new World(seededRandom(1));
		const store = new SimulatedStore(world);
		const { crashed } = await world.run(
			async () => await SendOnce.open(store, list, undefined, 30),
			crashAfter,
		);
		expect(crashed).toBe(crashAfter < 12);
		expect(store.entries.length).toBeLessThanOrEqual(crashed ? 200 : 0);
	}
});

it('what can be looked up, but not claimed, is not sent', async () => {
	let isBusy = false;
	const step = async () => await (isBusy ? Promise.reject(new Error('Busy')) : undefined);
	const list = [itemOf({ ...ROW, person: 'p0' })];
	const once = await SendOnce.open(new SimulatedStore({ step }), list, undefined, 1);
	isBusy = true;
	const send = jest.fn();
	expect(await once.send(0, send)).toMatchObject({ kind: 'notSent' });
	expect(send).not.toHaveBeenCalled();
});

it('an invitation that is being resent is not settled meanwhile, nor sent by a third execution', async () => {
	const store = new SimulatedStore({ step: async () => {} });
	const openWith = async (mode: Row['mode']) =>
		await SendOnce.open(store, [itemOf({ ...ROW, person: 'p0', mode })], undefined, 1);
	const send = async (
		mode: Row['mode'],
		kind: 'unknown' | 'notSent',
		meanwhile = async () => {},
	) => {
		const once = await openWith(mode);
		if (once.pending.length === 0) return once.outcomes[0];
		const outcome = await once.send(0, async () => {
			await meanwhile();
			return { kind, error: STOPPED };
		});
		await once.close();
		return outcome;
	};
	await send('skip', 'unknown');
	const settling = await openWith('skipUnknown');
	await send('resendUnknown', 'unknown', async () => {
		await settling.close();
		const third = await send('inviteAgain', 'notSent', async () => {
			throw new Error('p0 was sent twice at once');
		});
		expect(third).toMatchObject({ kind: 'notSent' });
	});
	expect((await openWith('skip')).outcomes).toMatchObject([{ kind: 'unknown' }]);
});

/** Run again until nothing changes: who can be invited is, and who is in doubt is named. */
async function expectEverybodyInvitedOrNamed(simulation: Simulation): Promise<void> {
	const everybody: Execution = {
		rows: PEOPLE.map((person) => ({ ...ROW, person })),
		concurrency: 3,
		continueOnFail: true,
		crashAfter: Infinity,
		stopAfter: Infinity,
		outage: { from: Infinity, to: Infinity },
		tries: 1,
		checkOnly: false,
	};
	await simulation.execute(everybody);
	const taken = new Map(simulation.taken);
	const outcomes = await simulation.execute(everybody);
	expect(simulation.taken).toEqual(taken);
	for (const [index, person] of PEOPLE.entries()) {
		if (outcomes?.[index].kind === 'alreadySent') {
			expect(taken.has(person) || simulation.settled.has(person)).toBe(true);
		} else expect(outcomes?.[index]).toMatchObject({ kind: 'unknown' });
	}
}
