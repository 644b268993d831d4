/**
 * `npm run docs`: writes errors.md, the table of what the nodes say, from the code that says it.
 * With `--check` it writes nothing, and fails where the table is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { format } from 'prettier';
import type { resources as Resources } from '../nodes/CandidateAssessment/actions/index.ts';
import type * as MemoryMessages from '../nodes/CandidateAssessment/errors/memoryMessages.ts';
import type * as Messages from '../nodes/CandidateAssessment/errors/messages.ts';
import type { ErrorMessage } from '../nodes/CandidateAssessment/transport/types.ts';
import type * as Registration from '../nodes/CandidateAssessment/trigger/registration.ts';

const built = createRequire(import.meta.url);
const nodes = '../dist/nodes/CandidateAssessment';
const { STATUS_CODE_MESSAGES, NETWORK_ERROR_MESSAGES } = built(
	`${nodes}/errors/messages`,
) as typeof Messages;
const { MEMORY_MESSAGES } = built(`${nodes}/errors/memoryMessages`) as typeof MemoryMessages;
const { OBSTACLES } = built(`${nodes}/trigger/registration`) as typeof Registration;
const { resources } = built(`${nodes}/actions`) as { resources: typeof Resources };

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: string[][]) =>
	[row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

const tableOf = (messages: ErrorMessage[]) =>
	table(
		['message', 'what to do'],
		messages.map(({ message, description = '' }) => [message, description]),
	);

const ownWords = resources.flatMap(({ name: resource, operations }) =>
	operations.flatMap(({ name, statusMessages = {} }) =>
		Object.entries(statusMessages).map(([status, { message, description = '' }]) => [
			`${resource}: ${name}`,
			status,
			message,
			description,
		]),
	),
);

const { unknownOutcome } = resources
	.flatMap(({ operations }) => operations)
	.find(({ value }) => value === 'invite')!;

const page = `# What the nodes say when something fails

Made by \`npm run docs\` from the code that says it. The service's own words come behind each
description, whatever the shape of its answer; access token and secrets are taken out of them.

## The service answers with an error

${table(
	['status', 'message', 'what to do'],
	Object.entries(STATUS_CODE_MESSAGES).map(([status, { message, description = '' }]) => [
		status.replace(/^(\d)xx$/, 'any other $1xx'),
		message,
		description,
	]),
)}

## Words of single operations

${table(['operation', 'status', 'message', 'what to do'], ownWords)}

## The service does not answer

${table(
	['error code', 'message', 'what to do'],
	NETWORK_ERROR_MESSAGES.map(([pattern, { message, description = '' }]) => [
		pattern.source === '.'
			? 'any other'
			: `\`${pattern.source.replaceAll('|', '`, `').replace(/[$^()]/g, '')}\``,
		message,
		description,
	]),
)}

## An invitation that may have arrived

After a lost connection, a timeout, a 5xx, a 302 or 303, or a response without a candidate, nobody can
tell whether an invitation was created. The node does not send it again. It says why, and:
**${unknownOutcome?.message}**. ${unknownOutcome?.description}

## The node remembers an earlier invitation, or could not

${tableOf(Object.values(MEMORY_MESSAGES))}

## Something is wrong with an item

Before anything is sent. The message names the item, the field and the rule, such as "Item 7: Skills:
16 given, at most 15 are allowed".

## The trigger can't begin a test

\`{address}\` is where the webhook's events go now.

${tableOf(Object.values(OBSTACLES))}
`;

const file = join(import.meta.dirname, 'errors.md');
const written = await format(page, { parser: 'markdown', printWidth: 100 });
if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (readFileSync(file, 'utf8') !== written) {
	console.error('docs/errors.md is not what the code says: run  npm run docs');
	process.exit(1);
}
