import type { PartnerService } from '../../../mock-service/service.mts';
import type { Workflow } from '../../../tools/n8n/client.mts';
import { withCredential } from '../../../demo/workflows/parts.mts';
import { importFilledIn, JOB, type ExampleName } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import { fillIn } from '../../support/visitor.mts';
import {
	expect,
	finishOne,
	nodesRun,
	PERSON,
	TEAM,
	test,
	waitForStatuses,
	waitingForm,
	type Row,
} from './fixtures.mts';

// What the note Setup says, step by step, in its order, and nothing else. Then somebody gets a mail.

const ROW = { ...PERSON, application_id: 'APP-1', job_id: JOB };
const DECISION = 'result-to-decision';
const EXAMPLES = ['end-to-end', 'invite-from-a-list', 'apply-and-be-invited', 'catch-up', DECISION];

for (const name of EXAMPLES as ExampleName[]) {
	test(`${name}: after what its Setup says, in that order, the mail arrives`, async ({
		n8n: { client, baseUrl },
		service,
		credential,
		applications,
		mailServer,
		importExample,
	}) => {
		const { webhookId } = service;
		const { table } = applications;
		let workflow = await importFilledIn(client, name, { credential, webhookId, table });
		const edit = async (change: (node: Workflow['nodes'][0]) => object | undefined) => {
			const { nodes, versionId } = await client.getWorkflow(workflow.id);
			const changed = nodes.map((node) => ({ ...node, ...change(node) }));
			const body = { nodes: changed, versionId };
			workflow = await client.request('PATCH', `/rest/workflows/${workflow.id}`, body);
		};
		const enter = async (field: string, value: string) =>
			await edit(({ parameters }) =>
				String(parameters[field] ?? '=').startsWith('=')
					? undefined
					: { parameters: { ...parameters, [field]: value } },
			);
		// As imported.
		await enter('jobId', '');
		await enter('webhookId', '');
		await edit(() => ({ credentials: {} }));
		/** By the words of a step. */
		const steps: Array<[words: RegExp, todo: (step: string) => Promise<unknown>]> = [
			[
				/Candidate Assessment credential in/,
				async (step) =>
					await edit((node) =>
						step.includes(`**${node.name}**`)
							? { credentials: withCredential(credential) }
							: undefined,
					),
			],
			[/\*\*Job ID\*\*/, async () => await enter('jobId', JOB)],
			[/\*\*Webhook ID\*\*/, async () => await enter('webhookId', webhookId)],
			[/\*\*Set Up Once\*\*/, async () => await applications.setUp(workflow)],
			[/Add your applicants/, async () => await applications.add([ROW])],
			[
				/Import and publish \*Result to decision\*/,
				async () => {
					const { id } = await importExample(DECISION, { isPublished: true });
					const workflowId = { __rl: true, mode: 'list', value: id };
					await edit((node) =>
						node.name === 'Hand Over The Result'
							? { parameters: { ...node.parameters, workflowId } }
							: undefined,
					);
				},
			],
			[
				/email account/,
				async () => {
					const mails = workflow.nodes.filter(({ type }) => type.endsWith('.emailSend'));
					const { credentials, parameters } = await mailServer.sends(
						client,
						mails.map((node) => node.name),
					);
					await edit((node) =>
						node.name in parameters
							? {
									disabled: false,
									credentials: { smtp: credentials[node.name] },
									parameters: {
										...node.parameters,
										...parameters[node.name],
										...(node.parameters.toEmail === '' && TEAM),
									},
								}
							: undefined,
					);
				},
			],
			[/(^\d|\.) Publish[.:]/, async () => await client.publish(workflow.id)],
			// What nothing has to be done for.
			[/sample|Sample|first real call/, async () => {}],
		];
		const note = workflow.nodes.find((node) => node.name === 'Setup')!;
		for (const step of String(note.parameters.content)
			.split(/\n(?=\d\. )/)
			.slice(1)) {
			const found = steps.filter(([words]) => words.test(step));
			expect(found, step).not.toEqual([]);
			for (const [, todo] of found) await todo(step);
		}

		const { versionId, activeVersionId, nodes } = await client.getWorkflow(workflow.id);
		expect(activeVersionId, 'what is published is what was set up').toBe(versionId);
		const start = nodes.find(({ type }) => type.endsWith('.scheduleTrigger'))?.name;
		let to = PERSON.email;
		if (name === DECISION) {
			const { email } = await finishOne(service);
			const [waiting] = await waitForStatuses(client, workflow.id, ['waiting']);
			expect(mailServer.mails.map((mail) => mail.to)).toEqual([TEAM.toEmail]);
			await fillIn(waitingForm(waiting, nodesRun(waiting).at(-1)!, baseUrl), ['Reject']);
			to = String(email);
		} else if (start) {
			// Its next morning, at once: as the note says, without the sample data.
			await client.request('PATCH', `/rest/workflows/${workflow.id}`, { pinData: {}, versionId });
			if (name === 'catch-up') await applications.add([await openRow(service)]);
			await client.runToEnd(workflow.id, start);
		} else {
			const { webhookId: path } = nodes.find(({ type }) => type.endsWith('.formTrigger'))!;
			await fillIn(`${baseUrl}/form/${path}`, [PERSON.first_name, PERSON.last_name, to]);
		}
		await expect.poll(() => mailServer.mails.at(-1)?.to).toBe(to);
		await client.unpublish(workflow.id);
	});
}

/** Of somebody who was invited, and has no mail yet. */
async function openRow(service: PartnerService): Promise<Row> {
	const { ext_reference_id, job_id, invitation_link } = await inviteAt(service);
	const open_until = new Date(Date.now() + 10 * 86_400_000).toISOString();
	const row = { ...PERSON, application_id: ext_reference_id, job_id, status: 'invited' };
	return { ...row, invitation_link, open_until };
}
