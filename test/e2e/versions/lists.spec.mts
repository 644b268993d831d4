import { itemsOf } from '../../../tools/n8n/client.mts';
import { JOB } from '../../support/example.mts';
import { ACTION_NODE, actionNode, itemsWorkflow, START } from '../../support/workflows.mts';
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
		{ email: "'jane@example.com'" },
		'Email: not an email address: it is in quotation marks. Remove them',
	],
	[{ email: 'jane@example.com.' }, 'Email: not an email address: it ends with a dot. Remove it'],
	[
		{ email: 'jane@example.com?subject=Hi' },
		"Email: not an email address: after the @, it contains a question mark. Remove what isn't the address",
	],
	[
		{ email: 'jane@example..com' },
		'Email: not an email address: after the @, a dot has nothing before it',
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
