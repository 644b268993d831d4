import type { INodeParameters } from 'n8n-workflow';
import { getByCode, invitation, JOB_ID, setUp } from './support/setup';

const setup = setUp();

/** The bodies that were sent for these items. */
async function sent(more: INodeParameters, items: object[] = [{}]): Promise<unknown[]> {
	const parameters = invitation({ alreadyInvited: 'inviteAgain', ...more });
	const { error } = await setup.harness.run(parameters, items as never);
	expect(error?.message).toBeUndefined();
	return setup.sent();
}

/** The error for an item that breaks a rule. Nothing may be sent. */
async function refusal(more: INodeParameters, item: object = {}) {
	const { error } = await setup.harness.run(invitation(more), [item] as never);
	expect(setup.service.requests).toHaveLength(0);
	return error;
}

describe('A broken expression', () => {
	it.each([
		["$('Nope').item.json.x", "Referenced node doesn't exist", ''],
		['$json.nothing.toDateTime()', "toDateTime can't be used on undefined value", 'add a ?'],
		[
			'$json.ref.toFoo()',
			"JavaScript threw an error at {{ $json.ref === 'APP-2' ? $json.ref.toFoo() : undefined }}",
			'',
		],
	])(
		"names its item and field with n8n's explanation, and does no harm to others: %s",
		async (code, message, advice) => {
			const parameters = invitation({
				extReferenceId: '={{ $json.ref + "" }}',
				firstName: '={{ $json.name[0] }}',
				// A failed expression isn't an empty field, even if optional.
				additionalFields: { deadline: `={{ $json.ref === 'APP-2' ? ${code} : undefined }}` },
			});
			const items = [1, 2, 3].map((id) => ({ ref: `APP-${id}`, name: ['Ada'] }));
			const { error } = await setup.harness.run(parameters, items);
			expect(error?.message).toBe(`APP-2 (item 2): Deadline: the expression failed: ${message}`);
			expect(error?.description).toContain(advice);
			expect(error?.description).not.toContain('tem 1');
		},
	);

	it.each(['={{ $json.mail }}', '={{ $json.contact.mail }}', '={{ $json.mail.split("@")[0] }}'])(
		'that gives nothing is told from a field left empty: %s',
		async (email) => {
			const error = await refusal({ email }, { name: 'Nathan' });
			expect(error?.message).toBe(
				'Email: required, but the expression is empty for this item. Drag the field in from the input',
			);
		},
	);

	it.each([
		'={{ $json.nothing[$json.key] }}',
		'={{ $json.mail[$json.key]() }}',
		'={{ $json[$json.key].mail }}',
		'={{ "x" in $json.key }}',
		'={{ JSON.parse($json.key) }}',
		'={{ new Map($json.key) }}',
		'={{ [1].map($json.phone) }}',
	])('shows no value of the item: %s', async (email) => {
		const item = { mail: 'nathan@example.com', key: 'Nathan', phone: 4711 };
		const error = await refusal({ email }, item);
		expect(error?.message).toMatch(/^Email: /);
		expect(`${error?.message} ${error?.description}`).not.toMatch(/Nathan|4711/);
	});

	const item = {
		name: 'Nathan',
		due: '31.12.2026',
		broken: '[{"name":',
		skills: [{ title: 'SQL' }, {}],
	};

	it.each([
		['deadline', 'Deadline', '={{ new Date($json.due).toISOString() }}'],
		['skillsJson', 'Skills (JSON)', '={{ JSON.parse($json.broken) }}'],
		['skillsJson', 'Skills (JSON)', '={{ (() => { throw new Error($json.name) })() }}'],
		['skillsJson', 'Skills (JSON)', '={{ (() => { throw { name: $json.name } })() }}'],
		['skillsJson', 'Skills (JSON)', '={{ (() => { throw null })() }}'],
	])('that fails makes %s no empty field: %s, %s', async (name, label, expression) => {
		const error = await refusal({ additionalFields: { [name]: expression } }, item);
		expect(error?.message).toBe(
			`${label}: the expression failed: JavaScript threw an error at ${expression.slice(1)}`,
		);
		expect(`${error?.message} ${error?.description}`).not.toContain('Nathan');
	});

	it('is named where it is one of several, and in a row of a form', async () => {
		const code = '{{ JSON.parse($json.broken) }}';
		expect((await refusal({ firstName: `={{ $json.name }} ${code}` }, item))?.message).toBe(
			`First Name: the expression failed: JavaScript threw an error at ${code}`,
		);
		const skill = [{ name: '={{ $json.name; }}' }, { name: `=${code}` }];
		const error = await refusal({ additionalFields: { skills: { skill } } }, item);
		expect(error?.message).toBe(
			`Skills: the expression failed: JavaScript threw an error at ${code}`,
		);
	});

	it.each([
		'={{ $json.due }}',
		"={{ $json.contact.due ?? '' }}",
		"={{ $json.contact.due.split(' ')[0].trim() }}",
		'={{ $json.list.map((one) => one.due) }}',
	])('that finds nothing leaves an optional field empty: %s', async (deadline) => {
		const [body] = await sent({ additionalFields: { deadline } }, [{ name: 'Nathan' }]);
		expect(body).not.toHaveProperty('deadline');
	});
});

