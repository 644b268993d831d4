import { DateTime } from 'luxon';

import { JOB } from '../../support/example.mts';
import { momentIn, LOS_ANGELES } from '../support/timeZones.mts';
import { SENT, test } from '../support/scheduledExamples.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	PERSON,
	type Row,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'invite-from-a-list';
const OLD = { invitation_link: 'https://assessment.example.com/i/1', reminded_at: '2026-11-02' };
const REFUSED = 'refused@people.example';

/** Changes to a row. Somebody is mailed if `link_sent_at` is among them. */
const DATED = { ...SENT, reminded_at: '', open_until: expect.stringMatching(/^20/) };
const UNDATED = { ...SENT, open_until: '' };
const says = (status: string, problem: RegExp) => {
	return { status, problem: expect.stringMatching(problem) };
};

/** Answers: one is meant for somebody else, and comes late; one has little but the link. */
const LATE = { ext_reference_id: 'APP-A', email: '0@people.example' };
const MEAGER = { invitation_expired_at: undefined, first_name: null, email: null };

/** Rows, and what the service answers other than usual. */
const CASES: Array<[row: Partial<Row>, change: object, answer?: object]> = [
	[{ application_id: 'APP-A' }, DATED],
	[{ application_id: 'APP-A', email: '0@people.example' }, says('invited', /^Duplicate/)],
	[{ email: '' }, says('invalid', /^Email: required/)],
	[{ ...OLD, status: 'NOTSENT' }, DATED],
	[{ application_id: ' APP-B ', job_id: ` ${JOB.toUpperCase()}` }, DATED],
	[{ email: REFUSED }, says('invited', /^The link was not emailed: /)],
	[{ invitation_link: null }, says('unknown', /confirm whether/), LATE],
	[{}, says('invited', /^No link came with the answer/), { invitation_link: null }],
	[{}, UNDATED, MEAGER],
];

test(`${EXAMPLE}: each row says what became of it, nobody is invited or mailed twice, and who may have been is kept for a human`, async ({
	service,
	applications,
	schedule,
	mailServer,
}) => {
	const people = CASES.map(([row], index): Row => {
		const own = { application_id: `APP-${index}`, email: `${index}@people.example` };
		return { ...PERSON, ...own, job_id: JOB, ...row };
	});
	for (const [index, { application_id: id }] of people.entries()) {
		const [, , answer] = CASES[index];
		if (!answer) continue;
		service.faults.inject({
			...{ route: 'createInvitation', processFirst: true },
			// Made when it is sent.
			body: { toJSON: () => ({ data: { ...invitationOf(service, id), ...answer }, meta: null }) },
			when: ({ body }) => JSON.stringify(body).includes(`"${id}"`),
		});
	}
	mailServer.refused = REFUSED;
	const morning = await schedule(EXAMPLE, people, { mails: ['Send The Link'], ...IN_LOS_ANGELES });
	for (const _ of [1, 2]) await morning();
	const mails: object[] = [];
	const rows = people.map((row, index) => {
		const [, change] = CASES[index];
		if (!('link_sent_at' in change)) return { ...row, ...change };
		const application_id = row.application_id.trim();
		const { invitation_link } = invitationOf(service, application_id);
		const day = change === UNDATED ? '' : ' by \\w+ \\d+, \\d\\d:\\d\\d';
		const words = `Hello Maya,[^]*assessment${day}: ${invitation_link}\r\n`;
		mails.push({ to: row.email, text: expect.stringMatching(words) });
		return { ...row, ...change, invitation_link };
	});
	const found = await applications.all();
	expect(found).toMatchObject(rows);
	expect(mailServer.mails).toEqual(mails);
	// The local day, and the moment.
	const { invitation_expired_at: end } = invitationOf(service, 'APP-A');
	expect(mailServer.mails[0].text).toContain(` by ${momentIn(LOS_ANGELES, end)}:`);
	expect(found[0].open_until).toBe(DateTime.fromISO(end, { zone: LOS_ANGELES }).toISO());
	expect(service.requests).toHaveLength(mails.length + 3);
});
