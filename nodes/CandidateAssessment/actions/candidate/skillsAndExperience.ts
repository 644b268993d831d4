import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { propertyHints } from '../../builderHints';
import type { NodeParameters } from '../../parameters/NodeParameters';
import { isoDate } from '../../parameters/dates';
import { field } from '../../parameters/field';
import { form } from '../../parameters/form';
import { IN_FREE_TEXT } from '../../parameters/leftovers';
import { boolean, json, listOf, object, string, type Rule } from '../../parameters/rules';

/**
 * The two lists of an invitation, each in a form or as JSON in the service's own field names. Specification, "Skill"
 * and "Work experience".
 */
const MAX_SKILLS = 15;
const MAX_WORK_EXPERIENCES = 10;

const DAY = { type: 'dateTime', typeOptions: { dateOnly: true } } as const;

export const skillsAndExperienceProperties = [
	...listProperties(
		{
			displayName: 'Skills',
			name: 'skills',
			placeholder: 'Add Skill',
			description: `What the candidate is good at, up to ${MAX_SKILLS} skills`,
			typeOptions: { multipleValues: true, maxAllowedFields: MAX_SKILLS },
		},
		{
			displayName: 'Skill',
			name: 'skill',
			values: [
				field('Name', 'name', { placeholder: 'e.g. TypeScript' }),
				field('Proficiency', 'proficiency', {
					placeholder: 'e.g. novice',
					description: "How proficient the candidate is. Use one of the service's own terms.",
				}),
			],
		},
		'e.g. [{ "name": "TypeScript", "proficiency": "novice" }]',
	),
	...listProperties(
		{
			displayName: 'Work Experiences',
			name: 'workExperiences',
			placeholder: 'Add Work Experience',
			description: `Where the candidate has worked, up to ${MAX_WORK_EXPERIENCES} positions`,
			typeOptions: { multipleValues: true, maxAllowedFields: MAX_WORK_EXPERIENCES },
		},
		{
			displayName: 'Work Experience',
			name: 'workExperience',
			values: [
				field('Organization', 'organization', { placeholder: 'e.g. Example Logistics' }),
				field('Role', 'role', { placeholder: 'e.g. Warehouse Manager' }),
				field('Start Date', 'startDate', { ...DAY, description: 'First day in the position' }),
				field('End Date', 'endDate', { ...DAY, description: 'Last day in the position' }),
				field('Is Current', 'isCurrent', {
					type: 'boolean',
					default: false,
					description: 'Whether the candidate still works there',
				}),
				field('Responsibilities and Achievements', 'responsibilitiesAchievements', {
					typeOptions: { rows: 3 },
					placeholder: 'e.g. Led a team of twelve',
				}),
			],
		},
		'e.g. [{ "organization": "Example Logistics", "role": "Manager", "start_date": "2020-02-01" }]',
	),
];

function listProperties(
	form: Omit<INodeProperties, 'type' | 'default' | 'options'>,
	entry: INodePropertyCollection,
	hint: string,
): INodeProperties[] {
	const name = `${form.name}Json`;
	const builderHint = { propertyHint: propertyHints.list(entry.name, name) };
	return [
		{ ...form, type: 'fixedCollection', builderHint, default: {}, options: [entry] },
		field(`${form.displayName} (JSON)`, name, {
			type: 'json',
			// Valid JSON, so that the editor does not open with an error.
			default: '[]',
			hint,
			description: 'A list, or an expression that gives one. Use it instead of the form.',
		}),
	];
}

const text = string({ leftovers: IN_FREE_TEXT });
const skills = listOf(object({ name: text, proficiency: text }), { max: MAX_SKILLS });
const workExperience = object({
	organization: text,
	role: text,
	is_current: boolean,
	responsibilities_achievements: text,
	start_date: isoDate,
	end_date: isoDate,
});
const workExperiences = listOf(workExperience, { max: MAX_WORK_EXPERIENCES });

/** Both lists. Throws `InvalidParameterError` where one breaks a rule, or was given in both ways. */
export function skillsAndExperience(params: NodeParameters): IDataObject {
	return {
		skills: list(params, 'skills', 'skill', skills),
		work_experiences: list(params, 'workExperiences', 'workExperience', workExperiences),
	};
}

/** An empty list is not sent. */
function list(
	params: NodeParameters,
	name: string,
	entryName: string,
	rule: Rule<IDataObject[]>,
): IDataObject[] | undefined {
	const entered = params.optional(name, form(entryName, rule));
	const asJson = params.optional(`${name}Json`, json(rule));
	if (entered?.length && asJson?.length) {
		params.fail(`${name}Json`, 'use either the form or JSON, not both');
	}
	return [entered, asJson].find((entries) => entries?.length);
}
