import { itemsOf } from '../../../tools/n8n/client.mts';
import { JOB } from '../../support/example.mts';
import {
	ACTION_NODE,
	actionNode,
	anonymousInvitation,
	itemsWorkflow,
	START,
} from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

/** A row of a list; what isn't given is as it should be. */
interface Row {
	ref?: string;
	email?: string;
	first?: string;
	last?: string;
}

const GARBLED = ', garbled text. Save the file as .xlsx or CSV UTF-8, and read it again';
const LOST =
	'contains a question mark, which often stands for a lost letter. Save the file as .xlsx or CSV UTF-8, and read it again';
const ERROR = ", a spreadsheet's error. Correct the formula";
const NOTHING = ', a word for a missing value. Enter the real value';
const PROTECTED = ', which an export adds to protect a value. Enter the value without it';
const UNFILLED =
	"which was not filled in. If it is an expression, select 'Expression'. Otherwise, enter the real value";
const WEB = 'which belongs to a web address or a web page. Enter the name alone';
const INVISIBLE =
	'contains an invisible character, which may have been copied along. Enter the value again';
const ROWS = ', so two cells or rows may have become one. Correct the list';

const REFUSED: Array<[row: Row, error: string]> = [
	[{ last: 'MÃ¼ller' }, `Last Name: contains 'Ã¼'${GARBLED}`],
	[{ last: 'MĂĽller' }, `Last Name: contains 'ĂĽ'${GARBLED}`],
	[{ last: 'MГјller' }, `Last Name: contains 'Гј'${GARBLED}`],
	[{ last: 'M√ºller' }, `Last Name: contains '√º'${GARBLED}`],
	[{ first: 'Jos\ufffd' }, `First Name: contains '\ufffd'${GARBLED}`],
	[{ first: '?ukasz' }, `First Name: ${LOST}`],
	[{ ref: '#N/A' }, `External Reference ID: contains '#N/A'${ERROR}`],
	[{ ref: '#NV' }, `External Reference ID: contains '#NV'${ERROR}`],
	[{ first: '#¡REF!' }, `First Name: contains '#¡REF!'${ERROR}`],
	[{ email: '#VALEUR!' }, `Email: contains '#VALEUR!'${ERROR}`],
	[
		{ ref: '#######' },
		"External Reference ID: contains '#######', which a spreadsheet shows in place of a value. Widen the column, and save the file again",
	],
	[{ ref: 'None' }, `External Reference ID: contains 'None'${NOTHING}`],
	[{ ref: '\\N' }, `External Reference ID: contains '\\N'${NOTHING}`],
	[{ ref: "'-NxYz12" }, `External Reference ID: contains an apostrophe${PROTECTED}`],
	[{ ref: '="00123"' }, `External Reference ID: contains '="'${PROTECTED}`],
	[{ last: 'Smith\nAPP-9' }, `Last Name: contains a line break${ROWS}`],
	[{ ref: 'APP-1\tJane' }, `External Reference ID: contains a tab${ROWS}`],
	[
		{ last: 'O&#39;Brien' },
		"Last Name: contains '&#39;', an HTML code. Replace it with the character it stands for",
	],
	[
		{ first: '{{ $json.first_name }}' },
		`First Name: contains '{{ $json.first_name }}', ${UNFILLED}`,
	],
	[{ ref: 'A-{{ id }}' }, `External Reference ID: contains '{{ id }}', ${UNFILLED}`],
	[{ email: '{{ $json.email }}' }, `Email: contains '{{ $json.email }}', ${UNFILLED}`],
	[{ first: 'You won, see https://evil.example/claim' }, `First Name: contains '://', ${WEB}`],
	[{ last: '<a href="https://evil.example">Smith</a>' }, `Last Name: contains '<a', ${WEB}`],
	[{ first: 'Na\0than' }, `First Name: ${INVISIBLE}`],
	[{ first: 'Na\u0007than' }, `First Name: ${INVISIBLE}`],
	[{ last: 'Smi\u202eth' }, `Last Name: ${INVISIBLE}`],
	[{ ref: '#N/D' }, `External Reference ID: contains '#N/D'${ERROR}`],
	[{ ref: 'APP-#N/A' }, `External Reference ID: contains '#N/A'${ERROR}`],
	[{ email: 'o’neil@example.com' }, 'Email: not an email address: it contains a curly apostrophe'],
	[{ email: 'jane @example.com' }, 'Email: not an email address: it contains a space'],
	[
		{ email: 'jane@example..com' },
		'Email: not an email address. Enter only the address, such as jane@example.com',
	],
];

const SENT: Row[] = [
	{ ref: '#1234', first: 'JOÃO', last: 'VÍŠEK' },
	{ ref: 'Ref #NVIDIA', first: 'Гјорге', last: 'RÓŻA' },
	{ ref: 'NA-12', first: 'Jennifer', last: 'Null' },
	{ ref: 'None-1', first: 'X Æ A-12', last: 'O’Brien' },
	{ ref: '-NxYz12', first: '李', last: "'t Hooft" },
	{ ref: 'APP/12?x', email: "o'neil+jobs@example.com" },
	{ ref: 'APP-7', email: 'jörg@müller.example' },
	{ ref: 'APP-8', email: 'j@xn--mller-kva.io' },
	{ ref: 'JOB#A/B-2', first: 'SMÅØER', last: 'RÅØY' },
	{ ref: 'REQ#A/B', first: 'ÄŠ', last: 'ĆŻ' },
	{ ref: 'APP-9', first: 'Jean-Luc', last: "O'Neill" },
	{ ref: 'APP-10', first: 'J. R.', last: 'Anna (Ann)' },
	{ ref: 'APP-11', first: 'علی\u200cرضا', last: 'אברהם' },
];

