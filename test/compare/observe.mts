import { useNoTime } from '../integration/support/n8n/virtualTime.mts';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import * as fc from 'fast-check';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../mock-service/service.mts';
import { deduplicator, loadPackage, type Run } from '../integration/support/NodeTestHarness.ts';
import {
	CONTINUE,
	getByCode,
	invitation,
	setUp,
	webhookUpdate,
} from '../integration/support/setup.ts';
import { addressOf, setUpTrigger } from '../integration/support/n8n/setUpTrigger.mts';
import { histories } from '../support/histories.mts';

/** Writes what users see of the built package to a file for compare.mts. Nothing here says what is right. */
export interface Case {
	group: string;
	/** Each step, and what users saw of it, by aspect. */
	steps: Array<{ what: string; seen: Record<string, string[]> }>;
}
const cases: Case[] = [];
/** Everything that Jest would fake, except the date. */
const TIMERS = `hrtime nextTick performance queueMicrotask setImmediate setInterval setTimeout
	clearImmediate clearInterval clearTimeout`.split(/\s+/) as FakeableAPI[];
const HOUR = 3_600_000;
const HISTORIES = histories(100);
jest.setTimeout(HOUR);

const setup = setUp();
let waits: number[];
/** The number of earlier cases' invitations. */
let before: number;

beforeEach(() => {
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 15), doNotFake: TIMERS });
	Math.random = () => 0.5;
});
afterAll(() => writeFileSync(process.env.COMPARE!, JSON.stringify(cases)));

/** Loads the package with its own memory, as in a new process. */
async function restart(): Promise<void> {
	await jest.isolateModulesAsync(async () => void (setup.loader = await loadPackage()));
}

function begin(group: string): Case {
	const begun: Case = { group, steps: [] };
	cases.push(begun);
	deduplicator.startNewWorkflow();
	waits = useNoTime();
	before = setup.service.invitations.length;
	return begun;
}

/** Makes JSON, with names in place of random texts. */
const plainWith = (names: Record<string, string>) => (value: unknown) =>
	Object.entries(names).reduce(
		(text, [name, random]) => text.replaceAll(random, name),
		JSON.stringify(value) ?? '',
	);

/** Runs a node, and adds what it showed. */
async function see({ steps }: Case, what: string, run: () => Promise<Partial<Run>>): Promise<void> {
	const { service } = setup;
	const ran: Partial<Run> = await run().catch((error: Run['error']) => ({ error }));
	const { outputs = [], error, hints = [] } = ran;
	// IDs are named by their order within the reference.
	const ids = new Map<string, string>();
	const counts: Record<string, number> = {};
	const invited = service.invitations.slice(before);
	for (const { invitation_code, candidate_id, ext_reference_id: reference } of invited) {
		counts[reference] = (counts[reference] ?? 0) + 1;
		const name = `${counts[reference]} of ${reference}`;
		ids.set(invitation_code, `<code ${name}>`).set(candidate_id, `<${name}>`);
	}
	const { baseUrl, accessToken, webhookId } = service;
	const named = plainWith({ SERVICE: baseUrl, TOKEN: accessToken, WEBHOOK: webhookId });
	const plain = (value: unknown) =>
		named(value)
			.replace(/(?:cand_)?[\da-f]{16,24}/g, (id) => ids.get(id) ?? id)
			.replace(/(?<="created_at":")[^"]*/g, 'TIME');
	const items = outputs.flatMap((list, index) =>
		list.map(({ json, binary, error, pairedItem }) =>
			plain([
				index,
				json,
				Object.keys(binary ?? {}),
				error?.message,
				error?.description,
				pairedItem,
			]),
		),
	);
	const requests = service.requests.map(({ method, path, body }) => plain([method, path, body]));
	const waited = waits.splice(0).filter((wait) => wait > 250);
	steps.push({
		what,
		seen: {
			requests: requests.sort(),
			waits: waited.map((wait) => `${(wait / 1000).toFixed(1)} s`),
			'items at each output': [String(outputs.map(({ length }) => length))],
			items,
			error: [plain(error?.message)],
			description: [plain(error?.description)],
			hints: hints.map(plain),
		},
	});
	service.clearRequests();
	service.faults.clear();
}

// Values

const TEXT = '={{ $json.text }}';
const extReferenceId = '=APP-{{ $itemIndex }}';
const more = (additionalFields: INodeParameters) =>
	invitation({ extReferenceId, additionalFields });
const webhook = (field: string, value: string) =>
	webhookUpdate(setup.service.webhookId, { [field]: value });
