import type { INode } from 'n8n-workflow';

/** n8n's `isToolExecution` is always false in an execute context. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}
