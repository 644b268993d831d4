import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { toErrorItem } from '../errors/toErrorItem';
import { isTool, messageWithAdvice } from '../errors/toNodeError';
import { NOTHING_SENT } from './batchReport';
import type { ItemOutcome } from '../actions/ItemOutcome';

const { Main: type } = NodeConnectionTypes;
const ONE = [{ type }];
const TWO = [
	{ type, displayName: 'Invited' },
	{ type, displayName: 'Already Invited' },
];

/** Those invited before have an output of their own, if the node leaves them out. Raw: an expression may say so. */
const LEAVES_OUT = `$rawParameter["operation"] === "invite" && !["fail", "inviteAgain"].includes($rawParameter["alreadyInvited"])`;

/** The node's outputs, as an expression. n8n adds the error output behind them. */
export const outputs: INodeTypeDescription['outputs'] = `={{ ${LEAVES_OUT} ? ${JSON.stringify(TWO)} : ${JSON.stringify(ONE)} }}`;

/** One item for each input item: those that were sent before, as they came, at the second output. */
export function toOutputs(
	context: IExecuteFunctions,
	outcomes: readonly ItemOutcome[],
): INodeExecutionData[][] {
	const isNobodySent = outcomes.every(({ kind }) => kind === 'alreadySent');
	if (isNobodySent && outcomes.length > 0) hintAtLoop(context);
	const items = context.getInputData();
	const sent: INodeExecutionData[] = [];
	const sentBefore: INodeExecutionData[] = [];
	outcomes.forEach((outcome, index) => {
		const pairedItem = { item: index };
		if (outcome.kind === 'succeeded') sent.push({ ...outcome.output, pairedItem });
		else if (outcome.kind !== 'alreadySent') {
			sent.push(toErrorItem(context, index, outcome.kind, outcome.error));
		} else if (isTool(context.getNode())) {
			// A model waits for an answer.
			const answer = { message: outcome.reason, description: NOTHING_SENT };
			sent.push({ json: { message: messageWithAdvice(answer) }, pairedItem });
		} else sentBefore.push({ ...items[index], pairedItem });
	});
	return sentBefore.length > 0 ? [sent, sentBefore] : [sent];
}

/** n8n ends a loop without a word where a round comes back with nothing. Nothing tells which outputs are wired. */
function hintAtLoop(context: IExecuteFunctions): void {
	const { name } = context.getNode();
	const after = new Set(context.getChildNodes(name).map((node) => node.name));
	if (!context.getParentNodes(name).some((node) => after.has(node.name))) return;
	context.addExecutionHints({
		message:
			"Everyone in this round was already invited. Connect 'Already Invited' back to the loop as well, or the loop ends here.",
		location: 'outputPane',
	});
}
