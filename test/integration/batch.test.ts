import { sleep } from 'n8n-workflow';
import {
	CONTINUE,
	FIRST_LIST,
	invitation,
	invitations,
	JOB_ID,
	setUp,
	WAS_FIRST_LIST,
} from './support/setup';

const setup = setUp();

it('a batch with a wrong item sends nothing, and names item, field, rule, and measure', async () => {
	const items = Array.from({ length: 20 }, (_, index) => ({
		skills: Array.from({ length: index === 6 ? 16 : 15 }, () => ({ name: 'SQL' })),
	}));
	const skillsJson = '={{ $json.skills }}';
	const { error, json } = await setup.harness.run(
		invitation({ additionalFields: { skillsJson } }),
		items,
	);
	expect(setup.service.requests).toHaveLength(0);
	expect(json).toEqual([]);
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: 'APP-1 (item 7): Skills (JSON): 16 given, at most 15 are allowed',
		description: 'Nothing was sent.\nNeeds correction (1): APP-1 (item 7).',
	});
	// n8n would append the index to the message, counted from 0.
	expect(error?.context.itemIndex).toBeUndefined();
});

it("the editor's panel shows the lines of a description one below the other, and its characters as they are", async () => {
	setup.fault({ status: 422, body: { error: { message: 'Skill <R&D> is unknown' } } }, 2);
	const { error } = await setup.harness.run(...invitations(2));
	expect(error?.description).toMatch(/replied: Skill ‹R&D> is unknown\n\n[^]*\nSucceeded/);
	expect(error?.context.itemIndex).toBeUndefined();
	expect(error?.context.descriptionTemplate).toMatch(
		/replied: Skill &#60;R&#38;D&#62; is unknown<br><br>.*<br>Succeeded \(1\): APP-1/,
	);
});

const LINK = '<a href=//evil.example>Sign in again</a>';
const LINK_AS_HTML = '&#60;a href=//evil.example&#62;Sign in again&#60;/a&#62;';

it('a link in a reference is text in hints, in an error, and in what n8n shows as HTML of it', async () => {
	const [parameters] = invitations(0, { email: 'ada@example.com', firstName: '={{ $json.ref }}' });
	const checkOnly = { ...parameters, firstName: 'Ada', options: { checkOnly: true } };
	const { hints } = await setup.harness.run(checkOnly, [{ ref: LINK }, { ref: 'APP-2' }]);
	expect(hints.at(-1)).toContain(`(${LINK_AS_HTML}, APP-2)`);
	expect(hints.join()).not.toMatch(/<(?!br>)/);
	const { error } = await setup.harness.run(parameters, [{ ref: LINK }, { ref: 'APP-2' }]);
	// A pop-up shows the message as HTML, the panel as text.
	expect(error?.message).toContain('‹a href=//evil.example>Sign in again‹/a> (item 1): First Name');
	expect(error?.description).not.toMatch(/<[a-z/]/);
	expect(error?.context.descriptionTemplate).toContain(`${LINK_AS_HTML} (item 1)`);
});

it("a link in the service's words is text, and in an item's error it stands as it is", async () => {
	const body = { error: { message: `${LINK}, or \`ask\`` } };
	setup.fault({ status: 422, body });
	const { error } = await setup.harness.run(invitation());
	expect(error?.context.descriptionTemplate).toMatch(`replied: ${LINK_AS_HTML}, or &#96;ask&#96;`);
	expect(error?.description).toMatch(/replied: ‹a href/);
	setup.fault({ status: 422, body });
	const { json } = await setup.harness.run(invitation(), [{}], CONTINUE);
	expect(json[0].error).toContain(`The service replied: ${LINK}, or \`ask\``);
});

const SAME_REFERENCE =
	"Several candidates have the same external reference ID, such as 'APP-1', so you can't tell their results apart. Give each application its own ID.";
const SAME_ADDRESS =
	"Several candidates have the same email address, such as 'ada@example.com', so one inbox gets all their links. If these are different people, check their addresses.";
const SAME_PERSON =
	"The same person, 'ada@example.com', is in this list under several external reference IDs, such as 'APP-1' and 'APP-2', and gets an invitation for each.";

/** Each person has a reference, and may have an address, a name, and another job. */
it.each<[what: string, people: string[], hints: string[]]>([
	['one reference for several people', ['1 ada Ada', '1 ADA ADA', '1 alan Ada'], [SAME_REFERENCE]],
	[
		'one address for several people',
		['8 - Max', '9 - Eve', '1 ada Ada', '2 ADA Alan'],
		[SAME_ADDRESS],
	],
	['one address for several people without a name', ['1 ada', '2 ada'], [SAME_ADDRESS]],
	['both', ['1 ada Ada', '2 ada Grace', '1 alan Alan'], [SAME_REFERENCE, SAME_ADDRESS]],
	['one person with two references', ['1 ada Ada', '2 ADA ADA', '3 alan Alan'], [SAME_PERSON]],
	['one person with two references in two jobs', ['1 ada Ada', '2 ada Ada 4'], []],
	['two people of one name', ['1 ada Ada', '2 - Ada', '3 - Ada'], []],
	['one address in two jobs', ['1 ada Ada', '1 ada Grace 4'], []],
	['no address', ['1 - Ada', '2 - Grace'], []],
	['a reference for each', ['1 ada Ada', '2 alan Alan'], []],
	['one reference in two jobs', ['1 ada Ada', '1 alan Alan 4'], []],
])(
	'a hint says who could not be told apart, has one inbox, or gets two invitations: %s',
	async (_case, people, hints) => {
		const items = people.map((person) => {
			const [id, address = '-', name = '', job = '3'] = person.split(' ');
			const mail = address === '-' ? '' : `${address}@example.com`;
			return { ref: `APP-${id}`, mail, name, job: JOB_ID.replace('3f', `${job}f`) };
		});
		const list = invitation({
			jobId: '={{ $json.job }}',
			extReferenceId: '={{ $json.ref }}',
			email: '={{ $json.mail }}',
			firstName: '={{ $json.name }}',
			lastName: '',
			isAnonymousCandidate: true,
			options: { checkOnly: true },
		});
		const run = await setup.harness.run(list, items);
		expect(run.error).toBeUndefined();
		expect(run.hints).toEqual([...hints, FIRST_LIST, expect.stringMatching(/^Check Only: /)]);
	},
);

