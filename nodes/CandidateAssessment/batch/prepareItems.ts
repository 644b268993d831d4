import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { itemReader } from '../parameters/itemReader';
import type { Operation, BinaryDownload } from '../actions/operation';
import type { ApiRequest } from '../transport/types';

/** One input item after the check: a request ready to be sent, or what is wrong with it. */
export type PreparedItem =
	| {
			kind: 'ready';
			request: ApiRequest;
			output?: (data: IDataObject) => IDataObject;
			download?: BinaryDownload;
	  }
	| { kind: 'invalid'; error: Error };

/** So many items are checked in one go; then n8n gets to do what else it has to. */
const YIELD_EVERY = 50;

/** Reads and checks every input item against the operation's rules; nothing is sent. */
export async function prepareItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<PreparedItem[]> {
	const read = itemReader(context, operation.properties);
	const checked: PreparedItem[] = [];
	const count = context.getInputData().length;
	for (let index = 0; index < count; index++) {
		// Without a pause thousands of items would hold up every other workflow and webhook call.
		if (index > 0 && index % YIELD_EVERY === 0) await sleep(0);
		try {
			const params = read(index);
			checked.push({
				kind: 'ready',
				request: operation.request(params),
				output: operation.output?.(params),
				download: operation.download?.(params),
			});
		} catch (error) {
			checked.push({ kind: 'invalid', error: error as Error });
		}
	}
	return checked;
}
