import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { RESULT_READY, RESULT_READY_NAME } from './actions/webhook/events';
import { triggerProperties } from './trigger/properties';
import { receive } from './trigger/receive';
import { create, remove } from './trigger/hooks';

export class CandidateAssessmentTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Candidate Assessment Trigger',
		name: 'candidateAssessmentTrigger',
		icon: {
			light: 'file:../../icons/candidateAssessment.svg',
			dark: 'file:../../icons/candidateAssessment.dark.svg',
		},
		group: ['trigger'],
		// For a webhook of version 1, n8n evaluates an expression on every call (docs/profile.md).
		version: [1, 1.1],
		subtitle: `={{ $parameter["registration"] === "manual" ? "Manual registration" : [$parameter["events"]].flat().map((name) => name === "${RESULT_READY}" ? "${RESULT_READY_NAME}" : name).join(", ") }}`,
		// n8n lists this node and the action node as one entry, which has this description.
		description: 'Invite candidates to an assessment, and start a workflow when a result is ready',
		defaults: { name: 'Candidate Assessment Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'candidateAssessmentApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
				// Only who registers by hand has to copy it.
				ndvHideUrl: '={{ $parameter["registration"] !== "manual" }}',
			},
		],
		triggerPanel: {
			header: 'Try it with one finished assessment',
			executionsHelp: {
				inactive:
					'<b>To try it</b>, click <b>Execute step</b>, then finish an assessment: open an invitation link as the candidate would. While you listen, the webhook is borrowed: its events come here, and afterwards it goes back to where it was.<br /><br /><b>To use it</b>, publish the workflow. This points the webhook to it and switches it on; every result then runs the workflow.',
				active:
					'<b>To try it</b>, click <b>Execute step</b>, then finish an assessment: open an invitation link as the candidate would. While you listen, events come here instead of to the published workflow; afterwards they go there again.<br /><br /><b>In use</b>: every result runs the published workflow. Find its runs in the <a data-key="executions">executions list</a>.',
			},
			activationHint:
				'Once published, every result runs the workflow, without the editor being open.',
		},
		eventTriggerDescription:
			'Now finish an assessment: open an invitation link as the candidate would',
		properties: triggerProperties,
	};

	webhookMethods = {
		default: {
			/** `create` finds out. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await create(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				await remove(this);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
