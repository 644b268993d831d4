import * as fc from 'fast-check';
import type { ItemOutcome } from '../../nodes/CandidateAssessment/errors/ItemError';
import type { ApplicationId } from '../../nodes/CandidateAssessment/memory/alreadyInvited';
import { histories } from '../support/histories.mts';
import {
	beginsWithError,
	isDiscarded,
	PEOPLE,
	processOf,
	Simulation,
	type Process,
	type RunContext,
} from './support/simulation';
import type { Task } from './support/simulatedWorld';

/**
 * Any history of lists with duplicates, faults, outages, crashes between any two steps, stops, tries and re-runs, in
 * one process of n8n. Nobody is invited twice, and everybody is accounted for. HISTORIES asks for more histories.
 */
const HISTORIES = histories(400);

/** The faults of a request, and whether the service has taken it by then. */
const FAULTS = {
	none: { outcome: 'succeeded', isTaken: true },
	refused: { outcome: 'refused', isTaken: false },
	neverSent: { outcome: 'notSent', isTaken: false },
	resetBeforeTaken: { outcome: 'unknown', isTaken: false },
	answerLost: { outcome: 'unknown', isTaken: true },
} as const;
type Fault = keyof typeof FAULTS;

interface Row {
	person: string;
	mode: ApplicationId['ifAlreadySent'];
	fault: Fault;
}

interface Execution {
	rows: Row[];
	concurrency: number;
	continueOnFail: boolean;
	/** The process dies after this many steps. */
	crashAfter?: number;
	/** The user stops it after this many steps. */
	stopAfter?: number;
	/** How often n8n may run the node. Retry On Fail allows more than one run. */
	tries?: number;
	/** The number of rounds in which a loop passes the list, without tries. */
	rounds?: number;
	/** The number of steps that later nodes take. */
	following?: number;
	checkOnly?: boolean;
	/** Another credential, or the same one with another Base URL. */
	account: 'one' | 'other';
}

/** In milliseconds: no link expires before a history ends. */
const LONG = 1e9;

/** A link that a candidate was sent. */
interface Link {
	number: number;
	person: string;
	account: string;
	expiresAt: number;
	/** When a newer link replaced it. */
	replacedAt?: number;
	/** The execution whose output holds it. n8n may still discard that output. */
	outputBy?: Running;
	/** Others have since output more than is kept, and n8n may still discard this output. */
	mayBeLost?: boolean;
}

const row: fc.Arbitrary<Row> = fc.record({
	person: fc.constantFrom(...PEOPLE),
	mode: fc.oneof(
		{ arbitrary: fc.constant<Row['mode']>('skip'), weight: 6 },
		{ arbitrary: fc.constant<Row['mode']>('resendUnknown'), weight: 4 },
		fc.constantFrom<Row['mode']>('skipUnknown', 'inviteAgain'),
	),
	fault: fc.oneof(
		{ arbitrary: fc.constant<Fault>('none'), weight: 6 },
		fc.constantFrom(...(Object.keys(FAULTS) as Fault[])),
	),
});

/** From a random row on, no request reaches the service, perhaps until a later row. */
const rows = fc
	.tuple(fc.array(row, { maxLength: 24 }), fc.nat(30), fc.oneof(fc.constant(24), fc.nat(12)))
	.map(([list, first, count]) =>
		list.map((row, index): Row => {
			const isReached = index < first || index >= first + count;
			return isReached ? row : { ...row, fault: 'resetBeforeTaken' };
		}),
	);

const execution: fc.Arbitrary<Execution> = fc
	.record(
		{
			rows,
			// A list up to this length isn't looked up.
			concurrency: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(24)),
			continueOnFail: fc.boolean(),
			crashAfter: fc.nat(120),
			stopAfter: fc.nat(240),
			tries: fc.integer({ min: 1, max: 3 }),
			rounds: fc.integer({ min: 1, max: 4 }),
			following: fc.nat(60),
			checkOnly: fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, fc.constant(true)),
			account: fc.constantFrom('one', 'other'),
		},
		{ requiredKeys: ['rows', 'concurrency', 'continueOnFail', 'account'] },
	)
	.map(({ rows, tries = 1, ...plan }) => {
		// n8n must not repeat on its own a choice made for one run.
		const repeatable = rows.map((row): Row => ({ ...row, mode: tries > 1 ? 'skip' : row.mode }));
		return { ...plan, tries, rows: repeatable };
	});

