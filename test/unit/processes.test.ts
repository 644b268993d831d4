import * as fc from 'fast-check';
import type { ItemOutcome } from '../../nodes/CandidateAssessment/errors/ItemError';
import type { ApplicationId } from '../../nodes/CandidateAssessment/memory/alreadyInvited';
import { Deduplicator } from '../support/Deduplicator';
import { histories } from '../support/histories.mts';
import {
	LIMITS,
	PEOPLE,
	processOf,
	Simulation,
	type Process,
	type Row,
} from './support/simulation';
import {
	AWAKE,
	hasEnded,
	type Fault,
	type Hit,
	type Messenger,
	type Moment,
	type Outage,
	type Task,
} from './support/simulatedWorld';

/**
 * Several processes of n8n on one database. They run the node's own code from `SendOnceRun` down. They may die, stand
 * still, or lose messages and answers, and the database may be down. HISTORIES asks for more histories.
 */
const HISTORIES = histories(400);
const INSTANT = async <T>(statement: () => T) => statement();

/** The longest wait for the lock after the last fault: a minute after its holder has died, and a bit. */
const LONGEST_WAIT_MS = 150_000;

interface Execution {
	startsAt?: number;
	people: string[];
	concurrency?: number;
	continueOnFail?: boolean;
	/** The choice for the whole list. */
	mode?: ApplicationId['ifAlreadySent'];
	/** The end of each request in the list, and its duration. */
	ends?: Array<[End, number]>;
	/** The time from its start until the user stops it. */
	stopsAfter?: number;
}

/** The node's knowledge about a request: the service took it, refused it, or nobody knows. */
type End = 'succeeded' | 'refused' | 'unknown';

interface Plan {
	executions: Execution[];
	faults?: Hit[];
}

const fault: fc.Arbitrary<Fault> = fc.record({
	kind: fc.constantFrom('lost', 'answerLost', 'killed', 'paused', 'late'),
	late: fc.oneof(fc.constant(0), fc.nat(3_000), fc.nat(35_000)),
	milliseconds: fc.oneof(
		fc.nat(2_000),
		fc.integer({ min: 2_000, max: 35_000 }),
		fc.constantFrom(40_000, 70_000),
	),
	messages: fc.oneof(fc.constant(0), fc.nat(60)),
});
const MOMENTS = `
	lock.add.read lock.add.write lock.count.read lock.clear.write
	record.add.read record.add.write record.remove.read record.remove.write request
`;
const moments = MOMENTS.trim().split(/\s+/) as Moment[];
const hit: fc.Arbitrary<Hit> = fc.tuple(fc.constantFrom(...moments), fc.nat(4), fault);
const execution: fc.Arbitrary<Execution> = fc.record({
	startsAt: fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat(40_000)),
	people: fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 6 }),
	// A list up to this length isn't looked up.
	concurrency: fc.oneof(fc.constant(30), fc.integer({ min: 1, max: 3 })),
	continueOnFail: fc.boolean(),
});
const plan: fc.Arbitrary<Plan> = fc.record({
	executions: fc.array(execution, { minLength: 1, maxLength: 3 }),
	faults: fc.array(hit, { maxLength: 2 }),
});
const outage: fc.Arbitrary<Outage> = fc
	.record({ from: fc.nat(2_000), lasts: fc.nat(22_000), isHanging: fc.boolean() })
	.map(({ from, lasts, isHanging }) => ({ from, to: from + lasts, isHanging }));
const history = fc.record({
	plans: fc.array(plan, { minLength: 2, maxLength: 4 }),
	outage: fc.option(outage, { nil: undefined, freq: 4 }),
	seed: fc.integer(),
});

/** The duration of a request, or the wait before Stop. */
const moment = fc.oneof(fc.constant(0), fc.nat(3_000), fc.nat(20_000));
const end = fc.constantFrom<End>('succeeded', 'refused', 'refused', 'unknown');
const choice: fc.Arbitrary<Execution> = fc.record({
	startsAt: fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat(10_000)),
	people: fc.uniqueArray(fc.constantFrom(...PEOPLE.slice(0, 3)), { minLength: 1 }),
	concurrency: fc.constantFrom(30, 1),
	continueOnFail: fc.boolean(),
	mode: fc.constantFrom('skip', 'skip', 'resendUnknown', 'inviteAgain', 'skipUnknown'),
	ends: fc.array(fc.tuple(end, moment), { minLength: 3, maxLength: 3 }),
	stopsAfter: fc.option(moment, { nil: undefined }),
});
/** The same few people on several workers at once, with any choice for them. */
const choices = fc.record({
	plans: fc.array(
		fc.record({
			executions: fc.array(choice, { minLength: 1, maxLength: 2 }),
			faults: fc.oneof(
				{ arbitrary: fc.constant<[]>([]), weight: 3 },
				fc.array(hit, { maxLength: 1 }),
			),
		}),
		{ minLength: 2, maxLength: 3 },
	),
	outage: fc.constant(undefined),
	seed: fc.integer(),
});
const ONE = { people: ['p1'] };
/** Executions of one process: people, start, choice, and the end and duration of each request. */
const asks = (
	startsAt: number,
	mode: Execution['mode'],
	end: End,
	takes: number,
	more: Partial<Execution> = {},
): Execution => ({
	...{ startsAt, mode, people: ['p1'], concurrency: 30, continueOnFail: true },
	ends: [[end, takes]],
	...more,
});
type History = [{ plans: Plan[]; outage: Outage | undefined; seed: number }];
const inProcesses = (...processes: Execution[][]): History =>
	among(processes.map((executions) => ({ executions })));
