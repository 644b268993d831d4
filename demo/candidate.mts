/** Finishes an assessment as a candidate would: opens the invitation and submits the page's own form. */
export async function finishAssessment(invitationLink: string): Promise<void> {
	const page = await fetch(invitationLink, { signal: AbortSignal.timeout(30_000) });
	const html = await page.text();
	if (!page.ok) throw new Error(`The invitation's page answered ${page.status}`);

	const form = /<form\b([^>]*)>(.*?)<\/form>/is.exec(html);
	if (!form) throw new Error("The invitation's page has no form to finish the assessment with");
	const [, attributes, inside] = form;
	const fields = [...inside.matchAll(/<(?:input|button)\b([^>]*)>/gi)]
		.map(([, field]) => [attribute(field, 'name'), attribute(field, 'value') ?? ''])
		.filter((field): field is [string, string] => field[0] !== undefined);
	const answer = await fetch(new URL(attribute(attributes, 'action') ?? '', page.url), {
		method: attribute(attributes, 'method') ?? 'get',
		body: new URLSearchParams(fields),
		signal: AbortSignal.timeout(30_000),
	});
	if (!answer.ok) throw new Error(`Finishing the assessment was answered ${answer.status}`);
}

function attribute(tag: string, name: string): string | undefined {
	const match = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
	return (match?.[1] ?? match?.[2] ?? match?.[3])?.replaceAll('&amp;', '&');
}
