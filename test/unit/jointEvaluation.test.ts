import { runProgram } from '../support/runProgram.mts';
import type { IExecuteFunctions, INodeParameters, INodeProperties } from 'n8n-workflow';
import { jointEvaluation } from '../../nodes/CandidateAssessment/parameters/jointEvaluation';

describe('Expressions that are evaluated together', () => {
	it.each([
		['legacy', 150],
		['vm', 30],
	])(
		'give what n8n gives for each of them alone, with its engine "%s"',
		async (engine, runs) => {
			const program = require.resolve('./jointExpressions.mts');
			const options = ['--engine', engine, '--runs', String(runs)];
			const output = await runProgram(program, options);
			expect(output).toMatch(/^\d+ nodes, .* \d+ joint evaluations$/m);
		},
		120_000,
	);
});

describe('The cost of a list', () => {
	const properties = ['a', 'b', 'c'].map(
		(name) => ({ displayName: name, name, type: 'string', default: '' }) as INodeProperties,
	);

	interface Reading {
		/** How often n8n was asked to evaluate something. */
		evaluations: number;
		/** The parameter `a` of each item. */
		values: unknown[];
	}

	/** Reads all parameters of some items, each of which is given as `$json`. */
	function read(
		parameters: INodeParameters,
		items: object[],
		answer: (expression: string, index: number) => unknown,
	): Reading {
		let evaluations = 0;
		const evaluateExpression = (expression: string, index: number) => {
			evaluations++;
			return answer(expression, index);
		};
		const getNodeParameter = (
			name: string,
			index: number,
			_fallback: unknown,
			options?: { rawExpressions: boolean },
		) => {
			const raw = parameters[name];
			if (options?.rawExpressions || !String(raw).startsWith('=')) return raw;
			return evaluateExpression(String(raw), index);
		};
		const context = {
			evaluateExpression,
			getNodeParameter,
			getWorkflowDataProxy: (index: number) => ({ $json: items[index] }),
		} as unknown as IExecuteFunctions;
		const valuesOf = jointEvaluation(context, properties);
		const values = items.map((_item, index) => {
			const { value } = valuesOf(index);
			const [a] = properties.map(({ name }) => value(name));
			return a;
		});
		return { evaluations, values };
	}

	const hundred = Array.from({ length: 100 }, () => ({ a: 1, b: 2, c: 3 }));
	const isJoint = (expression: string) => expression.includes('[(');
	const three = (expression: string) => (isJoint(expression) ? [1, 2, 3] : 1);

	const plain = { a: '={{ $json.a + 0 }}', b: '={{ $json.b + 0 }}', c: '={{ $json.c + 0 }}' };
	const paths = { a: '={{ $json.a }}', b: '={{ $json.b }}', c: '={{ $json["c"] }}' };

	it('is one evaluation for each item', () => {
		expect(read(plain, hundred, three).evaluations).toBe(100);
	});

	it('is what it was where there is nothing to join', () => {
		const one = { ...plain, b: 'text', c: 7 };
		expect(read(one, hundred, () => 1).evaluations).toBe(100);
		const functions = { a: '={{ f($json) }}', b: '={{ g() }}', c: '' };
		expect(read(functions, hundred, () => 1).evaluations).toBe(200);
	});

	it('is little more where an item fails now and then: only that one is asked for one by one', () => {
		const now = (expression: string, index: number) =>
			index % 20 === 0 && isJoint(expression) ? undefined : three(expression);
		expect(read(plain, hundred, now).evaluations).toBe(100 + 5 * 3);
	});

	it('is little more than it was where most items fail', () => {
		const never = (expression: string) => {
			if (isJoint(expression)) throw new Error('on purpose');
			return 1;
		};
		expect(read(plain, hundred, never).evaluations).toBe(300 + 11);
	});

	it('leaves out what gives an object, once that is known', () => {
		const withObject = (expression: string) => {
			const values = expression.includes('$json.c') ? [1, 2, {}] : [1, 2];
			return isJoint(expression) ? values : {};
		};
		expect(read(plain, hundred, withObject).evaluations).toBe(100 + 100);
	});

	it('is what it was where an expression may change the item for those after it', () => {
		const changing = { ...paths, c: '={{ $json.list.reverse() }}' };
		expect(read(changing, hundred, () => 1).evaluations).toBe(300);
	});

	it('is one evaluation in all where every field is a path into the item', () => {
		const numbered = hundred.map((item, index) => ({ ...item, a: index + 1 }));
		const { evaluations, values } = read(paths, numbered, three);
		expect(evaluations).toBe(1);
		expect(values).toEqual(numbered.map(({ a }) => a));
	});

	it('is one evaluation in all where templates are made of paths', () => {
		const templates = { a: '=APP-{{ $json.a }}/{{ $json["c"] }}\n', b: '={{ $json.b }} ', c: '' };
		const { evaluations, values } = read(templates, hundred, () => [1, 3, 2]);
		expect(evaluations).toBe(1);
		expect(new Set(values)).toEqual(new Set(['APP-1/3\n']));
	});

	it('is one evaluation for each item where templates are made of plain code', () => {
		const templates = { a: '=APP-{{ $json.a + 0 }}', b: '=x{{ $json.b + 0 }}{{ $json.c + 0 }}' };
		const { evaluations, values } = read(templates, hundred, three);
		expect(evaluations).toBe(100);
		expect(new Set(values)).toEqual(new Set(['APP-1']));
	});

	it('is no more where the text around the braces looks like code that changes the item', () => {
		const address = { ...paths, c: '=https://hr.example.com/?ref={{ $json.c }}' };
		expect(read(address, hundred, three).evaluations).toBe(1);
	});

	it('is one evaluation for each item where one field is a path and the others are not', () => {
		const two = (expression: string) => (expression.includes('$json.a') ? [1, 2, 3] : [2, 3]);
		const { evaluations, values } = read({ ...plain, a: paths.a }, hundred, two);
		expect(evaluations).toBe(100);
		expect(new Set(values)).toEqual(new Set([1]));
	});

	it('is one by one for the items whose path leads to an object', () => {
		const deep = { a: '={{ $json.a.deep }}', b: '', c: '' };
		const items = [{ a: { deep: 1 } }, { a: { deep: {} } }, { a: null }, { a: { deep: 4 } }];
		const { evaluations, values } = read(deep, items, (expression) =>
			isJoint(expression) ? [1] : 'asked',
		);
		expect(values).toEqual([1, 'asked', undefined, 4]);
		expect(evaluations).toBe(1 + 1);
	});

	it('is one evaluation for each item until a path has led to a value: n8n may block what comes after', () => {
		const late = { a: '={{ $json.a?.["b"] }}', b: '', c: '' };
		const items = [{}, {}, { a: { b: 1 } }, { a: { b: 2 } }];
		const { evaluations, values } = read(late, items, (expression, index) => {
			const value = index < 2 ? undefined : index - 1;
			return isJoint(expression) ? [value] : value;
		});
		expect(values).toEqual([undefined, undefined, 1, 2]);
		expect(evaluations).toBe(3);
	});

	it('is n8n’s where it does not read a path as the text says', () => {
		const blocked = { a: '={{ $json.a }}', b: '', c: '' };
		const { evaluations, values } = read(blocked, hundred, (expression) =>
			isJoint(expression) ? ['blocked'] : 'blocked',
		);
		expect(new Set(values)).toEqual(new Set(['blocked']));
		expect(evaluations).toBe(100);
	});
});
