import type { IWorkflowDataProxyData } from 'n8n-workflow';
import { Expression } from '../../nodes/CandidateAssessment/parameters/Expression';
import { ExpressionErrors } from '../../nodes/CandidateAssessment/parameters/ExpressionErrors';

/** What is asked about one item, in turns, and how often that took an evaluation. */
function questions(answer: (code: string) => unknown = () => undefined) {
	const evaluated: string[] = [];
	const context = {
		getNodeParameter: () => null,
		getWorkflowDataProxy: () => ({}) as IWorkflowDataProxyData,
		evaluateExpression: (expression: string) => {
			evaluated.push(expression);
			return answer(expression) as never;
		},
	};
	const errors = (known: Record<string, unknown> = {}) =>
		new ExpressionErrors(context as never, 0, new Map(Object.entries(known)));
	return { errors, evaluated };
}

const expression = (text: string) => new Expression(text);

describe('Whether an expression failed, or has a gap', () => {
	it.each<[string, unknown, Record<string, unknown>]>([
		['={{ f() }}', 'a value', {}],
		['={{ f() }}', null, {}],
		['={{ f() }}', '', {}],
		['={{ $json.a }}', undefined, {}],
		['={{ $json.a.trim() }}', undefined, { ' $json.a.trim() ': undefined }],
		['=APP-{{ f() }}', 'APP-1', {}],
		['=APP-{{ f() }}-{{ $json.a }}', 'APP-1-2', { ' $json.a ': 2 }],
		['={{ $json.list.shift() }}-{{ $json.list.shift() }}', '1-2', {}],
		['=just text', 'just text', {}],
	])('is told without an evaluation: %s gave %j', (entered, value, known) => {
		const { errors, evaluated } = questions();
		expect(errors(known).failure(expression(entered), value)).toBeUndefined();
		expect(errors(known).gap(expression(entered), value)).toBeUndefined();
		expect(evaluated).toEqual([]);
	});

	it('takes one evaluation for all parts of a template, however often it is asked', () => {
		const { errors, evaluated } = questions(() => [false, ['TypeError', 'g is not a function']]);
		const template = expression('={{ f() }} and {{ g() }}');
		const item = errors();
		for (let time = 0; time < 3; time++) {
			expect(item.failure(template, '1 and ')).toBe('{{ g() }} failed: g is not a function');
			expect(item.gap(template, '1 and ')).toBe(
				'incomplete, because {{ g() }} gave no value for this item (g is not a function)',
			);
		}
		expect(evaluated).toHaveLength(1);
	});

	it('is asked for each part alone where the parts cannot stand within other code', () => {
		const { errors } = questions((code) =>
			code.includes('[') || code.includes('b') ? undefined : 1,
		);
		expect(errors().gap(expression('={{ $json.a; }}-{{ $json.b; }}'), '1-')).toMatch(
			/^incomplete, because {{ \$json.b; }} gave no value/,
		);
	});

	it('shows a long part in one line, as far as a message has room for it', () => {
		const { errors } = questions(() => [true]);
		const long = `=APP-{{\n\t${'very'.repeat(50)}Long()\n}}`;
		const shown = `{{ ${'very'.repeat(50)}`.slice(0, 100);
		expect(errors().gap(expression(long), 'APP-')).toBe(
			`incomplete, because ${shown}… gave no value for this item`,
		);
	});
});
