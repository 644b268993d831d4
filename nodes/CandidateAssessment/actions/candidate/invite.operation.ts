import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { propertyHints } from '../../builderHints';
import { deadline, deadlineDays, MAX_DAYS_AHEAD } from '../../parameters/dates';
import { field, includeOtherFields, notice } from '../../parameters/field';
import { IN_NAMES } from '../../parameters/leftovers';
import { boolean, email, externalId, idOf, oneOf, string } from '../../parameters/rules';
import type { NodeParameters } from '../../parameters/NodeParameters';
import {
	alreadyInvitedOptions,
	UNCONFIRMED,
	type AlreadyInvitedChoice,
} from '../../memory/alreadyInvited';
import { applicationKey, identityOf } from '../../memory/identity';
import { isThisMachine } from '../../transport/credentials';
import type { ApiRequest } from '../../transport/types';
import type { Operation } from '../operation';
import { CANDIDATES_PATH, isCandidate } from './invitation';
import { skillsAndExperience, skillsAndExperienceProperties } from './skillsAndExperience';

/** False if `data` names somebody else: proxies mix up responses. The service may spell one field its way. */
function isAbout(sent: IDataObject, data: IDataObject): boolean {
	const matches = ['ext_reference_id', 'email'].flatMap((key) => {
		const [asked, shown] = [withoutCaseOrSpaces(sent[key]), withoutCaseOrSpaces(data[key])];
		return asked && shown ? asked === shown || Number(asked) === data[key] : [];
	});
	return matches.length === 0 || matches.includes(true);
}

function withoutCaseOrSpaces(value: unknown): string {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	// Normalizing takes quadratic time. What was sent is far shorter.
	const start = text.slice(0, 5_000);
	return start.normalize('NFKD').toLowerCase().toUpperCase().normalize('NFKD').replace(/\s/g, '');
}

const MAX_REFERENCE_LENGTH = 50;

/** Specification, "1. Create a candidate invitation". */
export const invite: Operation = {
	name: 'Invite',
	value: 'invite',
	action: 'Invite candidate',
	description: 'Invite a candidate to take the assessment for a job',
	properties: [
		field('Job ID', 'jobId', {
			required: true,
			placeholder: 'e.g. 3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
			hint: "Ask the service's support for this ID",
			builderHint: { propertyHint: propertyHints.id },
		}),
		field('External Reference ID', 'extReferenceId', {
			required: true,
			placeholder: 'e.g. APP-2026-0815',
			description: `Up to ${MAX_REFERENCE_LENGTH} characters. The result comes back with this ID.`,
			hint: 'Your own ID for this application, such as its number. No ID? Use the email address.',
			builderHint: { propertyHint: propertyHints.extReferenceId },
		}),
		field('Anonymous Candidate', 'isAnonymousCandidate', {
			type: 'boolean',
			default: false,
			description:
				'Whether to invite the candidate anonymously. Email and names are then optional. Any that you enter are still sent to the service.',
			builderHint: { propertyHint: propertyHints.isAnonymousCandidate },
		}),
		notice(
			'anonymousNotice',
			"Only 'External Reference ID' links the result to this candidate. Keep a record of whose it is.",
			{ displayOptions: { show: { isAnonymousCandidate: [true] } } },
		),
		...personalDetail('Email', 'email', {
			placeholder: 'e.g. nathan@example.com',
			hint: "Ask the service's support whether it emails the link to this address. If not, send it yourself.",
		}),
		...personalDetail('First Name', 'firstName', { placeholder: 'e.g. Nathan' }),
		...personalDetail('Last Name', 'lastName', { placeholder: 'e.g. Smith' }),
		field('If Already Invited', 'alreadyInvited', {
			type: 'options',
			options: alreadyInvitedOptions,
			default: 'skip',
			description:
				'What to do with a candidate this node has already invited (same job ID, external reference ID, and email)',
			hint: 'A different job ID, reference ID, or email address counts as new. A copy of this node treats everyone as new.',
			builderHint: { propertyHint: propertyHints.alreadyInvited },
		}),
		field('Additional Fields', 'additionalFields', {
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				field('Deadline', 'deadline', {
					type: 'dateTime',
					description:
						"When the assessment closes, in the workflow's time zone. A date without a time, or with midnight as the picker sets it, means the end of that day. If you set no deadline, it closes after 3 months, which is the maximum.",
				}),
				field('Deadline in Days', 'deadlineDays', {
					type: 'number',
					typeOptions: { minValue: 1, maxValue: MAX_DAYS_AHEAD, numberPrecision: 0 },
					default: 14,
					description: 'Number of days after today. 1 means the end of tomorrow.',
					hint: "Use either this or 'Deadline', not both",
				}),
				...skillsAndExperienceProperties,
			],
		}),
		includeOtherFields,
	],
	identifyingFields: ['jobId', 'extReferenceId', 'email'],
	request(params) {
		const isAnonymous = params.required('isAnonymousCandidate', boolean);
		const readPersonal = isAnonymous ? 'optional' : 'required';
		const name = string({ max: 255, leftovers: IN_NAMES });
		return {
			method: 'POST',
			path: CANDIDATES_PATH,
			body: {
				job_id: params.required('jobId', idOf('job')),
				ext_reference_id: params.required('extReferenceId', extReferenceId),
				is_anonymous_candidate: isAnonymous,
				email: params[readPersonal]('email', email({ max: 255 })),
				first_name: params[readPersonal]('firstName', name),
				last_name: params[readPersonal]('lastName', name),
				deadline: deadlineOf(params),
				...skillsAndExperience(params),
			},
		};
	},
	// The link comes first, because everybody looks for this column.
	output:
		() =>
		async ({ invitation_link: link, ...data }) => ({
			json: { invitation_link: typeof link === 'string' && link ? link : null, ...data },
		}),
	reference: (params) => params.optional('extReferenceId', extReferenceId),
	application: (params, request) => ({
		key: applicationKey(request.body),
		ifAlreadySent: params.optional('alreadyInvited', alreadyInvitedChoice) ?? 'skip',
	}),
	hints: inviteHints,
	receipt: 'invitation_link',
	isRepeatable: false,
	isConfirmedBy: (data, { body = {} }) => isCandidate(data) && isAbout(body, data),
	isResource: isCandidate,
	unknownOutcome: UNCONFIRMED,
	statusMessages: {
		404: {
			message: 'No job with this ID exists',
			description:
				"Check 'Job ID', and that the credential belongs to the account that has this job.",
		},
	},
};

