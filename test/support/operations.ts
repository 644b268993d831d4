import type { INodePropertyOptions } from 'n8n-workflow';
import { operationProperties } from '../../nodes/CandidateAssessment/actions';

export const OPERATIONS = operationProperties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map(({ name, value }) => ({
			resource: String(displayOptions?.show?.resource?.[0]),
			name,
			value: String(value),
		})),
	);

export const WEBHOOK_OPERATIONS = OPERATIONS.filter(({ resource }) => resource === 'webhook');
