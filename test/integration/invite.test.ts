import { invitation, JOB_ID, setUp } from './support/setup';

const setup = setUp();

it('an invitation is sent as the specification has it, and outputs the data of the envelope', async () => {
	const skill = [
		{ name: 'TypeScript', proficiency: 'novice' },
		{ name: '={{ $json.skill }}', proficiency: '' },
	];
	const additionalFields = { skills: { skill }, workExperiencesJson: '={{ $json.positions }}' };
	const positions = [{ role: 'Manager', is_current: false, end_date: '2021-12-31' }];
	const { json, outputs } = await setup.harness.run(invitation({ additionalFields }), [
		{ skill: 'SQL', positions },
	]);
	const [{ method, path, headers, body }] = setup.service.requests;
	expect([method, path]).toEqual(['POST', '/partner/v1.0/standard/candidates']);
	expect(headers).toMatchObject({
		accept: 'application/json',
		'content-type': 'application/json',
		authorization: `Bearer ${setup.service.accessToken}`,
	});
	expect(body).toEqual({
		job_id: JOB_ID,
		ext_reference_id: 'APP-1',
		is_anonymous_candidate: false,
		email: 'nathan@example.com',
		first_name: 'Nathan',
		last_name: 'Smith',
		skills: [{ name: 'TypeScript', proficiency: 'novice' }, { name: 'SQL' }],
		work_experiences: positions,
	});
	expect(json).toEqual([expect.objectContaining({ ext_reference_id: 'APP-1', status: 'invited' })]);
	// Everybody looks for this column first.
	expect(Object.keys(json[0])[0]).toBe('invitation_link');
	expect(json[0].invitation_link).toMatch(/^http/);
	expect(outputs[0][0].pairedItem).toEqual({ item: 0 });
});

it.each([
	['extReferenceId', 'External Reference ID', 50],
	['email', 'Email', 255],
	['firstName', 'First Name', 255],
	['lastName', 'Last Name', 255],
])('%s may have its longest length and not one character more', async (name, label, max) => {
	const end = name === 'email' ? '@example.com' : '';
	const run = async (length: number) => {
		const value = 'é'.repeat(length - end.length) + end;
		return (await setup.harness.run(invitation({ [name]: value }))).error?.message;
	};
	expect(await run(max)).toBeUndefined();
	expect(await run(max + 1)).toBe(`${label}: ${max + 1} characters, but the maximum is ${max}`);
	expect(setup.service.requests).toHaveLength(1);
});
