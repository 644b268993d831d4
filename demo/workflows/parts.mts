import type { Credential } from '../../tools/n8n/client.mts';

/** Puts a credential into a node, as n8n's editor does. */
export function withCredential({ id, name, type }: Credential) {
	return { [type]: { id, name } };
}

/** The package's nodes and its credential type, as workflows name them. */
export const ACTION = 'n8n-nodes-candidate-assessment.candidateAssessment';
export const TRIGGER = 'n8n-nodes-candidate-assessment.candidateAssessmentTrigger';
export const CREDENTIAL = 'candidateAssessmentApi';

/** A note on the canvas. */
export function note(
	name: string,
	text: string,
	[x, y]: [number, number],
	[width, height]: [number, number],
) {
	return {
		id: name,
		name,
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [x, y] satisfies [number, number] as [number, number],
		parameters: { content: text, width, height },
	};
}

/** Connects nodes one after another. */
export function chain(...names: string[]) {
	return Object.fromEntries(
		names
			.slice(0, -1)
			.map((name, index) => [
				name,
				{ main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
			]),
	);
}
