import * as fc from 'fast-check';
import { invite } from '../../nodes/CandidateAssessment/actions/candidate/invite.operation';
import { invitationFaults } from './support/specification';
import {
	anything,
	filledText,
	momentAt,
	NOW,
	pastedUuid,
	requestOrRefusal,
} from './support/arbitraries';
import { withEachField } from '../support/everyField.mts';
import { histories } from '../support/histories.mts';

const moment = { now: momentAt(NOW, 'America/New_York') };

/** leftovers.test.ts tests the leftovers of data errors. */
const isIntact = (text: string) =>
	!/[?#&{|<$\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cc}|^['=@+＝＠＋]/u.test(text);

/** Excludes leftovers of missing values and presentation forms (refused), and invisible characters (dropped). */
const isTelling = (text: string) =>
	isIntact(text) &&
	!/[\p{DI}\u2800\ufff9-\ufffb\ufb00-\ufef4]|undefined|NaN|null|\be\+|\d{3}[.,]0|\[object|Invalid Date/iu.test(
		text,
	);

const name = filledText(255).filter(isIntact);

const localPart = filledText(120)
	.map((part) => part.normalize('NFC'))
	.filter((part) => !/[\s@,;:<>()[\]\\"'`´′‚„ʹʼ＇\p{Pi}\p{Pf}]/u.test(part) && isTelling(part));

const label = fc
	.string({ unit: fc.constantFrom(...'abcxyz019äßéłñşжяøλ例え한'), minLength: 1, maxLength: 20 })
	.map((letters) => letters.normalize('NFC'));

const address = fc
	.tuple(
		localPart,
		fc.constantFrom('@', '@a-', '@b.'),
		label,
		fc.constantFrom('.com', '.de', '.xn--p1ai', '.例え'),
	)
	.map((parts) => parts.join(''));

const reference = filledText(50)
	.map((text) => text.normalize('NFC'))
	// A few characters become two when they are composed.
	.filter((text) => isTelling(text) && !text.includes('@') && [...text].length <= 50);

const dayText = fc
	.date({ min: new Date('1950-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
	.map((date) => date.toISOString().slice(0, 10));

const skill = fc.record(
	{ name: filledText(40), proficiency: fc.constantFrom('novice', 'expert') },
	{ requiredKeys: ['name'] },
);
const workExperience = fc.record(
	{
		organization: filledText(40),
		role: filledText(40),
		is_current: fc.boolean(),
		responsibilities_achievements: filledText(200),
		start_date: dayText,
		end_date: dayText,
	},
	{ requiredKeys: ['role'] },
);

/** A body in the service's own field names. Omitted fields stay omitted. */
const invitation = fc.boolean().chain((isAnonymous) =>
	fc.record(
		{
			job_id: pastedUuid.map(({ sent }) => sent),
			ext_reference_id: reference,
			is_anonymous_candidate: fc.constant(isAnonymous),
			email: address,
			first_name: name,
			last_name: name,
			skills: fc.array(skill, { minLength: 1, maxLength: 15 }),
			work_experiences: fc.array(workExperience, { minLength: 1, maxLength: 10 }),
		},
		{
			requiredKeys: [
				...(['job_id', 'ext_reference_id', 'is_anonymous_candidate'] as const),
				...(isAnonymous ? [] : (['email', 'first_name', 'last_name'] as const)),
			],
		},
	),
);

const inFormNames = (entry: object) =>
	Object.fromEntries(
		Object.entries(entry).map(([name, value]) => [
			name.replace(/_./g, (letters) => letters[1].toUpperCase()),
			value as unknown,
		]),
	);

/** A list, entered in the form, as JSON, or as an array from an expression. */
const entered = (name: string, entries: object[] | undefined, way: 'form' | 'text' | 'list') =>
	entries &&
	{
		form: { [`${name}s`]: { [name]: entries.map(inFormNames) } },
		text: { [`${name}sJson`]: JSON.stringify(entries) },
		list: { [`${name}sJson`]: entries },
	}[way];

it('a valid invitation is never refused, and arrives unchanged', () => {
	const blanks = fc.constantFrom('', ' ', '\n', '\u00a0');
	const empty = fc.constantFrom(undefined, null, '', '  ', '\n');
	const ways = fc.constantFrom('form' as const, 'text' as const, 'list' as const);
	fc.assert(
		fc.property(invitation, blanks, empty, ways, (body, around, nothing, way) => {
			const { skills, work_experiences: experiences, ...texts } = body;
			const written = Object.entries(texts).map(([key, text]) => [key, around + text + around]);
			const parameters = {
				...{ email: nothing, firstName: nothing, lastName: nothing },
				...inFormNames(Object.fromEntries(written) as object),
				additionalFields: {
					...entered('skill', skills, way),
					...entered('workExperience', experiences, way),
				},
			};
			const path = '/partner/v1.0/standard/candidates';
			expect(requestOrRefusal(invite, parameters, moment)).toEqual({
				request: { method: 'POST', path, body },
			});
		}),
		{ numRuns: histories(150) },
	);
});

const parameters = {
	jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
	extReferenceId: 'APP-1',
	isAnonymousCandidate: true,
};

it('an invitation with anything in any field is refused by a rule, or sent as the specification has it', () => {
	const person = { email: 'jane@example.com', firstName: 'Jane', lastName: 'Smith' };
	const right = { ...parameters, ...person, isAnonymousCandidate: false };
	const inJson = (odd: unknown) => ({ additionalFields: { skillsJson: [{ name: odd }] } });
	fc.assert(
		fc.property(fc.oneof(anything, fc.constant('MÃ¼ller')), (odd) => {
			for (const hostile of [...withEachField(invite.properties, odd), inJson(odd)]) {
				const { request } = requestOrRefusal(invite, { ...right, ...hostile }, moment);
				if (request) expect(invitationFaults(request.body, new Date(NOW))).toEqual([]);
			}
		}),
		{ numRuns: histories(50) },
	);
});

const sentWith = (more: unknown) =>
	requestOrRefusal(invite, { ...parameters, additionalFields: more }, moment);

it('Additional Fields refuse what is not the form of skills, instead of leaving it out', () => {
	const others = [[{ name: 'SQL' }], '[{"name":"SQL"}]', 5, { workExperience: [{}] }];
	const forms = [{ skill: [{ name: 'SQL' }], other: [] }, { skill: {} }, { skill: [5] }];
	for (const skills of [...others, ...forms]) {
		expect(sentWith({ skills }).refusal).toBe(
			"Skills: wrong format. Use the '(JSON)' field for a list from an expression",
		);
	}
});

it('Additional Fields send no list where the form was left empty, and no row that nobody touched', () => {
	const rows = [[], null, [{}], [{ name: '', proficiency: '' }, { name: ' ' }]];
	for (const skills of [{}, null, '', ...rows.map((skill) => ({ skill }))]) {
		expect(sentWith({ skills }).request?.body).not.toHaveProperty('skills');
	}
	const untouched = { organization: '', role: '', endDate: null, isCurrent: false };
	const workExperiences = (...rows: object[]) =>
		sentWith({ workExperiences: { workExperience: rows } }).request?.body?.work_experiences;
	expect(workExperiences(untouched)).toBeUndefined();
	expect(workExperiences(untouched, { ...untouched, role: 'Manager' })).toEqual([
		{ role: 'Manager', is_current: false },
	]);
	expect(workExperiences({ ...untouched, isCurrent: true })).toEqual([{ is_current: true }]);
});

const skills = [{ name: 'SQL' }];

it.each([
	[{ deadline: '2026-12-15', deadlineDays: 5 }, "Deadline in Days: use either this or 'Deadline'"],
	[{ skills: { skill: skills }, skillsJson: skills }, 'Skills (JSON): use either the form or JSON'],
	[{ workExperiencesJson: Array(11).fill({ role: 'x' }) }, ': 11 given, at most 10 are allowed'],
	// Somebody entered it.
	[{ skillsJson: '[{ "name": "SQL" }, {}]' }, 'Skills (JSON): entry 2: is empty'],
])('Additional Fields refuse %j: %s', (more, words) => {
	expect(sentWith(more).refusal).toContain(words);
});

it('Additional Fields take one of two ways, where the other is empty', () => {
	const deadline = '2026-11-26T04:59:59Z';
	const ways = [
		{ deadline: '', deadlineDays: 5, skills: { skill: [] }, skillsJson: skills },
		{ deadline: '2026-11-25', deadlineDays: '', skills: { skill: skills }, skillsJson: '[]' },
	];
	for (const way of ways) {
		expect(sentWith(way).request?.body).toMatchObject({ deadline, skills });
	}
});

const isConfirmed = (shown: object, sent: object) => {
	const request = { method: 'POST' as const, path: '/', body: { ...sent } };
	return invite.isConfirmedBy({ candidate_id: 'C-1', ...shown }, request);
};

/** Writes a text as a service may spell it: with other letters, spaces, or as a number. */
const spelling = fc
	.tuple(
		fc.constantFrom('toUpperCase', 'toLowerCase', 'trim'),
		fc.constantFrom('NFC', 'NFD', 'NFKC'),
		fc.constantFrom('', ' ', '\u00a0'),
		fc.boolean(),
	)
	.map(([change, form, space, asNumber]) => (text: string) => {
		if (asNumber && /^\d+$/.test(text)) return Number(text);
		return [space, ...text, space].join(space)[change]().normalize(form);
	});

it("an answer confirms its request in the service's own spelling, of either field or both", () => {
	const references = fc.oneof(
		reference,
		fc.constantFrom('471', '00471', '12345678901234567890', 'Straße-7', 'İZMİR 1', 'ΣΊΣΥΦΟΣ'),
	);
	const body = fc.record({ ext_reference_id: references, email: address });
	const missing = fc.constantFrom(undefined, null, '', ' ', {});
	fc.assert(
		fc.property(body, spelling, missing, (body, spelled, missing) => {
			const reference = spelled(body.ext_reference_id);
			const email = spelled(body.email);
			const anonymous = { ext_reference_id: body.ext_reference_id };
			for (const [shown, sent] of [
				[{ ext_reference_id: reference, email }, body],
				[{ ext_reference_id: reference, email: 'other@example.com' }, body],
				[{ ext_reference_id: 'OTHER', email }, body],
				[{ ext_reference_id: reference, email: missing }, body],
				[{ ext_reference_id: missing, email }, body],
				[{ ext_reference_id: missing, email: missing }, body],
				[{}, body],
				[{ ext_reference_id: reference, email: missing }, anonymous],
				[{ ext_reference_id: reference, email }, anonymous],
				[{ ext_reference_id: missing, email }, anonymous],
			]) {
				expect([shown, isConfirmed(shown, sent)]).toEqual([shown, true]);
			}
		}),
		{ numRuns: histories(300) },
	);
});

it.each([
	['ext_reference_id', 'email'],
	['ext_reference_id', undefined],
	[undefined, 'email'],
])('an answer that names somebody else, by %s and %s, confirms nothing', (...fields) => {
	const sent = { ext_reference_id: '471', email: 'jane@example.com' };
	for (const reference of ['472', 472, 'APP-471', '4710', 0]) {
		const others = { ext_reference_id: reference, email: 'joe@example.com' };
		const shown = Object.fromEntries(
			Object.entries(others).filter(([name]) => fields.includes(name)),
		);
		expect([shown, isConfirmed(shown, sent)]).toEqual([shown, false]);
	}
});

it("an anonymous candidate's reference decides alone, and an address only if one was sent", () => {
	const shown = { ext_reference_id: 'APP-2', email: 'jane@example.com' };
	expect(isConfirmed(shown, { ext_reference_id: 'APP-1' })).toBe(false);
	expect(isConfirmed(shown, { ext_reference_id: 'APP-1', email: 'jane@example.com' })).toBe(true);
});

it('an answer without a candidate confirms nothing, whoever it names', () => {
	const sent = { ext_reference_id: 'APP-1', email: 'jane@example.com' };
	expect(isConfirmed({ ...sent, candidate_id: '' }, sent)).toBe(false);
});