const among = (plans: Plan[], seed = 1): History => [{ plans, outage: undefined, seed }];
const faultOf = (kind: Fault['kind'], milliseconds = 0): Fault => ({
	...{ kind, milliseconds, late: 0, messages: 0 },
});

/** Each pins a cell of the table in `memory/entries.ts` or a guard of `memory/memory.ts`, without which it fails. */
const PINNED: Record<string, History> = {
	'refused while another that counts it as invited sent it again': inProcesses(
		[asks(0, 'skipUnknown', 'refused', 5_000)],
		[asks(1_000, 'resendUnknown', 'refused', 6_000)],
	),
	'refused while another still sends it again': inProcesses(
		[asks(0, 'skip', 'refused', 4_000)],
		[asks(1_000, 'resendUnknown', 'succeeded', 10_000)],
		[asks(6_000, 'skip', 'succeeded', 1_000)],
	),
	'refused after another has sent it again': inProcesses(
		[asks(0, 'skip', 'refused', 6_000)],
		[asks(1_000, 'resendUnknown', 'succeeded', 1_000)],
	),
	'refused while it is invited again, after another has sent it again': inProcesses(
		[asks(0, 'skip', 'refused', 6_000)],
		[
			asks(1_000, 'resendUnknown', 'succeeded', 1_000),
			asks(4_000, 'inviteAgain', 'succeeded', 8_000),
		],
		[asks(8_000, 'skip', 'succeeded', 1_000)],
	),
	'refused twice': inProcesses([asks(0, 'skip', 'refused', 0), asks(2_000, 'skip', 'refused', 0)]),
	'invited, and refused when it is invited again': inProcesses([
		asks(0, 'skip', 'succeeded', 0),
		asks(2_000, 'inviteAgain', 'refused', 0),
	]),
	'in doubt, and refused when it is sent again': inProcesses([
		asks(0, 'skip', 'unknown', 0),
		asks(2_000, 'resendUnknown', 'refused', 0),
	]),
	'invited again while one that was counted as invited is still being sent': inProcesses([
		asks(0, 'skip', 'unknown', 0),
		asks(2_000, 'skipUnknown', 'succeeded', 0, {
			people: ['p1', 'p2'],
			ends: [
				['succeeded', 0],
				['succeeded', 4_000],
			],
		}),
		asks(4_000, 'resendUnknown', 'succeeded', 12_000),
		asks(10_000, 'inviteAgain', 'succeeded', 0),
	]),
	'given back without its process being told, and claimed by another': among([
		// It dies while sending, so p2 is in doubt.
		{ executions: [{ people: ['p2'] }], faults: [['request', 0, faultOf('killed')]] },
		// So this list is refused and undoes its claim of p1, but misses the answer. The next claims p1 before it wakes.
		{
			executions: [{ startsAt: 5_000, people: ['p1', 'p2'], continueOnFail: false }],
			faults: [['record.remove.write', 0, faultOf('answerLost', 90_000)]],
		},
		{ executions: [asks(6_000, 'skip', 'succeeded', 60_000)] },
	]),
	'counted as invited by another execution that is just ending': among(
		[
			[
				asks(0, 'inviteAgain', 'succeeded', 0, { people: ['p2', 'p0'], stopsAfter: 0 }),
				asks(667, 'skip', 'succeeded', 0, { people: ['p2', 'p0'] }),
			],
			[
				asks(363, 'skip', 'succeeded', 0, { people: ['p0', 'p1'], stopsAfter: 0 }),
				asks(0, 'skipUnknown', 'succeeded', 53, {
					...{ people: ['p1', 'p2', 'p0'], concurrency: 1, stopsAfter: 1_000 },
					ends: [
						['succeeded', 53],
						['succeeded', 11_867],
					],
				}),
			],
		].map((asked) => ({ executions: asked.map((each) => ({ ...each, continueOnFail: false })) })),
		-1602982866,
	),
};

