import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { eventOptions } from './actions/webhook/webhooks';
import { triggerBuilderHint } from './builderHints';
import { triggerProperties } from './trigger/secret';
import { receive } from './trigger/receive';
import { webhookMethods } from './trigger/webhookMethods';

const EVENT_NAMES = Object.fromEntries(eventOptions.map(({ value, name }) => [value, name]));

const HOW_TO_TEST =
	'work through an assessment to its last page, click <b>Execute step</b>, then submit the assessment within two minutes. The result appears here.';

export class CandidateAssessmentTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Candidate Assessment Trigger',
		name: 'candidateAssessmentTrigger',
		icon: {
			light: 'file:../../icons/candidateAssessment.svg',
			dark: 'file:../../icons/candidateAssessment.dark.svg',
		},
		group: ['trigger'],
		// In version 1 of a webhook node, n8n evaluates an expression on every call (docs/performance.md).
		version: 1.1,
		subtitle: `={{ [$parameter["events"]].flat().map((name) => (${JSON.stringify(EVENT_NAMES)})[name] ?? name).join(", ") }}`,
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
				ndvHideUrl: true,
			},
		],
		triggerPanel: {
			header: 'Test by submitting an assessment',
			// Shown under the button. The help below is behind a link.
			activationHint: {
				inactive: `<b>Publish first</b>: a test gets a copy of what the published workflow gets. Then ${HOW_TO_TEST}`,
				active: `<b>To test</b>, ${HOW_TO_TEST} The published workflow also runs.`,
			},
			executionsHelp: {
				inactive:
					'Once you publish the workflow, every event runs it, even with the editor closed.',
				active:
					'Every event runs the published workflow. Find its runs in the <a data-key="executions">executions list</a>.',
			},
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
