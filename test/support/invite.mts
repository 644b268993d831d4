import { randomUUID } from 'node:crypto';

import type { InvitationWithLinks, PartnerService } from '../../mock-service/service.mts';

type Service = Pick<PartnerService, 'baseUrl' | 'accessToken'>;

/** Sends a request to the service without n8n, by default as the specification says. Its answer is JSON. */
export async function call(
	{ baseUrl, accessToken }: Service,
	method: string,
	path: string,
	body?: object,
	headers: Record<string, string> = {},
) {
	const response = await fetch(baseUrl + path, {
		method,
		headers: {
			authorization: `Bearer ${accessToken}`,
			accept: 'application/json',
			'content-type': 'application/json',
			...headers,
		},
		body: body && JSON.stringify(body),
	});
	return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Sends a request that must succeed. Returns the envelope's data. */
export async function request(
	service: Service,
	method: string,
	path: string,
	sent?: object,
): Promise<Record<string, unknown>> {
	const { status, body } = await call(service, method, `/partner/v1.0${path}`, sent);
	if (status !== 200) throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`);
	return body.data;
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
