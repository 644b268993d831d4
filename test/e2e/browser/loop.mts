import assert from 'node:assert/strict';

import type { Page } from '@playwright/test';

import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { eventually } from '../../support/eventually.mts';
import { takeForReadme, takeScreenshot } from '../../support/screenshots.mts';
import type { Stage } from '../browser.mts';
import { NEW_CREDENTIAL } from './credential.mts';

export const CANDIDATE = {
	jobId: '5f0c8a52-6a3e-4c1d-9d57-2f1b7c0e9a64',
	extReferenceId: 'APP-2026-0815',
	email: 'maya.okafor@example.com',
	firstName: 'Maya',
	lastName: 'Okafor',
};

/** From the invitation to the scores. */
export async function checkLoop({ demo, editor, candidate, check }: Stage): Promise<void> {
	const { service, state } = demo;
	const { page } = editor;
	const invited = () => {
		const found = service.invitations.find(
			({ ext_reference_id }) => ext_reference_id === CANDIDATE.extReferenceId,
		);
		assert.ok(found, 'the service has no such invitation');
		return found;
	};

	await check('Invite, filled in and executed, shows the invitation', async () => {
		const panel = await editor.addNode('Invite candidate');
		await panel.chooseCredential(NEW_CREDENTIAL);
		await panel.fill(CANDIDATE);
		await panel.execute();
		await panel.values();
		const { candidate_id, invitation_link, invitation_expired_at, created_at } = invited();
		await eventually(async () => await panel.values(), {
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
		await takeForReadme(page, 'invite-panel', { around: [panel.panel], margin: -2 });
	});

	await check('the invitation link opens, and its button finishes the assessment', async () => {
		await candidate.goto(invited().invitation_link);
		await candidate.getByRole('heading', { name: 'Hello Maya Okafor' }).waitFor();
		const letter = candidate.getByRole('article');
		await takeForReadme(candidate, 'invitation-page', { around: [letter], margin: 40 });
		await finish(candidate, invited());
	});

	await check('the execution of the published "Result ready" workflow appears', async () => {
		const executions = await editor.openExecutions(state.resultWorkflowId);
		await executions.getByText('Succeeded').waitFor();
		await eventually(async () => await editor.succeededNodes.count(), 2);
		await takeScreenshot(page, 'executions');
	});

	await check('Get by invitation link shows the simplified scores', async () => {
		const panel = await editor.addNode('Get candidate');
		await panel.chooseCredential(NEW_CREDENTIAL);
		const invitation = invited();
		await panel.fillBy('By Link', invitation.invitation_link);
		await panel.execute();
		await eventually(async () => await panel.values(), simplified(invitation));
		const columns = [panel.panel.getByTestId('node-parameters'), panel.output];
		await takeForReadme(page, 'scores', { around: columns, height: 620 });
	});

	await check('Get with Download Report shows the PDF', async () => {
		const panel = await editor.addNode('Get candidate');
		await panel.chooseCredential(NEW_CREDENTIAL);
		await panel.fillBy('By Code', invited().invitation_code);
		await panel.toggle('downloadReport');
		await panel.field('binaryPropertyName').waitFor();
		await panel.execute();
		await panel.output.getByTestId('radio-button-binary').click();
		await panel.output.getByText('application/pdf').waitFor();
		await takeScreenshot(page, 'report');
	});
}

/** Opens the invitation as the candidate, and presses the button. */
export async function finish(candidate: Page, { invitation_link }: InvitationWithLinks) {
	await candidate.goto(invitation_link);
	await candidate.getByRole('button', { name: 'Finish Assessment' }).click();
	await candidate.getByRole('heading', { name: /^Thank you/ }).waitFor();
}

/** The ten fields, as n8n's editor lists them: `scores` has its values below it. */
function simplified(invitation: InvitationWithLinks): Record<string, string> {
	const scores = [...invitation.scores, ...invitation.additional_scores];
	return {
		candidate_id: invitation.candidate_id,
		ext_reference_id: invitation.ext_reference_id,
		job_id: invitation.job_id,
		email: String(invitation.email),
		first_name: String(invitation.first_name),
		last_name: String(invitation.last_name),
		status: 'completed',
		report_pdf_link: String(invitation.report_pdf_link),
		report_profile_link: String(invitation.report_profile_link),
		scores: '',
		...Object.fromEntries(scores.map((score) => [score.score_type, String(score.score_value)])),
	};
}
