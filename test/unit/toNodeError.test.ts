import type { INode } from 'n8n-workflow';
import { toNodeError } from '../../nodes/CandidateAssessment/errors/toNodeError';
import { ApiError } from '../../nodes/CandidateAssessment/errors/messages';

const nodeOf = (type: string) => ({
	getNode: (): INode => ({
		id: '1',
		name: 'Invite',
		type: `n8n-nodes-candidate-assessment.${type}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: { secret: 'never-to-be-seen' },
	}),
});

const lost = new ApiError(
	{ message: 'It is not known', description: 'Look in the service first.' },
	{ method: 'POST', path: '/' },
	{ kind: 'networkError', code: 'ECONNRESET', sent: true },
);

describe("A node's error", () => {
	it('says what happened in its message, and what to do in its description', () => {
		const { message, description } = toNodeError(nodeOf('candidateAssessment'), lost);
		expect([message, description]).toEqual(['It is not known', 'Look in the service first.']);
	});

	it('says both in its message where the node is a tool: a model is shown nothing else', () => {
		const { message } = toNodeError(nodeOf('candidateAssessmentTool'), lost);
		expect(message).toBe('It is not known. Look in the service first.');
	});

	it('does not carry the parameters of its node, among which a secret may be', () => {
		const error = toNodeError(nodeOf('candidateAssessment'), lost);
		expect(JSON.stringify(error)).not.toContain('never-to-be-seen');
		expect(error.node.parameters).toEqual({});
	});
});
