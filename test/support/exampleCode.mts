import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';

import { read } from './documents.mts';
import { JOB } from './example.mts';

type Items = Array<{ json: Record<string, any> }>;

/** Runs the code of an example's Code node, by default in *Invite from a spreadsheet*. */
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
		// Stands for the nodes of the table and the page.
		$: () => ({ first: () => page, all: () => table }),
		DateTime,
	};
	return JSON.parse(JSON.stringify(runInNewContext(`(() => {${jsCode}})()`, globals)));
}
