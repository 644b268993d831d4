import { useNoTime } from '../integration/support/n8n/virtualTime.mts';
import * as fc from 'fast-check';
import type { PackageDirectoryLoader } from 'n8n-core';
import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../mock-service/service.mts';
import {
	createNodeTestHarness,
	deduplicator,
	loadPackage,
} from '../integration/support/NodeTestHarness';
import {
	CONTINUE,
	getByCode,
	invitation,
	setUp,
	webhookUpdate,
} from '../integration/support/setup';
import { addressOf, setUpTrigger } from '../integration/support/n8n/setUpTrigger.mts';
import { histories } from '../support/histories.mts';
import { writeCases } from './writeCases.mts';

/** Writes what users see of the built package to a file for compare.mts. Nothing here says what is right. */
export interface Case {
	group: string;
	/** Each step, and what users saw of it. */
	steps: Array<{ what: string; seen: Record<string, string | string[]> }>;
}
const cases: Case[] = [];
/** Everything that Jest would fake, except the date. */
const TIMERS: FakeableAPI[] = [
	...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const),
	...(['setInterval', 'setTimeout', 'clearImmediate', 'clearInterval', 'clearTimeout'] as const),
];
const HOUR = 3_600_000;
const HISTORIES = histories(100);

const setup = setUp();
let loader: PackageDirectoryLoader;
let waits: number[];
/** The number of earlier cases' invitations. */
let before: number;

beforeAll(restart);
beforeEach(() => {
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 15), doNotFake: TIMERS });
	Math.random = () => 0.5;
});
afterAll(() => writeCases(cases));

/** Loads the package with its own memory, as in a new process. */
async function restart(): Promise<void> {
	await jest.isolateModulesAsync(async () => void (loader = await loadPackage()));
}

function begin(group: string): Case {
	const begun: Case = { group, steps: [] };
	cases.push(begun);
	deduplicator.startNewWorkflow();
	waits = useNoTime();
	before = setup.service.invitations.length;
	return begun;
}

function harness(credential: IDataObject = {}, workflowId?: string, credentialId?: string) {
	const { baseUrl, accessToken } = setup.service;
	const data = { baseUrl, accessToken, ...credential } as { baseUrl: string };
	return createNodeTestHarness(loader, data, workflowId, credentialId);
}

interface Seen {
	outputs?: INodeExecutionData[][];
	error?: Error & { description?: string | null };
	hints?: string[];
}

