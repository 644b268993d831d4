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
import type * as ExpressionModule from '../../nodes/CandidateAssessment/parameters/Expression.ts';
import type * as ExpressionErrorsModule from '../../nodes/CandidateAssessment/parameters/ExpressionErrors.ts';
import type * as PlainExpressionsModule from '../../nodes/CandidateAssessment/parameters/plainExpressions.ts';
import type * as JointEvaluation from '../../nodes/CandidateAssessment/parameters/jointEvaluation.ts';

/**
 * Holds the joint evaluation against n8n itself: for generated expressions it must give what
 * `getNodeParameter` gives, value or error. Of a template, it must be told whether a part gave
 * nothing when n8n evaluates it by itself. A program of its own, since n8n's engine with isolates
 * does not start inside Jest, and since any installed n8n can be held against it:
 *
 *     node test/unit/jointExpressions.mts --engine vm
 *     node test/unit/jointExpressions.mts --n8n <folder with n8n's node_modules>
 */
const { values: options } = parseArgs({
	options: {
		n8n: { type: 'string', default: import.meta.dirname },
		engine: { type: 'string', default: 'legacy' },
		runs: { type: 'string', default: '300' },
		seed: { type: 'string' },
	},
});
const n8n = createRequire(`${options.n8n}/package.json`);
const { ExecuteContext } = n8n('n8n-core') as typeof N8nCore;
const { createRunExecutionData, Expression, Workflow } = n8n('n8n-workflow') as typeof N8nWorkflow;

const built = createRequire(
	join(import.meta.dirname, '../../dist/nodes/CandidateAssessment/parameters/here'),
);
const { Expression: OurExpression, isGap } = built('./Expression.js') as typeof ExpressionModule;
const { ExpressionErrors } = built('./ExpressionErrors.js') as typeof ExpressionErrorsModule;
const { jointEvaluation } = built('./jointEvaluation.js') as typeof JointEvaluation;
const { mayChangeItem } = built('./plainExpressions.js') as typeof PlainExpressionsModule;

const field = (name: string, type: INodeProperties['type'] = 'string', more = {}) =>
	({ displayName: name, name, type, default: '', ...more }) as INodeProperties;

const properties = [
	field('a'),
	field('b'),
	field('c', 'number'),
	field('converted', 'string', { validateType: 'number' }),
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
		list: Object.assign(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'], { name: 'extra' }),
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
		nodes: [node('Table'), node('Other one (2)'), node('Never run'), action],
		connections: {
			Table: { main: [[{ node: 'Other one (2)', type: 'main', index: 0 }]] },
			'Other one (2)': { main: [[{ node: 'Action', type: 'main', index: 0 }]] },
		},
		active: false,
		nodeTypes,
		settings: { timezone: 'Europe/Berlin' },
	});
	// n8n drops parameters that are hidden, and those that no property declares: here all are as given.
	workflow.nodes.Action.parameters = parameters;
	const output = (source: Array<{ previousNode: string }>) => [
		{
			startTime: 0,
			executionTime: 0,
			executionIndex: 0,
			executionStatus: 'success' as const,
			source,
			data: { main: [items] },
		},
	];
	const run = createRunExecutionData({
		resultData: {
			runData: { Table: output([]), 'Other one (2)': output([{ previousNode: 'Table' }]) },
		},
	});
	const additionalData = {
		executionId: '1',
		webhookWaitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
		formWaitingBaseUrl: 'https://n8n.example.com/form-waiting',
		variables: { region: 'EU' },
	} as unknown as IWorkflowExecuteAdditionalData;
	const context = new ExecuteContext(
		workflow,
		workflow.nodes.Action,
		additionalData,
		'manual',
		run,
		0,
		items,
		{ main: [items] },
		{
			node: workflow.nodes.Action,
			data: { main: [items] },
			source: { main: [{ previousNode: 'Other one (2)' }] },
		},
		[],
	) as unknown as IExecuteFunctions;
	return { context, expression: workflow.expression };
}