const of = (names: string, parameters: (name: string) => INodeParameters) =>
	names.split(' ').map((name) => [name, () => parameters(name)] as const);
const FIELDS = [
	...of('jobId extReferenceId email firstName', (name) =>
		invitation({ extReferenceId, [name]: TEXT, options: { concurrency: 1 } }),
	),
	...of('deadline deadlineDays skillsJson workExperiencesJson', (name) => more({ [name]: TEXT })),
	...of('skill', () => more({ skills: { skill: [{ name: TEXT }] } })),
	...of('role startDate responsibilitiesAchievements', (name) =>
		more({ workExperiences: { workExperience: [{ organization: 'A', role: 'B', [name]: TEXT }] } }),
	),
	...of('code link', (mode) =>
		getByCode('', { invitationCode: { __rl: true, mode, value: TEXT } }),
	),
	...of('webhookId name url events secret', (name) => webhook(name, TEXT)),
];
/** One per line, or separated by two blanks. */
const TEXTS = String.raw`
Nathan  APP-1  O'Brien  José  Ravi s/o Kumar  St.John  «BLÅ»  Łukasz  李 小龙  Anne-Marie  Müller
«FirstName»  evil.com/win  www.example.com  <b>Ann</b>  ?ukasz  $json.name  {{ $json.name }}  *|FNAME|*  [name]
O\'Brien  Jos\u00e9  Jos%C3%A9  Mary%20Ann  b'APP-471'  APP-472_x000D_  =C3=A9  MÃ¼ller  O&#39;Brien  &amp;
undefined  APP-undefined  null  N/A  -  [object Object]  Invalid Date  #REF!  #N/A  #1234  JOB#A/B-2  Ref #NVIDIA
="00123"  '00123  ###  1.23457E+14  1E+11  471100.0  APP-471100.0  15-1252.00  12,50  100%  50%ig  C:\temp
jane@example.com  Jane <jane@example.com>  jane@example.com;  a@b  jane+tag@example.com  o''brien@example.com
oʼneil@example.com  o＇neil@example.com  jane%2Btag@example.com  %20jane@example.com  jane @example.com
jané@example.com  jane@exämple.com  mailto:jane@example.com  jane@example..com  3F2B8C1E-9D4A-4E6B-8A7C-5D1E2F3A4B5C
2026-01-20  2026-01-20T10:00  2026-01-20T00:00:00Z  2020-01-31  2020-02-30  31.01.2020  2020-01  45000  tomorrow  3
https://a.example/i/CODE  https://a.example/app#/invites/CODE  https://a.example/i/CODE.  ../..  {}  []  [1]  [
[{"name":"TypeScript"}]  [{"role":"Clerk","start_date":"2020-01-31"}]  http://hr.example.com  http://localhost:5678
https://a.example/partner/v1.0  Bearer abc  n8n.example.com  candidate_application_result_ready`
	.split(/\n| {2}/)
	.concat(['', ' ', ' APP-1 ', 'A\nB', 'A\0B', 'a\u200bb', 'a\u00a0b', '\ufeffAPP-1', '\u202eabc'])
	.concat([51, 256, 5_001].map((length) => 'x'.repeat(length)));
const HOSTILE = ['_', '{{', '&#', '\\u'].map((text) => text.repeat(100_000 / text.length));
const BODIES = [
	...[{ success: false, message: 'No such candidate' }, { data: {} }, [], '', 'null'],
	{ message: 'last_name: too long', errors: [{ field: 'last_name', message: 'too long' }] },
	{ data: { candidate_id: 'c', invitation_link: 'https://a.example/i/C', secret: 'word' } },
	{ data: { id: 'w', name: 'n', url: 'u', webhook_secret: 'word', secret: 'word' } },
];
const STATUSES = '300 303 400 401 402 403 404 405 407 408 409 410 413 418 422 500 502 503';
const TIMES = [1, '2.5', '35.5', 61, 'Wed, 21 Oct 2099 07:28:00 GMT', 'soon'];
const ANSWERS: Array<Omit<Fault, 'route'>> = [
	...STATUSES.split(' ').map((status) => ({ status: Number(status) })),
	...TIMES.map((retryAfter) => ({ retryAfter })),
	...[200, 403, 407, 502].map((status) => ({ status, body: '<html>Blocked</html>' })),
	...[200, 422].flatMap((status) =>
		BODIES.map((body) => ({ status, body, contentType: 'application/json' })),
	),
	...[{ reset: 'before' as const }, { reset: 'after' as const }],
	{ redirectTo: 'https://elsewhere.example.com/' },
	{ status: 422, body: { message: `a${'\\'.repeat(60)}y` } },
];
const CREDENTIALS: Array<Record<string, string>> = [
	...['n8n.example.com', 'http://hr.example.com', 'https://'].map((baseUrl) => ({ baseUrl })),
	...['Bearer', 'tökén', '{{$json.token}}'].map((accessToken) => ({ accessToken })),
];