/** Runs a node, and adds what it showed, without the random parts. */
async function see({ steps }: Case, what: string, run: () => Promise<Seen>): Promise<void> {
	const { service } = setup;
	const seen: Seen = await run().catch((error: Error) => ({ error }));
	// Names random IDs by their order within the reference.
	const names = new Map<string, string>();
	const counts: Record<string, number> = {};
	for (const { invitation_code, candidate_id, ext_reference_id } of service.invitations.slice(
		before,
	)) {
		counts[ext_reference_id] = (counts[ext_reference_id] ?? 0) + 1;
		const name = `${counts[ext_reference_id]} of ${ext_reference_id}`;
		names.set(invitation_code, `<code ${name}>`).set(candidate_id, `<${name}>`);
	}
	const plain = (value: unknown) =>
		(JSON.stringify(value) ?? '')
			.replaceAll(service.baseUrl, 'SERVICE')
			.replaceAll(service.accessToken, 'TOKEN')
			.replaceAll(service.webhookId, 'WEBHOOK')
			.replace(/(?:cand_)?[\da-f]{16,24}/g, (id) => names.get(id) ?? id)
			.replace(/(?<="created_at":")[^"]*/g, 'TIME');
	const outputs = (seen.outputs ?? []).map((items, index) => [
		`output ${index}`,
		items.map(({ json, binary, error, pairedItem }) =>
			plain([json, Object.keys(binary ?? {}), error?.message, error?.description, pairedItem]),
		),
	]);
	steps.push({
		what,
		seen: {
			requests: service.requests
				.map(({ method, path, body }) => plain([method, path, body]))
				.sort(),
			waits: waits
				.splice(0)
				.flatMap((wait) => (wait > 250 ? [`${Math.round(wait / 100) / 10} s`] : [])),
			'items at each output': String(seen.outputs?.map(({ length }) => length)),
			...(Object.fromEntries(outputs) as Record<string, string[]>),
			error: plain(seen.error?.message),
			description: plain(seen.error?.description),
			hints: (seen.hints ?? []).map(plain),
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
	.concat(
		...['', ' ', ' APP-1 ', 'A\nB', 'A\0B', 'a\u200bb', 'a\u00a0b', '\ufeffAPP-1', '\u202eabc'],
	)
	.concat(...[51, 256, 5_001].map((length) => 'x'.repeat(length)));
const HOSTILE = ['_', '{{', '&#', '\\u'].map((text) => text.repeat(100_000 / text.length));
const BODIES = [
	...[{ success: false, message: 'No such candidate' }, { data: {} }, [], '', 'null'],
	{ message: 'last_name: too long', errors: [{ field: 'last_name', message: 'too long' }] },
	{ data: { candidate_id: 'c', invitation_link: 'https://a.example/i/C', secret: 'word' } },
	{ data: { id: 'w', name: 'n', url: 'u', webhook_secret: 'word', secret: 'word' } },
];
const ANSWERS: Array<Omit<Fault, 'route'>> = [
	...[300, 303, 400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 413, 418, 422, 500, 502, 503].map(
		(status) => ({ status }),
	),
	...[1, '2.5', '35.5', 61, 'Wed, 21 Oct 2099 07:28:00 GMT', 'soon'].map((retryAfter) => ({
		retryAfter,
	})),
	...[200, 403, 407, 502].map((status) => ({ status, body: '<html>Blocked</html>' })),
	...[200, 422].flatMap((status) =>
		BODIES.map((body) => ({ status, body, contentType: 'application/json' })),
	),
	...[{ reset: 'before' as const }, { reset: 'after' as const }],
	{ redirectTo: 'https://elsewhere.example.com/' },
	{ status: 422, body: { message: `a${'\\'.repeat(60)}y` } },
];
const CREDENTIALS = [
	...of('n8n.example.com http://hr.example.com https://', (baseUrl) => ({ baseUrl })),
	...of('Bearer tökén {{$json.token}}', (accessToken) => ({ accessToken })),
];

it(
	'values',
	async () => {
		for (const [field, parameters] of FIELDS) {
			const run = begin(`the field ${field}`);
			for (const texts of field === 'firstName' ? [TEXTS, HOSTILE] : [TEXTS]) {
				// A digit could occur in the webhook's random ID, and would be redacted there with the secret.
				const some = texts.filter((text) => field !== 'secret' || !/^\d$/.test(text));
				const items = some.map((text) => ({ text }));
				const node = async () => await harness().run(parameters(), items, CONTINUE);
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
				await see(run, JSON.stringify(answer), async () => await harness().run(parameters));
			}
		}
		for (const [what, credential] of CREDENTIALS) {
			const run = async () => await harness(credential() as IDataObject).run(invitation());
			await see(begin('the credential'), what, run);
		}
	},
	HOUR,
);

// Lists

interface Row {
	person: number;
	mode: string;
	fault?: Omit<Fault, 'route'>;
}
interface Step {
	rows: Row[];
	settings?: Partial<INode>;
	options?: IDataObject;
	/** The request during which the user stops the execution; 'later': after our node has ended. */
	stopAt?: number | 'later';
	credentialId?: 'other';
	restarts?: boolean;
}
const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const row = fc.record<Row>({
	person: fc.nat(7),
	mode: fc.constantFrom(...'skip skip skip skip resendUnknown skipUnknown inviteAgain'.split(' ')),
	fault: fc.constantFrom<Array<Row['fault']>>(
		...Array<undefined>(12),
		...[400, 401, 408, 422, 500].map((status) => ({ status })),
		...[2, '2.5', 3_600].map((retryAfter) => ({ retryAfter })),
		...(['before', 'after', 'after'] as const).map((reset) => ({ reset })),
		{ status: 200, body: '<html>Sign in</html>', contentType: 'text/html' },
	),
});
const step: fc.Arbitrary<Step> = fc.record(
	{
		rows: fc.array(row, { minLength: 1, maxLength: 10 }),
		settings: fc.constantFrom<Array<Partial<INode>>>(
			...[RETRY, RETRY],
			...(['continueRegularOutput', 'continueErrorOutput'] as const).map((onError) => ({
				onError,
			})),
		),
		options: fc.constantFrom<IDataObject[]>({ checkOnly: true }, { maxRetries: 0 }),
		stopAt: fc.oneof(fc.nat(7), fc.constant('later' as const)),
		credentialId: fc.constant('other' as const),
		restarts: fc.constantFrom(true, false, false, false),
	},
	{ requiredKeys: ['rows'] },
);

async function runList(run: Case, step: Step, workflowId?: string): Promise<void> {
	const { rows, settings = {}, options, stopAt, credentialId } = step;
	if (step.restarts) await restart();
	const stop = new AbortController();
	for (const { person, fault } of rows) if (fault) setup.fault(fault, person);
	if (typeof stopAt === 'number') {
		const reference = `APP-${stopAt}`;
		const when: Fault['when'] = ({ body }) => {
			if ((body as IDataObject)?.ext_reference_id === reference) stop.abort();
			return false;
		};
		setup.service.faults.inject({ route: '*', delayMs: 1, when });
	}
	const alreadyInvited = settings.retryOnFail ? 'skip' : '={{ $json.mode }}';
	const parameters = invitation({
		...{ extReferenceId: '=APP-{{ $json.person }}', alreadyInvited },
		options: { concurrency: 1, ...options },
	});
	const items = rows.map(({ person, mode }) => ({ person, mode }));
	const node = harness({}, workflowId, credentialId);
	const what = JSON.stringify({ ...step, rows: rows.length > 99 ? rows.length : rows });
	await see(run, what, async () => {
		if (stopAt === undefined) return await node.run(parameters, items, settings);
		const outputs = await node.execute(parameters, items, { signal: stop.signal });
		stop.abort();
		return { outputs };
	});
}

async function runLists(group: string, steps: Step[], workflowId?: string): Promise<void> {
	// Without a workflow, only the process remembers.
	if (workflowId === '') await restart();
	const run = begin(group);
	for (const each of steps) await runList(run, each, workflowId);
}

it(
	'lists',
	async () => {
		const several = fc.array(step, { minLength: 1, maxLength: 4 });
		for (const steps of fc.sample(several, HISTORIES)) await runLists('lists', steps);
		for (const steps of fc.sample(several, HISTORIES / 2)) await runLists('never saved', steps, '');
		const list = (count: number, fault?: Row['fault']): Row[] =>
			Array.from({ length: count }, (_, person) => ({
				...{ person, mode: 'skip' },
				...(person === count - 1 && { fault }),
			}));
		const lost = list(3, { reset: 'after' });
		await runLists('never saved', [{ rows: lost, settings: RETRY }], '');
		const options = { concurrency: 100 };
		const rows = list(2_300, { status: 422 });
		const next = { rows: list(2_300), options };
		await runLists('2,300 rows', [{ rows, options, settings: RETRY }, next]);
		await runLists('2,300 rows', [{ rows, options }, next]);
		await runLists('2,300 rows', [{ ...next, stopAt: 'later' }, next]);
	},
	HOUR,
);

describe('the trigger', () => {
	const trigger = setUpTrigger();
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
	let workflows: Array<ReturnType<typeof trigger.workflow>>;
	type Act = { act: string; of: number; faults: typeof trigger.network.faults };
	const act: fc.Arbitrary<Act> = fc.record({
		act: fc.constantFrom('publish', 'publish', 'unpublish', ...Object.keys(acts)),
		of: fc.nat(1),
		faults: fc.array(
			fc.constantFrom(
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
	const plainly = (name: string, of = 0): Act => ({ act: name, of, faults: [] });

	it(
		'lives',
		async () => {
			const copied = [plainly('publish'), plainly('update'), plainly('publish', 1)];
			for (const [line, isCopy, chosen] of [
				...fc.sample(life, HISTORIES),
				...[['1.123' as const, true, copied] as const],
			]) {
				trigger.begin(line);
				const { n8n, clock, network, service } = trigger;
				const first = trigger.workflow();
				const path = isCopy ? first.path : undefined;
				workflows = [first, n8n.createWorkflow(structuredClone(first.draft), path)];
				const run: Case = { group: `the trigger in ${line}${isCopy ? ', copied' : ''}`, steps: [] };
				cases.push(run);
				const names = [
					...[service.baseUrl, trigger.webhookId, ...workflows.map(({ id }) => id)],
					...workflows.map((each) => each.path),
				];
				const plain = (value: unknown) =>
					names
						.reduce(
							(text, name, index) => text.replaceAll(name, `<${index}>`),
							JSON.stringify(value) ?? '',
						)
						.replace(/[\da-f]{64}/g, 'SECRET');
				for (const { act, of, faults } of chosen) {
					network.faults = [...faults];
					let error = '';
					await (async () => await acts[act](of))().catch(
						(thrown: Error) => (error = thrown.message),
					);
					await clock.pass(HOUR);
					const { name, url, status, events } = trigger.webhook;
					run.steps.push({
						what: `${act} ${of} ${JSON.stringify(faults)}`,
						seen: {
							webhook: [`name ${name}`, addressOf(url), status, ...events].map((each) =>
								plain(each).slice(1, -1),
							),
							error: plain(error),
							log: n8n.log.splice(0).map(plain),
							requests: trigger.requests.map(plain),
							started: n8n.started.splice(0).map(plain),
						},
					});
					service.clearRequests();
				}
			}
		},
		HOUR,
	);
});
