import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';
import { Expression } from 'n8n-workflow';

import { read } from './documents.mts';

type Items = Array<{ json: Record<string, any> }>;

interface Options {
	example: string;
	/** The items of other nodes, by output. A node that isn't here didn't run. */
	ran?: Record<string, Items[]>;
}

const nodesOf = (example: string): Array<{ name: string; parameters: Record<string, any> }> =>
	JSON.parse(read(`examples/${example}.json`)).nodes;

/** Runs the code of an example's Code node. */
export function runCode(node: string, input: Items, { example, ran = {} }: Options): Items {
	const { jsCode } = nodesOf(example).find(({ name }) => name === node)!.parameters;
	const globals = {
		$input: { all: () => input, first: () => input[0] },
		$: (name: string) => ({
			isExecuted: name in ran,
			first: (output = 0) => ran[name]?.[output]?.[0] ?? { json: {} },
			all: (output = 0) => ran[name]![output] ?? [],
		}),
		DateTime,
	};
	return JSON.parse(JSON.stringify(runInNewContext(`(() => {${jsCode}})()`, globals)));
}

/** Returns what *Invite from a list* decides on rows with all columns, and the words that it says. */
export function decisionsOf(...rows: object[]): Array<Record<string, unknown>> {
	const items = rows.map((json) => ({ json }));
	const decided = runCode('Check The Rows', items, { example: 'invite-from-a-list' });
	return decided.map(({ json }) => {
		return { ...json, says: json.next === 'tell' ? json.error : json.next };
	});
}

/** Returns the message of a run whose nodes had these errors, by output. No text is no error; X is a mistake in a row. */
export function endOf(example: string, errors: Record<string, string[][]>): string {
	const itemOf = (error: string) => {
		const outcome = error === 'X' ? 'invalid' : 'refused';
		return { json: error ? { error, outcome } : {} };
	};
	const ran = Object.entries(errors).map(([node, outputs]) => [
		node,
		outputs.map((each) => each.map(itemOf)),
	]);
	const options = { example, ran: Object.fromEntries(ran) };
	return runCode('What Went Wrong?', [], options)[0]?.json.message ?? '';
}

/** Evaluates, as n8n does, each expression of an example with these words. All other nodes have the same item. */
export function evaluateAll(
	example: string,
	words: string,
	json: object,
	other = json,
	more = {},
): unknown[] {
	const item = { item: { json: other }, first: () => ({ json: other }) };
	const data = { $json: json, $: () => item, $now: DateTime.now(), DateTime, ...more };
	return textsIn(nodesOf(example).map(({ parameters }) => parameters))
		.filter((text) => text.startsWith('=') && text.includes(words))
		.map((text) => new Expression('UTC').resolveSimpleParameterValue(text, data as never));
}

export function textsIn(value: unknown): string[] {
	return typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);
}