type Outcome = { value: unknown } | { error: string; type: string; description: unknown };

function outcomeOf(read: () => unknown): Outcome {
	try {
		return { value: read() };
	} catch (error) {
		const { message, constructor, description } = error as Error & { description?: unknown };
		return { error: message, type: constructor.name, description };
	}
}

/** The present moment differs from one evaluation to the next: that it is one has to do. */
function comparable(value: unknown): unknown {
	// A field that asks for itself is evaluated until the stack is full.
	if (typeof value === 'string' && value.length > 1000) return 'without end';
	if (typeof value === 'string') return value.replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, 'a moment');
	// A parameter that is converted to a number has the moment in milliseconds.
	if (typeof value === 'number' && value > 1e12) return 'a moment';
	if (Array.isArray(value)) return value.map(comparable);
	if (typeof value !== 'object' || value === null || value instanceof Date) return value;
	if ('isLuxonDateTime' in value) return 'a DateTime';
	return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, comparable(one)]));
}

const names = properties.map(({ name }) => name);

type Read = (name: string, index: number) => unknown;

/** Every parameter of every item, read in one of the two ways. */
async function readAll(
	parameters: INodeParameters,
	way: (context: IExecuteFunctions) => Read,
): Promise<unknown[]> {
	const { context, expression } = contextWith(parameters);
	if (options.engine !== 'legacy') await expression.acquireIsolate();
	try {
		const read = way(context);
		return ITEMS.flatMap((_item, index) =>
			names.map((name) => comparable(outcomeOf(() => read(name, index)))),
		);
	} finally {
		if (options.engine !== 'legacy') await expression.releaseIsolate();
	}
}

let together = 0;
const asked = { jointly: 0, singly: 0 };

const jointly = (context: IExecuteFunctions): Read => {
	const evaluateExpression = (code: string, index: number) => {
		const value = context.evaluateExpression(code, index);
		asked.jointly++;
		if (Array.isArray(value)) together++;
		return value;
	};
	const getNodeParameter = ((name: string, index: number, fallback: null, options?: object) => {
		if (!options) asked.jointly++;
		return context.getNodeParameter(name, index, fallback, options);
	}) as typeof context.getNodeParameter;
	const getWorkflowDataProxy = context.getWorkflowDataProxy.bind(context);
	const valuesOf = jointEvaluation(
		{ getNodeParameter, evaluateExpression, getWorkflowDataProxy },
		properties,
	);
	// All parameters of an item are read before those of the next one.
	const values = new Map<number, (name: string) => unknown>();
	return (name, index) => {
		const valueOf = values.get(index) ?? valuesOf(index).value;
		values.set(index, valueOf);
		return valueOf(name);
	};
};

const singly =
	(context: IExecuteFunctions): Read =>
	(name, index) => {
		asked.singly++;
		return context.getNodeParameter(name, index, null);
	};