const removeDuplicates = fc.record({
	mode: fc.constantFrom('entries' as const, 'latestIncrementalKey' as const),
	/** Its actions, and when they happen. */
	uses: fc.array(
		fc.record({ at: fc.oneof(fc.constant(0), fc.nat(20_000)), isCleaning: fc.boolean() }),
		{ minLength: 1, maxLength: 6 },
	),
});

type Wait = (milliseconds?: number) => Promise<void>;
type Somebody = (wait: Wait) => Promise<void>;

/** A row, and the end of its request. */
interface Listed extends Row {
	end?: End;
	takes?: number;
}

/** An execution's plan, and when it was answered and over. */
interface Asked extends Task {
	who: Process;
	plan: Execution;
	startedAt: number;
	/** When its process held the lock, and had claimed all or nothing. */
	answeredAt: number;
	endedAt: number;
}

interface Request {
	by: Asked;
	sentAt: number;
	/** Undefined before the end, or if the process died. */
	end?: End | 'notSent';
}

const mayRepeat = ({ mode = 'skip' }: Execution) => /^(resendUnknown|inviteAgain)$/.test(mode);

/** Records the truth about everybody. */
class Processes extends Simulation<Listed> {
	/** The requests sent, by person. */
	readonly requests = new Map<string, Request[]>();
	/** When somebody had been recorded as invited, according to an execution that finished. */
	private readonly invitedAt = new Map<string, number>();
	/** The people whom a user counts as invited. */
	private readonly settled = new Set<string>();
	/** All executions so far. */
	readonly asked: Asked[] = [];
	/** The longest wait of each process for the lock. */
	readonly waits = new Map<Messenger, number>();
	/** Called for each invitation that was answered. */
	onSent: (process: Process, person: string) => void = () => {};
	/** An outage and several faults can outlast the retries of recording. */
	mayFailToRecord = false;
	/** If another node has the lock's row, the lock excludes nobody. */
	hasLock = true;
	/** In the order of their plans. Process 0 only looks. */
	readonly running: Process[] = [];

	constructor(seed: number) {
		super(seed);
		this.world.onWaitForLock = (process, milliseconds) =>
			this.waits.set(process, Math.max(milliseconds, this.waits.get(process) ?? 0));
	}

	/** Runs executions in all processes until they end. `somebody` acts beside them, and can let time pass. */
	async run(plans: Plan[], somebody: Somebody = async () => {}): Promise<void> {
		const executions = plans.flatMap(({ executions, faults = [] }) => {
			const process = processOf(this.running.length + 1, this.world, this.rows, faults);
			this.running.push(process);
			return executions.map((plan): Asked => {
				const asked: Asked = {
					...{ who: process, plan, startedAt: Infinity, answeredAt: Infinity, endedAt: Infinity },
					run: async () => await this.execute(asked),
				};
				return asked;
			});
		});
		this.asked.push(...executions);
		const who = { ...AWAKE };
		const wait: Wait = async (milliseconds) => await this.world.step(who, milliseconds);
		await this.world.run([...executions, { who, run: async () => await somebody(wait) }]);
	}

	/** Invites one candidate in a process, and expects each fault to hit one of its messages. */
	async inviteOne(somebody?: Somebody, faults: Hit[] = []): Promise<void> {
		await this.run([{ executions: [ONE], faults }], somebody);
		const { sent } = this.running.at(-1)!;
		expect(faults.filter(([moment, number]) => (sent.get(moment) ?? 0) <= number)).toEqual([]);
	}

	/** Has no effect if the list is refused or the memory fails. */
	private async execute(asked: Asked): Promise<void> {
		const { who, plan } = asked;
		const { startsAt, people, mode, ends = [], stopsAfter, ...options } = plan;
		await this.world.step(who, startsAt);
		asked.startedAt = this.world.now;
		const user = new AbortController();
		if (stopsAfter !== undefined) {
			void this.world.step({ ...AWAKE }, stopsAfter).then(() => user.abort());
		}
		const list = people.map((person, index): Listed => {
			const [end, takes] = ends[index] ?? [];
			return { person, mode, end, takes };
		});
		const outcomes = await this.sendOnce(who, list, {
			...{ ...options, stopped: user.signal },
			onAnswer: () => (asked.answeredAt = who.lockedAt),
			send: async (row, stop) => await this.send(asked, row, stop),
		}).catch((error: Error) => {
			if (!(error instanceof who.NotSentError)) throw error;
			return undefined;
		});
		asked.endedAt = this.world.now;
		for (const [index, { kind }] of outcomes?.entries() ?? []) {
			if (kind !== 'succeeded' && kind !== 'alreadySent') continue;
			const person = people[index];
			if (kind === 'alreadySent' && mode === 'skipUnknown') this.settled.add(person);
			expect([person, this.isForgotten(person)]).toEqual([person, false]);
			// The user's word counts, but somebody whom nobody has invited may still be invited once.
			if (!this.taken.has(person)) continue;
			this.invitedAt.set(person, Math.min(this.invitedAtOf(person), this.world.now));
		}
	}

