import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { propertyHints } from '../../builderHints';
import type { NodeParameters } from '../../parameters/NodeParameters';
import { isoDate } from '../../parameters/dates';
import { field } from '../../parameters/field';
import { IN_FREE_TEXT } from '../../parameters/leftovers';
import {
	boolean,
	fail,
	isEmpty,
	json,
	listOf,
	object,
	string,
	type Rule,
} from '../../parameters/rules';

const MAX_SKILLS = 15;
const MAX_WORK_EXPERIENCES = 10;

const DAY = { type: 'dateTime', typeOptions: { dateOnly: true } } as const;

/** Specification, "Skill" and "Work experience". */
export const skillsAndExperienceProperties = [
	...listProperties({
		displayName: 'Skill',
		name: 'skill',
		max: MAX_SKILLS,
		description: `What the candidate is good at, up to ${MAX_SKILLS} skills`,
		values: [
			field('Name', 'name', { placeholder: 'e.g. TypeScript' }),
			field('Proficiency', 'proficiency', {
				placeholder: 'e.g. novice',
				description: "How proficient the candidate is. Use one of the service's own terms.",
			}),
		],
		hint: 'e.g. [{ "name": "TypeScript", "proficiency": "novice" }]',
	}),
	...listProperties({
		displayName: 'Work Experience',
		name: 'workExperience',
		max: MAX_WORK_EXPERIENCES,
		description: `Where the candidate has worked, up to ${MAX_WORK_EXPERIENCES} positions`,
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
		hint: 'e.g. [{ "organization": "Example Logistics", "role": "Manager", "start_date": "2020-02-01" }]',
	}),
];

interface List extends INodePropertyCollection {
	max: number;
	description: string;
	hint: string;
}

/** A list is entered in a form, or as JSON in the service's own field names. Its name is its entry's plus "s". */
function listProperties({ max, description, hint, ...entry }: List): INodeProperties[] {
	const { displayName, name } = entry;
	return [
		field(`${displayName}s`, `${name}s`, {
			type: 'fixedCollection',
			placeholder: `Add ${displayName}`,
			description,
			typeOptions: { multipleValues: true, maxAllowedFields: max },
			builderHint: { propertyHint: propertyHints.list(name, `${name}sJson`) },
			default: {},
			options: [entry],
		}),
		field(`${displayName}s (JSON)`, `${name}sJson`, {
			type: 'json',
			// Valid JSON, so that the editor doesn't open with an error.
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

/** Throws `InvalidParameterError` if a list breaks a rule, or was entered in both ways. */
export function skillsAndExperience(params: NodeParameters): IDataObject {
	return {
		skills: list(params, 'skill', skills),
		work_experiences: list(params, 'workExperience', workExperiences),
	};
}

/** An empty list isn't sent. */
function list(params: NodeParameters, name: string, rule: Rule<IDataObject[]>) {
	const entered = params.optional(`${name}s`, form(name, rule));
	const asJson = params.optional(`${name}sJson`, json(rule));
	if (entered?.length && asJson?.length) {
		params.fail(`${name}sJson`, 'use either the form or JSON, not both');
	}
	return [entered, asJson].find((entries) => entries?.length);
}

/** Takes the value of n8n's form, `{ skill: [{ … }] }`, as a list in the service's own field names. */
function form(entryName: string, rule: Rule<IDataObject[]>): Rule<IDataObject[]> {
	return (value) => {
		const { [entryName]: entered, ...others } = value as IDataObject;
		const rows = entered ?? [];
		const isForm = typeof value === 'object' && Object.keys(others).length === 0;
		if (!isForm || !Array.isArray(rows) || rows.some((row) => row !== Object(row))) {
			return fail("wrong format. Use the '(JSON)' field for a list from an expression");
		}
		return rule((rows as IDataObject[]).filter(isTouched).map(inServiceNames));
	};
}

/** An untouched row holds the defaults: empty texts, and a switch that is off. */
const isTouched = (row: IDataObject) =>
	Object.values(row).some((value) => !isEmpty(value) && value !== false);

const inServiceNames = (row: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			value,
		]),
	);
