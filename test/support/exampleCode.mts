import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';

import { read } from './documents.mts';
import { JOB } from './example.mts';

type Items = Array<{ json: Record<string, any> }>;

/** What a Code node of an example, mostly *Invite from a spreadsheet*, gives for what it takes. */
export function runCode(
	node: string,
	input: Items,
	{ jobId = JOB, example = 'invite-from-a-spreadsheet', table = [] as Items } = {},
): Items {
	const { nodes } = JSON.parse(read(`examples/${example}.json`));
	const { jsCode } = nodes.find(({ name }: { name: string }) => name === node).parameters;
	const page = { json: { 'Job ID': jobId } };
	const globals = {
		$input: { all: () => input, first: () => input[0] },
		// The table, and the page.
		$: () => ({ first: () => page, all: () => table }),
		DateTime,
	};
	return JSON.parse(JSON.stringify(runInNewContext(`(() => {${jsCode}})()`, globals)));
}