const text = fc.constantFrom(
	`'plain'`,
	`"it's"`,
	`'a, b; c'`,
	`'( [ "'`,
	`'// no comment'`,
	`'/* none */'`,
	`''`,
	`'.first('`,
	`'use strict'`,
	`'braces }'`,
	`'}} {{'`,
	`'back\\'slash'`,
	'`template ${$json.name}`',
	`'$if('`,
);
const key = fc.constantFrom('name', 'mail', 'phone', 'vip', 'nothing', 'contact', 'list', 'nope', 'date', 'prénom', 'empty', 'length', 'constructor', 'first', 'when', 'getTime', 'valueOf', '01', 'toString', '__proto__', 'prototype', 'mainModule', 'binding', 'arguments'); // prettier-ignore
const step = fc.oneof(
	key.map((name) => `.${name}`),
	key.map((name) => `?.${name}`),
	key.map((name) => `["${name}"]`),
	key.map((name) => `?.['${name}']`),
	fc.constantFrom('.contact.city', "['zip code']", '["odd } key"]', '["{{"]', '[0]', '[ 1 ]', '.deep.er[2].three'), // prettier-ignore
	fc.constantFrom('.trim()', '.toLowerCase()', '.split("@")[0]', ".replaceAll('a', 'b')", '.slice(0, 2)', '.toString()', '.padStart(9)', '.toFixed(2)', '.join(", ")'), // prettier-ignore
	fc.constantFrom('.toTitleCase()', '.isEmpty()', '.first()', '.last()', '.toDateTime()', '.toInt()', '.extractEmail()', '.toFoo()', '.plus(3, "days")', '?.toUpperCase()', '.length()', '.hash()'), // prettier-ignore
	fc.constantFrom(
		' . name',
		'\n\t.mail',
		'/* c */.name',
		'.name // why',
		'.map(x => x)',
		'.name = 1',
	),
);
const root = fc.oneof(
	{ weight: 6, arbitrary: fc.constant('$json') },
	{
		weight: 4,
		arbitrary: fc.constantFrom(
			"$('Table').item.json",
			'$("Other one (2)").item.json',
			"$('Table').first().json",
			"$( 'Table' ).last().json",
			"$('Never run').item.json",
			"$('Nowhere').item.json",
			'$node["Table"].json',
			'$input.item.json',
			'$input.first().json',
			"$('Table').item",
		),
	},
	{
		weight: 3,
		arbitrary: fc.constantFrom('$itemIndex', '$runIndex', '$execution.id', '$workflow.name', '$vars.region', '$vars', '$prevNode.name', '$nope', '$env.HOME', '$parameter', '$parameter["a"]', '$parameter["&d"]', '$rawParameter.a', '$jsonx', '$binary', '$position', '$nodeVersion', 'Math.PI', 'JSON', 'x', "$fromAI('email', 'the address', 'string')", "$evaluateExpression('{{ 1 }}')", '$if(true, 1, 2)', '$'), // prettier-ignore
	},
);
const path = fc
	.tuple(root, fc.array(step, { maxLength: 3 }))
	.map(([start, steps]) => start + steps.join(''));
const literal = fc.oneof(text, fc.constantFrom('1', '1.5', '-1', '0', 'true', 'null', 'undefined', 'NaN', '1n', '/x/', '[1, 2]', '{ a: 1 }', '() => 1', 'new Date(0)')); // prettier-ignore
const operand = fc.oneof(
	{ weight: 7, arbitrary: path },
	{ weight: 2, arbitrary: literal },
	{
		weight: 1,
		arbitrary: fc.constantFrom('($json.name)', '[$json.name]', '{ a: $json.name }', '!$json.vip', 'typeof $json.vip', '...$json.list', '(() => $json.name)()', 'await 1', 'function () {}', 'delete $json.name', 'this', '++$json.phone', '$json.phone >>= 1', '$json.when.setFullYear(1999)', '$json.list["re" + "verse"]()[0]', '$json.name, $json.mail', 'throw 1', 'return 1', ''), // prettier-ignore
	},
);
const operator = fc.constantFrom(' ?? ', ' || ', ' && ', ' + ', '+', ' - ', '*', ' === ', '!=', ' > ', '<=', ' ? ', ' : ', ' , ', '; ', ' / ', ' = ', ' += ', ' in ', ' instanceof '); // prettier-ignore
/** What it changes outlives the evaluation, so that both ways to read would not find the same. */
const changesGlobals = (one: string) =>
	/\b(?:JSON|Math|\$env)\b.*(?:[^=!<>]=(?![=>])|\+\+)/s.test(one);
