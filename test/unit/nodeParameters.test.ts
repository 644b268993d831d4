import * as fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import { InvalidParameterError } from '../../nodes/CandidateAssessment/parameters/NodeParameters';
import { string, boolean } from '../../nodes/CandidateAssessment/parameters/rules';
import { anything, entered, treacherousKey } from './arbitraries';

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

	it('is not asked for where a field is only a notice', () => {
		const read = params({ note: 'x' });
		expect(read.has('note')).toBe(false);
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
			{ numRuns: 1000 },
		);
	});

	it('in a collection is read from the collection itself, not from its prototype', () => {
		const more = JSON.parse('{"__proto__":{"nickname":"Al"},"vip":true}') as unknown;
		expect(params({ more }).has('nickname')).toBe(false);
		expect(params({ more }).has('vip')).toBe(true);
		expect(params({ more: Object.create({ nickname: 'Al' }) as unknown }).has('nickname')).toBe(
			false,
		);
		expect(({} as Record<string, unknown>).nickname).toBeUndefined();
	});
});
