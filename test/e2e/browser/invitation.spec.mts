import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { takeForReadme, takeScreenshot } from '../../support/screenshots.mts';
import { expect, test } from '../fixtures.mts';
import { CANDIDATE, inviteCandidate } from './candidate.mts';

test('Invite, filled in and executed, shows the invitation', async ({
	editor,
	service,
	credential,
}) => {
	const panel = await editor.addNode('Invite candidate');
	await panel.chooseCredential(credential.name);
	await panel.fill(CANDIDATE);
	await panel.execute();
	await panel.values();
	expect(service.invitations).toHaveLength(1);
	const { candidate_id, invitation_link, invitation_expired_at, created_at } =
		service.invitations[0];
	await expect
		.poll(async () => await panel.values())
		.toEqual({
			candidate_id,
			ext_reference_id: CANDIDATE.extReferenceId,
			job_id: CANDIDATE.jobId,
			is_anonymous_candidate: 'false',
			email: CANDIDATE.email,
			first_name: CANDIDATE.firstName,
			last_name: CANDIDATE.lastName,
			status: 'invited',
			invitation_link,
			invitation_expired_at,
			created_at,
		});
	await takeForReadme(editor.page, 'invite-panel', { around: [panel.panel], margin: -2 });
});

test('Get by invitation link shows the simplified scores', async ({
	editor,
	service,
	credential,
}) => {
	const { invitation_code, invitation_link } = await inviteCandidate(service);
	await service.finish(invitation_code);
	const panel = await editor.addNode('Get candidate');
	await panel.chooseCredential(credential.name);
	await panel.fillBy('By Link', invitation_link);
	await panel.execute();
	const [invitation] = service.invitations;
	await expect.poll(async () => await panel.values()).toEqual(simplified(invitation));
	const parameters = panel.panel.getByTestId('node-parameters').filter({ visible: true });
	await takeForReadme(editor.page, 'scores', { around: [parameters, panel.output], height: 620 });
});

test('Get with Download Report shows the PDF', async ({ editor, service, credential }) => {
	const { invitation_code } = await inviteCandidate(service);
	await service.finish(invitation_code);
	const panel = await editor.addNode('Get candidate');
	await panel.chooseCredential(credential.name);
	await panel.fillBy('By Code', invitation_code);
	await panel.toggle('downloadReport');
	await expect(panel.field('binaryPropertyName')).toBeVisible();
	await panel.execute();
	await panel.output.getByTestId('radio-button-binary').click();
	await expect(panel.output.getByText('application/pdf')).toBeVisible();
	await takeScreenshot(editor.page, 'report');
});

/** The ten fields, as n8n's editor lists them: `scores` has its values below it. */
function simplified(invitation: InvitationWithLinks): Record<string, string> {
	const scores = [...invitation.scores, ...invitation.additional_scores];
	return {
		status: 'completed',
		scores: '',
		...Object.fromEntries(scores.map((score) => [score.score_type, String(score.score_value)])),
		ext_reference_id: invitation.ext_reference_id,
		job_id: invitation.job_id,
		email: String(invitation.email),
		first_name: String(invitation.first_name),
		last_name: String(invitation.last_name),
		invitation_link: invitation.invitation_link,
		report_pdf_link: String(invitation.report_pdf_link),
		report_profile_link: String(invitation.report_profile_link),
	};
}
