import { expect } from '@playwright/test';
import { DateTime } from 'luxon';

import type { InvitationWithLinks, PartnerService } from '../../../mock-service/service.mts';
import { JOB } from '../../support/example.mts';
import { invitationOf, PERSON } from '../../support/invite.mts';
import type { Row } from './applicationsTable.mts';

export { JOB, PERSON, type Row };

/** A time zone whose days differ from UTC's. */
export const timezone = 'America/Los_Angeles';

/** Matches a text with these words. */
export const says = (words: RegExp | string) =>
	typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words);

/** A moment as candidates read it. */
export const momentOf = (iso: string) =>
	DateTime.fromISO(iso, { zone: timezone }).toFormat('MMMM d, HH:mm ZZZZ');

/** A new row, with an address of its own. */
export const rowOf = (application_id: string, more: Row = {}): Row => {
	const email = `${application_id.toLowerCase()}@people.example`;
	return { ...PERSON, application_id, job_id: JOB, email, ...more };
};

/** A row as *Invite from a list* leaves it. */
export const invitedRow = (id: string, invitation: InvitationWithLinks, more: Row = {}): Row => {
	const { invitation_link, invitation_expired_at: open_until } = invitation;
	const sent = { status: 'invited', invitation_link, open_until, link_sent_at: 'then' };
	return rowOf(id, { ...sent, ...more });
};

export const linkOf = (service: PartnerService, reference: string) => ({
	invitation_link: invitationOf(service, reference).invitation_link,
});

/** The scores in a row. */
export const scoresOf = (service: PartnerService, reference: string) => {
	const { scores } = invitationOf(service, reference);
	return { role_fit: scores.find(({ score_type }) => score_type === 'role_fit')!.score_value };
};

/** A fault: the answer has no link. */
export const withoutLink = (service: PartnerService, reference: string) => {
	const data = () => ({ ...invitationOf(service, reference), invitation_link: null });
	const body = { toJSON: () => ({ data: data(), meta: null }) };
	return { processFirst: true, status: 200, body };
};
