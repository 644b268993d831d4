import {
	omittedDetail,
	invitationLink,
	pendingLink,
	makeScores,
	newCandidateId,
	newInvitationCode,
	reportPdfLink,
	reportProfileLink,
	pendingScores,
} from './assumptions.mts';
import { defaultDeadline } from './deadline.mts';
import type { Invitation, InvitationRequest, InvitationWithLinks } from './types.mts';

/**
 * Creates the record of a new invitation (specification, "1. Create a candidate invitation").
 *
 * @param request a valid body
 * @param now the time of creation
 */
export function newInvitation(request: InvitationRequest, now: Date): Invitation {
	const { deadline = defaultDeadline(now), ...fields } = request;
	return {
		email: omittedDetail,
		first_name: omittedDetail,
		last_name: omittedDetail,
		skills: [],
		work_experiences: [],
		...fields,
		invitation_code: newInvitationCode(),
		candidate_id: newCandidateId(),
		status: 'invited',
		invitation_expired_at: new Date(deadline).toISOString(),
		created_at: now.toISOString(),
		completed_at: null,
		scores: pendingScores,
		additional_scores: pendingScores,
	};
}

/** Marks an invitation as completed and adds its scores. */
export function complete(invitation: Invitation, now: Date): void {
	invitation.status = 'completed';
	invitation.completed_at = now.toISOString();
	Object.assign(invitation, makeScores(invitation.invitation_code));
}

/** Whether it is too late for the candidate to take the assessment. */
export function isExpired(invitation: Invitation, now: Date): boolean {
	return invitation.status === 'invited' && now.toISOString() > invitation.invitation_expired_at;
}

/** The name on pages and reports. An anonymous candidate stays anonymous, whatever was sent. */
export function candidateName(invitation: Invitation): string {
	if (invitation.is_anonymous_candidate) return 'Candidate';
	return `${invitation.first_name} ${invitation.last_name}`;
}

/** Adds the links, which derive from the code and the address of the service. */
export function withLinks(invitation: Invitation, base: string): InvitationWithLinks {
	const { invitation_code: code, status } = invitation;
	const finished = status === 'completed';
	return {
		...invitation,
		invitation_link: invitationLink(base, code),
		report_pdf_link: finished ? reportPdfLink(base, code) : pendingLink,
		report_profile_link: finished ? reportProfileLink(base, code) : pendingLink,
	};
}

/** The response data of endpoint 1: the request's fields and those the service assigned. */
export function toCreateResponse(invitation: Invitation, base: string) {
	const all = withLinks(invitation, base);
	return {
		candidate_id: all.candidate_id,
		ext_reference_id: all.ext_reference_id,
		job_id: all.job_id,
		is_anonymous_candidate: all.is_anonymous_candidate,
		email: all.email,
		first_name: all.first_name,
		last_name: all.last_name,
		status: all.status,
		invitation_link: all.invitation_link,
		invitation_expired_at: all.invitation_expired_at,
		created_at: all.created_at,
	};
}

/** The response data of endpoint 2: the same, with the result. */
export function toRetrieveResponse(invitation: Invitation, base: string) {
	const { report_pdf_link, report_profile_link } = withLinks(invitation, base);
	const { scores, additional_scores } = invitation;
	return {
		...toCreateResponse(invitation, base),
		report_pdf_link,
		report_profile_link,
		scores,
		additional_scores,
	};
}
