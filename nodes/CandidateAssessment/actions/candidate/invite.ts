import type { INodeProperties } from 'n8n-workflow';
import { deadline, string, uuid, boolean } from '../../parameters/rules';
import type { Operation } from '../operation';
import { isCandidate } from './candidate';
import {
	skillProperties,
	skills,
	workExperienceProperties,
	workExperiences,
} from './skillsAndExperience';
import { API_PATH } from '../../transport/apiPath';

/** Specification, "1. Create a candidate invitation". */
export const invite: Operation = {
	name: 'Invite',
	value: 'invite',
	action: 'Invite a candidate',
	description: 'Invite a candidate to take the assessment of a job',
	properties: [
		{
			displayName: 'Job ID',
			name: 'jobId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
			description: 'The job in the assessment service that the candidate is invited for',
			hint: "The job's ID in the assessment service, not its title",
		},
		{
			displayName: 'External Reference ID',
			name: 'extReferenceId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. APP-2026-0815',
			description:
				'Your own ID of this job application, at most 50 characters. It comes back with the result.',
			hint: 'Your own number for this application; it comes back with the result',
		},
		{
			displayName: 'Anonymous Candidate',
			name: 'isAnonymousCandidate',
			type: 'boolean',
			default: false,
			description:
				'Whether the candidate stays anonymous: email, first name and last name are optional then',
		},
		{
			displayName:
				'The external reference ID is then the only thing that tells whose result it is. Make sure that you can find the candidate by it.',
			name: 'anonymousNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { isAnonymousCandidate: [true] } },
		},
		...personalDetail('Email', 'email', 'e.g. nathan@example.com'),
		...personalDetail('First Name', 'firstName', 'e.g. Nathan'),
		...personalDetail('Last Name', 'lastName', 'e.g. Smith'),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Deadline',
					name: 'deadline',
					type: 'dateTime',
					default: '',
					description:
						"Until when the candidate can take the assessment, in the workflow's time zone: at most 3 months from now, and 3 months when left out",
				},
				...skillProperties,
				...workExperienceProperties,
			],
		},
	],
	request(params) {
		const isAnonymous = params.required('isAnonymousCandidate', boolean);
		const personal = (name: string) =>
			isAnonymous
				? params.optional(name, string({ max: 255 }))
				: params.required(name, string({ max: 255 }));
		return {
			method: 'POST',
			path: `${API_PATH}/standard/candidates`,
			body: {
				job_id: params.required('jobId', uuid),
				ext_reference_id: params.required('extReferenceId', string({ max: 50 })),
				is_anonymous_candidate: isAnonymous,
				email: personal('email'),
				first_name: personal('firstName'),
				last_name: personal('lastName'),
				deadline: params.optional('deadline', deadline(params.dateContext)),
				skills: skills(params),
				work_experiences: workExperiences(params),
			},
		};
	},
	reference: (params) => params.optional('extReferenceId', string()),
	receipt: ({ invitation_link: link }) => link,
	isRepeatable: false,
	isConfirmedBy: isCandidate,
	confidential: ({ body }) => personalTexts(body),
	unknownOutcome: {
		message: "Couldn't confirm whether this candidate was invited",
		description: 'Check the service for the invitation before sending it again.',
	},
	statusMessages: {
		404: {
			message: 'The service does not know this job',
			description:
				'Check the Job ID, and that the credential belongs to the account with this job.',
		},
	},
};

/** What an error may quote of an invitation; everything else is about a person. */
const QUOTABLE = new Set(['job_id', 'ext_reference_id', 'deadline', 'proficiency']);

function personalTexts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, field]) =>
		QUOTABLE.has(name) ? [] : personalTexts(field),
	);
}

/** One field in two forms, so that n8n marks it as required unless the candidate is anonymous. */
function personalDetail(displayName: string, name: string, placeholder: string): INodeProperties[] {
	const field: INodeProperties = { displayName, name, type: 'string', default: '', placeholder };
	// An expression decides item by item: the optional form shows, and the rules decide.
	const anExpression = { _cnd: { regex: '^=' } };
	return [
		{
			...field,
			required: true,
			displayOptions: { hide: { isAnonymousCandidate: [true, anExpression] } },
		},
		{ ...field, displayOptions: { hide: { isAnonymousCandidate: [false] } } },
	];
}
