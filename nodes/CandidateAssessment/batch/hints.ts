import type { IExecuteFunctions } from 'n8n-workflow';
import { NOTHING_SENT } from './batchReport';

/** Without a hint, the run looks as if nothing happened, and n8n silently ends a loop. */
export function addNobodyInvitedHint(
	context: IExecuteFunctions,
	count: number,
	isNothingSent: boolean,
): void {
	const { name, alwaysOutputData } = context.getNode();
	const after = new Set(context.getChildNodes(name).map((node) => node.name));
	const isInLoop = context.getParentNodes(name).some((node) => after.has(node.name));
	// A node can't see which of its outputs are connected.
	const advice = isInLoop
		? "If 'Already Invited' isn't connected, the loop ends here. Connect all outputs back to it through a Merge node."
		: "See the 'Already Invited' output.";
	const sentences = [
		`${candidates(count)} had already been invited.`,
		isNothingSent && NOTHING_SENT,
		advice,
		alwaysOutputData && ALWAYS_OUTPUT_DATA,
	];
	addHint(context, sentences.filter(Boolean).join(' '));
}

/** Otherwise the output looks as if they had been invited. */
export function addCheckOnlyHint(context: IExecuteFunctions, count: number): void {
	addHint(context, `Check Only: nothing was sent. ${candidates(count)} would be invited.`);
}

const candidates = (count: number) => (count === 1 ? '1 candidate' : `${count} candidates`);

const ALWAYS_OUTPUT_DATA =
	"Because 'Always Output Data' is on in the node's settings, n8n passes an empty item to whatever follows 'Invited'. Turn it off.";

export function addHint(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints({ message, location: 'outputPane' });
}