	protected override onHint(process: Process, message: string): void {
		if (!this.mayFailToRecord || !process.isFaulty) super.onHint(process, message);
	}

	/** The service and the connection to it. */
	private async send(by: Asked, row: Listed, stop: AbortSignal): Promise<ItemOutcome> {
		const { person, end = 'succeeded', takes = 0 } = row;
		const { who } = by;
		const request: Request = { by, sentAt: this.world.now };
		this.expectMeant(person, by);
		this.requests.set(person, [...this.requestsOf(person), request]);
		const endWith = (end: End | 'notSent', error: unknown): ItemOutcome => {
			request.end = end;
			return { kind: end, error: error as Error } as ItemOutcome;
		};
		try {
			// Others go first.
			if (takes > 0) await this.world.step(who, takes / 2);
			if (stop.aborted) return endWith('notSent', new who.NotSentError({ message: 'stopped' }));
			await this.world.exchange(who, 'request', () => {
				if (end !== 'refused') this.take(person);
			});
			if (takes > 0) await this.world.step(who, takes / 2);
			if (end !== 'succeeded') return endWith(end, new who.ApiError({ message: end }, end));
			this.onSent(who, person);
			request.end = end;
			return { kind: end, output: { json: {} } };
		} catch (error) {
			return endWith('unknown', error);
		}
	}

	private invitedAtOf(person: string): number {
		return this.invitedAt.get(person) ?? Infinity;
	}

	private requestsOf(person: string): Request[] {
		return this.requests.get(person) ?? [];
	}

	/** Nobody is invited twice unless a user asks for it: then only once more, and never by one process at once. */
	private expectMeant(person: string, by: Asked): void {
		const earlier = this.requestsOf(person);
		const isSending = earlier.some(({ by: other, end }) => other.who === by.who && !end);
		const isRepeated = earlier.some(({ by: other }) => other === by);
		// Anything that others sent or asked for after the claim doesn't matter.
		const isKnown = ({ sentAt, end }: Request) =>
			sentAt < by.answeredAt && end !== 'refused' && end !== 'notSent';
		const isNew = this.invitedAtOf(person) >= by.answeredAt && !earlier.some(isKnown);
		if (isSending || isRepeated || !(isNew || mayRepeat(by.plan) || !this.hasLock)) {
			throw new Error(`${person} was sent twice`);
		}
	}

	/** Whether somebody counts as invited whom nobody has invited. */
	private isForgotten(person: string): boolean {
		// An execution that is ending, or whose process died, may have recorded that its user counts this person as invited.
		const isSettled = this.asked.some(
			({ who, plan, answeredAt, endedAt }) =>
				plan.mode === 'skipUnknown' &&
				plan.people.includes(person) &&
				(who.isFaulty || (answeredAt <= this.world.now && endedAt === Infinity)),
		);
		// Without the lock, processes overwrite each other's entries.
		return this.hasLock && !this.taken.has(person) && !this.settled.has(person) && !isSettled;
	}

	/** The possible final states of somebody who was in a list and could be invited. */
	statesOf(person: string): Array<ItemOutcome['kind']> {
		const requests = this.requestsOf(person);
		const isUnknown = ({ end }: Request) => end === undefined || end === 'unknown';
		const listing = this.asked.filter(({ plan }) => plan.people.includes(person));
		// The execution may have settled it before its end.
		const settledAt = Math.max(
			...listing.filter(({ plan }) => plan.mode === 'skipUnknown').map(({ endedAt }) => endedAt),
			...requests.filter(({ end }) => end === 'succeeded').map(({ by }) => by.endedAt),
		);
		// Two that claim it during each other's claims, and both undo that, can't know its earlier state.
		const failing = listing.filter((each) =>
			requests.every(({ by, end }) => by !== each || end !== 'succeeded'),
		);
		const isContended = failing.some((each) =>
			failing.some(
				(other) =>
					other.who !== each.who &&
					mayRepeat(other.plan) &&
					other.startedAt < each.endedAt &&
					each.startedAt < other.endedAt,
			),
		);
		const invited: Array<ItemOutcome['kind']> = this.isForgotten(person) ? [] : ['alreadySent'];
		if (isContended) return [...invited, 'unknown'];
		if (requests.some((each) => isUnknown(each) && each.by.startedAt > settledAt))
			return ['unknown'];
		// A fault during a lookup can leave anybody in doubt.
		const mayBeInDoubt = listing.some(({ who }) => who.isFaulty) || requests.some(isUnknown);
		return mayBeInDoubt ? [...invited, 'unknown'] : invited;
	}
}

