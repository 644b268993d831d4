import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import type * as N8nCore from 'n8n-core';
import type * as N8nWorkflow from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type * as ItemReader from '../../nodes/CandidateAssessment/parameters/itemReader.ts';
import type * as Parameters from '../../nodes/CandidateAssessment/parameters/NodeParameters.ts';
import { SEED } from '../support/histories.mts';

/**
 * Holds the reading of paths against n8n itself: each field must be what it is with n8n's own
 * `getNodeParameter`, value or error. A program of its own, since n8n's engine with isolates does
 * not start inside Jest, and since any installed n8n can be held against it:
 *
 *     node test/unit/itemPaths.mts --engine vm
 *     node test/unit/itemPaths.mts --n8n <folder with n8n's node_modules>
 */
const { values: options } = parseArgs({
	options: {
		n8n: { type: 'string', default: import.meta.dirname },
		engine: { type: 'string', default: 'legacy' },
		runs: { type: 'string', default: '300' },
	},
});
const n8n = createRequire(`${options.n8n}/package.json`);
const { ExecuteContext } = n8n('n8n-core') as typeof N8nCore;
const { createRunExecutionData, Expression, Workflow } = n8n('n8n-workflow') as typeof N8nWorkflow;

const built = createRequire(
	join(import.meta.dirname, '../../dist/nodes/CandidateAssessment/parameters/here'),
);
const { itemReader } = built('./itemReader.js') as typeof ItemReader;
const { parameterReader } = built('./NodeParameters.js') as typeof Parameters;

const field = (name: string, type: INodeProperties['type'] = 'string', more = {}) =>
	({ displayName: name, name, type, default: '', ...more }) as INodeProperties;

const properties = [
	field('a'),
	field('b'),
	field('c', 'number'),
	field('locator', 'resourceLocator', { modes: [field('code')] }),
	field('more', 'collection', {
		options: [
			field('d'),
			field('rows', 'fixedCollection', {
				options: [{ name: 'row', displayName: 'Row', values: [field('name'), field('level')] }],
			}),
		],
	}),
];

const nodeType = {
	description: { name: 'test', properties, inputs: ['main'], outputs: ['main'] },
} as unknown as INodeType;
const nodeTypes: INodeTypes = {
	getByName: () => nodeType,
	getByNameAndVersion: () => nodeType,
	getKnownTypes: () => ({}),
};

const ITEMS: object[] = [
	{
		name: 'Nathan',
		mail: ' Nathan@Example.com ',
		phone: 4711,
		vip: false,
		nothing: null,
		contact: { city: 'Berlin', 'zip code': '10115', deep: { er: [1, 'two', { three: 3 }] } },
		list: ['x', 'y'],
		'odd } key': 'brace',
		'{{': 'braces',
		date: '2026-12-15T00:00:00.000Z',
		prénom: 'Zoë',
		empty: '',
		constructor: 'own',
		binding: 'own',
		toString: 'own',
		when: new Date(0),
	},
	{ name: 'Ada', contact: null, list: [] },
	{
		mail: 'a@b',
		contact: { city: 0, deep: { er: [] }, valueOf: 'own', binding: 'own' },
		phone: '7',
		vip: true,
		list: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
		'01': 'one',
	},
	{},
];

/** Anew for each context: n8n 1.x lets an expression change them. */
const newItems = (): INodeExecutionData[] =>
	structuredClone(ITEMS).map((json, item) => ({
		json: json as unknown as IDataObject,
		pairedItem: { item },
	}));

