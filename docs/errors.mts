/**
 * `npm run docs`: writes errors.md, the table of what the nodes say, from the code that says it.
 * With `--check` it writes nothing, and fails where the table is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { format } from 'prettier';
import type * as Actions from '../nodes/CandidateAssessment/actions/index.ts';
import type * as BatchErrors from '../nodes/CandidateAssessment/batch/batchErrors.ts';
import type * as RunBatch from '../nodes/CandidateAssessment/batch/runBatch.ts';
import type * as MemoryMessages from '../nodes/CandidateAssessment/errors/memoryMessages.ts';
import type * as Messages from '../nodes/CandidateAssessment/errors/messages.ts';
import type * as ToNodeError from '../nodes/CandidateAssessment/errors/toNodeError.ts';
import type * as NodeParameters from '../nodes/CandidateAssessment/parameters/NodeParameters.ts';
import type * as Secret from '../nodes/CandidateAssessment/parameters/secret.ts';
import type * as ApiClient from '../nodes/CandidateAssessment/transport/ApiClient.ts';
import type * as ConnectionTest from '../nodes/CandidateAssessment/transport/connectionTest.ts';
import type * as Credentials from '../nodes/CandidateAssessment/transport/credentials.ts';
import type * as Download from '../nodes/CandidateAssessment/transport/download.ts';
import type { ErrorMessage } from '../nodes/CandidateAssessment/transport/types.ts';
import type * as WithRetries from '../nodes/CandidateAssessment/transport/withRetries.ts';
import type * as Background from '../nodes/CandidateAssessment/trigger/background.ts';
import type * as CurrentSecret from '../nodes/CandidateAssessment/trigger/currentSecret.ts';
import type * as Hooks from '../nodes/CandidateAssessment/trigger/hooks.ts';
import type * as Properties from '../nodes/CandidateAssessment/trigger/properties.ts';
import type * as Receive from '../nodes/CandidateAssessment/trigger/receive.ts';
import type * as Registration from '../nodes/CandidateAssessment/trigger/registration.ts';
import type * as TriggerSecret from '../nodes/CandidateAssessment/trigger/secret.ts';

const load = createRequire(import.meta.url);
const built = <T,>(module: string) => load(`../dist/nodes/CandidateAssessment/${module}`) as T;

const { resources, findOperation, UNKNOWN_OPERATION } = built<typeof Actions>('actions');
const { NOTHING_SENT } = built<typeof BatchErrors>('batch/batchErrors');
const { BATCH_FAILED, STOPPED } = built<typeof RunBatch>('batch/runBatch');
const { MEMORY_MESSAGES, MEMORY_HINTS } = built<typeof MemoryMessages>('errors/memoryMessages');
const { STATUS_CODE_MESSAGES, NETWORK_ERROR_MESSAGES, UNEXPECTED_RESPONSE } =
	built<typeof Messages>('errors/messages');
const { messageWithAdvice } = built<typeof ToNodeError>('errors/toNodeError');
const { parameterReader } = built<typeof NodeParameters>('parameters/NodeParameters');
const { usableSecret } = built<typeof Secret>('parameters/secret');
const { WAIT_TOO_LONG } = built<typeof ApiClient>('transport/ApiClient');
const { CONNECTION_TEST_MESSAGES } = built<typeof ConnectionTest>('transport/connectionTest');
const { CREDENTIAL_MESSAGES } = built<typeof Credentials>('transport/credentials');
const { DOWNLOAD_MESSAGES } = built<typeof Download>('transport/download');
const { NOT_DESCRIBED } = built<typeof WithRetries>('transport/withRetries');
const { TASK_MESSAGES, logLine } = built<typeof Background>('trigger/background');
const { NO_CURRENT_SECRET } = built<typeof CurrentSecret>('trigger/currentSecret');
const { secretHeader } = built<typeof Hooks>('trigger/hooks');
const { triggerProperties } = built<typeof Properties>('trigger/properties');
const { NOT_GENUINE } = built<typeof Receive>('trigger/receive');
const { NO_ADDRESS, NOTHING_TO_DO, OBSTACLES, TASKS } =
	built<typeof Registration>('trigger/registration');
const { SECRET_MESSAGES } = built<typeof TriggerSecret>('trigger/secret');
const { DateTime } = load('luxon') as typeof import('luxon');

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: string[][]) =>
	[row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

const cellsOf = ({ message, description, option }: ErrorMessage) => [
	message,
	[description, option].filter(Boolean).join(' '),
];
const tableOf = (messages: ErrorMessage[]) =>
	table(['message', 'what to do'], messages.map(cellsOf));

const listOf = (texts: string[]) => texts.map((text) => `- ${text}`).join('\n');
const unique = (texts: string[]) => [...new Set(texts)];

/** What a function says that throws. */
function messageOf(run: () => unknown): string {
	try {
		run();
	} catch (error) {
		return (error as Error).message;
	}
	throw new Error(`Nothing is wrong according to ${run}`);
}