const LOCK_MODE = 'candidateAssessmentLock';
const DEAD_AFTER_MS = 60_000;

/**
 * Tells whether somebody who found a dead holder's lock has deleted a later holder's lock, or another node's row,
 * instead. This limit is known: memory/lock/README.md.
 */
function watchForMistakes(
	{ rows, lock, world }: Processes,
	deleted: 'laterLock' | 'anotherNodesRow',
): () => boolean {
	const query = world.query.bind(world);
	/** Whether each of a process's last two statements met the lock. */
	const looks = new Map<Messenger, boolean[]>();
	let inserted: { by?: Messenger; at: number } = { at: 0 };
	let isMistaken = false;
	world.query = async (process, moment, effect) =>
		await query(process, moment, () => {
			const before = rows.get(lock);
			const isLock = before?.includes(LOCK_MODE) ?? false;
			const result = effect();
			if (!before && rows.has(lock)) inserted = { by: process, at: world.now };
			const [older, last] = looks.get(process) ?? [false, false];
			const isAlive = inserted.by !== process && world.now - inserted.at < DEAD_AFTER_MS;
			const isMistake = deleted === 'laterLock' ? isLock && isAlive : !isLock && (older || last);
			if (before && !rows.has(lock) && isMistake) isMistaken = true;
			looks.set(process, [last, isLock]);
			return result;
		});
	return () => isMistaken;
}

it.each([
	['whatever goes wrong', history, {}],
	['whatever is chosen, refused and stopped', choices, PINNED],
])(
	'%s in any number of processes, nobody is invited twice, forgotten, or in doubt without a cause',
	async (_what, histories, pinned) => {
		let mistakes = 0;
		await fc.assert(
			fc.asyncProperty(histories, async ({ plans, outage: away, seed }) => {
				const simulation = new Processes(seed);
				const { world, waits } = simulation;
				const isMistaken = watchForMistakes(simulation, 'laterLock');
				world.outage = away;
				simulation.mayFailToRecord = true;
				const everything = async () => {
					await simulation.run(plans);
					const later = { startsAt: 30_000, people: PEOPLE, concurrency: 3 };
					await simulation.run([{ executions: [later] }]);
					expect(Math.max(...waits.values())).toBeLessThanOrEqual(LONGEST_WAIT_MS);
					for (const [person, state] of await simulation.states()) {
						const requests = simulation.requests.get(person)?.map(({ end }) => end);
						expect({ person, requests, state, may: simulation.statesOf(person) }).toMatchObject({
							may: expect.arrayContaining([state]),
						});
					}
				};
				await everything().catch((error: Error) => {
					if (!isMistaken()) throw error;
					mistakes++;
					// Another history takes its place.
					fc.pre(false);
				});
			}),
			{ numRuns: HISTORIES, examples: Object.values(pinned) },
		);
		expect(mistakes).toBeLessThanOrEqual(HISTORIES / 1_000);
	},
	3_600_000,
);

const recordingHit = hit.filter(([, , { kind }]) => kind !== 'killed');

it('a database that is away or loses answers while results are recorded leaves nobody in doubt', async () => {
	const faults = fc.array(recordingHit, { maxLength: 3 });
	const whileRecording = fc.oneof(
		fc.record({ faults, away: fc.constant(undefined) }),
		fc.record({ faults: fc.constant<Hit[]>([]), away: outage }),
	);
	await fc.assert(
		fc.asyncProperty(whileRecording, fc.integer(), async ({ faults, away }, seed) => {
			const simulation = new Processes(seed);
			const { world } = simulation;
			const lists = [PEOPLE.slice(0, 5), PEOPLE.slice(5)];
			let unsent = lists[0].length;
			simulation.onSent = (process, person) => {
				if (!lists[0].includes(person) || --unsent > 0) return;
				process.sent.clear();
				process.faults = faults;
				if (!away) return;
				const { from, to, isHanging } = away;
				world.outage = { from: world.now + from, to: world.now + to, isHanging };
			};
			await simulation.run(lists.map((people) => ({ executions: [{ people }] })));
			world.outage = undefined;
			for (const [person, state] of await simulation.states()) {
				const expected = simulation.taken.has(person) ? 'alreadySent' : 'ready';
				expect([person, state]).toEqual([person, expected]);
			}
		}),
		{ numRuns: HISTORIES },
	);
}, 3_600_000);

