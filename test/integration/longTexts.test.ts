import type { INodeParameters } from 'n8n-workflow';
import { hostileTexts, LONG, longestTurn } from '../support/processorTime.mts';
import { CONTINUE, getByCode, invitation, setUp, webhookUpdate } from './support/setup';

/** Anyone can enter text of any kind and length in a public form. n8n must keep answering everybody else. */

const setup = setUp();

const TEXT = '={{ $json.text }}';
const texts = hostileTexts();

/** Runs an operation for each text, from its own item. */
async function longestTurnOf(parameters: INodeParameters, of = texts) {
	const items = of.map((text) => ({ text }));
	return await longestTurn(async () => {
		const { full } = await setup.harness.run(parameters, items, CONTINUE);
		expect(full.data.resultData.error).toBeUndefined();
	});
}

const additional = (fields: INodeParameters) =>
	invitation({ alreadyInvited: 'inviteAgain', additionalFields: fields });
const webhook = (more: INodeParameters) => webhookUpdate(setup.service.webhookId, more);
const experience = (name: string) =>
	additional({ workExperiences: { workExperience: [{ [name]: TEXT }] } });
const invitationBy = (mode: string, value: string) =>
	getByCode('', { invitationCode: { __rl: true, mode, value } });

it.each<[field: string, parameters: () => INodeParameters]>([
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
])('n8n goes on answering while %s is 100 kB of anything', async (_field, parameters) => {
	expect(await longestTurnOf(parameters())).toBeLessThan(LONG);
});

/** In milliseconds of processor time. */
const SHORT = 100;

it.each<[field: string, parameters: () => INodeParameters]>([
	['a skill', () => additional({ skills: { skill: [{ name: TEXT }] } })],
	["a webhook's name", () => webhook({ name: TEXT })],
])(
	'nobody notices that %s, which has no maximum, is 1 MB of anything',
	async (_field, parameters) => {
		const slow: string[] = [];
		for (const text of hostileTexts(1_000_000)) {
			// Garbage collection counts as processor time, so the best of three runs decides.
			let shortest = Infinity;
			for (let run = 0; run < 3 && shortest >= SHORT; run += 1) {
				shortest = Math.min(shortest, await longestTurnOf(parameters(), [text]));
			}
			if (shortest >= SHORT) slow.push(`${text.slice(0, 10)}: ${shortest}`);
		}
		expect(slow).toEqual([]);
	},
	300_000,
);

it.each(['', '<html>', '{"message":"'])(
	'n8n goes on answering while the service says 100 kB of anything behind %j',
	async (start) => {
		for (const text of texts) {
			// Any other status would end the list after three in a row.
			setup.service.faults.inject({ route: '*', status: 422, body: start + text });
		}
		const parameters = webhook({ secret: String.raw`a\"%&; '+/b` });
		expect(await longestTurnOf(parameters)).toBeLessThan(LONG);
	},
);

it('n8n goes on answering while a candidate that is retrieved has 100 kB of anything', async () => {
	for (const text of texts) {
		const data = { candidate_id: text, ext_reference_id: text, report_pdf_link: text };
		setup.service.faults.inject({ route: '*', status: 200, body: { data, meta: null } });
	}
	const parameters = getByCode('inv-1', { downloadReport: true });
	expect(await longestTurnOf(parameters)).toBeLessThan(LONG);
});