const ownWords = resources.flatMap(({ name: resource, operations }) =>
	operations.flatMap(({ name, statusMessages = {} }) =>
		Object.entries(statusMessages).map(([status, message]) => [
			`${resource}: ${name}`,
			status,
			...cellsOf(message),
		]),
	),
);

const { unknownOutcome } = findOperation('candidate', 'invite');

/** What is entered; an expression gives nothing, and an error is what n8n says of one. */
type Entered = Record<string, unknown>;

const EXAMPLE_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';
const CORRECT: Entered = {
	jobId: EXAMPLE_ID,
	extReferenceId: 'APP-1007',
	isAnonymousCandidate: false,
	email: 'ada@example.com',
	firstName: 'Ada',
	lastName: 'Example',
	webhookId: EXAMPLE_ID,
	name: 'Results to n8n',
	url: 'https://hr.example.com/hook',
	events: 'candidate_application_result_ready',
};
const TIMEZONE = 'Europe/Berlin';
const NOW = DateTime.fromISO('2026-07-01T12:00', { zone: TIMEZONE });

function read(properties: Parameters<typeof parameterReader>[0], entered: Entered) {
	return parameterReader(properties, { now: NOW, timezone: TIMEZONE })({
		entered: (name) => entered[name],
		value(name) {
			const value = entered[name];
			if (value instanceof Error) throw value;
			return typeof value === 'string' && value.startsWith('=') ? undefined : value;
		},
	});
}

const EXAMPLES: Array<[resource: string, operation: string, mistakes: Entered[]]> = [
	[
		'candidate',
		'invite',
		[
			{ jobId: 'Analyst' },
			{ extReferenceId: '' },
			{ extReferenceId: 'A'.repeat(51) },
			{ extReferenceId: 'APP-undefined' },
			{ isAnonymousCandidate: 'perhaps' },
			{ email: 'Ada' },
			{ firstName: '={{ $json.name }}' },
			{ lastName: new Error('{reason}') },
			...[
				{ deadline: '2026-06-30' },
				{ deadline: '2026-12-24' },
				{ deadline: '24.9.2026' },
				{ deadlineDays: 0 },
				{ deadline: '2026-08-01', deadlineDays: 14 },
				{ skillsJson: Array(16).fill({ name: 'SQL' }) },
				{ skillsJson: [{ level: 'novice' }] },
				{ skillsJson: '[{ "name": "SQL"' },
				{ skillsJson: [{ name: 'SQL' }], skills: { skill: [{ name: 'SQL' }] } },
			].map((additionalFields) => ({ additionalFields })),
		],
	],
	[
		'candidate',
		'get',
		[
			{ invitationCode: { mode: 'link', value: 'inv-7Kq2mX9d' } },
			{ invitationCode: '={{ $json.candidate_id }}' },
		],
	],
	[
		'webhook',
		'update',
		[{ webhookId: 'Results' }, { url: 'hr.example.com/hook' }, { secret: 'Schlüssel' }],
	],
	['webhook', 'setStatus', [{ status: 'on' }]],
];

const itemExamples = EXAMPLES.flatMap(([resource, value, mistakes]) => {
	const { properties, request } = findOperation(resource, value);
	return mistakes.map((wrong) =>
		messageOf(() => request(read(properties, { ...CORRECT, ...wrong }))),
	);
});
const triggerExamples = ['X-Webhook-Secret: 1234', 'User-Agent'].map((name) => {
	const params = read(triggerProperties, { options: { secretHeader: name } });
	return messageOf(() => params.optional('secretHeader', secretHeader));
});

const logLines = Object.values(TASKS).flatMap((task) =>
	Object.values(TASK_MESSAGES).map((message) => logLine(message, task, '{reason}')),
);