it('a process that always has work lets others have the lock in between', async () => {
	for (let seed = 1; seed <= 5; seed++) {
		const simulation = new Processes(seed);
		const always = Array.from({ length: 1_000 }, (_, index) => ({ startsAt: index * 10, ...ONE }));
		await simulation.run([{ executions: always }, { executions: [{ startsAt: 1_000, ...ONE }] }]);
		expect(simulation.world.now).toBeGreaterThan(10_000);
		expect(simulation.waits.get(simulation.running[1])).toBeLessThan(9_000);
	}
});

it('executions that wait in one process take the lock together', async () => {
	const simulation = new Processes(1);
	const releases = jest.spyOn(simulation.rows, 'delete');
	const executions = Array<Execution>(20).fill({ startsAt: 1_000, ...ONE });
	await simulation.run([{ executions }]);
	expect(releases.mock.calls.length).toBeLessThan(5);
});

it('a list that is as long as the memory is sent', async () => {
	const simulation = new Processes(1);
	const people = Array.from({ length: LIMITS.MAX_APPLICATIONS }, (_, index) => `q${index}`);
	await simulation.run([{ executions: [{ people }] }]);
	expect(simulation.taken).toEqual(new Map(people.map((person) => [person, 1])));
});

it('a process that took the lock without being told has it a minute later', async () => {
	const simulation = new Processes(1);
	await simulation.inviteOne(undefined, [['lock.add.write', 0, faultOf('answerLost')]]);
	expect(simulation.taken.get('p1')).toBe(1);
	expect(simulation.world.now).toBeGreaterThan(60_000);
	expect(simulation.world.now).toBeLessThan(75_000);
});

const lockOf = (length: number) =>
	JSON.stringify({ mode: LOCK_MODE, data: Array.from(Array(length).keys(), String) });

function refuseLock({ rows, lock }: Processes, isRefused: () => boolean): void {
	const write = rows.set.bind(rows);
	jest.spyOn(rows, 'set').mockImplementation((row, value) => {
		if (row === lock && isRefused()) throw new Error('SQLITE_BUSY: database is locked');
		return write(row, value);
	});
}

it('a process that waits for the lock in between is not the sooner refused by a database that fails', async () => {
	const simulation = new Processes(1);
	const { rows, lock } = simulation;
	let failures = 8;
	refuseLock(simulation, () => failures-- > 0);
	await simulation.inviteOne(async (wait) => {
		while (failures > 0) await wait(1);
		rows.set(lock, lockOf(20));
		await wait(1_000);
		rows.delete(lock);
		failures = 8;
	});
	expect(simulation.taken.get('p1')).toBe(1);
});

it('a database that refuses each lock keeps everything from being sent', async () => {
	const simulation = new Processes(1);
	refuseLock(simulation, () => true);
	await simulation.inviteOne();
	expect(simulation.taken.size).toBe(0);
});

it.each([
	['claimed at once', 30],
	['looked up before', 1],
])('a statement that gets lost stops no list that is %s', async (_how, concurrency) => {
	let statements = Infinity;
	for (let lost = 0; lost < statements; lost++) {
		const simulation = new Processes(1);
		const { world, rows, lock, taken } = simulation;
		// Another process has the lock at first.
		rows.set(lock, lockOf(20));
		const query = world.query.bind(world);
		statements = 0;
		world.query = async (process, moment, effect) => {
			if (statements++ === lost) throw new Error('Connection terminated unexpectedly');
			return await query(process, moment, effect);
		};
		const people = PEOPLE.slice(0, 3);
		await simulation.run([{ executions: [{ people, concurrency }] }], async (wait) => {
			await wait(2_000);
			rows.delete(lock);
		});
		const states = await simulation.states();
		for (const person of people) {
			expect([lost, taken.get(person), states.get(person)]).toEqual([lost, 1, 'alreadySent']);
		}
	}
	expect(statements).toBeGreaterThan(10);
});

it('an execution that asks in the turn in which another records hears what that has recorded', async () => {
	const simulation = new Processes(1);
	const { rows, lock, taken } = simulation;
	simulation.onSent = () => rows.set(lock, lockOf(20));
	await simulation.inviteOne(async (wait) => {
		while (!taken.has('p1')) await wait(1);
		await wait(100);
		const asked = simulation.sendOnce(simulation.running[0], [{ person: 'p1' }]);
		await wait(1_000);
		rows.delete(lock);
		expect(await asked).toMatchObject([{ kind: 'alreadySent' }]);
	});
});

const SENT: ItemOutcome = { kind: 'succeeded', output: { json: {} } };

