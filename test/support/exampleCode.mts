import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';
import { Expression } from 'n8n-workflow';

import { read } from './documents.mts';

type Json = Record<string, any>;
/** What other nodes have put out, by output. A node that isn't here didn't run. */
export type Ran = Record<string, object[][]>;

const nodesOf = (example: string): Array<{ name: string; parameters: Json }> =>
	JSON.parse(read(`examples/${example}.json`)).nodes;

const itemsOf = (rows: object[] = []) => rows.map((json) => ({ json }));

/** Runs the code of an example's Code node. */
export function runCode(example: string, node: string, rows: object[], ran: Ran = {}): Json[] {
	const { jsCode } = nodesOf(example).find(({ name }) => name === node)!.parameters;
	const input = itemsOf(rows);
	const globals = {
		$input: { all: () => input, first: () => input[0] },
		$: (name: string) => ({
			isExecuted: name in ran,
			first: () => itemsOf(ran[name]?.[0])[0] ?? { json: {} },
			all: (output = 0) => itemsOf(ran[name]![output]),
		}),
		DateTime,
	};
	const items: Array<{ json: Json }> = runInNewContext(`(() => {${jsCode}})()`, globals);
	return items.map(({ json }) => JSON.parse(JSON.stringify(json)));
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
