import { takeScreenshot } from '../../support/screenshots.mts';
import {
	expect,
	fillInApplication,
	formOf,
	openForm,
	test,
	waitForStatuses,
	waitingForm,
} from './fixtures.mts';

const EXAMPLE = 'apply-and-be-invited';
const FORM = 'Application Form';

test(`${EXAMPLE}: an applicant has a row, is invited, and starts from the link`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importAndSetUp,
}) => {
	const workflow = await importAndSetUp(EXAMPLE);
	await client.publish(workflow.id);
	await openForm(candidate, formOf(baseUrl, workflow));
	await fillInApplication(candidate, 'ines.carvalho@example.com');
	await takeScreenshot(candidate, 'example-application-form');
	await candidate.getByRole('button', { name: 'Apply' }).click();
	await expect(candidate.getByRole('heading', { name: 'Thank you, Inês' })).toBeVisible();
	await takeScreenshot(candidate, 'example-application-thanks');
	await candidate.getByRole('link', { name: 'Start your assessment' }).click();
	await expect(candidate.getByRole('button', { name: 'Finish Assessment' })).toBeVisible();

	expect(service.invitations).toHaveLength(1);
	const [invitation] = service.invitations;
	expect(candidate.url()).toBe(invitation.invitation_link);
	expect(await applications.rows()).toEqual({
		[invitation.ext_reference_id]: expect.objectContaining({
			first_name: 'Inês',
			last_name: 'Carvalho',
			email: 'ines.carvalho@example.com',
			status: 'invited',
			invitation_link: invitation.invitation_link,
			open_until: invitation.invitation_expired_at,
			problem: null,
		}),
	});
});

test(`${EXAMPLE}: if nobody can tell whether the invitation was sent, the row says so`, async ({
	n8n: { client, baseUrl },
	service,
	candidate,
	applications,
	importAndSetUp,
}) => {
	const { id } = await importAndSetUp(EXAMPLE);
	service.faults.inject({ route: 'createInvitation', status: 500, times: 1 });
	await client.run(id, FORM);
	const [execution] = await waitForStatuses(client, id, ['waiting']);
	const [row] = Object.values(await applications.rows());
	expect(row).toMatchObject({ first_name: 'Maya', status: 'unknown', invitation_link: null });
	expect(row.problem).toBeTruthy();

	await openForm(candidate, waitingForm(execution, 'Say That The Link Follows', baseUrl));
	await expect(candidate.getByText('We have your application')).toBeVisible();
});
