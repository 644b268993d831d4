import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { operationProperties } from '../../nodes/CandidateAssessment/actions';
import { expectLinearTime, hostileTexts } from '../support/processorTime.mts';
import { CONTINUE, getByCode, invitation, setUp, webhookUpdate } from './support/setup';

/** Anyone can enter text of any kind and length in a public form. n8n must keep answering everybody else. */

const setup = setUp();

const TEXT = '={{ $json.text }}';

/** Runs an operation for each text, from its own item. */
async function runWith(parameters: INodeParameters, length: number) {
	const items = hostileTexts(length).map((text) => ({ text }));
	const { full } = await setup.harness.run(parameters, items, CONTINUE);
	expect(full.data.resultData.error).toBeUndefined();
}

const additional = (fields: INodeParameters) =>
	invitation({ alreadyInvited: 'inviteAgain', additionalFields: fields });
const webhook = (more: INodeParameters) => webhookUpdate(setup.service.webhookId, more);
const experience = (name: string) =>
	additional({ workExperiences: { workExperience: [{ [name]: TEXT }] } });
const invitationBy = (mode: string, value: string) =>
	getByCode('', { invitationCode: { __rl: true, mode, value } });

const CASES: Array<[field: string, parameters: () => INodeParameters]> = [
	...['jobId', 'extReferenceId', 'email', 'firstName', 'lastName', 'isAnonymousCandidate'].map(
		(name): [string, () => INodeParameters] => [name, () => invitation({ [name]: TEXT })],
	),
	['email', () => invitation({ email: '={{ $json.text }}@example.com' })],
	['email', () => invitation({ email: '=jane@{{ $json.text }}' })],
	['alreadyInvited', () => invitation({ alreadyInvited: TEXT })],
	...['deadline', 'deadlineDays', 'skillsJson', 'workExperiencesJson'].map(
		(name): [string, () => INodeParameters] => [name, () => additional({ [name]: TEXT })],
	),
	['skillsJson', () => additional({ skillsJson: '=[{{ $json.text }}' })],
	['skillsJson', () => additional({ skillsJson: '={{ [{ [$json.text]: 1 }] }}' })],
	['skills', () => additional({ skills: { skill: [{ name: TEXT }] } })],
	['skills', () => additional({ skills: { skill: [{ proficiency: TEXT }] } })],
	...[
		'organization',
		'role',
		'startDate',
		'endDate',
		'isCurrent',
		'responsibilitiesAchievements',
	].map((name): [string, () => INodeParameters] => [name, () => experience(name)]),
	['a link', () => invitationBy('link', TEXT)],
	['a link', () => invitationBy('link', '=https://a.example/{{ $json.text }}')],
	['a link', () => invitationBy('link', '=https://a.example/#/{{ $json.text }}')],
	['a code', () => invitationBy('code', TEXT)],
	[
		'binaryPropertyName',
		() => getByCode('inv-1', { downloadReport: true, binaryPropertyName: TEXT }),
	],
	...['webhookId', 'name', 'url', 'events', 'secret'].map(
		(name): [string, () => INodeParameters] => [name, () => webhook({ [name]: TEXT })],
	),
	['url', () => webhook({ url: '=https://a.example/{{ $json.text }}' })],
	['status', () => webhook({ operation: 'setStatus', status: TEXT })],
];

/** The names of all fields that hold more than a yes or no, including fields within lists. */
function textFieldsOf(fields: INodeProperties[]): string[] {
	return fields.flatMap(({ name, type, options = [] }) => {
		if (['notice', 'boolean'].includes(type)) return [];
		if (type === 'collection') return textFieldsOf(options as INodeProperties[]);
		if (type !== 'fixedCollection') return [name];
		return (options as INodePropertyCollection[]).flatMap(({ values }) => textFieldsOf(values));
	});
}

/** The fields that have the text. Of an invitation, it's code or link. */
function fieldsWithText(value: object): string[] {
	return Object.entries(value).flatMap(([name, entry]) => {
		if (typeof entry === 'object' && entry) return [name, ...fieldsWithText(entry)];
		return String(entry).includes('$json.text') ? [name] : [];
	});
}

it('tries each field', () => {
	const tried = CASES.flatMap(([, parameters]) => fieldsWithText(parameters()));
	const fields = textFieldsOf(operationProperties);
	expect(fields.filter((name) => !['resource', 'operation', ...tried].includes(name))).toEqual([]);
	expect(fields.length).toBeGreaterThan(15);
});

it.each(CASES)(
	'n8n goes on answering while %s is 100 kB of anything',
	async (_field, parameters) => {
		await expectLinearTime(async (length) => await runWith(parameters(), length));
	},
);

it.each(['', '<html>', '{"message":"'])(
	'n8n goes on answering while the service says 100 kB of anything behind %j',
	async (start) => {
		const parameters = webhook({ secret: String.raw`a\"%&; '+/b` });
		await expectLinearTime(async (length) => {
			for (const text of hostileTexts(length)) {
				// Any other status would end the list after three in a row.
				setup.service.faults.inject({ route: '*', status: 422, body: start + text });
			}
			await runWith(parameters, length);
		});
	},
);

it('n8n goes on answering while a candidate that is retrieved has 100 kB of anything', async () => {
	const parameters = getByCode('inv-1', { downloadReport: true });
	await expectLinearTime(async (length) => {
		for (const text of hostileTexts(length)) {
			const data = { candidate_id: text, ext_reference_id: text, report_pdf_link: text };
			setup.service.faults.inject({ route: '*', status: 200, body: { data, meta: null } });
		}
		await runWith(parameters, length);
	});
});
