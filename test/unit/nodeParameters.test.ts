import * as fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import {
	InvalidParameterError,
	parameterReader,
	type ParameterSource,
} from '../../nodes/CandidateAssessment/parameters/NodeParameters';
import type { PlaceholderResult } from '../../nodes/CandidateAssessment/parameters/placeholderResults';
import { string, boolean } from '../../nodes/CandidateAssessment/parameters/rules';
import { anything, dateContextAt, entered, treacherousKey } from './arbitraries';
import { histories } from '../support/histories.mts';

const field = (name: string, displayName: string, more: Partial<INodeProperties> = {}) =>
	({ name, displayName, type: 'string', default: '', ...more }) as INodeProperties;

const properties = [
	field('email', 'Email'),
	field('note', 'Read this', { type: 'notice' }),
	field('more', 'More Fields', {
		type: 'collection',
		options: [field('nickname', 'Nickname'), field('vip', 'VIP', { type: 'boolean' })],
	}),
];

const params = (parameters: Record<string, unknown>) => entered({ properties }, parameters);

describe('What the user entered', () => {
	it('is read by name, whether a field stands alone or in a collection', () => {
		const read = params({ email: 'a@example.com', more: { nickname: 'Al', vip: false } });
		expect(read.required('email', string())).toBe('a@example.com');
		expect(read.optional('nickname', string())).toBe('Al');
		expect(read.optional('vip', boolean)).toBe(false);
	});

	it.each([null, undefined, '', ' ', {}, []])(
		'is missing when it is %j: undefined where optional, refused where required',
		(value) => {
			const read = params({ email: value });
			expect(read.has('email')).toBe(false);
			expect(read.optional('email', string())).toBeUndefined();
			expect(() => read.required('email', string())).toThrow(
				new InvalidParameterError('Email', 'required, but empty'),
			);
		},
	);

	it('is refused under the name that the user sees', () => {
		const read = params({ email: 'abcd', more: { nickname: [1] } });
		expect(() => read.required('email', string({ max: 3 }))).toThrow(
			'Email: 4 characters given, at most 3 are allowed',
		);
		expect(() => read.optional('nickname', string())).toThrow(
			'Nickname: text is expected, got a list',
		);
		expect(() => read.fail('vip', 'not today')).toThrow('VIP: not today');
	});

	it('in a collection that is no collection is missing, and never another field', () => {
		const key = fc.oneof(treacherousKey, fc.constantFrom('email', 'note', 'more'));
		const collection = fc.oneof(anything, fc.dictionary(key, anything));
		fc.assert(
			fc.property(collection, (more) => {
				const read = params({ email: 'a@example.com', more });
				expect(read.required('email', string())).toBe('a@example.com');
				expect(read.has('note')).toBe(false);
				expect(read.has('nickname')).toBe(false);
			}),
			{ numRuns: histories(200) },
		);
	});
});

describe('A field with an expression', () => {
	/** What n8n throws: a short message, and a description that says more. */
	const broken = Object.assign(new Error("Referenced node doesn't exist"), {
		description: "The node 'Table' is not in this workflow",
	});
	const evaluation = (values: Record<string, unknown>) => (name: string) => {
		if (values[name] instanceof Error) throw values[name];
		return values[name];
	};
	const read = (source: ParameterSource) => parameterReader(properties, dateContextAt())(source);
	const thrownBy = (action: () => unknown) => {
		try {
			action();
		} catch (error) {
			return error as InvalidParameterError;
		}
		throw new Error('Nothing was thrown');
	};

	it.each(['required', 'optional'] as const)(
		"that is broken is refused where it is %s, under its name, with n8n's explanation",
		(ask) => {
			const params = read({ value: evaluation({ email: broken, more: {} }) });
			const error = thrownBy(() => params[ask]('email', string()));
			expect(error).toBeInstanceOf(InvalidParameterError);
			expect(error.message).toBe("Email: the expression failed: Referenced node doesn't exist");
			expect(error.description).toBe("The node 'Table' is not in this workflow");
		},
	);

	it('that is broken does no harm where nobody asks for the field', () => {
		const params = read({ value: evaluation({ email: broken, more: { nickname: 'Al' } }) });
		expect(params.required('nickname', string())).toBe('Al');
	});

	it('that is broken inside a collection is named itself, and its neighbors can be read', () => {
		const params = read({
			value: evaluation({ more: broken, 'more.nickname': broken, 'more.vip': true }),
		});
		expect(() => params.optional('nickname', string())).toThrow(
			"Nickname: the expression failed: Referenced node doesn't exist",
		);
		expect(params.required('vip', boolean)).toBe(true);
	});

	/** A source in which every field has an expression with these problems. */
	const expression = (
		entered: unknown,
		value: unknown,
		...results: PlaceholderResult[]
	): ParameterSource => ({
		value: (name) => (name === 'more' ? { nickname: value } : value),
		entered: (name) => (name === 'more' ? { nickname: entered } : entered),
		results: () => results,
	});

	it.each(['={{ $json.mail }}', { mode: 'code', value: '={{ $json.mail }}' }])(
		'that gives nothing is told from a field left empty: %j',
		(entered) => {
			const params = read(expression(entered, undefined));
			expect(() => params.required('email', string())).toThrow(
				'Email: required, but the expression gave no value for this item',
			);
			expect(params.optional('nickname', string())).toBeUndefined();
		},
	);

	const failed = { kind: 'error', message: 'the expression failed: x' } as const;

	it('that fails is refused, even where nothing is required', () => {
		const params = read(expression('={{ $json.name.toFoo() }}', undefined, failed));
		expect(() => params.required('email', string())).toThrow('Email: the expression failed: x');
		expect(() => params.optional('nickname', string())).toThrow('Nickname: the expression failed');
	});

	it('that fails inside a form, or stands for a whole collection, is refused', () => {
		const rows = { row: [{ name: 'SQL' }, { name: '={{ $json.name.toFoo() }}' }] };
		const inForm = read(expression(rows, { row: [{ name: 'SQL' }, {}] }, failed));
		expect(() => inForm.has('email')).toThrow('Email: the expression failed: x');
		const whole = read({ ...expression('', undefined, failed), entered: () => '={{ x() }}' });
		expect(() => whole.has('nickname')).toThrow('Nickname: the expression failed: x');
	});

	it('of which a part gave nothing is refused where every part must give something', () => {
		const part = { kind: 'nothing', message: 'incomplete' } as const;
		const params = read(expression('=A-{{ $json.id }}', 'A-', part));
		for (const name of ['email', 'nickname']) {
			expect(() => params.optional(name, string(), { everyPart: true })).toThrow(': incomplete');
			expect(params.optional(name, string())).toBe('A-');
		}
		const blank = read(expression('= {{ $json.id }}', ' ', part));
		expect(blank.optional('nickname', string(), { everyPart: true })).toBeUndefined();
		expect(() => blank.required('email', string(), { everyPart: true })).toThrow('incomplete');
	});

	it('can be looked at as it was entered', () => {
		const entered = { mode: 'code', value: '={{ $json.candidate_id }}' };
		expect(read(expression(entered, '1')).expression('email')).toBe('={{ $json.candidate_id }}');
		expect(read(expression('plain text', '1')).expression('email')).toBeUndefined();
	});
});
