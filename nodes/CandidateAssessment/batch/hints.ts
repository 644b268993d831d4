import type { IExecuteFunctions } from 'n8n-workflow';
import { NOTHING_SENT } from './batchReport';
import type { PreparedItem } from './prepareItems';

/** Without a hint, the run looks as if nothing happened, and n8n silently ends a loop. */
export function addNobodyInvitedHint(
	context: IExecuteFunctions,
	count: number,
	isNothingSent: boolean,
): void {
	const { name } = context.getNode();
	const after = new Set(context.getChildNodes(name).map((node) => node.name));
	const isInLoop = context.getParentNodes(name).some((node) => after.has(node.name));
	const before = count === 1 ? '1 candidate was' : `${count} candidates were`;
	// A node can't see which of its outputs are connected.
	const advice = isInLoop
		? "If 'Already Invited' isn't connected, the loop ends here. Connect all outputs back to it through a Merge node."
		: "You'll find the items at 'Already Invited'.";
	const sentences = [`${before} invited before.`, isNothingSent && NOTHING_SENT, advice];
	addHint(context, sentences.filter(Boolean).join(' '));
}

/** No error: somebody may use one external reference ID for everybody on purpose. */
export function addSharedReferenceHint(
	context: IExecuteFunctions,
	items: readonly PreparedItem[],
): void {
	const firsts = new Map<string, { index: number; email: string }>();
	for (const [index, item] of items.entries()) {
		if (item.kind === 'invalid' || !item.application) continue;
		const [job, reference, email] = item.application.identity;
		const key = JSON.stringify([job, reference]);
		const first = firsts.get(key) ?? { index, email };
		firsts.set(key, first);
		if (first.email !== email) {
			const which = `Items ${first.index + 1} and ${index + 1}`;
			return addHint(
				context,
				`${which} have the same external reference ID for the same job, but different email addresses. Their results can't be told apart by it. Give each application an ID of its own.`,
			);
		}
	}
}

export function addHint(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints({ message, location: 'outputPane' });
}
