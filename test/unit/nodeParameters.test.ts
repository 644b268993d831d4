import * as fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import {
	dateContextOf,
	InvalidParameterError,
	parameterReader,
	type ParameterSource,
} from '../../nodes/CandidateAssessment/parameters/NodeParameters';
import { string, boolean } from '../../nodes/CandidateAssessment/parameters/rules';
import { anything, dateContextAt, entered, treacherousKey } from './arbitraries';

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

	const entering = (expression: unknown, reason?: string): ParameterSource => ({
		value: () => undefined,
		entered: (name) => (name === 'more' ? { nickname: expression } : expression),
		explain: () => reason,
	});

	it.each([
		['={{ $json.mail }}', undefined, ''],
		[
			'={{ $json.contact.mail }}',
			"Cannot read properties of undefined (reading 'mail')",
			" (Cannot read properties of undefined (reading 'mail'))",
		],
		[{ mode: 'code', value: '={{ $json.mail }}' }, undefined, ''],
	])('that gives nothing is told from a field left empty: %j', (expression, reason, details) => {
		const params = read(entering(expression, reason));
		expect(() => params.required('email', string())).toThrow(
			new InvalidParameterError(
				'Email',
				`required, but the expression gave no value for this item${details}`,
			),
		);
		expect(params.optional('nickname', string())).toBeUndefined();
	});

	/** A source in which every expression fails, and has a part that gave nothing. */
	const failing = (entered: unknown, value: unknown, asked: unknown[] = []): ParameterSource => ({
		value: () => value,
		entered: (name) => (name === 'more' ? { nickname: entered } : entered),
		failure: (expression, gave) => {
			asked.push([expression, gave]);
			return 'the expression failed: toFoo is not a function';
		},
	});

	it('that fails is refused, even where nothing is required', () => {
		const params = read(failing('={{ $json.name.toFoo() }}', undefined));
		const problem = 'the expression failed: toFoo is not a function';
		expect(() => params.required('email', string())).toThrow(`Email: ${problem}`);
		expect(() => params.optional('nickname', string())).toThrow(`Nickname: ${problem}`);
	});

	it('that fails inside a form is refused, whatever else the form holds', () => {
		const rows = { row: [{ name: 'SQL' }, { name: '={{ $json.name.toFoo() }}' }] };
		const params = read(failing(rows, { row: [{ name: 'SQL' }, { name: undefined }] }));
		expect(() => params.has('email')).toThrow('Email: the expression failed: toFoo is not');
	});

	it('that stands for a whole collection and fails is refused by the fields inside', () => {
		const source = failing('', undefined);
		const params = read({ ...source, entered: () => '={{ $json.more.toFoo() }}' });
		expect(() => params.has('nickname')).toThrow('Nickname: the expression failed: toFoo is not');
	});

	it('is asked for a failure with what it gave, and nothing else is', () => {
		const asked: unknown[] = [];
		const askedWith = (entered: unknown, value: unknown) => {
			thrownBy(() => {
				read(failing(entered, value, asked)).has('email');
				throw new Error('Nothing failed');
			});
			return asked.splice(0);
		};
		expect(askedWith('', '')).toEqual([]);
		expect(askedWith('text {{ f() }}', undefined)).toEqual([]);
		expect(askedWith('={{ f() }}', undefined)).toEqual([['={{ f() }}', undefined]]);
		expect(askedWith({ value: '=a{{ f() }}' }, { value: 'a' })).toEqual([['=a{{ f() }}', 'a']]);
	});

	/** A template of which a part gave nothing. */
	const incomplete = (value: unknown): ParameterSource => ({
		value: (name) => (name === 'more' ? { nickname: value } : value),
		entered: (name) => (name === 'more' ? { nickname: '=A-{{ $json.id }}' } : '=A-{{ $json.id }}'),
		gap: (expression, gave) => `a gap in ${expression}, ${gave}`,
	});

	it('that has a gap is refused where every part must give something, and only there', () => {
		const params = read(incomplete('A-'));
		expect(() => params.required('email', string(), { everyPart: true })).toThrow(
			new InvalidParameterError('Email', 'a gap in =A-{{ $json.id }}, A-'),
		);
		expect(() => params.optional('nickname', string(), { everyPart: true })).toThrow(
			new InvalidParameterError('Nickname', 'a gap in =A-{{ $json.id }}, A-'),
		);
		expect(params.required('email', string())).toBe('A-');
		expect(params.optional('nickname', string())).toBe('A-');
	});

	it('that has a gap and nothing else is a field left empty where it is optional', () => {
		const params = read(incomplete(' '));
		expect(params.optional('nickname', string(), { everyPart: true })).toBeUndefined();
		expect(() => params.required('email', string(), { everyPart: true })).toThrow('Email: a gap');
		expect(() => params.required('email', string())).toThrow('Email: required, but empty');
	});

	it('can be looked at as it was entered', () => {
		const params = read(entering({ mode: 'code', value: '={{ $json.candidate_id }}' }));
		expect(params.expression('email')).toBe('={{ $json.candidate_id }}');
		expect(read(entering('plain text')).expression('email')).toBeUndefined();
	});
});

describe('The present moment', () => {
	it('goes on while a batch is checked', () => {
		jest.useFakeTimers({ now: new Date('2026-11-20T09:30:00Z') });
		try {
			const context = dateContextOf({ getTimezone: () => 'Europe/Berlin' });
			jest.setSystemTime(new Date('2026-11-20T09:30:05Z'));
			expect(context.now.toUTC().toISO()).toBe('2026-11-20T09:30:05.000Z');
		} finally {
			jest.useRealTimers();
		}
	});
});