/** The action node behind a table, in n8n-core's context for it. */
function contextWith(parameters: INodeParameters): {
	context: IExecuteFunctions;
	expression: N8nWorkflow.WorkflowExpression;
} {
	const items = newItems();
	const node = (name: string, own: INodeParameters = {}): INode => ({
		id: name,
		name,
		type: 'test',
		typeVersion: 1,
		position: [0, 0],
		parameters: own,
	});
	const action = node('Action', parameters);
	const workflow = new Workflow({
		id: 'w1',
		nodes: [node('Table'), action],
		connections: { Table: { main: [[{ node: 'Action', type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes,
		settings: { timezone: 'Europe/Berlin' },
	});
	// n8n drops parameters that are hidden, and those that no property declares: here all are as given.
	workflow.nodes.Action.parameters = parameters;
	const output = {
		startTime: 0,
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success' as const,
		source: [],
		data: { main: [items] },
	};
	const run = createRunExecutionData({ resultData: { runData: { Table: [output] } } });
	const additionalData = {
		executionId: '1',
		webhookWaitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
		formWaitingBaseUrl: 'https://n8n.example.com/form-waiting',
	} as IWorkflowExecuteAdditionalData;
	const main = { main: [items] };
	const source = { main: [{ previousNode: 'Table' }] };
	const context = new ExecuteContext(
		workflow,
		workflow.nodes.Action,
		additionalData,
		'manual',
		run,
		0,
		items,
		main,
		{ node: workflow.nodes.Action, data: main, source },
		[],
	) as unknown as IExecuteFunctions;
	return { context, expression: workflow.expression };
}

/** Fields inside a collection stand beside the others. */
const names = ['a', 'b', 'c', 'locator', 'd', 'rows'];
let evaluations = 0;

type Reader = (context: IExecuteFunctions) => (index: number) => Parameters.NodeParameters;

/** The node's own way. Counts what n8n is asked for. */
const reading: Reader = (context) =>
	itemReader(
		{
			getNodeParameter: context.getNodeParameter,
			evaluateExpression(code, index) {
				// The search for a reason, where something gave nothing, finds none here.
				if (code.includes('catch')) return undefined;
				evaluations++;
				return context.evaluateExpression(code, index);
			},
			getWorkflowDataProxy: (index) => context.getWorkflowDataProxy(index),
			getTimezone: () => context.getTimezone(),
			getInputData: () => ITEMS.map((json) => ({ json })),
		} as IExecuteFunctions,
		properties,
	);

/** Everything by `getNodeParameter`. */
const asking: Reader = (context) => {
	const read = parameterReader(properties);
	return (index) => read((path) => ({ value: context.getNodeParameter(path, index, null) }));
};

/** Every field of every item: its value, nothing where it is empty, or that it fails. */
async function readAll(parameters: INodeParameters, reader: Reader): Promise<unknown[]> {
	const { context, expression } = contextWith(parameters);
	if (options.engine !== 'legacy') await expression.acquireIsolate();
	try {
		const read = reader(context);
		return ITEMS.flatMap((_item, index) => {
			const params = read(index);
			return names.map((name) => {
				try {
					// In a list or a form, n8n hands on a date as its text.
					const value = JSON.stringify(params.optional(name, (any) => any));
					// Some of these n8n refuses, unless they stand in a template.
					return /\[(?:native code|object Object)\]/.test(value) ? 'an error' : value;
				} catch {
					return 'an error';
				}
			});
		});
	} finally {
		if (options.engine !== 'legacy') await expression.releaseIsolate();
	}
}

const key = fc.constantFrom('name', 'mail', 'phone', 'vip', 'nothing', 'contact', 'city', 'list', 'nope', 'date', 'prénom', 'empty', 'length', 'constructor', 'first', 'when', 'getTime', 'valueOf', '01', 'toString', '__proto__', 'prototype', 'binding', 'arguments'); // prettier-ignore
const step = fc.oneof(
	{
		weight: 5,
		arbitrary: fc
			.tuple(key, fc.constantFrom('.#', '?.#', '["#"]', "?.['#']", ' . #', '[ "#" ]'))
			.map(([name, form]) => form.replace('#', name)),
	},
	{
		weight: 2,
		arbitrary: fc.constantFrom('.contact.city', "['zip code']", '["odd } key"]', '["{{"]', '["}}"]', '[0]', '[ 1 ]', '?.[010]', '[01]', '.deep.er[1]', '.deep.er[2].three', '["a\\b"]', '/* c */.name', '.name // why', '.list["toReversed"]()[0]'), // prettier-ignore
	},
);
const method = fc.constantFrom('', '', '', '.trim()', '.toLowerCase()', '.toUpperCase()', '?.trim()', '.trim().toUpperCase()', '.toString()', '.trim( )', '.length()'); // prettier-ignore
const root = fc.oneof(
	{ weight: 6, arbitrary: fc.constant('$json') },
	{ weight: 3, arbitrary: fc.constant('$input.item.json') },
	{ weight: 1, arbitrary: fc.constantFrom("$('Table').item.json", '$input.item', '$input.first().json', '$jsonx', '$itemIndex', '$parameter["&d"]', "'text'") }, // prettier-ignore
);
const code = fc.oneof(
	{
		weight: 9,
		arbitrary: fc
			.tuple(root, fc.array(step, { minLength: 1, maxLength: 3 }), method)
			.map(([start, steps, end]) => start + steps.join('') + end),
	},
	{ weight: 1, arbitrary: fc.constantFrom('$today', '[1, [null, 2]]', '-0', 'true', 'new Date(0)', '`}${1}`', '"\\d"') }, // prettier-ignore
);
const textAround = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('', 'APP-', ' ', '-', '\n') },
	{ weight: 1, arbitrary: fc.constantFrom('\\', '\\{{', '}', '{', '{{', '}}', '"', "'") }, // prettier-ignore
);
const placeholder = fc
	.tuple(fc.constantFrom(' ', '', '\n'), code, fc.constantFrom(' ', '', ';', '\n'))
	.map(([before, inner, after]) => `{{${before}${inner}${after}}}`);
const expression = fc.oneof(
	{ weight: 4, arbitrary: placeholder.map((one) => `=${one}`) },
	{
		weight: 3,
		arbitrary: fc
			.tuple(textAround, fc.array(fc.tuple(placeholder, textAround), { maxLength: 3 }))
			.map(([before, parts]) => `=${before}${parts.flat().join('')}`)
			// With a method of its own, n8n ignores an unclosed brace at the very end.
			.filter((value) => !/\.length\(\).*\{\{$/s.test(value)),
	},
	{ weight: 1, arbitrary: fc.constantFrom('', '=', '={{}}', '={{ }}', 'text', '{{ $json.name }}', '={{ $json.name ', '={{ $json.name }}}') }, // prettier-ignore
);

const parameters = fc.record<INodeParameters>(
	{
		a: expression,
		b: expression,
		c: fc.oneof(expression, fc.constantFrom<number | null>(7, null)) as fc.Arbitrary<string>,
		locator: fc.oneof(
			expression,
			expression.map((value) => ({ __rl: true, mode: 'code', value })),
		) as fc.Arbitrary<string>,
		more: fc.record(
			{
				d: expression,
				rows: fc.record({
					row: fc.array(fc.record({ name: expression, level: expression }), { maxLength: 2 }),
				}),
			},
			{ requiredKeys: [] },
		) as unknown as fc.Arbitrary<string>,
	},
	{ requiredKeys: ['a', 'b'] },
);

if (options.engine !== 'legacy') {
	await Expression.initExpressionEngine({
		engine: options.engine as 'vm',
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
		maxCodeCacheSize: 1000,
		poolSize: 1,
	});
}

// The property would hold for a reader that leaves everything to n8n.
const usual = {
	a: '={{ $json.name }}',
	b: '={{ $input.item.json["mail"].trim().toLowerCase() }}',
	more: { d: '=APP-{{ $json.phone }}/{{$json.contact?.city}}\n', rows: { row: [{ name: 'x' }] } },
};
await readAll(usual, reading);
assert.equal(evaluations, 0, 'paths are read');
await readAll({ ...usual, a: '={{ $json.name + 1 }}' }, reading);
assert.equal(evaluations, ITEMS.length, 'other code is evaluated');

await fc.assert(
	fc.asyncProperty(parameters, async (given) => {
		assert.deepStrictEqual(await readAll(given, reading), await readAll(given, asking));
	}),
	{
		numRuns: Number(options.runs),
		// An earlier expression changes the item for those after it, where n8n has no isolates.
		examples: [
			['$json.list.shift()', '$json.list[0]'],
			['$json.contact?.["binding"]', '$json.name'],
		].map(([a, b]): [INodeParameters] => [{ a: `={{ ${a} }}`, b: `={{ ${b} }}` }]),
		seed: SEED,
	},
);
console.log(`${options.runs} nodes, n8n asked ${evaluations} times`);
// Isolates end with the process; disposing of them first crashes it now and then.
process.exit();