const LINK_TO_PAGE =
	/<a href="https:\/\/github\.com\/[\w/-]+\/docs\/([\w-]+\.md#[\w-]+)" target="_blank">\1<\/a>/g;
const IN_A_LOOP =
	'Their links are in the run that invited them: see Executions, and inviting.md#where-the-links-are. In a loop, also connect that output back: otherwise, the loop ends here.';

it('an error and a hint link to the page that they name, and to nothing else, whoever names it', async () => {
	setup.fault({ reset: 'after' });
	const { error } = await setup.harness.run(invitation());
	const { descriptionTemplate } = error?.context as { descriptionTemplate: string };
	expect(descriptionTemplate.match(LINK_TO_PAGE)).toHaveLength(1);
	expect(error?.description).toMatch(
		/ See https:\S+\/docs\/inviting\.md#unconfirmed-invitations\./,
	);
	const [link] = descriptionTemplate.match(/https:[^"]+/) ?? [];
	for (const words of [
		`${link}"><b onclick=x`,
		`https://evil.example/?${link}`,
		`x${link}/../../y`,
	]) {
		setup.fault({ status: 422, body: { error: { message: words } } });
		const refused = (await setup.harness.run(invitation({ extReferenceId: words.length }))).error;
		const html = String(refused?.context.descriptionTemplate);
		expect(html.replace(LINK_TO_PAGE, '$1')).not.toMatch(/<(?!br>)/);
		expect(html).not.toContain('href="https://evil');
	}
});

it('a hint says how many had been invited by the service before: expired, or completed', async () => {
	const answer = (ext_reference_id: string, more: object) => ({
		success: true,
		data: {
			candidate_id: '1',
			ext_reference_id,
			invitation_link: `https://a.example/${ext_reference_id}`,
			...more,
		},
	});
	const { hints } = await answered([
		answer('APP-1', { status: 'invited', invitation_expired_at: '2999-01-14T00:00:00Z' }),
		answer('APP-2', { status: 'invited', invitation_expired_at: '2026-01-14T00:00:00Z' }),
		answer('APP-3', { status: 'Completed' }),
	]);
	expect(hints).toEqual([
		"2 of 3 invitations are expired or completed, such as that of 'APP-2': the service had invited them before. Ask its support for new invitations.",
		WAS_FIRST_LIST,
	]);
});

/** Sends one invitation per answer. */
async function answered(bodies: object[]) {
	for (const [index, body] of bodies.entries()) setup.fault({ status: 200, body }, index + 1);
	return await setup.harness.run(...invitations(bodies.length));
}

it('a hint says that candidates were already invited where the rest went to the error output', async () => {
	const [parameters, items] = invitations(2);
	await setup.harness.run(parameters, items.slice(0, 1));
	setup.fault({ status: 422 }, 2);
	const { hints } = await setup.harness.run(parameters, items, { onError: 'continueErrorOutput' });
	expect(hints.map((hint) => hint.replace(LINK_TO_PAGE, '$1'))).toEqual([
		`1 candidate had already been invited. See the 'Already Invited' output. ${IN_A_LOOP}`,
	]);
});

it('an invitation is in doubt after an error that nobody expected', async () => {
	// The client that the built nodes use.
	const { ApiClient } = jest.requireActual<
		typeof import('../../nodes/CandidateAssessment/transport/ApiClient')
	>('../../dist/nodes/CandidateAssessment/transport/ApiClient');
	const unexpected = new TypeError('Unexpected');
	jest.spyOn(ApiClient.prototype, 'request').mockRejectedValueOnce(unexpected);
	const first = await setup.harness.run(invitation(), [{}], CONTINUE);
	expect(first.json).toEqual([{ error: 'Unexpected', outcome: 'unknown' }]);
	const again = await setup.harness.run(invitation(), [{}], CONTINUE);
	expect(again.json).toMatchObject([{ outcome: 'unknown' }]);
	expect(setup.service.requests).toHaveLength(0);
});

it('a batch decrypts the credential once, however many items there are', async () => {
	const harness = setup.createNodeTestHarness({});
	await harness.run(...invitations(25));
	expect(setup.service.requests).toHaveLength(25);
	expect(harness.decrypted()).toBe(1);
});

it('the check of a long list ends when the execution is stopped', async () => {
	const [parameters] = invitations(0, { email: '={{ $json.mail.trim() }}' });
	const items = Array.from({ length: 5000 }, (_, index) => ({
		ref: `APP-${index}`,
		// Only a check of the whole list finds this.
		mail: index < 4999 ? 'nathan@example.com' : 'nobody',
	}));
	const execution = new AbortController();
	const end = setup.harness.execute(parameters, items, execution);
	void sleep(0).then(() => execution.abort());
	await expect(end).rejects.toThrow('Not sent: the execution was stopped');
});

it('nothing is sent in an execution that was stopped before', async () => {
	const end = setup.harness.execute(...invitations(1), { signal: AbortSignal.abort() });
	await expect(end).rejects.toThrow('Not sent: the execution was stopped');
	expect(setup.service.requests).toHaveLength(0);
});