test('of one list with Continue, what data errors left is refused with words, and what only looks like it is sent', async ({
	n8n,
	service,
	credential,
}) => {
	const row = (given: Row, index: number) => ({
		ref: `ROW-${index}`,
		email: 'nathan@example.com',
		first: 'Nathan',
		last: 'Smith',
		...given,
	});
	const list = [...REFUSED.map(([given]) => given), ...SENT].map(row);
	const parameters = {
		resource: 'candidate',
		operation: 'invite',
		jobId: JOB,
		extReferenceId: '={{ $json.ref }}',
		email: '={{ $json.email }}',
		firstName: '={{ $json.first }}',
		lastName: '={{ $json.last }}',
	};
	const invite = actionNode(credential, parameters, { onError: 'continueRegularOutput' });
	const workflow = itemsWorkflow('A list as it comes', JSON.stringify(list), invite);
	const { id } = await n8n.client.createWorkflow(workflow);
	const execution = await n8n.client.runToEnd(id, START);
	expect(execution.status, execution.data.resultData.error?.message).toBe('success');

	const items = itemsOf(execution, ACTION_NODE).map(({ json }) => json);
	expect(items.slice(0, REFUSED.length)).toEqual(
		REFUSED.map(([, error]) => ({ error, outcome: 'invalid' })),
	);
	const sent = list.slice(REFUSED.length).map(({ ref, email, first, last }) => ({
		ext_reference_id: ref,
		email,
		first_name: first,
		last_name: last,
	}));
	expect(items.slice(REFUSED.length)).toEqual(sent.map((body) => expect.objectContaining(body)));
	// The first one goes alone, the others at once.
	expect(service.requests).toHaveLength(sent.length);
	expect(service.requests.map(({ body }) => body)).toEqual(
		expect.arrayContaining(sent.map((body) => expect.objectContaining(body))),
	);
});

test('an expression in a field that is set to Fixed invites nobody, and what is no invitation asks the service nothing', async ({
	n8n: { client },
	service,
	credential,
}) => {
	const right = {
		resource: 'candidate',
		operation: 'invite',
		jobId: JOB,
		extReferenceId: 'APP-1',
		email: 'nathan@example.com',
		firstName: 'Nathan',
		lastName: 'Smith',
	};
	const get = (mode: string, value: string) => ({
		resource: 'candidate',
		operation: 'get',
		invitationCode: { __rl: true, mode, value },
	});
	const elsewhere =
		'Invitation: contains a slash, a backslash or only dots, so it would lead to another address';
	const refused: Array<[parameters: Record<string, unknown>, error: string]> = [
		...[
			['jobId', 'Job ID'],
			['extReferenceId', 'External Reference ID'],
			['email', 'Email'],
			['firstName', 'First Name'],
			['lastName', 'Last Name'],
		].map(([name, label]): [Record<string, unknown>, string] => [
			{ ...right, [name]: '{{ $json.value }}' },
			`${label}: contains '{{ $json.value }}', ${UNFILLED}`,
		]),
		[get('link', 'https://x.example/a/..%2f'), elsewhere],
		[get('code', '%2e%2e%2Fwebhooks'), elsewhere],
		[
			get('link', '5d1e2f3a-9d4a-4e6b-8a7c-3f2b8c1e4b5c'),
			"Invitation: not a link. Paste the full 'invitation_link' from Invite. A 'candidate_id' doesn't work. For an invitation code, select 'By Code'",
		],
	];
	const nodes = refused.map(([parameters], index) => ({
		...actionNode(credential, parameters, { onError: 'continueRegularOutput' }),
		name: `Node ${index}`,
	}));
	const workflow = itemsWorkflow('What nobody meant', '[{ value: "APP-1" }]', ...nodes);
	const { id } = await client.createWorkflow(workflow);
	const execution = await client.runToEnd(id, START);
	const errors = nodes.map(({ name }) => itemsOf(execution, name).map(({ json }) => json.error));
	expect(errors).toEqual(refused.map(([, error]) => [error]));
	expect(service.requests).toEqual([]);
});

test('three that the service refuses with 402 end a list', async ({
	n8n: { client },
	service,
	credential,
}) => {
	service.faults.inject({ route: '*', status: 402, body: { message: 'Payment' }, times: 9 });
	const list = Array.from({ length: 12 }, (_, index) => ({ ref: `APP-${index}` }));
	const parameters = anonymousInvitation({ options: { concurrency: 1 } });
	const invite = actionNode(credential, parameters, { onError: 'continueRegularOutput' });
	const workflow = itemsWorkflow('No invitations left', JSON.stringify(list), invite);
	const { id } = await client.createWorkflow(workflow);
	const execution = await client.runToEnd(id, START);
	const items = itemsOf(execution, ACTION_NODE).map(({ json }) => json);
	expect(items.map(({ outcome }) => outcome)).toEqual([
		...Array(3).fill('refused'),
		...Array(9).fill('notSent'),
	]);
	expect(items[0].error).toBe(
		"The service refused the request: your account may have no invitations left. Ask the service's support. The service replied: Payment",
	);
	expect(service.requests).toHaveLength(3);
});