/** Executions in phases. Those of one phase run at once. */
const history = (plan: fc.Arbitrary<Execution>, most: number) =>
	fc.record({
		phases: fc.array(fc.array(plan, { minLength: 1, maxLength: most }), {
			minLength: 1,
			maxLength: 6,
		}),
		lifetime: fc.oneof({ arbitrary: fc.constant(LONG), weight: 3 }, fc.nat(400)),
		seed: fc.integer(),
	});

interface Running extends Task {
	plan: Execution;
	stop: AbortController;
	who: Process;
	/** The rows of the node's latest run. */
	rows: Row[];
	/** The people to whom it has sent an invitation without knowing the outcome. */
	unknown: Set<string>;
	/** Whether this try has sent anything. */
	hasSent: boolean;
	/** The numbers of the links that it has sent. */
	sent: Set<number>;
	outcomes?: ItemOutcome[];
}

/** The lists of a loop's rounds, or the whole list. */
function roundsOf({ rows, tries = 1, rounds = 1 }: Execution): Row[][] {
	const length = tries === 1 ? rounds : 1;
	const size = Math.ceil(rows.length / length);
	return Array.from({ length }, (_, round) => rows.slice(round * size, (round + 1) * size));
}

const isLoop = (plan: Execution) => roundsOf(plan).length > 1;

/** Records the truth about everybody. */
class SingleProcess extends Simulation<Row> {
	/** The number of processes so far, one after the other. The first one only looks. */
	private started = 0;
	private process = this.startProcess();
	/** People whose last invitation has no outcome that the node knows. Only they may be sent again. */
	private inDoubt = new Set<string>();
	/** People who were in doubt, and count as invited after somebody said so. */
	readonly settled = new Set<string>();
	/** The links that this process knows and no run has output. */
	private readonly unseen = new Map<number, Link>();
	private links = 0;
	/** People whose invitation is on its way, in any execution. */
	private readonly onTheirWay = new Set<string>();

	/** @param lifetime of a link, in milliseconds */
	constructor(
		seed: number,
		private readonly lifetime: number,
	) {
		super(seed);
	}

	/**
	 * Runs executions at once until they end or their process crashes, and checks the state they leave.
	 * @returns each row's outcome if an execution ran alone, nothing if it didn't end or sent nothing
	 */
	async execute(...plans: Execution[]): Promise<ItemOutcome[] | undefined> {
		const before = new Set(this.inDoubt);
		const entriesBefore = this.entries;
		const takenBefore = new Map(this.taken);
		const executions = plans.map((plan) => {
			const execution: Running = {
				plan,
				stop: new AbortController(),
				who: this.process,
				rows: plan.rows,
				unknown: new Set(),
				hasSent: false,
				sent: new Set(),
				run: async () => (execution.outcomes = await this.runRounds(execution)),
			};
			return execution;
		});
		await this.world.run(executions, (step) => {
			if (step === plans[0].stopAfter) {
				for (const each of executions.filter(({ isOver }) => !isOver)) {
					each.stop.abort();
					this.discardOutput(each);
				}
			}
			if (plans.every(({ crashAfter }) => crashAfter !== step)) return;
			this.world.kill(this.process);
			this.unseen.clear();
			this.process = this.startProcess();
		});
		const killed = executions.filter(({ isOver }) => !isOver);
		if (plans.every(({ checkOnly }) => checkOnly) && killed.length === 0) {
			expect(this.entries).toEqual(entriesBefore);
		}
		const states = await this.states();
		const after = new Set(PEOPLE.filter((person) => states.get(person) === 'unknown'));
		const isSettled = (person: string) =>
			plans.some(({ rows }) =>
				rows.some((row) => row.person === person && row.mode === 'skipUnknown'),
			);
		for (const person of [...this.onTheirWay, ...this.inDoubt]) {
			if (after.has(person)) continue;
			// An invitation without an outcome isn't forgotten, not even after an earlier success.
			expect({ person, isSettled: isSettled(person) }).toEqual({ person, isSettled: true });
			this.settled.add(person);
		}
		const forgotten = [...this.taken.keys()].filter((person) => states.get(person) === 'ready');
		expect(forgotten).toEqual([]);
		// A crash leaves a few in doubt; a normal end leaves only people whom it names.
		const added = [...after].filter((person) => !this.inDoubt.has(person) && !before.has(person));
		const most = killed.reduce(
			(sum, { plan, hasSent }) => sum + (hasSent ? 2 * plan.concurrency : PEOPLE.length),
			0,
		);
		expect(added.length).toBeLessThanOrEqual(most);
		const listed = killed.flatMap(({ plan }) => plan.rows.map(({ person }) => person));
		expect(listed).toEqual(expect.arrayContaining(added));
		this.inDoubt = after;
		this.onTheirWay.clear();
		if (killed.length > 0 || plans.length > 1 || isLoop(plans[0])) return undefined;
		const [{ outcomes }] = executions;
		if (outcomes) this.expectTrue(plans[0], outcomes, takenBefore, before);
		return outcomes;
	}