const anyCode = fc.oneof(
	{ weight: 6, arbitrary: operand },
	{
		weight: 3,
		arbitrary: fc.tuple(operand, operator, operand).map((parts) => parts.join('')),
	},
	{
		weight: 1,
		arbitrary: fc
			.tuple(operand, operand, operand)
			.map(([test, yes, no]) => `${test} ? ${yes} : ${no}`),
	},
);
const code = anyCode.filter((one) => !changesGlobals(one));
const anyExpression = fc.oneof(
	{
		weight: 10,
		arbitrary: fc
			.tuple(fc.constantFrom(' ', '', '\n'), code, fc.constantFrom(' ', '', ' // why', ';', '\n'))
			.map(([before, inner, after]) => `={{${before}${inner}${after}}}`),
	},
	{
		weight: 2,
		arbitrary: fc
			.tuple(
				code,
				fc.constantFrom(
					'= {{ # }}',
					'={{ # }} ',
					'=Hi {{ # }}',
					'={{ # }}{{ # }}',
					'=#',
					'={{ # ',
					'={{ # }}}',
					'={{{ # }}',
					'={{ {{ # }} }}',
					'#',
					'={{ # \\}} }}',
				),
			) // prettier-ignore
			.map(([inner, around]) => around.replaceAll('#', inner)),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			'={{ $now }}',
			'={{ $now.plus({ months: 3 }) }}',
			'={{ $today.toISO() }}',
			'={{ $json.name + $now.toISO() }}',
			'={{ DateTime.now().plus(1, "day") }}',
		),
	},
	{ weight: 1, arbitrary: fc.constantFrom('', '=', '={{}}', '={{ }}', 'text', '{{ $json.name }}') },
);
/** What lists are made of. */
const usual = fc.constantFrom(
	'={{ $json.name }}',
	'={{ $json.mail }}',
	'={{ $json.phone }}',
	'={{ $json.vip }}',
	'={{ $json.contact.city }}',
	"={{ $('Table').item.json.mail }}",
	'={{$json["name"]}}',
	'={{ $json.nothing ?? $json.name }}',
);
const itemPath = fc
	.tuple(
		fc.constantFrom('$json', '$input.item.json', "$('Table').item.json"),
		fc.array(fc.tuple(key, fc.constantFrom('.#', '?.#', '["#"]', '?.["#"]', '?.[010]', '[01]')), { minLength: 1, maxLength: 2 }), // prettier-ignore
	)
	.map(([start, steps]) => {
		const path = steps.map(([name, form]) => form.replace('#', name)).join('');
		return `={{ ${start}${path} }}`;
	});
const textAround = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('', 'APP-', ' ', '-', '\n') },
	{ weight: 1, arbitrary: fc.constantFrom('\\', '\\\\', '\\{{', '}', '{', '{{', '}}', '.constructor', 'a = b', '"', "'") }, // prettier-ignore
);
/** Texts in turns with what stands in braces. */
const template = (part: fc.Arbitrary<string>) =>
	fc
		.tuple(
			textAround,
			fc.array(
				fc.tuple(part, textAround).map((both) => both.join('')),
				{
					minLength: 1,
					maxLength: 3,
				},
			),
		)
		.map(([before, parts]) => `=${before}${parts.join('')}`);
const expression = fc.oneof(
	{ weight: 3, arbitrary: usual },
	{ weight: 3, arbitrary: itemPath },
	{
		weight: 3,
		arbitrary: template(fc.oneof(usual, itemPath).map((whole) => whole.slice('='.length))),
	},
	{ weight: 2, arbitrary: anyExpression },
);