it('a loop that is stopped keeps what all its rounds have sent, however many there are', async () => {
	const simulation = new Processes(1);
	await simulation.run([{ executions: [] }], async () => {
		const [process] = simulation.running;
		const execution = new AbortController();
		const send = async () => SENT;
		const rounds = PEOPLE.slice(0, LIMITS.MAX_OUTPUT + 2).map((person) => [{ person }]);
		for (const round of rounds) {
			await simulation.sendOnce(process, round, { stopped: execution.signal, send });
		}
		execution.abort();
		const kept = await simulation.sendOnce(process, rounds.flat());
		expect(kept).toMatchObject(rounds.map(() => ({ kind: 'succeeded' })));
	});
});

it('whoever was invited by a list that is stopped comes out with their link if it is run again', async () => {
	const numbers = fc.tuple(...[100, 300, 200, 3, 8].map((most) => fc.nat(most)));
	await fc.assert(
		fc.asyncProperty(numbers, fc.integer(), async (generated, seed) => {
			const [takes, stopsAfter, later, most, count] = generated;
			const simulation = new Processes(seed);
			const list = PEOPLE.slice(0, count).map((person) => ({ person }));
			await simulation.run([{ executions: [] }], async (wait) => {
				const send = async () => await wait(takes).then(() => SENT);
				const options = { send, concurrency: most || 30 };
				const stop = new AbortController();
				const run = async (stopped?: AbortSignal) =>
					await simulation.sendOnce(simulation.running[0], list, { ...options, stopped });
				const first = run(stop.signal);
				await wait(stopsAfter);
				stop.abort();
				await wait(later);
				const again = await run();
				expect(again?.map(({ kind }) => kind)).not.toContain('alreadySent');
				await first;
			});
		}),
		{ numRuns: HISTORIES },
	);
});

it('a link that comes out while the run that was stopped still tries to record it is recorded by the one that has it', async () => {
	const simulation = new Processes(1);
	const { world } = simulation;
	simulation.mayFailToRecord = true;
	await simulation.run([{ executions: [] }], async (wait) => {
		const [process] = simulation.running;
		process.isFaulty = true;
		const stop = new AbortController();
		const send = async () => {
			world.outage = { from: world.now, to: world.now + 27_000, isHanging: false };
			stop.abort();
			return SENT;
		};
		const run = async (stopped?: AbortSignal) =>
			await simulation.sendOnce(process, [{ person: 'p1' }], { send, stopped });
		const stopped = run(stop.signal);
		await wait(22_500);
		expect(await run()).toEqual([SENT]);
		await stopped;
	});
	expect((await simulation.states()).get('p1')).toBe('alreadySent');
});

it('who takes the lock over from a dead holder writes another number of entries than that', async () => {
	const numbers = new Set<number>();
	for (let seed = 1; seed <= 400; seed++) {
		const simulation = new Processes(seed);
		const { rows, lock } = simulation;
		rows.set(lock, lockOf(20));
		const write = jest.spyOn(rows, 'set');
		await simulation.inviteOne();
		const [, row] = write.mock.calls.find(([id]) => id === lock)!;
		numbers.add(JSON.parse(row).data.length);
	}
	expect(numbers.size).toBeGreaterThan(90);
	expect(numbers).not.toContain(20);
});

/** Another takes the lock, in a row with this many entries, which nobody changes for so long. */
async function expectHeld(
	{ rows, lock }: Processes,
	{ wait, length, milliseconds }: { wait: Wait; length: number; milliseconds: number },
): Promise<void> {
	rows.set(lock, lockOf(length));
	await wait(milliseconds);
	expect(rows.get(lock)).toBe(lockOf(length));
}

it('a holder that took the lock while the database answered nothing is not taken for dead', async () => {
	const simulation = new Processes(1);
	const { world, rows, lock } = simulation;
	rows.set(lock, lockOf(20));
	await simulation.inviteOne(async (wait) => {
		await wait(100);
		world.outage = { from: world.now, to: world.now + 75_000, isHanging: true };
		await wait(40_000);
		await expectHeld(simulation, { wait, length: 30, milliseconds: 75_000 });
	});
});

it('a holder that comes after a dead one is not taken for it, even if its row has as many entries', async () => {
	const simulation = new Processes(1);
	const { rows, lock } = simulation;
	rows.set(lock, lockOf(20));
	await simulation.inviteOne(async (wait) => {
		while (rows.has(lock)) await wait(1);
		await expectHeld(simulation, { wait, length: 20, milliseconds: 5_000 });
	});
});

it.each([
	['as it takes the lock', 'lock.add.write'],
	['while it has the lock', 'record.add.read'],
] as const)('a process that stood still for too long %s sends nothing', async (_when, moment) => {
	const simulation = new Processes(1);
	await simulation.inviteOne(undefined, [[moment, 0, faultOf('paused', 25_000)]]);
	expect(simulation.world.now).toBeGreaterThan(25_000);
	expect(simulation.taken.size).toBe(0);
});

