import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { INodeProperties } from 'n8n-workflow';

import {
	actionNode,
	anonymousInvitation,
	itemsWorkflow,
	RESULT_READY,
} from '../e2e/support/workflows.mts';
import { withEachField } from '../support/everyField.mts';
import { nodeTime } from './batches.mts';
import type { BenchEnvironment } from './contenders.mts';

/** Anyone can enter text of any length in a public form, and n8n must keep answering everybody else. */
const LENGTHS = [12_500, 100_000];

/** A pattern that takes quadratic time on any text does so on one that repeats one of these. */
const PIECES = [
	...['_', '{{', '{', '{{a', '}}', '${', '${a', '*|', '*|a', '$json', '__n8n_', '«', '«a', '<'],
	...['#', '##', '#a', '#_', '\\', '\\u', '\\u00', "'", '"', '\\"', '%', '%2', '%25', '=C3', "b'"],
	...[' ', ' a', '\t', '\n', '\xa0', 'A\xa0', 'Å–', '@', '@a', '@.', '.', '.a', '-', 'a-', '1'],
	...['1-', '1.', '1e+', '&', '&#', '&a', '<a', '<script', '</script ', '<html>', '[', '{"a":'],
	...['(', ')', ').', '/', '//', '://', '?', ';', ';charset=', 'null', 'undefined', 'a', 'é'],
	...['é ', 'Ã¼', 'Ã¼ ', 'Ãa', 'â‚¬', '\u0301\u0316', 'e\u0301', '\u200b', '😀', '\0'],
];

/** What the operations require beside the field. */
const VALID = {
	...anonymousInvitation({ extReferenceId: '={{ $itemIndex }}', alreadyInvited: 'inviteAgain' }),
	invitationCode: { __rl: true, mode: 'code', value: 'inv-1' },
	...{ webhookId: randomUUID(), name: 'Results', url: 'https://hr.example.com/results' },
	events: [RESULT_READY],
};

const { operationProperties } = createRequire(import.meta.url)(
	'../../dist/nodes/CandidateAssessment/actions/index.js',
) as { operationProperties: INodeProperties[] };

const TEXT = '={{ $json.text }}';
type Case = [what: string, fields: object];

/** A field alone has the text; the others are valid. */
const EACH_FIELD = operationProperties.flatMap((property): Case[] => {
	const { resource, operation } = property.displayOptions?.show ?? {};
	if (!resource || !operation || property.noDataExpression) return [];
	const where = { resource: resource[0], operation: operation[0] };
	return withEachField([property], TEXT).map((fields) => [
		property.displayName,
		{ ...where, ...fields },
	]);
});

const NAMED = { isAnonymousCandidate: false, firstName: 'Nathan', lastName: 'Smith' };
const byLink = (value: string) => ({
	operation: 'get',
	invitationCode: { __rl: true, mode: 'link', value },
});

/** The text is part of something longer. */
const PARTS: Case[] = [
	['Email, before @', { ...NAMED, email: '={{ $json.text }}@example.com' }],
	['Email, behind @', { ...NAMED, email: '=jane@{{ $json.text }}' }],
	['JSON, cut off', { additionalFields: { skillsJson: '=[{{ $json.text }}' } }],
	['JSON, a key', { additionalFields: { skillsJson: '={{ [{ [$json.text]: 1 }] }}' } }],
	['a link', byLink('=https://a.example/{{ $json.text }}')],
	['a link, behind #', byLink('=https://a.example/#/{{ $json.text }}')],
	['URL', { resource: 'webhook', operation: 'update', url: '=https://a.example/{{ $json.text }}' }],
];

/**
 * Puts texts of 100 kB, and of an eighth of that, into each field of each operation. Returns a row of the page's table for
 * the field with the highest ratio, which is up to 8 if all takes linear time.
 */
export async function measureLongTexts(environment: BenchEnvironment): Promise<string> {
	let worst = { ratio: 0, row: '' };
	for (const [name, fields] of [...EACH_FIELD, ...PARTS]) {
		const short = await timeOf(environment, fields, LENGTHS[0]);
		const long = await timeOf(environment, fields, LENGTHS[1]);
		const ratio = long / short;
		if (ratio < worst.ratio) continue;
		const what = `${PIECES.length} texts of 100 kB as ${name}`;
		const share = `${ratio.toFixed(1)} times as long as 12.5 kB`;
		worst = { ratio, row: `| ${what} | ${long.toFixed(2)} s (${share}) | | |` };
		console.error(worst.row);
	}
	return worst.row;
}

async function timeOf(environment: BenchEnvironment, fields: object, length: number) {
	const items = `${JSON.stringify(PIECES)}.map((piece) => ({ text: piece.repeat(${length} / piece.length) }))`;
	const node = actionNode(
		environment.credential,
		{ ...VALID, ...fields },
		{ onError: 'continueErrorOutput' },
	);
	const { id } = await environment.client.createWorkflow(itemsWorkflow('Long texts', items, node));
	return await nodeTime(environment, id);
}