it('values', async () => {
	for (const [field, parameters] of FIELDS) {
		const run = begin(`the field ${field}`);
		for (const texts of field === 'firstName' ? [TEXTS, HOSTILE] : [TEXTS]) {
			// A digit could occur in the webhook's random ID, and would be redacted there with the secret.
			const some = texts.filter((text) => field !== 'secret' || !/^\d$/.test(text));
			const items = some.map((text) => ({ text }));
			const node = async () => await setup.harness.run(parameters(), items, CONTINUE);
			await see(run, texts[0].length > 300 ? 'hostile texts' : 'texts', node);
		}
	}
	const operations: INodeParameters[] = [
		...[invitation(), getByCode('CODE', { downloadReport: true })],
		webhook('secret', `a${'\\'.repeat(27)}b`),
	];
	for (const parameters of operations) {
		for (const answer of ANSWERS) {
			const run = begin(`an answer to ${String(parameters.operation)}`);
			setup.service.faults.inject({ route: '*', times: 99, ...answer });
			await see(run, JSON.stringify(answer), async () => await setup.harness.run(parameters));
		}
	}
	for (const credential of CREDENTIALS) {
		const node = setup.createNodeTestHarness(credential);
		const run = async () => await node.run(invitation());
		await see(begin('the credential'), JSON.stringify(credential), run);
	}
});

// Lists

type Generated<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type Row = Generated<typeof row>;
type Step = Generated<typeof step>;
const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const row = fc.record({
	person: fc.nat(7),
	mode: fc.constantFrom(...'skip skip skip skip resendUnknown skipUnknown inviteAgain'.split(' ')),
	fault: fc.constantFrom<Array<Omit<Fault, 'route'> | undefined>>(
		...Array<undefined>(12),
		...[400, 401, 408, 422, 500].map((status) => ({ status })),
		...[2, '2.5', 3_600].map((retryAfter) => ({ retryAfter })),
		...(['before', 'after', 'after'] as const).map((reset) => ({ reset })),
		{ status: 200, body: '<html>Sign in</html>', contentType: 'text/html' },
	),
});
const step = fc.record(
	{
		rows: fc.array(row, { minLength: 1, maxLength: 10 }),
		settings: fc.constantFrom<Array<Partial<INode>>>(
			...[RETRY, RETRY],
			{ onError: 'continueRegularOutput' },
			{ onError: 'continueErrorOutput' },
		),
		options: fc.constantFrom<IDataObject[]>({ checkOnly: true }, { maxRetries: 0 }),
		/** The person during whose request the user stops the execution, or 'later': after our node has ended. */
		stopAt: fc.oneof(fc.nat(7), fc.constant('later' as const)),
		credentialId: fc.constant('other'),
		restarts: fc.constantFrom(true, false, false, false),
	},
	{ requiredKeys: ['rows'] },
);

async function runLists(group: string, steps: Step[], workflowId?: string): Promise<void> {
	// Without a workflow, only the process remembers.
	if (workflowId === '') await restart();
	const run = begin(group);
	for (const step of steps) {
		const { rows, settings = {}, options, stopAt, credentialId, restarts } = step;
		if (restarts) await restart();
		const stop = new AbortController();
		for (const { person, fault } of rows) if (fault) setup.fault(fault, person);
		const when: Fault['when'] = ({ body }) => {
			if (JSON.stringify(body).includes(`"APP-${stopAt}"`)) stop.abort();
			return false;
		};
		setup.service.faults.inject({ route: '*', delayMs: 1, when });
		const parameters = invitation({
			extReferenceId: '=APP-{{ $json.person }}',
			alreadyInvited: settings.retryOnFail ? 'skip' : '={{ $json.mode }}',
			options: { concurrency: 1, ...options },
		});
		const items = rows.map(({ person, mode }) => ({ person, mode }));
		const node = setup.createNodeTestHarness({}, workflowId, credentialId);
		const what = JSON.stringify({ ...step, rows: rows.length > 99 ? rows.length : rows });
		await see(run, what, async () => {
			if (stopAt === undefined) return await node.run(parameters, items, settings);
			const outputs = await node.execute(parameters, items, { signal: stop.signal });
			stop.abort();
			return { outputs };
		});
	}
}