it("a holder doesn't delete the row that another has by then", async () => {
	const simulation = new Processes(1);
	const { rows, lock, database, taken } = simulation;
	await simulation.inviteOne(async (wait) => {
		while (!rows.has(lock)) await wait(1);
		const { length } = database.valueOf(lock)!.data as string[];
		await expectHeld(simulation, { wait, length: length + 1, milliseconds: 5_000 });
	});
	expect(taken.get('p1')).toBe(1);
});

it('a holder that stood still sends no delete that could arrive when another has the lock', async () => {
	const simulation = new Processes(1);
	const { rows, lock, taken } = simulation;
	const another = async (wait: Wait) => {
		await wait(62_000);
		expect(rows.has(lock)).toBe(true);
		await expectHeld(simulation, { wait, length: 30, milliseconds: 28_000 });
	};
	// It counts, and then deletes.
	await simulation.inviteOne(another, [
		['lock.count.read', 0, faultOf('paused', 45_000)],
		['lock.clear.write', 0, { ...faultOf('late'), late: 35_000 }],
	]);
	expect(taken.get('p1')).toBe(1);
});

it.each([
	['invited', 'skip succeeded', 1],
	['invited twice', 'skip succeeded, inviteAgain succeeded', 1],
	['invited, and refused later', 'skip succeeded, inviteAgain refused', 1],
	['in doubt, and sent again', 'skip unknown, resendUnknown succeeded', 1],
	['refused', 'skip refused', 0],
	['in doubt', 'skip unknown', 2],
])('somebody who is %s takes no more room in the record than that needs', async (...row) => {
	const [, requests, count] = row;
	const simulation = new Processes(1);
	for (const request of requests.split(', ')) {
		const [mode, end] = request.split(' ') as [Execution['mode'], End];
		await simulation.run([{ executions: [asks(0, mode, end, 0)] }]);
	}
	expect(simulation.entries).toHaveLength(count);
});

it.each([
	['succeeded', 'inviteAgain'],
	['unknown', 'resendUnknown'],
] as const)(
	'somebody whose invitation %s, and who is sent again, counts as invited, even if the record has dropped them by then',
	async (end, mode) => {
		const simulation = new Processes(1);
		const { database, record } = simulation;
		await simulation.run([{ executions: [asks(0, 'skip', end, 0)] }]);
		// One more entry would remove the oldest.
		const room = LIMITS.MAX_APPLICATIONS + LIMITS.MAX_IN_DOUBT - simulation.entries.length;
		database.addOthers(room, record);
		await simulation.run([{ executions: [asks(0, mode, 'succeeded', 0)] }]);
		expect((await simulation.states()).get('p1')).toBe('alreadySent');
	},
);

it('a Remove Duplicates node of the same workflow loses no entry, and fails for a moment at most', async () => {
	let mistakes = 0;
	await fc.assert(
		fc.asyncProperty(history, removeDuplicates, async ({ plans, seed }, { mode, uses }) => {
			const simulation = new Processes(seed);
			simulation.hasLock = false;
			const { world, rows, workflow, lock } = simulation;
			const isMistaken = watchForMistakes(simulation, 'anotherNodesRow');
			const seen: number[] = [];
			const expectNothingLost = async () => {
				const another = new Deduplicator(new Map(rows), INSTANT).helpersOf(workflow, '');
				const { new: found } = await another.checkProcessedAndRecord(seen, 'workflow', { mode });
				if (isMistaken()) mistakes++;
				// Another history takes its place.
				fc.pre(!isMistaken());
				expect(found).toEqual([]);
			};
			await simulation.run(plans, async (wait) => {
				const database = new Deduplicator(rows, async (statement) => {
					world.countMessage();
					await wait();
					return statement();
				});
				const helpers = database.helpersOf(workflow, 'other');
				const clean = async () => {
					await helpers.clearAllProcessedItems('workflow', { mode });
					seen.splice(0);
				};
				for (const [item, { at, isCleaning }] of uses.entries()) {
					await wait(at);
					if (isCleaning && database.valueOf(lock)?.mode === mode) await clean();
					const since = world.now;
					const add = helpers.checkProcessedAndRecord;
					while (!(await add([item], 'workflow', { mode }).catch(() => undefined))) {
						await wait(500);
						if (world.now - Math.max(since, world.lastFault) < LONGEST_WAIT_MS) continue;
						// All have died. The error says how to go on.
						expect(simulation.asked.every(hasEnded)).toBe(true);
						await clean();
					}
					seen.push(item);
					await expectNothingLost();
				}
			});
			await expectNothingLost();
		}),
		{ numRuns: HISTORIES },
	);
	// The faults aim at the lock's own messages.
	expect(mistakes).toBeLessThanOrEqual(1 + HISTORIES / 1_000);
}, 3_600_000);
