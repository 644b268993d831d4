import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { eventOptions } from './actions/webhook/webhooks';
import { triggerBuilderHint } from './builderHints';
import { triggerProperties } from './trigger/properties';
import { receive } from './trigger/receive';
import { webhookMethods } from './trigger/webhookMethods';

const EVENT_NAMES = Object.fromEntries(eventOptions.map(({ value, name }) => [value, name]));

const HOW_TO_TEST =
	'<b>To test</b>, complete an assessment up to its last page, click <b>Execute step</b>, then submit the assessment within two minutes. Its result comes here, and the webhook is restored afterwards.';

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
		version: 1.1,
		subtitle: `={{ $parameter["registration"] === "manual" ? "Manual Registration" : [$parameter["events"]].flat().map((name) => (${JSON.stringify(EVENT_NAMES)})[name] ?? name).join(", ") }}`,
		// n8n lists this node and the action node as one entry, which has this description.
		description:
			"Start a workflow when a candidate's result is ready. Actions invite candidates and get their scores.",
		defaults: { name: 'Candidate Assessment Trigger' },
		builderHint: triggerBuilderHint,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'candidateAssessmentApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
				// Needed for manual registration only.
				ndvHideUrl: '={{ $parameter["registration"] !== "manual" }}',
			},
		],
		triggerPanel: {
			header: 'Publish once, then test by submitting an assessment',
			executionsHelp: {
				inactive: `<b>Publish once, then test.</b> A test borrows the webhook that publishing registers. Once published, every event runs the workflow.<br /><br />${HOW_TO_TEST}`,
				active: `${HOW_TO_TEST}<br /><br /><b>In production</b>, every event runs the published workflow. Find its runs in the <a data-key="executions">executions list</a>.`,
			},
			activationHint:
				'Once you publish the workflow, every event runs it, even with the editor closed.',
		},
		activationMessage:
			"Results that are ready from now on start this workflow. Earlier ones don't: look those up with Candidate: Get.",
		eventTriggerDescription:
			'Submit an assessment as a candidate would. Its result comes here. Waits two minutes.',
		properties: triggerProperties,
	};

	webhookMethods = webhookMethods;

	webhook = receive;
}
