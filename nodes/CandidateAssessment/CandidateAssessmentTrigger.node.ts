import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { nodeError } from './nodeError';
import { triggerFields } from './trigger/fields';
import { receive } from './trigger/receive';
import { borrow, giveBack, publish, remembered, unpublish } from './trigger/registration';

export class CandidateAssessmentTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Candidate Assessment Trigger',
		name: 'candidateAssessmentTrigger',
		icon: {
			light: 'file:../../icons/candidateAssessment.svg',
			dark: 'file:../../icons/candidateAssessment.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description: "Starts the workflow when a candidate's assessment result is ready",
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
			},
		],
		properties: triggerFields,
	};

	webhookMethods = {
		default: {
			/** The service cannot be asked what is registered; registering again does no harm. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				try {
					await (isTest(this) ? borrow(this) : publish(this));
					return true;
				} catch (error) {
					throw nodeError(this, error as Error);
				}
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				try {
					await (remembered(this).borrowed ? giveBack(this) : unpublish(this));
					return true;
				} catch (error) {
					throw nodeError(this, error as Error);
				}
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}

function isTest(context: IHookFunctions): boolean {
	return context.getMode() === 'manual';
}
