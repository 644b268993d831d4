import type { INode } from 'n8n-workflow';
import { ApiError, ItemError } from '../../nodes/CandidateAssessment/errors/ItemError';
import { messageWithAdvice, toNodeError } from '../../nodes/CandidateAssessment/errors/toNodeError';

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
	{ message: "Couldn't confirm it", description: 'Check the service first.' },
	{ outcome: 'unknown' },
);

it("a node's error says what to do in its description, and as a tool in its message: a model sees nothing else", () => {
	const { message, description } = toNodeError(nodeOf('candidateAssessment'), lost);
	expect([message, description]).toEqual(["Couldn't confirm it", 'Check the service first.']);
	expect(toNodeError(nodeOf('candidateAssessmentTool'), lost).message).toBe(
		"Couldn't confirm it. Check the service first.",
	);
});

it("a node's error puts one full stop between them", () => {
	const texts = ['It was deleted.', 'It was deleted'].map((message) =>
		messageWithAdvice({ message, description: 'Check the ID.' }),
	);
	expect(texts).toEqual(Array<string>(2).fill('It was deleted. Check the ID.'));
	expect(messageWithAdvice({ message: 'It was deleted.' })).toBe('It was deleted.');
});

it("a node's error keeps its own message for a tool, though it holds a code that n8n has words for", () => {
	const refused = new ApiError(
		{ message: "Couldn't connect to the service", description: 'Check it. (ECONNREFUSED)' },
		{ outcome: 'notSent' },
	);
	for (const error of [refused, Object.assign(new Error(refused.message), refused)]) {
		expect(toNodeError(nodeOf('candidateAssessmentTool'), error).message).toBe(
			"Couldn't connect to the service. Check it. (ECONNREFUSED)",
		);
	}
});

it("a node's error has the report of the batch below its advice, and stays what it is", () => {
	const node = nodeOf('candidateAssessment');
	const invalid = new ItemError({ message: 'Too long', description: 'Cut it.' }, 'notSent');
	const errors = [lost, invalid].map((error) => toNodeError(node, error, { details: 'Not sent' }));
	const descriptions = errors.map(({ description }) => description);
	expect(descriptions).toEqual(['Check the service first.\n\nNot sent', 'Cut it.\n\nNot sent']);
	for (const error of errors) expect(toNodeError(node, error, { prefix: 'Item 1: ' })).toBe(error);
});

it("a node's error carries no item index, which n8n would append to the message counted from 0", () => {
	const prefix = 'APP-2 (item 2): ';
	const { message, context } = toNodeError(nodeOf('candidateAssessment'), lost, { prefix });
	expect(message).toBe("APP-2 (item 2): Couldn't confirm it");
	expect(context.itemIndex).toBeUndefined();
});

it("a node's error does not carry the parameters of its node, among which a secret may be", () => {
	const error = toNodeError(nodeOf('candidateAssessment'), lost);
	expect(JSON.stringify(error)).not.toContain('never-to-be-seen');
	expect(error.node.parameters).toEqual({});
});
