import type { INodeParameters } from 'n8n-workflow';
import { invitation, JOB_ID, setUp } from './setup';

const setup = setUp();

/** Runs one invitation and gives the body that was sent. */
async function bodySent(more: INodeParameters, item = {}): Promise<unknown> {
	const { error } = await setup.harness.run(invitation(more), [item]);
	expect(error).toBeUndefined();
	expect(setup.service.requests).toHaveLength(1);
	return setup.service.requests[0].body;
}

/** Runs one invitation that breaks a rule, and gives the message; nothing must be sent. */
async function refusal(more: INodeParameters, item = {}): Promise<string | undefined> {
	const { error } = await setup.harness.run(invitation(more), [item]);
	expect(setup.service.requests).toHaveLength(0);
	return error?.message;
}

describe('Candidate: Invite', () => {
	it('sends the candidate as the specification has it, and gives the data of the envelope', async () => {
		const { json, outputs } = await setup.harness.run(invitation());

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
		});
		expect(json).toEqual([
			expect.objectContaining({ ext_reference_id: 'APP-1', status: 'invited' }),
		]);
		expect(json[0].invitation_link).toMatch(/^http/);
		expect(outputs[0][0].pairedItem).toEqual({ item: 0 });
	});

	it('needs no personal details of an anonymous candidate, and sends those that are given', async () => {
		const anonymous = { isAnonymousCandidate: true, email: '', firstName: 'Nathan', lastName: '' };
		expect(await bodySent(anonymous)).toEqual({
			job_id: JOB_ID,
			ext_reference_id: 'APP-1',
			is_anonymous_candidate: true,
			first_name: 'Nathan',
		});
	});

	it('takes the words true and false for the switch, as spreadsheets deliver them', async () => {
		const byItem = { isAnonymousCandidate: '={{ $json.anonymous }}', email: '={{ $json.email }}' };
		expect(await bodySent(byItem, { anonymous: 'TRUE', email: '' })).toMatchObject({
			is_anonymous_candidate: true,
		});
	});

	it.each([
		[
			'Job ID',
			{ jobId: '={{ $json.nothing }}' },
			'Job ID: required, but the expression gave no value for this item',
		],
		[
			'External Reference ID',
			{ extReferenceId: '={{ "" }}' },
			'External Reference ID: required, but empty',
		],
		['Email', { email: '={{ null }}' }, 'Email: required, but empty'],
		['First Name', { firstName: '={{ "  " }}' }, 'First Name: required, but empty'],
		['Last Name', { lastName: '={{ "" }}' }, 'Last Name: required, but empty'],
	])('refuses an empty %s before sending', async (_field, parameters, message) => {
		expect(await refusal(parameters)).toBe(message);
	});

	it.each([
		['extReferenceId', 'External Reference ID', 50],
		['email', 'Email', 255],
		['firstName', 'First Name', 255],
		['lastName', 'Last Name', 255],
	])('lets %s have its longest length and not one character more', async (name, label, max) => {
		const start = name === 'email' ? 'a@' : '';
		const long = (length: number) => start + 'é'.repeat(length - start.length);
		await bodySent({ [name]: long(max) });
		setup.service.clearRequests();
		expect(await refusal({ [name]: long(max + 1) })).toBe(
			`${label}: ${max + 1} characters given, at most ${max} are allowed`,
		);
	});

	describe('Skills and Work Experiences', () => {
		it('sends what the forms hold, without what was left empty', async () => {
			const additionalFields = {
				skills: {
					skill: [
						{ name: 'TypeScript', proficiency: 'novice' },
						{ name: 'SQL', proficiency: '' },
					],
				},
				workExperiences: {
					workExperience: [
						{
							organization: 'Example Logistics',
							role: 'Manager',
							isCurrent: true,
							responsibilitiesAchievements: '',
							startDate: '2020-02-01T00:00:00',
							endDate: '',
						},
					],
				},
			};
			expect(await bodySent({ additionalFields })).toMatchObject({
				skills: [{ name: 'TypeScript', proficiency: 'novice' }, { name: 'SQL' }],
				work_experiences: [
					{
						organization: 'Example Logistics',
						role: 'Manager',
						is_current: true,
						start_date: '2020-02-01',
					},
				],
			});
		});

		it("takes a list as JSON in the service's own field names, as text or from an expression", async () => {
			const additionalFields = {
				skillsJson: '[{ "name": "SQL" }]',
				workExperiencesJson: '={{ $json.positions }}',
			};
			const item = { positions: [{ role: 'Manager', is_current: false, end_date: '2021-12-31' }] };
			expect(await bodySent({ additionalFields }, item)).toMatchObject({
				skills: [{ name: 'SQL' }],
				work_experiences: item.positions,
			});
		});
	});
});
