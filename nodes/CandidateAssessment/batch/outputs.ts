import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { ItemOutcome, ItemOutput } from '../actions/operation';
import { ApiError } from '../errors/ItemError';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { isTool } from '../utils/isTool';
import { NOTHING_SENT } from './batchReport';
import { requestOf, type PreparedItem } from './prepareItems';

const { Main: type } = NodeConnectionTypes;
const ONE = JSON.stringify([{ type }]);
const TWO = JSON.stringify([
	{ type, displayName: 'Invited' },
	{ type, displayName: 'Already Invited' },
]);

/** As an expression. n8n appends the error output. */
export const outputs: INodeTypeDescription['outputs'] = `={{ $parameter["operation"] === "invite" ? ${TWO} : ${ONE} }}`;

/**
 * One item for each input item: those that were sent before, as they came, at the second output.
 * @param prepared as far as they were read
 * @param includeOtherFields those that were sent or failed have the input item's fields and files as well
 */
export function toOutputs(
	context: IExecuteFunctions,
	outcomes: readonly ItemOutcome[],
	prepared: readonly PreparedItem[],
	includeOtherFields: boolean,
): INodeExecutionData[][] {
	const node = context.getNode();
	const sent: INodeExecutionData[] = [];
	const sentBefore: INodeExecutionData[] = [];
	context.getInputData().forEach((item, index) => {
		const outcome = outcomes[index];
		const pairedItem = { item: index };
		if (outcome.kind === 'alreadySent' && !isTool(node)) {
			sentBefore.push({ ...withoutError(item), pairedItem });
			return;
		}
		const input = includeOtherFields || outcome.kind === 'ready' ? item : undefined;
		const { json, binary } = outputOf(outcome, prepared[index]?.reference);
		const { ext_reference_id, email } = requestOf(prepared[index])?.body ?? {};
		// Who was typed in is in no item.
		const who = outcome.kind === 'ready' ? { ext_reference_id, email } : undefined;
		const output: INodeExecutionData = { json: { ...who, ...input?.json, ...json }, pairedItem };
		if (binary ?? input?.binary) output.binary = { ...input?.binary, ...binary };
		if ('error' in outcome && node.onError === 'continueErrorOutput') {
			// Routes the item to the error output. If it were enumerable, n8n would replace `json` with its message.
			Object.defineProperty(output, 'error', { get: () => toNodeError(context, outcome.error) });
		}
		sent.push(output);
	});
	// n8n moves errors to their own output.
	if (sentBefore.length > 0 && sent.every((item) => 'error' in item)) {
		const applications = outcomes.filter(
			(outcome) => outcome.kind === 'alreadySent' && !outcome.isDuplicate,
		);
		const nothing = sent.length === 0 ? ` ${NOTHING_SENT}` : '';
		// Without a hint, the run looks as if nothing happened, and n8n silently ends a loop.
		addHint(
			context,
			`${candidates(applications.length)} had already been invited.${nothing} See the 'Already Invited' output. In a loop, connect that output back to it, too: otherwise, the loop ends here.`,
		);
	}
	const ready = outcomes.filter(({ kind }) => kind === 'ready').length;
	// Otherwise the output looks as if they had been invited.
	if (ready > 0)
		addHint(context, `Check Only: nothing was sent. ${candidates(ready)} would be invited.`);
	return sentBefore.length > 0 ? [sent, sentBefore] : [sent];
}

/**
 * The item as it came, but to n8n no error: it would move an item to the error output for an error beside its JSON,
 * and for a JSON that consists of `error`, `message` and `details`. A field without a value is one field more, and
 * nobody sees it.
 */
function withoutError(item: INodeExecutionData): INodeExecutionData {
	const { json } = item;
	const isLikeError = json.error !== undefined;
	return {
		...item,
		error: undefined,
		json: isLikeError ? { ...json, isNoError: undefined } : json,
	};
}

/** What an item outputs. With `On Error: Continue`, a failed one is `{ error, outcome, httpStatus? }`. */
function outputOf(outcome: ItemOutcome, reference?: string): ItemOutput {
	if ('error' in outcome) {
		const { kind, error } = outcome;
		const httpStatus = error instanceof ApiError ? error.httpStatus : undefined;
		const json = { error: messageWithAdvice(error), outcome: kind };
		return { json: httpStatus === undefined ? json : { ...json, httpStatus } };
	}
	if (outcome.kind === 'succeeded') return outcome.output;
	if (outcome.kind === 'ready') return { json: { outcome: outcome.kind } };
	// A model expects an answer, and may have asked for several candidates at once.
	const message = reference ? `${reference}: ${outcome.reason}` : outcome.reason;
	return { json: { message: messageWithAdvice({ message, description: NOTHING_SENT }) } };
}

const candidates = (count: number) => (count === 1 ? '1 candidate' : `${count} candidates`);

export function addHint(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints({ message, location: 'outputPane' });
}
