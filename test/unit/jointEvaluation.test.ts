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
			expect(output).toMatch(/^\d+ nodes, \d+ joint evaluations$/m);
		},
		120_000,
	);
});

describe('The cost of a list', () => {
	const properties = ['a', 'b', 'c'].map(
		(name) => ({ displayName: name, name, type: 'string', default: '' }) as INodeProperties,
	);

	/** Reads so many items, and says how often n8n was asked to evaluate something. */
	function evaluations(
		parameters: INodeParameters,
		count: number,
		answer: (expression: string, index: number) => unknown,
	): number {
		let asked = 0;
		const evaluateExpression = (expression: string, index: number) => {
			asked++;
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
		const context = { evaluateExpression, getNodeParameter } as unknown as IExecuteFunctions;
		const valuesOf = jointEvaluation(context, properties);
		for (let index = 0; index < count; index++) {
			const valueOf = valuesOf(index);
			properties.forEach(({ name }) => valueOf(name));
		}
		return asked;
	}

	const plain = { a: '={{ $json.a }}', b: '={{ $json.b }}', c: '={{ $json.c }}' };
	const three = (expression: string) => (expression.includes('[(') ? [1, 2, 3] : 1);

	it('is one evaluation for each item', () => {
		expect(evaluations(plain, 100, three)).toBe(100);
	});

	it('is what it was where there is nothing to join', () => {
		expect(evaluations({ ...plain, b: 'text', c: 7 }, 100, () => 1)).toBe(100);
		expect(evaluations({ a: '={{ f($json) }}', b: '={{ g() }}', c: '' }, 100, () => 1)).toBe(200);
	});

	it('is little more where an item fails now and then: only that one is asked for one by one', () => {
		const now = (expression: string, index: number) =>
			index % 20 === 0 && expression.includes('[(') ? undefined : three(expression);
		expect(evaluations(plain, 100, now)).toBe(100 + 5 * 3);
	});

	it('is little more than it was where most items fail', () => {
		const never = (expression: string) => {
			if (expression.includes('[(')) throw new Error('on purpose');
			return 1;
		};
		expect(evaluations(plain, 100, never)).toBe(300 + 11);
	});

	it('leaves out what gives an object, once that is known', () => {
		const withObject = (expression: string) => {
			const values = expression.includes('$json.c') ? [1, 2, {}] : [1, 2];
			return expression.includes('[(') ? values : {};
		};
		expect(evaluations(plain, 100, withObject)).toBe(100 + 100);
	});

	it('is what it was where an expression may change the item for those after it', () => {
		const changing = { ...plain, c: '={{ $json.list.reverse() }}' };
		expect(evaluations(changing, 100, () => 1)).toBe(300);
	});
});