describe('A template', () => {
	const item = {
		dept: 'IT',
		first: 'Ada',
		mail: 'ada@example.com',
		nothing: null,
		empty: '',
		blank: ' ',
		none: [],
		list: ['x'],
	};
	const get = (mode: string, value: string) =>
		getByCode('', { invitationCode: { __rl: true, mode, value } });
	const deletion = { resource: 'webhook', operation: 'delete', webhookId: '=8c-{{ $json.id }}' };
	it.each([
		['Job ID', '{{ $json.id }}', invitation({ jobId: `=${JOB_ID}{{ $json.id }}` })],
		['Email', '{{ $json.id }}', invitation({ email: '=hr+{{ $json.id }}@example.com' })],
		['Webhook ID', '{{ $json.id }}', deletion],
		['Invitation', '{{ $json.id }}', get('link', '=https://a.example/i/{{ $json.id }}')],
		['Invitation', '{{ $json.id }}', get('code', '=inv-{{ $json.id }}')],
		...[
			['{{ $json.blank.trim() }}', '=APP-{{ $json.blank.trim() }}'],
			['{{ $json.none }}', '=APP-{{ $json.none }}'],
			["{{ ($json.id ?? '').trim() }}", "=APP-{{ ($json.id ?? '').trim() }}"],
			['{{ $json.id.toUpperCase() }}', '={{ $json.dept }}-{{ $json.id.toUpperCase() }}'],
			['{{ $json.id.charAt(0) }}', "={{ $now.toFormat('yyyy') }}-{{ $json.id.charAt(0) }}"],
			['{{ $json.list.at(1) }}', '={{ $json.list.map((x) => x) }}-{{ $json.list.at(1) }}'],
			['{{ $json.id }}', '={{ $json.id }}-{{ $json.dept }}'],
			['{{ $json.id }}', '={{ $json.id }}\n'],
			["{{ $('Items').item.json.id }}", "=APP-{{ $('Items').item.json.id }}"],
			['{{ $json.list.at(1) }}', '=A\\\\B-{{ $json.list.at(1) }}'],
		].map(([part, extReferenceId]): [string, string, INodeParameters] => [
			'External Reference ID',
			part,
			invitation({ extReferenceId }),
		]),
	])('for %s must give something in each part: %s', async (label, part, parameters) => {
		const { error } = await setup.harness.run(parameters, [item]);
		expect(error?.message).toBe(
			`${label}: incomplete, because ${part} gave no value for this item`,
		);
		expect(setup.service.requests).toHaveLength(0);
	});

	it('for a reference must not give a number that was rounded', async () => {
		const long = JSON.parse('{"ref":12345678901234567890}') as object;
		expect((await refusal({ extReferenceId: '=APP-{{ $json.ref }}' }, long))?.message).toBe(
			'External Reference ID: incomplete, because {{ $json.ref }} gave a number with too many digits. Format it as text at its source',
		);
	});

	it.each([
		['={{ $json.dept }}-{{ $json.list[0] }}', 'IT-x'],
		['=A{{ 0 }}{{ $json.list.length - 1 }}{{ false }}', 'A00false'],
		['={{ $json.dept.charAt(0) }}-{{ $json.dept.charAt(0) }}', 'I-I'],
		["={{ 'APP-' + $json.dept }}", 'APP-IT'],
		["=APP-{{ $json.id ?? '' }}", 'APP-'],
		['=APP-{{ $json.id ?? "" }}', 'APP-'],
		['=APP-{{$json.id??""}}', 'APP-'],
		[String.raw`={{ $json.dept + '\}}' }}`, 'IT}}'],
	])('that is complete is sent: %s', async (extReferenceId, reference) => {
		expect(await sent({ extReferenceId }, [item])).toEqual([
			expect.objectContaining({ ext_reference_id: reference }),
		]);
	});

	it('for the email of somebody anonymous must too, unless it leaves the field empty', async () => {
		const anonymous = { isAnonymousCandidate: true, firstName: '', lastName: '' };
		const error = await refusal({ ...anonymous, email: '=hr+{{ $json.id }}@example.com' }, item);
		expect(error?.message).toMatch(/^Email: incomplete, because {{ \$json.id }} gave/);
		const [body] = await sent({ ...anonymous, email: '={{ $json.id }}\n' }, [item]);
		expect(body).not.toHaveProperty('email');
	});

	it('for a name or another text may have parts without a value', async () => {
		const [body] = await sent(
			{
				firstName: '={{ $json.first }} {{ $json.middle.charAt(0) }}',
				lastName: '=Lovelace{{ $json.nope.title }}',
				additionalFields: {
					skills: { skill: [{ name: '=SQL {{ $json.level }}{{ $json.nothing }}' }] },
				},
			},
			[item],
		);
		expect(body).toMatchObject({
			first_name: 'Ada',
			last_name: 'Lovelace',
			skills: [{ name: 'SQL' }],
		});
	});
});

