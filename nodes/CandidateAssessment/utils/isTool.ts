import type { INode } from 'n8n-workflow';

export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}
