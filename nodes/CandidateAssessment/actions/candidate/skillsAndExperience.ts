import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { NodeParameters } from '../../parameters/NodeParameters';
import {
	isoDate,
	json,
	listOf,
	object,
	ValidationError,
	string,
	boolean,
	type Rule,
} from '../../parameters/rules';

/**
 * The two lists of an invitation. Each can be entered in a form or given as JSON in the service's
 * own field names; both ways meet the same rule. Specification, "Skill" and "Work experience".
 */
const MAX_SKILLS = 15;
const MAX_WORK_EXPERIENCES = 10;

export const skillProperties: INodeProperties[] = [
	{
		displayName: 'Skills',
		name: 'skills',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Skill',
		default: {},
		description: `What the candidate is good at, at most ${MAX_SKILLS} skills`,
		options: [
			{
				displayName: 'Skill',
				name: 'skill',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. TypeScript',
					},
					{
						displayName: 'Proficiency',
						name: 'proficiency',
						type: 'string',
						default: '',
						placeholder: 'e.g. novice',
						description: "How well the candidate masters it, in the service's own words",
					},
				],
			},
		],
	},
	{
		displayName: 'Skills (JSON)',
		name: 'skillsJson',
		type: 'json',
		default: '',
		placeholder: '[{ "name": "TypeScript", "proficiency": "novice" }]',
		description:
			"The skills as a list from another system, in the service's own field names, instead of the form",
	},
];

export const workExperienceProperties: INodeProperties[] = [
	{
		displayName: 'Work Experiences',
		name: 'workExperiences',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Work Experience',
		default: {},
		description: `Where the candidate has worked, at most ${MAX_WORK_EXPERIENCES} positions`,
		options: [
			{
				displayName: 'Work Experience',
				name: 'workExperience',
				values: [
					{
						displayName: 'End Date',
						name: 'endDate',
						type: 'dateTime',
						default: '',
						description: 'Last day in the position; the time of day is not sent',
					},
					{
						displayName: 'Is Current',
						name: 'isCurrent',
						type: 'boolean',
						default: false,
						description: 'Whether the candidate still works there',
					},
					{
						displayName: 'Organization',
						name: 'organization',
						type: 'string',
						default: '',
						placeholder: 'e.g. Example Logistics',
					},
					{
						displayName: 'Responsibilities and Achievements',
						name: 'responsibilitiesAchievements',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '',
						placeholder: 'e.g. Led a team of twelve',
					},
					{
						displayName: 'Role',
						name: 'role',
						type: 'string',
						default: '',
						placeholder: 'e.g. Warehouse Manager',
					},
					{
						displayName: 'Start Date',
						name: 'startDate',
						type: 'dateTime',
						default: '',
						description: 'First day in the position; the time of day is not sent',
					},
				],
			},
		],
	},
	{
		displayName: 'Work Experiences (JSON)',
		name: 'workExperiencesJson',
		type: 'json',
		default: '',
		placeholder: '[{ "organization": "Example Logistics", "role": "Manager" }]',
		description:
			"The positions as a list from another system, in the service's own field names, instead of the form",
	},
];

/** Throws `InvalidField` where the list breaks a rule, or was given in both ways. */
export function skills(params: NodeParameters): IDataObject[] | undefined {
	const skill = object({ name: string(), proficiency: string() });
	return list(params, 'skills', 'skill', listOf(skill, { max: MAX_SKILLS }));
}

/** Throws `InvalidField` where the list breaks a rule, or was given in both ways. */
export function workExperiences(params: NodeParameters): IDataObject[] | undefined {
	const day = isoDate(params.dateContext);
	const workExperience = object({
		organization: string(),
		role: string(),
		is_current: boolean,
		responsibilities_achievements: string(),
		start_date: day,
		end_date: day,
	});
	const rule = listOf(workExperience, { max: MAX_WORK_EXPERIENCES });
	return list(params, 'workExperiences', 'workExperience', rule);
}

function list(
	params: NodeParameters,
	name: string,
	entryName: string,
	rule: Rule<IDataObject[]>,
): IDataObject[] | undefined {
	const entered = params.optional(name, form(entryName, rule));
	const asJson = params.optional(`${name}Json`, json(rule));
	if (entered?.length && asJson?.length) {
		params.fail(`${name}Json`, 'given beside the form; use one of the two');
	}
	return [entered, asJson].find((entries) => entries?.length);
}

/** What n8n's form gives, `{ skill: [{ … }] }`, as a list in the service's own field names. */
function form(entryName: string, rule: Rule<IDataObject[]>): Rule<IDataObject[]> {
	return (value) => {
		const entries = (value as IDataObject)[entryName] ?? [];
		const isForm = typeof value === 'object' && Array.isArray(entries);
		if (!isForm || Object.keys(value as object).some((key) => key !== entryName)) {
			throw new ValidationError(
				'is not what the form gives; a list from an expression goes into JSON',
			);
		}
		return rule(entries.map(inServiceNames));
	};
}

function inServiceNames(entry: unknown): unknown {
	if (typeof entry !== 'object' || entry === null) return entry;
	return Object.fromEntries(
		Object.entries(entry).map(([name, field]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			field,
		]),
	);
}
