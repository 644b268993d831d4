import * as fc from 'fast-check';
import { invite } from '../../nodes/CandidateAssessment/actions/candidate/invite';
import { charactersIn, dayIn, endOfDay, invitationFaults } from './support/specification';
import {
	anything,
	filledText,
	momentAt,
	NOW,
	pastedUuid,
	requestOrRefusal,
} from './support/arbitraries';
import { histories } from '../support/histories.mts';

const now = new Date(NOW);
const TIMEZONE = 'America/New_York';
const moment = { now: momentAt(NOW, TIMEZONE) };

/** The entered parameters, and the body fields that they become. */
interface Part {
	parameters: Record<string, unknown>;
	body: Record<string, unknown>;
}

const both = (
	name: string,
	field: string,
	values: fc.Arbitrary<{ params: unknown; sent: unknown }>,
) =>
	values.map(({ params, sent }): Part => ({
		parameters: { [name]: params },
		body: { [field]: sent },
	}));

/** leftovers.test.ts tests the leftovers of data errors. */
const isIntact = (text: string) =>
	!/[?#&{|<$\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cc}|^['=@+＝＠＋]/u.test(text);

const name = fc
	.tuple(filledText(255).filter(isIntact), fc.constantFrom('', ' ', '\n', '\u00a0'))
	.map(([text, blanks]) => ({ params: `${blanks}${text}${blanks}`, sent: text }));

const nothing: Part = { parameters: {}, body: {} };

/** Excludes leftovers of missing values and presentation forms (refused), and invisible characters (dropped). */
const isTelling = (text: string) =>
	isIntact(text) &&
	!/[\p{DI}\u2800\ufff9-\ufffb\ufb00-\ufef4]|undefined|NaN|null|\be\+|\d{3}[.,]0|\[object|Invalid Date/iu.test(
		text,
	);

const localPart = filledText(120)
	.map((part) => part.normalize('NFC'))
	.filter((part) => !/[\s@,;:<>()[\]\\"'`´′‚„\p{Pi}\p{Pf}]/u.test(part) && isTelling(part));

const label = fc
	.string({ unit: fc.constantFrom(...'abcxyz019äßéłñşжяøλ例え한'), minLength: 1, maxLength: 20 })
	.map((letters) => letters.normalize('NFC'));

const domain = fc
	.tuple(
		label,
		fc.constantFrom('', '-', '.'),
		label,
		fc.constantFrom('com', 'de', 'xn--p1ai', '例え'),
	)
	.map(([first, between, second, last]) => `${first}${between}${second}.${last}`);

/** Perhaps with blanks from careless copying. */
const reference = fc.oneof(
	fc
		.tuple(
			filledText(50)
				.map((text) => text.normalize('NFC'))
				// A few characters become two when they are composed.
				.filter((text) => isTelling(text) && !text.includes('@') && charactersIn(text) <= 50),
			fc.constantFrom('', ' ', '\n', '\u00a0', '\u200b', '\ufeff \u2060'),
		)
		.map(([text, around]) => ({ params: `${around}${text}${around}`, sent: text })),
	fc.integer().map((number) => ({ params: number, sent: String(number) })),
);

const personal = (parameter: string, field: string) =>
	both(parameter, field, parameter === 'email' ? address : name);

/** Text before and after one @, perhaps with blanks from careless copying. */
const address = fc
	.tuple(localPart, domain, fc.constantFrom('', ' ', '\n', '\u00a0', '\u200b', '\u200e '))
	.map(([local, domain, blanks]) => ({
		params: `${blanks}${local}@${domain}${blanks}`,
		sent: `${local}@${domain}`,
	}));

const leftEmpty = (name: string) =>
	fc
		.constantFrom(undefined, null, '', '  ', '\n')
		.map((value): Part => ({ parameters: { [name]: value }, body: {} }));

const flag = (value: boolean) =>
	fc.constantFrom(value, String(value), ` ${String(value).toUpperCase()} `);

const sentAs = (due: Date) => due.toISOString().replace('.000Z', 'Z');

/** The tests of dates cover other ways to write a deadline. */
const deadline = fc
	.tuple(fc.constantFrom('deadline', 'deadlineDays'), fc.integer({ min: 1, max: 92 }))
	.map(([name, days]): Part => {
		const day = dayIn(TIMEZONE, new Date(now.getTime() + days * 24 * 3600_000));
		return {
			parameters: { [name]: name === 'deadline' ? day : days },
			body: { deadline: sentAs(endOfDay(day, TIMEZONE)) },
		};
	});

const dayText = fc
	.date({ min: new Date('1950-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
	.map((date) => date.toISOString().slice(0, 10));

/** The service's own field names. Omitted fields stay omitted. */
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

const inFormNames = (entry: object) =>
	Object.fromEntries(
		Object.entries(entry).map(([name, value]) => [
			name.replace(/_./g, (letters) => letters[1].toUpperCase()),
			value,
		]),
	);

/** One list, entered in the form, as JSON, or as an array from an expression. */
const list = <T extends object>(
	name: string,
	entryName: string,
	field: string,
	entry: fc.Arbitrary<T>,
	max: number,
) =>
	fc
		.tuple(
			fc.array(entry, { minLength: 1, maxLength: max }),
			fc.constantFrom('form', 'text', 'list'),
		)
		.map(([entries, way]): Part => ({
			parameters: {
				form: { [name]: { [entryName]: entries.map(inFormNames) } },
				text: { [`${name}Json`]: JSON.stringify(entries) },
				list: { [`${name}Json`]: entries },
			}[way] as Record<string, unknown>,
			body: { [field]: entries },
		}));

const maybe = (part: fc.Arbitrary<Part>) => fc.option(part, { nil: nothing, freq: 2 });

const additionalFields = fc
	.tuple(
		maybe(deadline),
		maybe(list('skills', 'skill', 'skills', skill, 15)),
		maybe(list('workExperiences', 'workExperience', 'work_experiences', workExperience, 10)),
	)
	.map((parts): Part => {
		const { parameters, body } = together(parts);
		return { parameters: { additionalFields: parameters }, body };
	});

function together(parts: Part[]): Part {
	return {
		parameters: Object.assign({}, ...parts.map(({ parameters }) => parameters)) as Part['body'],
		body: Object.assign({}, ...parts.map(({ body }) => body)) as Part['body'],
	};
}

const validInvitation = fc.boolean().chain((isAnonymous) => {
	const detail = (name: string, field: string) =>
		isAnonymous ? fc.oneof(personal(name, field), leftEmpty(name)) : personal(name, field);
	return fc
		.tuple(
			both('jobId', 'job_id', pastedUuid),
			both('extReferenceId', 'ext_reference_id', reference),
			flag(isAnonymous).map((value): Part => ({
				parameters: { isAnonymousCandidate: value },
				body: { is_anonymous_candidate: isAnonymous },
			})),
			detail('email', 'email'),
			detail('firstName', 'first_name'),
			detail('lastName', 'last_name'),
			additionalFields,
		)
		.map(together);
});

const right = validInvitation.map(({ parameters }) => parameters);
const names = invite.properties.map(({ name }) => name);
const additionalNames = invite.properties
	.flatMap(({ name, options = [] }) => (name === 'additionalFields' ? options : []))
	.map(({ name }) => name);

it('a valid invitation is never refused, and arrives unchanged', () => {
	fc.assert(
		fc.property(validInvitation, ({ parameters, body }) => {
			const { request, refusal } = requestOrRefusal(invite, parameters, moment);
			expect(refusal).toBeUndefined();
			expect(request).toEqual({
				method: 'POST',
				path: '/partner/v1.0/standard/candidates',
				body,
			});
			expect(invitationFaults(request?.body, now)).toEqual([]);
		}),
		{ numRuns: histories(150) },
	);
});

it('an invitation with anything in any field is refused by a rule, or sent as the specification has it', () => {
	const seen = { sent: 0, refused: 0 };
	const within = (entryName: string, entry: fc.Arbitrary<object>) =>
		fc
			.tuple(entry, fc.nat(), fc.oneof(anything, fc.constant('MÃ¼ller')))
			.map(([filled, at, value]) => {
				const fields = Object.keys(filled);
				const odd = { ...filled, [fields[at % fields.length]]: value };
				return at % 2 ? [odd] : { [entryName]: [inFormNames(odd)] };
			});
	const value = fc.oneof(
		anything,
		within('skill', skill),
		within('workExperience', workExperience),
	);
	fc.assert(
		fc.property(
			right,
			fc.constantFrom(...names, ...additionalNames),
			value,
			(parameters, name, odd) => {
				const additionalFields = { [name]: odd };
				const hostile = names.includes(name) ? additionalFields : { additionalFields };
				const { request } = requestOrRefusal(invite, { ...parameters, ...hostile }, moment);
				seen[request ? 'sent' : 'refused']++;
				if (request) expect(invitationFaults(request.body, now)).toEqual([]);
			},
		),
		{ numRuns: histories(300) },
	);
	// A node that refuses everything, or only gets valid input, would fulfill the property.
	expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(50);
});

const parameters = {
	jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
	extReferenceId: 'APP-1',
	isAnonymousCandidate: true,
};
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
	const oneOfEach = { deadline: '', deadlineDays: 5, skills: { skill: [] }, skillsJson: skills };
	const deadline = '2026-11-26T04:59:59Z';
	expect(sentWith(oneOfEach).request?.body).toMatchObject({ deadline, skills });
});

/** A text as a service may spell it: with other letters, spaces, or as a number. */
const spelled = (text: string) =>
	fc
		.tuple(
			fc.constantFrom('toUpperCase', 'toLowerCase', 'trim'),
			fc.constantFrom('NFC', 'NFD', 'NFKC'),
			fc.constantFrom('', ' ', '\u00a0'),
			fc.boolean(),
		)
		.map(([change, form, space, asNumber]) => {
			const number = Number(text);
			if (asNumber && /^\d+$/.test(text)) return number;
			return [space, ...text, space].join(space)[change]().normalize(form);
		});

const missing = fc.constantFrom(undefined, null, '', ' ', {});

const isConfirmed = (shown: object, sent: object) => {
	const request = { method: 'POST' as const, path: '/', body: { ...sent } };
	return invite.isConfirmedBy?.({ candidate_id: 'C-1', ...shown }, request);
};

it("an answer confirms its request in the service's own spelling, of either field or both", () => {
	const references = fc.oneof(
		reference.map(({ sent }) => sent),
		fc.constantFrom('471', '00471', '12345678901234567890', 'Straße-7', 'İZMİR 1', 'ΣΊΣΥΦΟΣ'),
	);
	const addresses = fc.tuple(localPart, domain).map((parts) => parts.join('@'));
	const sent = fc.record({ ext_reference_id: references, email: addresses });
	const cases = sent.chain((body) =>
		fc.record({
			body: fc.constant(body),
			reference: spelled(body.ext_reference_id),
			email: spelled(body.email),
			missing,
		}),
	);
	fc.assert(
		fc.property(cases, ({ body, reference, email, missing }) => {
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

it('comparing an answer costs no more than what was sent is long', () => {
	const normalize = jest.spyOn(String.prototype, 'normalize');
	const marks = '\u0301\u0316'.repeat(50_000);
	const sent = { ext_reference_id: 'APP-1', email: 'jane@example.com' };
	try {
		expect(isConfirmed({ ext_reference_id: marks, email: marks }, sent)).toBe(false);
		expect(isConfirmed({ ext_reference_id: marks, email: sent.email }, sent)).toBe(true);
		// Normalizing takes quadratic time.
		const longest = Math.max(...normalize.mock.contexts.map((text) => String(text).length));
		expect(longest).toBeLessThan(20_000);
	} finally {
		normalize.mockRestore();
	}
});

it('an answer without a candidate confirms nothing, whoever it names', () => {
	const sent = { ext_reference_id: 'APP-1', email: 'jane@example.com' };
	expect(isConfirmed({ ...sent, candidate_id: '' }, sent)).toBe(false);
});
