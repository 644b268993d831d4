import type { INodeParameters } from 'n8n-workflow';
import { operationProperties } from '../../nodes/CandidateAssessment/actions';
import { withEachField } from '../support/everyField';
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

const webhook = (more: INodeParameters = {}) => webhookUpdate(setup.service.webhookId, more);

/** A field alone has the text; the others are valid. */
const EACH_FIELD = operationProperties.flatMap((property) => {
	const { resource, operation } = property.displayOptions?.show ?? {};
	if (!resource || !operation || property.noDataExpression) return [];
	const where = { resource: String(resource[0]), operation: String(operation[0]) };
	return withEachField([property], TEXT).map((fields) => ({ ...where, ...fields }));
});

const byLink = (value: string) =>
	getByCode('', { invitationCode: { __rl: true, mode: 'link', value } });
const byJson = (skillsJson: string) => invitation({ additionalFields: { skillsJson } });

it.each<INodeParameters>([
	...EACH_FIELD,
	invitation({ email: '={{ $json.text }}@example.com' }),
	invitation({ email: '=jane@{{ $json.text }}' }),
	byJson('=[{{ $json.text }}'),
	byJson('={{ [{ [$json.text]: 1 }] }}'),
	byLink('=https://a.example/{{ $json.text }}'),
	byLink('=https://a.example/#/{{ $json.text }}'),
	webhookUpdate('id', { url: '=https://a.example/{{ $json.text }}' }),
])('n8n goes on answering while a field is 100 kB of anything: %j', async (fields) => {
	const others = { ...getByCode('inv-1', { downloadReport: true }), ...webhook(), ...invitation() };
	const parameters = { alreadyInvited: 'inviteAgain', ...others, ...fields };
	await expectLinearTime(async (length) => await runWith(parameters, length));
});

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

it.each([
	['retrieved', getByCode('inv-1', { downloadReport: true })],
	['invited', invitation({ alreadyInvited: 'inviteAgain', extReferenceId: '=A{{ $itemIndex }}' })],
])(
	'n8n goes on answering while a candidate that is %s has 100 kB of anything',
	async (_how, parameters) => {
		await expectLinearTime(async (length) => {
			for (const text of hostileTexts(length)) {
				const data = { candidate_id: `C${text}`, ext_reference_id: text, report_pdf_link: text };
				// So that the answer is about the candidate.
				Object.assign(data, { email: parameters.email });
				setup.service.faults.inject({ route: '*', status: 200, body: { data, meta: null } });
			}
			await runWith(parameters, length);
		});
	},
);
