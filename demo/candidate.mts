/** Finishes an assessment as a candidate would: opens the invitation and presses the page's button. */
export async function finishAssessment(invitationLink: string): Promise<void> {
	const page = await fetch(invitationLink);
	const [, action] = /<form method="post" action="([^"]+)">/.exec(await page.text()) ?? [];
	if (!action) throw new Error(`The invitation's page (${page.status}) has no form to finish with`);
	const answer = await fetch(new URL(action, invitationLink), { method: 'POST' });
	if (!answer.ok) throw new Error(`Finishing the assessment was answered ${answer.status}`);
}