const parameters = fc.record<INodeParameters>(
	{
		a: expression,
		b: expression,
		converted: expression,
		c: fc.oneof(expression, fc.constantFrom<number | null>(7, null)) as fc.Arbitrary<string>,
		locator: fc.oneof(
			expression,
			expression.map((value) => ({ __rl: true, mode: 'code', value })),
		) as fc.Arbitrary<string>,
		more: fc.oneof(
			{ weight: 1, arbitrary: expression },
			{
				weight: 4,
				arbitrary: fc.record(
					{
						d: expression,
						rows: fc.record({
							row: fc.array(fc.record({ name: expression, level: expression }), { maxLength: 2 }),
						}),
					},
					{ requiredKeys: [] },
				),
			},
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
/** What chance comes upon too rarely. */
const SPECIAL = [
	['$json.toString', '$json.contact?.valueOf'],
	['$json.contact?.["binding"]', '$json.name'],
	['$json.binding', '$json.when.getTime'],
	['$json.list?.[010]', '$json[01]'],
	['$json.list.name', '$json.list.length'],
	['$json.phone >>= 1', '$json.phone'],
	['$json.when.setFullYear(1999)', '$json.when.toString()'],
	['$json.list["re" + "verse"]()[0]', '$json.list[0]'],
	['$json.when.setMonth(0)', '$json.when.toString()'],
];

/** How often n8n is asked for the two fields of each item, and how often for both at once. */
async function evaluationsOf(a: string, b: string): Promise<[number, number]> {
	const before = { asked: asked.jointly, together };
	await readAll({ a, b }, jointly);
	const others = (names.length - 2) * ITEMS.length;
	return [asked.jointly - before.asked - others, together - before.together];
}

// The property would hold for a reader that leaves everything to n8n.
assert.deepEqual(await evaluationsOf('={{ $json.name }}', '={{ $json.mail }}'), [1, 1]);
assert.deepEqual(await evaluationsOf('={{ $json.name + 1 }}', '={{ $json.mail + 1 }}'), [
	ITEMS.length,
	ITEMS.length,
]);
const dates = "={{ $now.set({ hour: 9 }).setZone('utc').toISODate() }}";
assert.deepEqual(await evaluationsOf('={{ $json.name }}', dates), [ITEMS.length + 1, 1]);
await fc.assert(
	fc.asyncProperty(parameters, async (given) => {
		assert.deepStrictEqual(await readAll(given, jointly), await readAll(given, singly));
	}),
	{
		numRuns: Number(options.runs),
		examples: SPECIAL.map(([a, b]): [INodeParameters] => [{ a: `={{ ${a} }}`, b: `={{ ${b} }}` }]),
		...(options.seed && { seed: Number(options.seed) }),
	},
);

let gaps = 0;
const templates = template(
	fc
		.oneof(
			{ weight: 3, arbitrary: path },
			{ weight: 1, arbitrary: code },
			{
				weight: 1,
				arbitrary: fc.constantFrom("''", "$json.nope ?? ''", '[]', 'NaN', '$json.nothing;'),
			},
		)
		.map((one) => `{{ ${one} }}`),
);
await fc.assert(
	fc.asyncProperty(templates, async (a) => {
		const { context, expression: evaluator } = contextWith({ a, b: '={{ $json.name }}' });
		if (options.engine !== 'legacy') await evaluator.acquireIsolate();
		try {
			const ours = new OurExpression(a);
			// Evaluated again, it gives something else.
			fc.pre(!ours.codes.some(mayChangeItem));
			const valuesOf = jointEvaluation(context, properties);
			ITEMS.forEach((_item, index) => {
				const { value, known } = valuesOf(index);
				const given = outcomeOf(() => value('a'));
				if (!('value' in given)) return;
				const alone = ours.codes.map((one) =>
					outcomeOf(() => context.evaluateExpression(`{{${one}}}`, index)),
				);
				// A function is an error alone.
				if (alone.some((outcome) => 'error' in outcome)) return;
				const expected =
					ours.isTemplate && alone.some((outcome) => 'value' in outcome && isGap(outcome.value));
				if (expected) gaps++;
				for (const what of [known, new Map<string, unknown>()]) {
					const gap = new ExpressionErrors(context, index, what).gap(ours, given.value);
					assert.equal(gap !== undefined, expected, `${gap}, ${JSON.stringify([given, alone])}`);
				}
			});
		} finally {
			if (options.engine !== 'legacy') await evaluator.releaseIsolate();
		}
	}),
	{ numRuns: Number(options.runs), ...(options.seed && { seed: Number(options.seed) }) },
);
assert.ok(gaps > 0);
console.log(
	`${options.runs} nodes, n8n asked ${asked.jointly} instead of ${asked.singly} times, ${together} joint evaluations`,
);
// Isolates end with the process; disposing of them first crashes it now and then.
process.exit();