	private startProcess(): Process {
		return processOf(++this.started, this.world, this.rows);
	}

	/**
	 * Each round is a run of the node, which n8n tries again after a failure, or if the first output item is one. Stopping
	 * the execution discards the output of all rounds.
	 */
	private async runRounds(execution: Running): Promise<ItemOutcome[] | undefined> {
		const { plan, who } = execution;
		const { tries = 1, following = 0, continueOnFail } = plan;
		const { signal: stop } = execution.stop;
		const since = this.world.now;
		const output: Array<Pick<Running, 'rows'> & { outcomes: ItemOutcome[] }> = [];
		for (const rows of roundsOf(plan)) {
			execution.rows = rows;
			// The expectations about tries don't apply to rounds.
			execution.unknown.clear();
			const context = this.contextOf(who, tries > 1);
			for (let left = tries; ; left--) {
				// Each run asks about its list before it sends.
				execution.hasSent = false;
				if (left < tries) this.discardOutput(execution);
				const outcomes = await this.runList(execution, context, stop);
				const isFailure = isDiscarded(outcomes, continueOnFail);
				if (outcomes && !isFailure && !stop.aborted) this.setOutput(execution, outcomes);
				if ((isFailure || beginsWithError(outcomes)) && left > 1 && !stop.aborted) continue;
				if (!outcomes || isFailure || stop.aborted) return outcomes;
				output.push({ rows, outcomes });
				break;
			}
		}
		for (let step = 0; step < following; step++) await this.world.step(who);
		if (!stop.aborted) {
			for (const { rows, outcomes } of output) this.output({ ...execution, rows }, outcomes, since);
		}
		return output.at(-1)!.outcomes;
	}

	/** Links that other executions have output are no longer among the last. */
	private setOutput(execution: Running, outcomes: ItemOutcome[]): void {
		for (const link of this.unseen.values()) {
			link.mayBeLost ||= link.outputBy !== undefined && link.outputBy !== execution;
		}
		for (const outcome of outcomes) {
			if (outcome.kind !== 'succeeded') continue;
			const link = this.unseen.get(outcome.output.json.link as number);
			if (link) link.outputBy = execution;
		}
	}

	/** n8n tries again, or was told to stop. */
	private discardOutput(execution: Running): void {
		for (const link of this.unseen.values()) {
			if (link.outputBy === execution) link.outputBy = undefined;
		}
	}

	/** Each link comes out once, in its place, while it works, and not after a newer one. */
	private output({ plan, rows, sent }: Running, outcomes: ItemOutcome[], since: number): void {
		for (const [index, outcome] of outcomes.entries()) {
			if (outcome.kind !== 'succeeded') continue;
			const number = outcome.output.json.link as number;
			const link = this.unseen.get(number);
			expect(link).toMatchObject({ person: rows[index].person, account: plan.account });
			const { expiresAt, replacedAt = Infinity } = link!;
			expect(sent.has(number) || expiresAt > since).toBe(true);
			expect(replacedAt).toBeGreaterThanOrEqual(since);
			this.unseen.delete(number);
		}
		if (isLoop(plan)) return;
		// This includes links from earlier tries.
		expect(this.owed().filter(({ number }) => sent.has(number))).toEqual([]);
	}

	/** The links that must still be output. */
	owed(): Link[] {
		const { now } = this.world;
		return [...this.unseen.values()].filter(
			({ expiresAt, replacedAt, mayBeLost }) =>
				replacedAt === undefined && expiresAt > now && !mayBeLost,
		);
	}

