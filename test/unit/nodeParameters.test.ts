import type { INodeProperties } from 'n8n-workflow';
import {
	InvalidParameterError,
	parameterReader,
	type Field,
} from '../../nodes/CandidateAssessment/parameters/NodeParameters';
import { boolean, reference, string } from '../../nodes/CandidateAssessment/parameters/rules';
import { entered } from './arbitraries';

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

it('what the user entered is read by name, whether a field stands alone or in a collection', () => {
	const read = params({ email: 'a@example.com', more: { nickname: 'Al', vip: false } });
	expect(read.required('email', string())).toBe('a@example.com');
	expect(read.optional('nickname', string())).toBe('Al');
	expect(read.optional('vip', boolean)).toBe(false);
});

it.each([null, undefined, '', ' ', {}, []])(
	'what the user entered is missing when it is %j: undefined where optional, refused where required',
	(value) => {
		const read = params({ email: value });
		expect(read.optional('email', string())).toBeUndefined();
		expect(() => read.required('email', string())).toThrow(
			new InvalidParameterError('Email', 'required, but empty'),
		);
	},
);

it('what the user entered is refused under the name that the user sees', () => {
	const read = params({ email: 'abcd', more: { nickname: [1] } });
	expect(() => read.required('email', string({ max: 3 }))).toThrow(
		'Email: 4 characters given, at most 3 are allowed',
	);
	expect(() => read.optional('nickname', string())).toThrow(
		'Nickname: text is expected, got a list',
	);
	expect(() => read.fail('vip', 'not today')).toThrow('VIP: not today');
});

/** What n8n throws: a short message, and a description that says more. */
const broken = Object.assign(new Error("Referenced node doesn't exist"), {
	description: "The node 'Table' is not in this workflow",
});
const read = parameterReader(properties);
const fails = (error: Error) => () => {
	throw error;
};
it.each(['required', 'optional'] as const)(
	"an expression that is broken is refused where it is %s, under its name, with n8n's explanation",
	(ask) => {
		const params = read(fails(broken));
		const message = "Email: the expression failed: Referenced node doesn't exist";
		const description = "The node 'Table' is not in this workflow";
		expect(() => params[ask]('email', string())).toThrow(
			expect.objectContaining({ message, description }),
		);
	},
);

it('an expression that is broken does no harm to the others, and is named itself inside a collection', () => {
	const params = read((path) =>
		path === 'more.nickname' ? fails(broken)() : { value: path === 'more.vip' },
	);
	expect(() => params.optional('nickname', string())).toThrow(
		"Nickname: the expression failed: Referenced node doesn't exist",
	);
	expect(params.required('vip', boolean)).toBe(true);
});

it('an expression is evaluated once, however often it is asked for', () => {
	const asked: string[] = [];
	const params = read((path) => ({ value: asked.push(path) }));
	expect(params.optional('nickname', string())).toBe('1');
	expect(params.required('nickname', string())).toBe('1');
});

const everywhere = (field: Field) => read(() => field);

it('a template with an empty part is refused where it identifies something', () => {
	const params = everywhere({ value: 'A-', gap: 'incomplete' });
	expect(() => params.optional('email', reference())).toThrow('Email: incomplete');
	expect(params.optional('email', string())).toBe('A-');
	const blank = everywhere({ value: ' ', gap: 'incomplete' });
	expect(blank.optional('email', reference())).toBeUndefined();
	expect(() => blank.required('email', string())).toThrow('Email: incomplete');
});
