import { DateTime } from 'luxon';

import { inviteAt } from '../../support/invite.mts';
import { momentIn, LOS_ANGELES } from '../support/timeZones.mts';
import { test } from '../support/scheduledExamples.mts';
import { expect, IN_LOS_ANGELES, PERSON, type Row } from '../support/exampleFixtures.mts';

const EXAMPLE = 'catch-up';
const REFUSED = 'refused@people.example';
const LATER = DateTime.utc().plus({ days: 10 }).toISO();
const daysAgo = (days: number) => DateTime.utc().minus({ days }).toISO();
// The day there ends within UTC's next day.
const SOON = DateTime.now().setZone(LOS_ANGELES).plus({ days: 2 }).endOf('day').toUTC().toISO()!;
const DUE = { open_until: SOON, link_sent_at: 'November 2' };

/** What a row may need: a mail, with the words before its link, and how the row changes. */
type Need = readonly [words: string, change: object];
const now = expect.stringMatching(/^20/);
const sends = (by = ''): Need => [`assessment${by}`, { link_sent_at: now, problem: '' }];
const open = `is open until ${momentIn(LOS_ANGELES, SOON)}`;
const REMINDER: Need = [open, { reminded_at: now, problem: '' }];
const says = (problem: RegExp): Need => ['', { problem: expect.stringMatching(problem) }];
const NOTHING: Need = ['', {}];

const CASES: Array<[row: Partial<Row>, need: Need]> = [
	[{ ...DUE, email: REFUSED }, REMINDER],
	[{ open_until: LATER }, sends(` by ${momentIn(LOS_ANGELES, LATER)}`)],
	// Written by hand, or from an old backup.
	[{ open_until: '' }, sends()],
	// Somebody has decided, or withdrawn.
	[{ ...DUE, status: 'Interview' }, NOTHING],
	[{ ...DUE, decision: 'Reject' }, NOTHING],
	[{ ...DUE, open_until: daysAgo(3) }, says(/^20\S+: The invitation ended without a result/)],
	[{ ...DUE, open_until: daysAgo(15) }, NOTHING],
	[{ ...DUE, link_sent_at: daysAgo(130) }, NOTHING],
	[{ status: 'Completed ' }, NOTHING],
	[{ invitation_link: 'https://assessment.example.com/x' }, says(/^20\S+: No candidate/)],
];

test(`${EXAMPLE}: links that are due and reminders are sent once, or the row says why not`, async ({
	service,
	applications,
	schedule,
	mailServer: server,
}) => {
	const people: Row[] = [];
	for (const [index, [row]] of CASES.entries()) {
		const made = await inviteAt(service);
		const { ext_reference_id: application_id, job_id, invitation_link } = made;
		const own = { application_id, job_id, invitation_link, status: 'invited', ...row };
		people.push({ ...PERSON, email: `${index}@people.example`, ...own });
	}
	// There are no results.
	const how = { mails: true, handsOverTo: 'gone', ...IN_LOS_ANGELES };
	const night = await schedule(EXAMPLE, people, how);
	server.refused = REFUSED;
	await night();
	// The row's address counts: it may have been corrected since the invitation. Only this mail is tried again.
	const problem = expect.stringMatching(/^20\S+: The mail was not sent\. \S/);
	expect((await applications.all())[0]).toMatchObject({ reminded_at: null, problem });
	server.refused = undefined;
	await night();
	const rows = people.map((row, index) => ({ ...row, ...CASES[index][1][1] }));
	expect(await applications.all()).toMatchObject(rows);
	const wanted = people.flatMap(({ email, invitation_link }, index) => {
		const [words] = CASES[index][1];
		const text = expect.stringMatching(`Hello Maya,[^]*${words}: ${invitation_link}\r\n`);
		return words ? [{ to: email, text }] : [];
	});
	expect(server.mails).toHaveLength(wanted.length);
	expect(server.mails).toEqual(expect.arrayContaining(wanted));
});