const page = `# What the nodes say when something fails

Made by \`npm run docs\` from the code that says it. What is in braces differs from case to case:
\`{seconds}\` is a number. The service's own words come behind each description, whatever the shape of
its answer, and so does the wait that it asks for; access token and secrets are taken out of them.

If a list fails, the message begins with the item that it is about, and what became of each item comes after
the description. In an error item, in the trigger, and for an AI agent, message and description are one text.

## The service answers with an error

${table(
	['status', 'message', 'what to do'],
	[
		...Object.entries(STATUS_CODE_MESSAGES).map(([status, message]) => [
			status.replace(/^(\d)xx$/, 'any other $1xx'),
			...cellsOf(message),
		]),
		['2xx without the data', ...cellsOf(UNEXPECTED_RESPONSE)],
		["any, if its words can't be shown", ...cellsOf(NOT_DESCRIBED)],
	],
)}

## Words of single operations

${table(['operation', 'status', 'message', 'what to do'], ownWords)}

A workflow made with a newer version of this package can have an operation that yours doesn't know:
**${UNKNOWN_OPERATION.message}**. Update the package.

## The service does not answer

${table(
	['error code', 'message', 'what to do'],
	NETWORK_ERROR_MESSAGES.map(([pattern, message]) => [
		pattern.source === '.'
			? 'any other'
			: `\`${pattern.source.replaceAll('|', '`, `').replace(/[$^()]/g, '')}\``,
		...cellsOf(message),
	]),
)}

If n8n itself doesn't send the request, as to a domain that it doesn't allow, the message is n8n's own.

## Something is wrong with the credential

${listOf([
	...Object.values(CREDENTIAL_MESSAGES),
	...['too short', 'Schlüssel zum Glück'].map((secret) => messageOf(() => usableSecret(secret))),
	SECRET_MESSAGES.noneEntered,
])}

The connection test says the same, and:

${listOf(unique(Object.values(CONNECTION_TEST_MESSAGES)))}

## An invitation that may have arrived

After a lost connection, a timeout, a 5xx, a 302 or 303, or a response without a candidate, nobody can
tell whether an invitation was created. The node does not send it again. It says why, and:
**${unknownOutcome?.message}**. ${unknownOutcome?.description}

## An item that was not sent

Nothing is wrong with the item. Run the list again.

${tableOf([WAIT_TOO_LONG, BATCH_FAILED, STOPPED])}

## The node remembers an earlier invitation, or could not

${tableOf(Object.values(MEMORY_MESSAGES))}

With **Leave Out**, an AI agent gets the first two as an answer, with "${NOTHING_SENT}" behind, and no error.
Notes in the output say how many items were left out, and what the node can't remember:

${listOf(Object.values(MEMORY_HINTS).map(messageWithAdvice))}

## The report can't be downloaded

${tableOf(Object.values(DOWNLOAD_MESSAGES))}

## Something is wrong with an item

Before anything is sent. The message names the item, the field and the rule. "${NOTHING_SENT}" follows,
unless **On Error** is set to continue with the other items. Some of them, as of ${NOW.toISODate()}:

${listOf(itemExamples)}

## The trigger can't be published, or can't begin a test

${tableOf([...Object.values(OBSTACLES), NO_ADDRESS])}

In the first three, \`{address}\` is where the webhook's events go now. The trigger also says what is wrong with
the credential, with a response of the service, or with a field, such as:

${listOf(triggerExamples)}

## The trigger turns a call away

Whoever calls without the webhook's secret gets the status 401 with \`${JSON.stringify(NOT_GENUINE)}\`. No
execution starts, and n8n shows nothing.

## What the trigger writes into n8n's log

When a test ends, when a workflow is unpublished, and when n8n 1.x starts, the trigger shows no error. It goes on
trying for ten minutes, and n8n's log says how it went:

${listOf([...logLines, ...Object.values(NOTHING_TO_DO)])}

At the log level \`debug\`, it also says why a call couldn't be compared with the credential's secret:
**${NO_CURRENT_SECRET}**. The reason is what is wrong with the credential, or
"${SECRET_MESSAGES.noneDerived}".
`;

const file = join(import.meta.dirname, 'errors.md');
const written = await format(page, { parser: 'markdown', printWidth: 100 });
if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (readFileSync(file, 'utf8') !== written) {
	console.error('docs/errors.md is not what the code says: run  npm run docs');
	process.exit(1);
}
