import { randomUUID } from 'node:crypto';

import type { InvitationWithLinks, PartnerService } from '../../mock-service/service.mts';

/** Sends a request to the API without n8n. Returns the envelope's data. */
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

export const PERSON = {
	first_name: 'Maya',
	last_name: 'Okafor',
	email: 'maya.okafor@example.com',
};

/** Invites a candidate without n8n. */
export async function inviteAt(
	service: PartnerService,
	job_id: string = randomUUID(),
): Promise<InvitationWithLinks> {
	const ext_reference_id = randomUUID();
	const body = { job_id, ext_reference_id, is_anonymous_candidate: false, ...PERSON };
	await request(service, 'POST', '/standard/candidates', body);
	return invitationOf(service, ext_reference_id);
}

export function invitationOf(
	service: PartnerService,
	reference: string,
	job?: string,
): InvitationWithLinks {
	const invitation = service.invitations.find(
		(each) => each.ext_reference_id === reference && (!job || each.job_id === job),
	);
	if (!invitation) throw new Error(`Nobody was invited for ${reference}`);
	return invitation;
}
