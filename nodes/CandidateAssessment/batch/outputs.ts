import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { ApiError, type ItemOutcome, type ItemOutput } from '../errors/ItemError';
import { NOTHING_SENT } from '../errors/messages';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import type { Batch } from './batch';

const { Main: type } = NodeConnectionTypes;
const ONE = JSON.stringify([{ type }]);
const named = (displayName: string) => ({ type, displayName });
const TWO = JSON.stringify([named('Invited'), named('Already Invited')]);

/** As an expression. n8n appends the error output. */
export const outputs: INodeTypeDescription['outputs'] = `={{ $parameter["operation"] === "invite" ? ${TWO} : ${ONE} }}`;

/** One item for each input item that wasn't only checked. Items that were sent before leave at the second output, unchanged. */
export function toOutputs(
	context: IExecuteFunctions,
	outcomes: readonly ItemOutcome[],
	{ items = [], options, operation, isTool }: Pick<Batch, 'isTool'> & Partial<Batch>,
): INodeExecutionData[][] {
	const node = context.getNode();
	const checkOnly = options?.checkOnly ?? false;
	const receipt = operation?.receipt;
	// False where n8n hides the field: for operations that don't have it.
	const includeOtherFields =
		!isTool && context.getNodeParameter('includeOtherFields', 0, false) !== false;
	const sent: INodeExecutionData[] = [];
	const sentBefore: INodeExecutionData[] = [];
	context.getInputData().forEach((item, index) => {
		const outcome = outcomes[index];
		const pairedItem = { item: index };
		const { kind } = outcome;
		if ((kind === 'alreadySent' || (kind === 'duplicate' && !checkOnly)) && !isTool) {
			sentBefore.push({ ...withoutError(item), pairedItem });
			return;
		}
		const goesToErrorOutput = 'error' in outcome && node.onError === 'continueErrorOutput';
		// The hint names them: nothing was sent, so nothing leaves at Invited.
		if (checkOnly && !goesToErrorOutput && !isTool) return;
		const input = includeOtherFields ? item : undefined;
		const { json, binary } = outputOf(outcome, items[index]?.reference);
		// An old link must not pass for this one's.
		const unanswered = receipt && receipt in { ...input?.json } ? { [receipt]: null } : {};
		// The service's fields win, and are the first columns.
		const output: INodeExecutionData = {
			json: { ...json, ...input?.json, ...unanswered, ...json },
			pairedItem,
		};
		if (binary ?? input?.binary) output.binary = { ...input?.binary, ...binary };
		if (goesToErrorOutput) {
			// Routes the item to the error output. If it were enumerable, n8n would replace `json` with its message.
			Object.defineProperty(output, 'error', { get: () => toNodeError(context, outcome.error) });
		}
		sent.push(output);
	});
	return sentBefore.length > 0 ? [sent, sentBefore] : [sent];
}

/**
 * The item as it came, but not as an error, which n8n would move to the error output: one beside the JSON, or a JSON of
 * only `error`, `message` and `details`. An `undefined` field, which nobody sees, prevents the latter.
 */
function withoutError(item: INodeExecutionData): INodeExecutionData {
	// An item of only files has no `json`.
	const isLikeError = item.json?.error !== undefined;
	const json = isLikeError ? { ...item.json, isNoError: undefined } : (item.json ?? {});
	return { ...item, error: undefined, json };
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
	if (outcome.kind === 'ready') return { json: { outcome: outcome.kind, message: NOTHING_SENT } };
	// A model expects an answer, and may have asked for several candidates at once.
	const message = reference ? `${reference}: ${outcome.reason}` : outcome.reason;
	return { json: { message: messageWithAdvice({ message, description: NOTHING_SENT }) } };
}