	private async runList(
		execution: Running,
		context: RunContext,
		stopped: AbortSignal,
	): Promise<ItemOutcome[] | undefined> {
		const { concurrency, continueOnFail, checkOnly, account } = execution.plan;
		const options = { concurrency, continueOnFail, checkOnly, account, stopped, context };
		const send = async (row: Row) => await this.send(execution, row);
		return await this.sendOnce(execution.who, execution.rows, { ...options, send });
	}

	/** The service and the connection to it. */
	private async send(execution: Running, { person, mode, fault }: Row): Promise<ItemOutcome> {
		const { who, unknown } = execution;
		const isInvited = this.taken.has(person) || this.settled.has(person);
		const isInDoubt = this.inDoubt.has(person);
		const isMeant = mode === 'inviteAgain' || (isInDoubt ? mode === 'resendUnknown' : !isInvited);
		// A later try doesn't resend what has become unknown in this execution.
		const isRepeated = this.onTheirWay.has(person) || unknown.has(person);
		if (!isMeant || isRepeated) throw new Error(`${person} was sent twice`);
		this.onTheirWay.add(person);
		execution.hasSent = true;
		await this.world.step(who);
		const { outcome, isTaken } = FAULTS[fault];
		if (isTaken) this.take(person);
		await this.world.step(who);
		this.onTheirWay.delete(person);
		if (outcome === 'succeeded') {
			this.inDoubt.delete(person);
			const { account } = execution.plan;
			for (const older of this.unseen.values()) {
				const isReplaced = older.person === person && older.account === account;
				if (isReplaced) older.replacedAt = this.world.now;
			}
			const number = ++this.links;
			const expiresAt = this.world.now + this.lifetime;
			this.unseen.set(number, { number, person, account, expiresAt });
			execution.sent.add(number);
			const json = { link: number, invitation_expired_at: new Date(expiresAt).toISOString() };
			return { kind: outcome, output: { json } };
		}
		if (outcome === 'unknown') {
			this.inDoubt.add(person);
			unknown.add(person);
		}
		return { kind: outcome, error: new who.ApiError({ message: outcome }, outcome) };
	}

	/** Expects each row's outcome to be true. */
	private expectTrue(
		{ rows, checkOnly = false }: Execution,
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
			if (isListedBefore && outcome.kind === 'alreadySent') {
				expect(['succeeded', 'alreadySent', 'ready']).toContain(outcomes[first].kind);
			}
			if (isListedBefore) {
				expect(outcome.kind === 'unknown').toBe(outcomes[first].kind === 'unknown');
			}
			switch (outcome.kind) {
				case 'succeeded':
					// An earlier run, whose output was discarded, may have invited them.
					expect(total).toBeGreaterThan(0);
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
				case 'duplicate':
				case 'invalid':
					// An invitation of an earlier try is output with its link, while it works.
					if (this.lifetime === LONG) expect(isTakenNow && !isListedBefore).toBe(false);
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
}

it.each([
	['one after another', history(execution, 1)],
	['at once', history(execution, 3)],
])(
	'executions %s invite nobody twice, and everybody is accounted for',
	async (_how, histories) => {
		await fc.assert(
			fc.asyncProperty(histories, async ({ phases, lifetime, seed }) => {
				const simulation = new SingleProcess(seed, lifetime);
				for (const plans of phases) await simulation.execute(...plans);
				await expectEverybodyInvitedOrNamed(simulation);
			}),
			{ numRuns: HISTORIES },
		);
	},
	3_600_000,
);

/** Runs until nothing changes: everybody who can be invited is, and everybody in doubt is named. */
async function expectEverybodyInvitedOrNamed(simulation: SingleProcess): Promise<void> {
	const everybody: Execution = {
		account: 'one',
		rows: PEOPLE.map((person) => ({ person, mode: 'skip', fault: 'none' })),
		concurrency: 3,
		continueOnFail: true,
	};
	await simulation.execute(everybody);
	await simulation.execute({ ...everybody, account: 'other' });
	expect(simulation.owed()).toEqual([]);
	const taken = new Map(simulation.taken);
	const outcomes = await simulation.execute(everybody);
	expect(simulation.taken).toEqual(taken);
	for (const [index, person] of PEOPLE.entries()) {
		if (outcomes?.[index].kind === 'alreadySent') {
			expect(taken.has(person) || simulation.settled.has(person)).toBe(true);
		} else expect(outcomes?.[index]).toMatchObject({ kind: 'unknown' });
	}
}
