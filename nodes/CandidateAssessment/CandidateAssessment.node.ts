import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { execute } from './batch/execute';
import { optionsProperty } from './batch/options';
import { outputs } from './batch/outputs';
import { actionHints, operationProperties, operationSubtitle } from './actions';
import { actionBuilderHint, toolBuilderHint } from './builderHints';

export class CandidateAssessment implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Candidate Assessment',
		name: 'candidateAssessment',
		icon: {
			light: 'file:../../icons/candidateAssessment.svg',
			dark: 'file:../../icons/candidateAssessment.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: operationSubtitle,
		description: 'Invite candidates to an assessment and retrieve their results',
		defaults: { name: 'Candidate Assessment' },
		usableAsTool: { replacements: { builderHint: toolBuilderHint } },
		builderHint: actionBuilderHint,
		hints: actionHints,
		inputs: [NodeConnectionTypes.Main],
		outputs,
		credentials: [{ name: 'candidateAssessmentApi', required: true }],
		properties: [...operationProperties, optionsProperty],
	};

	execute = execute;
}