it('lists', async () => {
	const several = fc.array(step, { minLength: 1, maxLength: 4 });
	for (const steps of fc.sample(several, HISTORIES)) await runLists('lists', steps);
	for (const steps of fc.sample(several, HISTORIES / 2)) await runLists('never saved', steps, '');
	const list = (count: number, fault?: Row['fault']): Row[] =>
		Array.from({ length: count }, (_, person) => ({
			...{ person, mode: 'skip' },
			fault: person === count - 1 ? fault : undefined,
		}));
	const lost = list(3, { reset: 'after' });
	await runLists('never saved', [{ rows: lost, settings: RETRY }], '');
	const options = { concurrency: 100 };
	const rows = list(2_300, { status: 422 });
	const next = { rows: list(2_300), options };
	await runLists('2,300 rows', [{ rows, options, settings: RETRY }, next]);
	await runLists('2,300 rows', [{ rows, options }, next]);
	await runLists('2,300 rows', [{ ...next, stopAt: 'later' }, next]);
});

describe('the trigger', () => {
	const trigger = setUpTrigger();
	let workflows: Array<ReturnType<typeof trigger.workflow>>;
	const acts: Record<string, (of: number) => unknown> = {
		publish: async (of) => await trigger.publish(workflows[of]),
		unpublish: async (of) => await trigger.unpublish(workflows[of]),
		edit: (of) => (workflows[of].draft.nodeId = crypto.randomUUID()),
		loseStaticData: (of) => (workflows[of].staticData = {}),
		event: async () => await trigger.deliver(),
		update: () => trigger.n8n.update(),
		restart: async () => await trigger.restart(),
		changeLeader: async () => await trigger.clock.until(trigger.n8n.changeLeader()),
		takeOver: () => trigger.pointElsewhere(),
		move: () => (trigger.n8n.origin = 'https://new.example.com'),
	};
	const act = fc.record({
		act: fc.constantFrom('publish', 'publish', 'unpublish', ...Object.keys(acts)),
		of: fc.nat(1),
		faults: fc.array(
			fc.constantFrom<typeof trigger.network.faults>(
				...Array<undefined>(9),
				...(['unreachable', 'responseLost', { status: 404 }, { status: 500 }] as const),
			),
			{ maxLength: 3 },
		),
	});
	const life = fc.tuple(
		fc.constantFrom('2.41' as const, '1.123' as const),
		fc.boolean(),
		fc.array(act, { minLength: 2, maxLength: 10 }),
	);
	/** A copy of a published workflow is published after an update. */
	const copied: Generated<typeof life> = [
		'1.123',
		true,
		['publish', 'update', 'publish'].map((act, index) => ({ act, of: index >> 1, faults: [] })),
	];

	it('lives', async () => {
		for (const [line, isCopy, chosen] of [...fc.sample(life, HISTORIES), copied]) {
			const { steps } = begin(`the trigger in ${line}${isCopy ? ', copied' : ''}`);
			trigger.begin(line);
			const { n8n, clock, network, service } = trigger;
			const first = trigger.workflow();
			const path = isCopy ? first.path : undefined;
			workflows = [first, n8n.createWorkflow(structuredClone(first.draft), path)];
			const [one, two] = workflows;
			const named = plainWith({
				...{ SERVICE: service.baseUrl, WEBHOOK: trigger.webhookId, ONE: one.id, TWO: two.id },
				...{ 'PATH 1': one.path, 'PATH 2': two.path },
			});
			const plain = (value: unknown) => named(value).replace(/[\da-f]{64}/g, 'SECRET');
			for (const { act, of, faults } of chosen) {
				network.faults = [...faults];
				let error = '';
				await (async () => await acts[act](of))().catch(
					(thrown: Error) => (error = thrown.message),
				);
				await clock.pass(HOUR);
				const { name, url, status, events } = trigger.webhook;
				steps.push({
					what: `${act} ${of} ${JSON.stringify(faults)}`,
					seen: {
						webhook: [`name ${name}`, addressOf(url), status, ...events].map(plain),
						error: [plain(error)],
						log: n8n.log.splice(0).map(plain),
						requests: trigger.requests.map(plain),
						started: n8n.started.splice(0).map(plain),
					},
				});
				service.clearRequests();
			}
		}
	});
});
