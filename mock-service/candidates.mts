import {
	detailNotGiven,
	invitationLink,
	linkBeforeResult,
	makeScores,
	newCandidateId,
	newInvitationCode,
	reportPdfLink,
	reportProfileLink,
	scoresBeforeResult,
} from './assumptions.mts';
import { latestDeadline } from './deadline.mts';
import type { Invitation, InvitationRequest, InvitationWithLinks } from './types.mts';

/**
 * Makes the record of a new invitation (specification, "1. Create a candidate invitation").
 *
 * @param request a body that keeps every rule
 * @param now the moment of creation
 */
export function newInvitation(request: InvitationRequest, now: Date): Invitation {
	return {
		invitation_code: newInvitationCode(),
		candidate_id: newCandidateId(),
		ext_reference_id: request.ext_reference_id,
		job_id: request.job_id,
		is_anonymous_candidate: request.is_anonymous_candidate,
		email: request.email ?? detailNotGiven,
		first_name: request.first_name ?? detailNotGiven,
		last_name: request.last_name ?? detailNotGiven,
		status: 'invited',
		invitation_expired_at: new Date(request.deadline ?? latestDeadline(now)).toISOString(),
		created_at: now.toISOString(),
		completed_at: null,
		scores: scoresBeforeResult,
		additional_scores: scoresBeforeResult,
		skills: request.skills ?? [],
		work_experiences: request.work_experiences ?? [],
	};
}

/** Turns an invitation into a finished one, with its scores. */
export function complete(invitation: Invitation, now: Date): void {
	invitation.status = 'completed';
	invitation.completed_at = now.toISOString();
	Object.assign(invitation, makeScores(invitation.invitation_code));
}

/** Whether the candidate can no longer take the assessment. */
export function isExpired(invitation: Invitation, now: Date): boolean {
	return invitation.status === 'invited' && now.toISOString() > invitation.invitation_expired_at;
}

/** The name that pages and reports show. An anonymous candidate stays anonymous, whatever was sent. */
export function candidateName(invitation: Invitation): string {
	if (invitation.is_anonymous_candidate) return 'Candidate';
	return `${invitation.first_name} ${invitation.last_name}`;
}

/** Adds the links that follow from the code and the service's address. */
export function withLinks(invitation: Invitation, base: string): InvitationWithLinks {
	const { invitation_code: code, status } = invitation;
	const finished = status === 'completed';
	return {
		...invitation,
		invitation_link: invitationLink(base, code),
		report_pdf_link: finished ? reportPdfLink(base, code) : linkBeforeResult,
		report_profile_link: finished ? reportProfileLink(base, code) : linkBeforeResult,
	};
}

/** The data of the answer to endpoint 1: what was sent and what the service assigned. */
export function createdData(invitation: Invitation, base: string) {
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

/** The data of the answer to endpoint 2: the same, with the result. */
export function retrievedData(invitation: Invitation, base: string) {
	const { report_pdf_link, report_profile_link } = withLinks(invitation, base);
	const { scores, additional_scores } = invitation;
	return {
		...createdData(invitation, base),
		report_pdf_link,
		report_profile_link,
		scores,
		additional_scores,
	};
}
