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
import { applicationKey } from '../../memory/identity';
import type { Operation } from '../operation';
import { CANDIDATES_PATH, isCandidate } from './invitation';
import { inviteHints } from './inviteHints';
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
		key: applicationKey(request),
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
