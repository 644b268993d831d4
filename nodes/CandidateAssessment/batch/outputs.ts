import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { FailedOutcome, ItemOutcome } from '../actions/ItemOutcome';
import type { ItemOutput } from '../actions/operation';
import { ApiError } from '../errors/ItemError';
import { isTool, messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { NOTHING_SENT } from './batchReport';

const { Main: type } = NodeConnectionTypes;
const ONE = JSON.stringify([{ type }]);
const TWO = JSON.stringify([
	{ type, displayName: 'Invited' },
	{ type, displayName: 'Already Invited' },
]);

/** The node's outputs, as an expression. n8n adds the error output behind them. */
export const outputs: INodeTypeDescription['outputs'] = `={{ $parameter["operation"] === "invite" ? ${TWO} : ${ONE} }}`;

/**
 * One item for each input item: those that were sent before, as they came, at the second output.
 * @param includeOtherFields the others have the input item's fields and files as well
 */
export function toOutputs(
	context: IExecuteFunctions,
	outcomes: readonly ItemOutcome[],
	includeOtherFields: boolean,
): INodeExecutionData[][] {
	const items = context.getInputData();
	const sent: INodeExecutionData[] = [];
	const sentBefore: INodeExecutionData[] = [];
	outcomes.forEach((outcome, index) => {
		const item = items[index];
		const pairedItem = { item: index };
		const added = (output: ItemOutput) => ({
			...(includeOtherFields ? withInput(item, output) : output),
			pairedItem,
		});
		switch (outcome.kind) {
			case 'succeeded':
				return sent.push(added(outcome.output));
			case 'ready':
				return sent.push({ ...withInput(item, { json: { outcome: outcome.kind } }), pairedItem });
			case 'alreadySent':
				if (!isTool(context.getNode())) return sentBefore.push({ ...item, pairedItem });
				// A model waits for an answer.
				return sent.push(
					added({
						json: {
							message: messageWithAdvice({ message: outcome.reason, description: NOTHING_SENT }),
						},
					}),
				);
			case 'invalid':
			case 'refused':
			case 'unknown':
			case 'notSent':
				return sent.push(withHiddenError(context, added(errorOutput(outcome)), outcome.error));
		}
	});
	if (sent.length === 0 && sentBefore.length > 0) hintAtNobodySent(context, sentBefore.length);
	return sentBefore.length > 0 ? [sent, sentBefore] : [sent];
}

function withInput({ json, binary }: INodeExecutionData, output: ItemOutput): ItemOutput {
	return {
		json: { ...json, ...output.json },
		...((binary ?? output.binary) && { binary: { ...binary, ...output.binary } }),
	};
}

/** What `On Error: Continue` outputs: `{ error, outcome, httpStatus? }`. */
function errorOutput({ kind: outcome, error }: FailedOutcome): ItemOutput {
	const httpStatus = error instanceof ApiError ? error.httpStatus : undefined;
	const json = { error: messageWithAdvice(error), outcome };
	return { json: httpStatus === undefined ? json : { ...json, httpStatus } };
}

/** Leads an item to the error output. If n8n could enumerate the error, it would replace `json` by its message. */
function withHiddenError(
	context: IExecuteFunctions,
	item: INodeExecutionData,
	error: Error,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput') return item;
	return Object.defineProperty(item, 'error', { get: () => toNodeError(context, error) });
}

/** The run looks as if nothing had happened. In a loop, n8n ends without a word if nothing comes back. */
function hintAtNobodySent(context: IExecuteFunctions, count: number): void {
	const { name } = context.getNode();
	const after = new Set(context.getChildNodes(name).map((node) => node.name));
	const isInLoop = context.getParentNodes(name).some((node) => after.has(node.name));
	const before = count === 1 ? '1 candidate was' : `${count} candidates were`;
	// Nothing tells which outputs are wired.
	const advice = isInLoop
		? "If 'Already Invited' isn't connected to the loop, the loop ends here: lead all outputs through a Merge node back to it."
		: "You'll find the items at 'Already Invited'.";
	const message = `${before} invited before. ${NOTHING_SENT} ${advice}`;
	context.addExecutionHints({ message, location: 'outputPane' });
}
