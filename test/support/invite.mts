import { randomUUID } from 'node:crypto';

import type { InvitationWithLinks, PartnerService } from '../../mock-service/service.mts';

/** A request to the API that does not come from n8n; returns the envelope's data. */
export async function request(
	{ baseUrl, accessToken }: Pick<PartnerService, 'baseUrl' | 'accessToken'>,
	method: string,
	path: string,
	body?: object,
): Promise<Record<string, unknown>> {
	const response = await fetch(`${baseUrl}/partner/v1.0${path}`, {
		method,
		headers: {
			authorization: `Bearer ${accessToken}`,
			accept: 'application/json',
			'content-type': 'application/json',
		},
		body: body && JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`The service answered ${response.status}: ${text}`);
	return JSON.parse(text).data;
}

/** Invites a candidate without n8n; anonymous by default. */
export async function inviteAt(
	service: PartnerService,
	person?: { first_name: string; last_name: string; email: string },
	job_id: string = randomUUID(),
): Promise<InvitationWithLinks> {
	const ext_reference_id = randomUUID();
	const is_anonymous_candidate = !person;
	const body = { job_id, ext_reference_id, is_anonymous_candidate, ...person };
	await request(service, 'POST', '/standard/candidates', body);
	return service.invitations.find(
		(invitation) => invitation.ext_reference_id === ext_reference_id,
	)!;
}