it('Expressions of one item keep their own types and values, wherever they stand', async () => {
	const ada = { mail: ' A@X.com', first: 'Ada', skill: 'SQL', city: { role: 'Manager' } };
	const bob = { mail: 'b@example.com', first: 'Bob', last: 'Young', skill: null };
	const bodies = await sent(
		{
			extReferenceId: '={{ $json.id }}',
			isAnonymousCandidate: "={{ $json['anonymous'] }}",
			email: '={{ $json["mail"].trim()?.toLowerCase() }}',
			firstName: "={{ $('Items').item.json.first }}",
			// Works in no list, where n8n evaluates the other parameters.
			lastName: '={{ $json.last ?? "Unknown"; }}',
			additionalFields: {
				skills: { skill: [{ name: '={{ $json.skill }}', proficiency: 'novice' }] },
				workExperiences: {
					workExperience: [{ role: '={{ $json.city.role }}', isCurrent: false }],
				},
			},
		},
		[
			{ ...ada, anonymous: false, id: 7 },
			{ ...bob, anonymous: false, id: '8' },
		],
	);
	const person = { job_id: JOB_ID, is_anonymous_candidate: false };
	expect(bodies).toEqual([
		{
			...person,
			ext_reference_id: '7',
			email: 'a@x.com',
			first_name: 'Ada',
			last_name: 'Unknown',
			skills: [{ name: 'SQL', proficiency: 'novice' }],
			work_experiences: [{ role: 'Manager', is_current: false }],
		},
		{
			...person,
			ext_reference_id: '8',
			email: 'b@example.com',
			first_name: 'Bob',
			last_name: 'Young',
			skills: [{ proficiency: 'novice' }],
		},
	]);
});

it('An expression is evaluated once for an item: an error names the reference that was sent', async () => {
	setup.fault({ status: 422 });
	const extReferenceId = '={{ "APP-" + Math.random() }}';
	const { error } = await setup.harness.run(invitation({ extReferenceId }), [{}, {}]);
	expect(error?.message).toContain(`${setup.references()[0]} (item 1): `);
});

it.each([
	['={{ $json.list }}', 'expected text, got a list'],
	[
		'={{ $json.phone.trim() }}',
		'the expression failed: JavaScript threw an error at {{ $json.phone.trim() }}',
	],
	['={{ $json.toString }}', 'the expression failed: this is a function, please add ()'],
])('A field of the item that is no text is not made one: %s', async (firstName, problem) => {
	const error = await refusal({ firstName }, { list: ['Ada'], phone: 4711 });
	expect(error?.message).toBe(`First Name: ${problem}`);
});
