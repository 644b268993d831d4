import type { INode } from 'n8n-workflow';

/** True if an AI agent uses the node as a tool. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}
