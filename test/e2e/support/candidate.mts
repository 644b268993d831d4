import type { Page } from '@playwright/test';

import type { InvitationWithLinks } from '../../../mock-service/service.mts';

/** The fields that a recruiter fills in to invite. */
export const CANDIDATE = {
	jobId: '5f0c8a52-6a3e-4c1d-9d57-2f1b7c0e9a64',
	extReferenceId: 'APP-2026-0815',
	email: 'maya.okafor@example.com',
	firstName: 'Maya',
	lastName: 'Okafor',
};

/** Opens the invitation as the candidate, and presses the button. */
export async function finish(candidate: Page, { invitation_link }: InvitationWithLinks) {
	await candidate.goto(invitation_link);
	await candidate.getByRole('button', { name: 'Finish Assessment' }).click();
	await candidate.getByRole('heading', { name: /^Thank you/ }).waitFor();
}
