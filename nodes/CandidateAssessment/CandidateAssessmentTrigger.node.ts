import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { eventOptions } from './actions/webhook/webhooks';
import { triggerBuilderHint } from './builderHints';
import { triggerProperties } from './trigger/properties';
import { receive } from './trigger/receive';
import { webhookMethods } from './trigger/webhookMethods';

const EVENT_NAMES = Object.fromEntries(eventOptions.map(({ value, name }) => [value, name]));

const HOW_TO_TEST =
	'<b>To test</b>, complete an assessment up to its last page, click <b>Execute step</b>, then submit the assessment within two minutes. The result appears here. The webhook is restored after the test.';

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
		description: 'Invite candidates, get their scores, and start workflows when results are ready',
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
				inactive: `<b>Publish once, then test.</b> While a test runs, results come to the editor instead of the published workflow. Once published, every event runs the workflow.<br /><br />${HOW_TO_TEST}`,
				active: `${HOW_TO_TEST}<br /><br /><b>In production</b>, every event runs the published workflow. Find its runs in the <a data-key="executions">executions list</a>.`,
			},
			activationHint:
				'Once you publish the workflow, every event runs it, even with the editor closed.',
		},
		activationMessage:
			'From now on, each new result starts this workflow. For earlier results, use Candidate: Get.',
		eventTriggerDescription:
			'Submit an assessment as a candidate within two minutes. The result appears here.',
		properties: triggerProperties,
	};

	webhookMethods = webhookMethods;

	webhook = receive;
}