const extReferenceId = externalId({ max: MAX_REFERENCE_LENGTH });

function deadlineOf(params: NodeParameters): string | undefined {
	const date = params.optional('deadline', deadline(params.now));
	const days = params.optional('deadlineDays', deadlineDays(params.now));
	if (date && days) params.fail('deadlineDays', "use either this or 'Deadline', not both");
	return date ?? days;
}

const alreadyInvitedChoice = oneOf(
	...alreadyInvitedOptions.map(({ value }) => value as AlreadyInvitedChoice),
);

/** Returns a field in two forms, so that n8n marks it as required unless the candidate is anonymous. */
function personalDetail(...given: Parameters<typeof field>): INodeProperties[] {
	const detail = field(...given);
	// An expression decides item by item: the optional form shows, and the rules decide.
	const trueOrAnExpression = { _cnd: { not: false } };
	return [
		{
			...detail,
			required: true,
			displayOptions: { hide: { isAnonymousCandidate: [trueOrAnExpression] } },
		},
		{ ...detail, displayOptions: { hide: { isAnonymousCandidate: [false] } } },
	];
}

/** These aren't errors: one external reference ID for everybody may be on purpose, and families share an address. */
export function inviteHints(requests: ApiRequest[], answers: IDataObject[], baseUrl: string) {
	const applications = requests.map(withPerson);
	const [sameId] = firstSharing(applications, 'reference', 'email');
	const [sameAddress] = firstSharing(applications, 'email', 'person');
	const [one, other] = firstSharing(applications, 'addressee', 'reference');
	const links = answers.map(({ invitation_link: link }) => String(link));
	const lost = links.filter((link) => !isReachable(link, baseUrl));
	const persons = answers.map(({ email, ext_reference_id: id }, at) => String(email || id || at));
	const lastPersons = new Map(links.map((link, at) => [link, persons[at]]));
	const sameLink = links.find(
		(link, at) => persons[at] !== lastPersons.get(link) && isReachable(link, baseUrl),
	);
	const old = answers.filter(isOld).map(({ ext_reference_id: reference }) => String(reference));
	return [
		sameId &&
			`Several candidates have the same external reference ID, such as '${sameId.reference}', so you can't tell their results apart. Give each application its own ID.`,
		sameAddress &&
			`Several candidates have the same email address, such as '${sameAddress.email}', so one inbox gets all their links. If these are different people, check their addresses.`,
		other &&
			`The same person, '${other.email}', is in this list under several external reference IDs, such as '${one.reference}' and '${other.reference}', and gets an invitation for each.`,
		lost.length > 0 &&
			`${lost.length} of ${links.length} invitation links don't work, such as '${lost[0]}'. Don't send them: ask the service's support to correct them.`,
		sameLink &&
			`Several candidates received the same invitation link, '${sameLink}'. Before you send it, ask the service's support whether it's right.`,
		old.length > 0 &&
			`${old.length} of ${links.length} invitations are expired or completed, such as that of '${old[0]}': the service had invited them before. Ask its support for new invitations.`,
	].filter((hint) => typeof hint === 'string');
}

function withPerson(request: ApiRequest) {
	const identity = identityOf(request.body);
	const { first_name: first, last_name: last } = request.body ?? {};
	const name = [first, last].filter(Boolean).join(' ').toLowerCase();
	const addressee = name && identity.email && `${name} ${identity.email}`;
	return { ...identity, person: name || identity.reference, addressee };
}

type Application = ReturnType<typeof withPerson>;

/** Returns the first two applications for one job that share a value, but differ in the other value; nothing if none do. */
function firstSharing(all: Application[], shared: keyof Application, other: keyof Application) {
	const firsts = new Map<string, Application>();
	for (const application of all) {
		const key = JSON.stringify([application.jobId, application[shared]]);
		const first = firsts.get(key) ?? application;
		firsts.set(key, first);
		if (application[shared] && application[other] !== first[other]) return [first, application];
	}
	return [];
}

/** False for an incomplete link, and for a link to the service's own machine. */
function isReachable(link: string, baseUrl: string): boolean {
	const isBroken = /^(?!https?:)|[{}\s]|[/=](undefined|null)(?![^/?&#])/.test(link);
	if (isBroken || !URL.canParse(link)) return false;
	return !isThisMachine(new URL(link)) || isThisMachine(new URL(baseUrl));
}

/** The service may answer with an earlier invitation. */
function isOld({ status, invitation_expired_at: expiry }: IDataObject): boolean {
	return /^completed$/i.test(String(status)) || Date.parse(String(expiry)) < Date.now();
}
