import { randomUUID } from 'node:crypto';

import type { InvitationWithLinks, PartnerService } from '../../mock-service/service.mts';

/** Invites a candidate without n8n. */
export async function inviteAt(
	service: PartnerService,
	person: { first_name: string; last_name: string; email: string },
	job_id: string = randomUUID(),
): Promise<InvitationWithLinks> {
	const reference = randomUUID();
	const response = await fetch(`${service.baseUrl}/partner/v1.0/standard/candidates`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${service.accessToken}`,
			accept: 'application/json',
			'content-type': 'application/json',
		},
		body: JSON.stringify({
			job_id,
			ext_reference_id: reference,
			is_anonymous_candidate: false,
			...person,
		}),
	});
	const invited = service.invitations.find((one) => one.ext_reference_id === reference);
	if (!invited) throw new Error(`The service answered ${response.status} to an invitation`);
	return invited;
}
